"""What is known of every launch site, as reports show it."""

from collections.abc import Iterable

from cudalint.engine.targets import Targets
from cudalint.ir import Dim3, Launch, Quantity
from cudalint.model import Occupancy
from cudalint.report import ReportedLaunch, Target, Value
from cudalint.rule import Context


def reported_launches(launches: Iterable[Launch], targets: Targets) -> tuple[ReportedLaunch, ...]:
    """The launches, in order of place, each on its GPUs."""
    return tuple(
        _reported(launch, targets.of(launch.span.file)) for launch in sorted(launches, key=lambda one: one.sort_key)
    )


def _reported(launch: Launch, contexts: Iterable[Context]) -> ReportedLaunch:
    return ReportedLaunch(
        kernel=launch.kernel_name,
        span=launch.span,
        form=launch.form,
        grid=_shape(launch.grid),
        block=_shape(launch.block),
        cluster=_shape(launch.cluster) if launch.cluster else None,
        dynamic_shared=_value(launch.dynamic_shared),
        registers=_value(launch.registers),
        static_shared=_value(launch.static_shared),
        cooperative=launch.cooperative,
        defined=launch.kernel.span if launch.kernel else None,
        function=launch.function.qualified,
        targets={context.device.id: _target(launch, context) for context in contexts},
    )


def _value(quantity: Quantity, dims: tuple[int | None, int | None, int | None] | None = None) -> Value:
    formula = None if quantity.form is None or quantity.exact is not None else str(quantity.form)
    text = quantity.text or ("" if quantity.exact is None else str(quantity.exact))
    return Value(quantity.exact, text, str(quantity.origin), quantity.lo, quantity.hi, formula, dims)


def _shape(shape: Dim3) -> Value:
    return _value(shape.volume, (shape.x.exact, shape.y.exact, shape.z.exact))


def _target(launch: Launch, context: Context) -> Target:
    resident = context.residency(launch)
    if resident is None:
        return Target(None, None, (), None, None)
    least, most = resident
    ends = least.blocks_per_sm, most.blocks_per_sm
    if ends[0] != ends[1]:
        return Target(None, ends, (), None, None)
    blocks, grid = ends[0], context.blocks(launch).exact
    waves = None if grid is None or not blocks else grid / (context.device.multiprocessors * blocks)
    return Target(blocks, ends, _limiters(least, most), most.fraction, waves)


def _limiters(least: Occupancy, most: Occupancy) -> tuple[str, ...]:
    """What stops the next block, whatever is unknown; the best case's where that is not one thing."""
    return tuple(name for name in most.limiters if name in least.limiters) or most.limiters
