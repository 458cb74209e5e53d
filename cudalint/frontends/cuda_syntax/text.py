"""The text a tree was parsed from, and where each piece of it stands in the file people see.

`data` is what the parser saw. `source` has the same length and is what was written, before words the grammar does not
know were blanked: at the offset of a bracket that `data` has as `(`, `source` may have `{`.
"""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from tree_sitter import Node

from cudalint.source import pack

_BOUNDLESS = 1 << 62
_LINE = pack(1, 0, 1, 0)
_COLUMN = pack(0, 1, 0, 0)
_LONG_LINE = 4000


class Segment(NamedTuple):
    """From byte `start` of the parsed text on, text stands at `line` and `column` (1-based, characters) and runs on to the
    right. Where `fixed`, all of the segment stands at that one place.
    """

    start: int
    line: int
    column: int
    fixed: bool = False


def line_starts(data: bytes) -> list[int]:
    """The byte offset of every line of `data`, which ends in a newline, and at last its length."""
    if b"\r" not in data:
        return list(accumulate(map(len, data.splitlines(keepends=True)), initial=0))
    return list(accumulate((len(line) + 1 for line in data.split(b"\n")[:-1]), initial=0))


class Text:
    """A file parsed as it stands."""

    def __init__(self, data: bytes, source: bytes | None = None) -> None:
        self.data = data
        self.source = data if source is None else source
        self._ascii = data.isascii()
        self._letters = data.decode("ascii") if self._ascii else ""
        self._starts = line_starts(data)
        self._lines = len(self._starts)
        self._starts.append(_BOUNDLESS)
        self._begin = self._following = self._reach = self._origin = 0

    def stretches(self) -> Sequence[Segment]:
        """The text cut where it does not simply run on to the right: at least at every line."""
        return [Segment(start, number, 1) for number, start in enumerate(self._starts[: self._lines], 1)]

    @property
    def lines(self) -> int:
        """How many lines of text there are."""
        return self._lines - 1

    def masked(self, data: bytes) -> "Text":
        """The same text with some bytes exchanged in place before it is parsed."""
        return Text(data, self.source)

    def slice(self, node: Node) -> str:
        """The text of a node, as the parser saw it."""
        return self.between(node.start_byte, node.end_byte)

    def between(self, start: int, end: int) -> str:
        """The text of a byte range, as the parser saw it."""
        return self._letters[start:end] if self._ascii else self.data[start:end].decode(errors="replace")

    def written(self, start: int, end: int) -> str:
        """The text of a byte range, as the author wrote it."""
        return self.source[start:end].decode(errors="replace")

    def unreplaced(self, start: int, end: int) -> str:
        """The text of a byte range as the author wrote it, before any macro was replaced."""
        return self.written(start, end)

    def extent(self, node: Node) -> int:
        """The packed extent of a node."""
        start, end = node.start_byte, node.end_byte
        if self._begin <= start and end < self._reach:
            return self._origin + (start - self._begin) * _COLUMN + end - self._begin
        return self.place(start, end)

    def _seek(self, offset: int) -> None:
        """Make the line of `offset` the stretch that places are looked for in first."""
        line = bisect_right(self._starts, offset)
        self._look_in(self._starts[line - 1], self._starts[line], line, 1)

    def _look_in(self, begin: int, following: int, line: int, column: int) -> None:
        """Take the bytes from `begin` to `following` to run on from this place; up to `_reach` columns are plain sums."""
        self._begin, self._following = begin, following
        plain = self._ascii or self.data[begin:following].isascii()
        self._reach = min(following, begin + _LONG_LINE - column) if plain else begin
        self._origin = line * _LINE + column * _COLUMN + column

    def place(self, start: int, end: int) -> int:
        """The packed extent of a byte range."""
        if not self._begin <= start < self._following:
            self._seek(start)
        if end < self._reach:
            return self._origin + (start - self._begin) * _COLUMN + end - self._begin
        return pack(*self.position(start), *self.position(end, ends=True))

    def offset(self, line: int, column: int) -> int:
        """The byte offset of a place in text that stands where its lines say."""
        start = self._starts[line - 1]
        if self._ascii:
            return start + column - 1
        return start + len(self.data[start : self._starts[line]].decode(errors="replace")[: column - 1].encode())

    def position(self, offset: int, *, ends: bool = False) -> tuple[int, int]:  # noqa: ARG002 - matters where text is moved
        """Line and column of a byte offset, or of the end of what `ends` there."""
        line = bisect_right(self._starts, offset)
        if self._ascii:
            return line, 1 + offset - self._starts[line - 1]
        return line, 1 + len(self.data[self._starts[line - 1] : offset].decode(errors="replace"))


class MappedText(Text):
    """Text that stands elsewhere than its own lines say: embedded in another file, or with macros replaced.

    `segments` are in order of `start`, the first at 0; every line of `data` begins one. `plain` is the text whose macros
    were replaced; None for embedded text.
    """

    def __init__(
        self, data: bytes, segments: Sequence[Segment], source: bytes | None = None, plain: Text | None = None
    ) -> None:
        super().__init__(data, source)
        self.plain = plain
        self.segments = segments
        self._openings = [segment.start for segment in segments]

    def masked(self, data: bytes) -> Text:
        return MappedText(data, self.segments, self.source, self.plain)

    def stretches(self) -> Sequence[Segment]:
        return self.segments

    def offset(self, line: int, column: int) -> int:
        """The byte offset of the text that stands at a place; that of the end where none does."""
        found = [
            index
            for index, segment in enumerate(self.segments)
            if segment.line == line and segment.column <= column and not segment.fixed
        ]
        if not found:
            return len(self.data)
        index = max(found, key=lambda one: self.segments[one].column)
        begin = self._openings[index]
        inside = self.data[begin : self._openings[index + 1] if index + 1 < len(self._openings) else None]
        return begin + len(inside.decode(errors="replace")[: column - self.segments[index].column].encode())

    def unreplaced(self, start: int, end: int) -> str:
        if self.plain is None:
            return self.written(start, end)
        return self.plain.written(
            self.plain.offset(*self.position(start)), self.plain.offset(*self.position(end, ends=True))
        )

    def _seek(self, offset: int) -> None:
        index = bisect_right(self._openings, offset)
        segment = self.segments[index - 1]
        following = self._openings[index] if index < len(self._openings) else _BOUNDLESS
        if segment.fixed:
            self._look_in(0, 0, 0, 0)
        else:
            self._look_in(segment.start, following, segment.line, segment.column)

    def position(self, offset: int, *, ends: bool = False) -> tuple[int, int]:
        index = bisect_right(self._openings, offset) - 1
        if ends and index and self._openings[index] == offset and not self.segments[index - 1].fixed:
            index -= 1
        segment = self.segments[index]
        if segment.fixed:
            following = self.segments[index + 1] if ends and index + 1 < len(self.segments) else segment
            return following.line, following.column
        return segment.line, segment.column + len(self.data[segment.start : offset].decode(errors="replace"))


class ExpandedText(Text):
    """The expansion of a macro: every node stands where the macro is used."""

    def __init__(self, data: bytes, use: int) -> None:
        super().__init__(data)
        self.use = use

    def place(self, start: int, end: int) -> int:  # noqa: ARG002 - the same place for every range
        return self.use
