"""Plain text in aligned columns."""

from collections.abc import Sequence

_GAP = "  "


def columns(rows: Sequence[Sequence[str]]) -> str:
    """Lines of cells, each column as wide as its widest cell; rows may be short."""
    width = max(map(len, rows), default=0)
    full = [[*row, *[""] * (width - len(row))] for row in rows]
    widths = [max(map(len, column)) for column in zip(*full, strict=True)]
    lines = (_GAP.join(cell.ljust(size) for cell, size in zip(row, widths, strict=True)) for row in full)
    return "\n".join(line.rstrip() for line in lines)
