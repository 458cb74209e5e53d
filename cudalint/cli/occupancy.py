"""`cudalint occupancy`: the calculator, with the next cliffs."""

import json
from dataclasses import asdict
from typing import Any

import click

from cudalint.cli.targets import Refusal, named_targets
from cudalint.hw import Architecture, Device
from cudalint.model import Cliff, Occupancy, Options, cliffs, sweep
from cudalint.model import occupancy as calculate
from cudalint.record import record
from cudalint.reporters.columns import columns

_DIRECTIONS = {
    "registers": ("fewer registers", "more registers"),
    "scalar_registers": ("fewer SGPRs", "more SGPRs"),
    "shared_memory": ("less shared memory", "more shared memory"),
    "block": ("smaller block", "larger block"),
}
_NONE = "-"
_AMOUNT = click.IntRange(min=0)


@record
class _Answer:
    """What is to be shown of one target."""

    target: Device | Architecture
    found: Occupancy
    cliffs: list[Cliff]
    sweep: list[tuple[int, Occupancy]]
    mode: str | None

    @property
    def architecture(self) -> Architecture:
        return self.target.architecture if isinstance(self.target, Device) else self.target

    @property
    def unit(self) -> str:
        return self.architecture.unit_name(self.mode)

    @property
    def units(self) -> int | None:
        """How many SMs, CUs or WGPs there are; unknown of a bare architecture."""
        return self.target.multiprocessors_in(self.mode) if isinstance(self.target, Device) else None


@click.command()
@click.option(
    "--gpu", "gpus", multiple=True, metavar="NAME", help="A GPU or an architecture; repeatable.  [default: h200]"
)
@click.option(
    "--gpu-file", "gpu_files", multiple=True, metavar="FILE", help="A GPU described in a TOML file; repeatable."
)
@click.option("--block", type=click.IntRange(min=1), required=True, metavar="N", help="Threads of a block.")
@click.option(
    "--registers", type=_AMOUNT, default=0, metavar="N", help="Registers of a thread (AMD: VGPRs); 0 for unknown."
)
@click.option("--static-shared", type=_AMOUNT, default=0, metavar="BYTES", help="Static shared memory of a block.")
@click.option("--dynamic-shared", type=_AMOUNT, default=0, metavar="BYTES", help="Dynamic shared memory of a block.")
@click.option("--carveout", type=click.IntRange(0, 100), metavar="PERCENT", help="NVIDIA: memory preferred as shared.")
@click.option("--no-optin", is_flag=True, help="NVIDIA: the kernel has not asked for more than 48 KiB.")
@click.option("--agprs", type=_AMOUNT, default=0, metavar="N", help="AMD: accumulation registers.")
@click.option("--sgprs", type=_AMOUNT, default=0, metavar="N", help="AMD: scalar registers.")
@click.option("--wave-size", type=click.Choice(["32", "64"]), help="AMD: threads of a wavefront.")
@click.option("--mode", type=click.Choice(["cu", "wgp"]), help="AMD RDNA: compute units alone or in pairs.")
@click.option("--sweep", "sweeps", is_flag=True, help="Every block size too.")
@click.option("--output-format", type=click.Choice(["full", "json"]), default="full", show_default=True)
def occupancy(
    gpus: tuple[str, ...], gpu_files: tuple[str, ...], sweeps: bool, output_format: str, **launch: Any
) -> None:
    """Calculate how many blocks are resident at once, what limits them, and how far the next cliff is."""
    targets = named_targets(gpus or (() if gpu_files else ("h200",)), gpu_files)
    amounts = {name: launch[name] for name in ("registers", "static_shared", "dynamic_shared")}
    options = Options(
        carveout=launch["carveout"],
        shared_optin=not launch["no_optin"],
        accumulation_registers=launch["agprs"],
        scalar_registers=launch["sgprs"],
        wave_size=int(launch["wave_size"]) if launch["wave_size"] else None,
        mode=launch["mode"],
    )
    try:
        answers = [_answer(target, launch["block"], amounts, options, sweeps=sweeps) for target in targets]
    except ValueError as error:
        raise Refusal(str(error)) from error
    if output_format == "json":
        records = {answer.target.id: _record(answer, sweeps=sweeps) for answer in answers}
        click.echo(json.dumps({"launch": launch, "targets": records}, indent=2))
        return
    click.echo(columns(_table(answers)))
    if sweeps:
        click.echo("\n" + columns(_sweep_table(answers)))


def _answer(
    target: Device | Architecture, block: int, amounts: dict[str, int], options: Options, *, sweeps: bool
) -> _Answer:
    return _Answer(
        target,
        calculate(target, block=block, **amounts, **options),
        cliffs(target, block=block, **amounts, **options),
        sweep(target, **amounts, **options) if sweeps else [],
        options["mode"],
    )


def _table(answers: list[_Answer]) -> list[list[str]]:
    """One column for each target, one row for each fact."""
    facts = [_facts(answer) for answer in answers]
    named = dict.fromkeys(label for fact in facts for label in fact)
    cliff_labels = [label for pair in _DIRECTIONS.values() for label in pair]
    labels = [label for label in named if label not in cliff_labels] + [
        label for label in cliff_labels if label in named
    ]
    return [["", *(answer.target.id for answer in answers)]] + [
        [label, *(fact.get(label, _NONE) for fact in facts)] for label in labels
    ]


def _facts(answer: _Answer) -> dict[str, str]:
    found, unit = answer.found, answer.unit
    facts = {
        "architecture": " ".join(filter(None, (answer.architecture.id, answer.architecture.family))),
        "resident blocks": f"{found.blocks_per_sm} per {unit}",
        "resident warps": f"{found.warps_per_sm} per {unit}",
        "occupancy": _percent(found),
        "limited by": _limiters(found),
        "on the whole GPU": _NONE if answer.units is None else _whole(answer, answer.units),
        "registers of a block": f"{found.allocated_registers:,}" if found.allocated_registers else _NONE,
        "shared memory of a block": f"{found.allocated_shared:,} bytes",
    }
    if found.reason:
        facts["does not fit"] = found.reason
    for resource, labels in _DIRECTIONS.items():
        for label, rising in zip(labels, (False, True), strict=True):
            for cliff in answer.cliffs:
                if cliff.resource == resource and (cliff.change > 0) == rising:
                    facts[label] = _cliff(cliff, unit)
    return facts


def _whole(answer: _Answer, units: int) -> str:
    return f"{answer.found.blocks_per_sm * units:,} blocks on {units} {answer.unit}s"


def _cliff(cliff: Cliff, unit: str) -> str:
    return (
        f"{cliff.change:+,} ({cliff.value:,}): {cliff.occupancy.blocks_per_sm} per {unit}, {_percent(cliff.occupancy)}"
    )


def _percent(found: Occupancy) -> str:
    return f"{found.fraction * 100:.4g} %"


def _limiters(found: Occupancy) -> str:
    return ", ".join(limiter.replace("_", " ") for limiter in found.limiters)


def _sweep_table(answers: list[_Answer]) -> list[list[str]]:
    """One row for each block size, three columns for each target."""
    swept = [dict(answer.sweep) for answer in answers]
    header = [cell for answer in answers for cell in (answer.target.id, "", "limited by")]
    rows = [
        [str(block), *(cell for sizes in swept for cell in _sweep_cells(sizes.get(block)))]
        for block in sorted({block for sizes in swept for block in sizes})
    ]
    return [["block", *header], *rows]


def _sweep_cells(found: Occupancy | None) -> tuple[str, str, str]:
    if found is None:
        return _NONE, "", ""
    return str(found.blocks_per_sm), _percent(found), _limiters(found)


def _record(answer: _Answer, *, sweeps: bool) -> dict[str, Any]:
    units = answer.units
    record = {
        "architecture": answer.architecture.id,
        "unit": answer.unit,
        "multiprocessors": units,
        **asdict(answer.found),
        "resident_blocks": None if units is None else answer.found.blocks_per_sm * units,
        "cliffs": [asdict(cliff) for cliff in answer.cliffs],
    }
    if sweeps:
        record["sweep"] = [{"block": block, **asdict(found)} for block, found in answer.sweep]
    return record
