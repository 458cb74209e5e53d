"""How the figures of one launch follow from one another, each with where it comes from."""

from collections.abc import Iterator, Mapping

from cudalint.hw import Device
from cudalint.report import ReportedLaunch, Target, Value
from cudalint.reporters.launch_table import cell, waves
from cudalint.reporters.snippet import printable


def derivation(launch: ReportedLaunch, devices: Mapping[str, Device]) -> str:
    """The launch, then for each GPU what is resident and how many waves that makes."""
    lines = [f"{launch.file}:{launch.line}: launch of {launch.kernel} in {launch.function or 'file scope'}"]
    if launch.defined is not None:
        lines.append(f"  kernel defined at {launch.defined}")
    lines += (f"  {name:16} {_with_text(value)}" for name, value in _parts(launch))
    for gpu, target in launch.targets.items():
        lines.append(f"on {gpu}")
        lines += (f"  {line}" for line in _target(launch, target, devices[gpu]))
    return "".join(f"{printable(line)}\n" for line in lines)


def _parts(launch: ReportedLaunch) -> Iterator[tuple[str, Value]]:
    yield "grid", launch.grid
    yield "block", launch.block
    if launch.cluster is not None:
        yield "cluster", launch.cluster
    yield "registers", launch.registers
    yield "static shared", launch.static_shared
    yield "dynamic shared", launch.dynamic_shared


def _with_text(value: Value) -> str:
    written = value.text and value.text not in {str(value.value), value.formula}
    return f"{cell(value)}, written {value.text}" if written else cell(value)


def _target(launch: ReportedLaunch, target: Target, device: Device) -> Iterator[str]:
    unit = device.unit_name
    occupancy = "?" if target.occupancy is None else f"{target.occupancy:.1%}"
    yield f"{f'blocks per {unit}':16} {_resident(target)}"
    yield f"{'occupancy':16} {occupancy} of the warp slots of the {unit}"
    yield f"{'waves':16} {_waves(launch, target, device)}"
    if target.regime is not None:
        yield f"{'regime':16} {target.regime}"
    if target.tail_loss is not None:
        yield f"{'tail loss':16} {target.tail_loss:.1%} of the kernel's time"


def _resident(target: Target) -> str:
    limiter = f", limited by {' and '.join(target.limiter).replace('_', ' ')}" if target.limiter else ""
    if target.blocks_per_sm is not None:
        return f"{target.blocks_per_sm}{limiter}"
    if target.blocks_per_sm_range is None:
        return "? (the block size is not known, or no such block can run)"
    least, most = target.blocks_per_sm_range
    return f"{least}..{most}{limiter}, depending on what is not known above"


def _waves(launch: ReportedLaunch, target: Target, device: Device) -> str:
    grid, units, ends = launch.grid.value, device.multiprocessors, target.blocks_per_sm_range
    per_unit = f"{units} {device.unit_name}s"
    if grid is None:
        return f"? = grid / ({per_unit} × blocks per {device.unit_name}): the grid is not known"
    if target.waves is not None:
        return f"{waves(target)} = {grid} / ({per_unit} × {target.blocks_per_sm})"
    if ends is None or not ends[0]:
        return f"? = {grid} / ({per_unit} × blocks per {device.unit_name})"
    least, most = ends
    return f"{grid / (units * most):.4g}..{grid / (units * least):.4g} = {grid} / ({per_unit} × {least}..{most})"
