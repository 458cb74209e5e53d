"""Plain text in aligned columns."""

from collections.abc import Sequence

from cudalint.reporters.snippet import width

_GAP = "  "


def columns(rows: Sequence[Sequence[str]]) -> str:
    """Lines of cells, each column as wide as its widest cell; rows may be short."""
    most = max(map(len, rows), default=0)
    full = [[*row, *[""] * (most - len(row))] for row in rows]
    widths = [max(map(width, column)) for column in zip(*full, strict=True)]
    return "\n".join(_line(row, widths) for row in full)


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = (cell + " " * (size - width(cell)) for cell, size in zip(row, widths, strict=True))
    return _GAP.join(cells).rstrip()
