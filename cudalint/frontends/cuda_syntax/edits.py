"""Changes to the text before it is parsed, and the scan that keeps them out of comments, literals and directives."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from cudalint.frontends.cuda_syntax.text import MappedText, Segment, Text

_ASIDE = rb"""(?P<aside>
    /(?:/[^\n]*+ | \*.*?(?:\*/|\Z))
  | "(?:[^"\\\n]++|\\.)*+"? | (?<![0-9a-fA-F])'(?:[^'\\\n]|\\.)++'
  | \#(?:[^\\\n]++|\\[ \t]*+\r?\n|\\)*+
  | (?<![A-KM-TV-Za-tv-z0-79_])R"(?P<delimiter>[^()\\\s]{0,16})\(.*?(?:\)(?P=delimiter)"|\Z)
)"""
_ASIDE_STARTS = rb"""/"'\#R"""


class Edit(NamedTuple):
    """Bytes `start` to `end` become `new`, which holds no newline."""

    start: int
    end: int
    new: bytes


def code_matches(pattern: bytes, data: bytes, start: int = 0, *, starts: bytes) -> Iterator[re.Match[bytes]]:
    """The matches of a verbose regular expression outside comments, literals and preprocessor lines.

    `starts` is the inside of a character class: all that a match can begin with. It makes the scan four times as fast.
    """
    return (found for found in _with_asides(pattern, starts).finditer(data, start) if found["aside"] is None)


def asides(data: bytes) -> Iterator[re.Match[bytes]]:
    """The comments, literals and preprocessor lines."""
    return _with_asides(rb"(?!)", b"").finditer(data)


@cache
def _with_asides(pattern: bytes, starts: bytes) -> re.Pattern[bytes]:
    ahead = rb"(?=[" + _ASIDE_STARTS + starts + rb"])"
    return re.compile(ahead + rb"(?:" + _ASIDE + rb"|(?:" + pattern + rb"))", re.VERBOSE | re.DOTALL | re.MULTILINE)


def closing(data: bytes, opening: int) -> int:
    """The offset past the parenthesis that closes the one at `opening`; -1 where none does."""
    depth = 0
    for found in code_matches(rb"[()]", data, opening, starts=b"()"):
        depth += 1 if found[0] == b"(" else -1
        if not depth:
            return found.end()
    return -1


def blanked(data: bytes) -> bytes:
    """White space of the same shape."""
    return re.sub(rb"[^\r\n]", b" ", data)


def overlay(data: bytes, edits: Sequence[Edit]) -> bytes:
    """`data` with edits, in order of place, that keep its length."""
    parts, position = [], 0
    for edit in edits:
        if edit.start >= position:
            parts += [data[position : edit.start], edit.new]
            position = edit.end
    return b"".join([*parts, data[position:]])


def rewrite(plain: Text, edits: Sequence[Edit]) -> Text:
    """`plain` with edits, in order of place, of any length; what is new stands where what it replaces stood."""
    if not edits:
        return plain
    data = plain.data
    stretches = plain.stretches()
    segments: list[Segment] = []
    parts: list[bytes] = []
    written: list[bytes] = []
    position = length = index = 0
    for edit in [*edits, Edit(len(data), len(data), b"")]:
        if edit.start < position:
            continue
        while index < len(stretches) and stretches[index].start <= edit.start:
            if stretches[index].start >= position:
                segments.append(stretches[index]._replace(start=length + stretches[index].start - position))
            index += 1
        length += edit.start - position + len(edit.new)
        parts += [data[position : edit.start], edit.new]
        written += [plain.source[position : edit.start], edit.new]
        position = edit.end
        if edit.start < len(data):
            segments.append(Segment(length - len(edit.new), *plain.position(edit.start), fixed=True))
            fixed = index > 0 and stretches[index - 1].fixed
            segments.append(Segment(length, *plain.position(edit.end), fixed=fixed))
    return MappedText(b"".join(parts), segments, b"".join(written), plain)
