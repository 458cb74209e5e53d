"""Lines of source with the marked part underlined, as a terminal shows them."""

import codecs
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

from cudalint.reporters.paint import Paint
from cudalint.source import Span

Lines = Callable[[str], Sequence[str]]
"""The lines of a file by its name; none where it cannot be read (any more)."""

_TAB = 4
_WIDTH = 120
_MOST_LINES = 3
_CUT = "…"
_UNPRINTABLE = "\N{REPLACEMENT CHARACTER}"


@lru_cache(maxsize=64)
def read_lines(file: str) -> Sequence[str]:
    """The lines of a file as frontends count them: they end at a line feed, or at carriage returns where there is none."""
    try:
        raw = Path(file).read_bytes()
    except OSError:
        return ()
    text = _decoded(raw)
    ends = "\n" if "\n" in text else "\r"
    return tuple(line.removesuffix("\r") for line in text.split(ends))


def _decoded(raw: bytes) -> str:
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return raw.decode("utf-16", errors="replace")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def snippet(span: Span, lines: Sequence[str], gutter: int, paint: Paint, mark: str = "^") -> list[str]:
    """The marked lines behind a gutter of `gutter` digits; empty where the file no longer has them."""
    last = min(span.end_line, span.line + _MOST_LINES - 1, len(lines))
    shown = range(span.line, last + 1)
    if not 0 < span.line <= len(lines):
        return []
    bar = paint.frame("|")
    output = [f"{'':{gutter}} {bar}"]
    for number in shown:
        text, under = _marked(lines[number - 1], *_columns(span, number, lines[number - 1]), mark)
        output += [
            f"{paint.frame(f'{number:>{gutter}}')} {bar} {text}".rstrip(),
            f"{'':{gutter}} {bar} {paint.mark(under)}",
        ]
    if last < span.end_line:
        output.append(f"{paint.frame('...')}")
    return output


def printable(text: str) -> str:
    """One line that cannot move the cursor, change colours or end early."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(" " if char in "\t\n\r" else _UNPRINTABLE if _is_control(char) else char for char in text)


def width(text: str) -> int:
    """Terminal columns the text takes."""
    if text.isascii():
        return len(text)
    return sum(_cell_width(char) for char in text)


def _columns(span: Span, number: int, line: str) -> tuple[int, int]:
    """Start and end (exclusive), 0-based, of the part of a line that the span covers; at least one character."""
    first = len(line) - len(line.lstrip())
    start = span.column - 1 if number == span.line else first
    end = span.end_column - 1 if number == span.end_line else len(line.rstrip())
    start = min(max(start, 0), len(line))
    return start, max(min(end, len(line)), start + 1)


def _marked(line: str, start: int, end: int, mark: str) -> tuple[str, str]:
    """The line cut to a window that holds the mark, and the marks below it."""
    cells, place = [], 0
    for char in line:
        shown = " " * (_TAB - place % _TAB) if char == "\t" else _UNPRINTABLE if _is_control(char) else char
        cells.append(shown)
        place += width(shown)
    first, last = _window(cells, start)
    lead = _CUT if first else ""
    text = lead + "".join(cells[first:last]) + (_CUT if last < len(cells) else "")
    indent = len(lead) + width("".join(cells[first:start]))
    marks = width("".join(cells[start : min(end, last)])) or 1
    return text, " " * indent + mark * marks


def _window(cells: Sequence[str], start: int) -> tuple[int, int]:
    """The stretch of cells to show: all where they fit, else as much as fits from shortly before the mark."""
    widths = [width(cell) for cell in cells]
    if sum(widths) <= _WIDTH:
        return 0, len(cells)
    first, before = start, 0
    while first > 0 and before < _WIDTH // 3:
        first -= 1
        before += widths[first]
    last, taken = first, 0
    while last < len(cells) and taken < _WIDTH:
        taken += widths[last]
        last += 1
    return first, last


def _is_control(char: str) -> bool:
    return (
        unicodedata.category(char) in {"Cc", "Cs"}
        or char in "\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
    )


def _cell_width(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
