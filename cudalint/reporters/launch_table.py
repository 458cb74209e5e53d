"""Every launch site with what is known of it, as a table."""

from collections.abc import Callable, Sequence

from cudalint.report import Report, ReportedLaunch, Target, Value
from cudalint.reporters.columns import columns
from cudalint.reporters.snippet import printable
from cudalint.reporters.wording import count

_WIDEST = 44
_ELSEWHERE = "-"
"""Stands where a launch's code is not for the GPU."""

Row = list[str]
SortKey = Callable[[ReportedLaunch], object]

SORTS: dict[str, SortKey] = {
    "place": lambda launch: (launch.file, launch.line, launch.span.column),
    "kernel": lambda launch: (launch.kernel, launch.file, launch.line),
    "grid": lambda launch: (-_known(launch.grid), launch.file, launch.line),
    "block": lambda launch: (-_known(launch.block), launch.file, launch.line),
    "registers": lambda launch: (-_known(launch.registers), launch.file, launch.line),
    "waves": lambda launch: (-max((_waves(target) for target in launch.targets.values()), default=-1), launch.file),
}
"""Orders of the table; numbers fall, and what is unknown comes last."""


def launch_table(report: Report, *, sort: str = "place") -> str:
    """A row for each launch, and below how much of all launches is known."""
    launches = sorted(report.launches, key=SORTS[sort])  # type: ignore[arg-type]
    header = ["PLACE", "KERNEL", "GRID", "BLOCK", "DYNAMIC SHARED", "REGISTERS"]
    for gpu in report.gpus:
        header += [f"BLOCKS ON {gpu.upper()}", "WAVES"]
    rows = [_row(launch, report.gpus) for launch in launches]
    table = columns([header, *rows]) + "\n\n" if rows else ""
    return f"{table}{_totals(report)}\n"


def cell(value: Value) -> str:
    """As in "256 (literal)", or "? = ceil(n / 256)" where the number is not known."""
    if value.value is not None:
        return f"{_shape(value)} ({value.origin})"
    if value.lo is not None and value.hi is not None:
        known = "" if value.origin == "unknown" else f" ({value.origin})"
        return f"{value.lo}..{value.hi}{known}"
    formula = value.formula or value.text
    return f"? = {formula}" if formula else "?"


def resident(target: Target | None) -> str:
    """Blocks per SM with what limits them, or their range."""
    if target is None:
        return _ELSEWHERE
    if target.blocks_per_sm is not None:
        return f"{target.blocks_per_sm} ({', '.join(target.limiter)})" if target.limiter else str(target.blocks_per_sm)
    if target.blocks_per_sm_range is not None:
        least, most = target.blocks_per_sm_range
        return f"{least}..{most}"
    return "?"


def waves(target: Target | None) -> str:
    if target is None:
        return _ELSEWHERE
    return "?" if target.waves is None else f"{target.waves:.4g}"


def _row(launch: ReportedLaunch, gpus: Sequence[str]) -> Row:
    parts = (launch.grid, launch.block, launch.dynamic_shared, launch.registers)
    row = [_cut(text) for text in (launch.kernel, *map(cell, parts))]
    for gpu in gpus:
        row += [resident(launch.targets.get(gpu)), waves(launch.targets.get(gpu))]
    return [printable(text) for text in (f"{launch.file}:{launch.line}", *row)]


def _shape(value: Value) -> str:
    if value.dims is None or value.dims[1:] == (1, 1):
        return str(value.value)
    axes = value.dims if value.dims[2] != 1 else value.dims[:2]
    return f"{value.value} = {'×'.join(map(str, axes))}"


def _cut(text: str) -> str:
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 1]}…"


def _totals(report: Report) -> str:
    launches = report.launches
    blocks = sum(launch.block.value is not None for launch in launches)
    grids = sum(launch.grid.value is not None for launch in launches)
    both = sum(launch.block.value is not None and launch.grid.value is not None for launch in launches)
    head = f"{count(len(launches), 'launch')} in {count(report.summary.files, 'file')}"
    return f"{head}; block known for {blocks}, grid for {grids}, both for {both}" if launches else head


def _known(value: Value) -> int:
    return -1 if value.value is None else value.value


def _waves(target: Target) -> float:
    return -1 if target.waves is None else target.waves
