"""Rewrites what the grammar does not know into what it knows, so that the rest of the text can be read.

Two kinds of change: macros of headings are replaced by what they stand for (`substitutions`, any length), and words are
blanked or exchanged in place (`masks`, same length).
"""

import re
from collections.abc import Iterable, Iterator

from cudalint.frontends.cuda_syntax.defines import MacroDefinition
from cudalint.frontends.cuda_syntax.edits import Edit, asides, blanked, closing, code_matches, overlay
from cudalint.frontends.cuda_syntax.preprocessor import MacroTable

_MASKED = rb"""
    \](?P<lambda>\s*(?:\b(?:__\w+__|inline|[A-Z][A-Z0-9_]{2,})\b\s*)+)(?=[({])
  | \b(?P<word>__restrict(?:__)?)\b
  | \b(?P<align>__align__)(?=\s*\()
  | \b(?P<call>__maxnreg__|__cluster_dims__|__block_size__|_Pragma|__pragma|__launch_bounds__|\w*LAUNCH_BOUNDS\w*)\s*(?=\()
  | (?P<chevrons><<<)
"""
_BRACKETS = rb"(?P<open>[({\[])|(?P<close>[)}\]])|(?P<comma>,)|(?P<end>>>>)|(?P<stop>;|<<<)"
_BRACKET_STARTS = rb"({\[)}\],;<>"
_BOUNDARY = rb"(?P<boundary>[;{}])|(?P<chevrons><<<)"
_REMARK = re.compile(rb"/\*.*?\*/", re.DOTALL)
_LONGEST_PREFIX = 2000
_KERNEL = re.compile(rb"\s+(?:\w+\s*::\s*)*[A-Za-z_]\w*\s*(?:<[^;{}]*>)?\s*\Z")
_MARKER = re.compile(rb"\s*(?P<word>[A-Z_][A-Z0-9_]*)(?=[ \t]*\r?\n)|\s*(?P<call>\w+)\s*(?=\()")


def substitutions(data: bytes, names: Iterable[str], macros: MacroTable) -> list[Edit]:
    """The uses of the macros `names`, and what they stand for."""
    present = [name.encode() for name in names if name.encode() in data]
    if not present:
        return []
    pattern = rb"\b(?P<name>" + b"|".join(sorted(present, reverse=True)) + rb")\b(?P<call>\s*\()?"
    edits: list[Edit] = []
    for found in code_matches(pattern, data, starts=bytes({name[0] for name in present})):
        name = found["name"].decode()
        macro = macros.choose(name)
        if macro is None or (edits and found.start() < edits[-1].end):
            continue
        end = found.end("name") if macro.parameters is None else closing(data, found.end() - 1) if found["call"] else -1
        new = macros.replace(data[found.start() : end].decode(errors="replace"), name) if end > 0 else None
        if new is not None:
            edits.append(Edit(found.start(), end, new.encode()))
    return edits


def remarks(data: bytes, definitions: Iterable[MacroDefinition]) -> Iterator[Edit]:
    """The comments inside macros: to the grammar a macro ends where one begins, and what follows is code."""
    for macro in definitions:
        if data.find(b"/*", macro.start, macro.end) >= 0:
            yield from (_blank(data, *found.span()) for found in _REMARK.finditer(data, macro.start, macro.end))


def separations(data: bytes) -> Iterator[Edit]:
    """A `;` where a macro stands on a line of its own before a launch: `CHECK(x)` or `TIMED` and then `k<<<g, b>>>();`"""
    start = 0
    for found in code_matches(_BOUNDARY, data, starts=b";{}<") if b"<<<" in data else ():
        if found["boundary"]:
            start = found.end()
            continue
        if start < 0 or found.start() - start > _LONGEST_PREFIX:
            continue
        before = _bare(data[start : found.start()])
        marker = _MARKER.match(before)
        begin, start = start, -1
        if marker is None:
            continue
        end = marker.end() if marker["word"] else closing(before, marker.end())
        if end > 0 and b"\n" in before[end:].split(b"<")[0] and _KERNEL.match(before, end):
            at = begin + end
            yield Edit(begin + marker.start("word"), at, b"") if marker["word"] else Edit(at, at, b";")


def masks(data: bytes) -> Iterator[Edit]:
    """What the grammar trips over, blanked or exchanged in place. `Text.source` still shows the launch attributes."""
    for found in code_matches(_MASKED, data, starts=rb"\]<A-Za-z_"):
        if found["lambda"]:
            yield _blank(data, *found.span("lambda"))
        elif found["word"]:
            yield _blank(data, *found.span("word"))
        elif found["align"]:
            yield Edit(*found.span("align"), b"alignas  ")
        elif found["chevrons"]:
            yield from _unbraced(data, found.end())
        elif (end := closing(data, found.end())) > 0:
            start = found.start() if found["call"] != b"__launch_bounds__" else _third_argument(data, found.end(), end)
            if start >= 0:
                yield _blank(data, start, end if start == found.start() else end - 1)


def _blank(data: bytes, start: int, end: int) -> Edit:
    return Edit(start, end, blanked(data[start:end]))


def _bare(data: bytes) -> bytes:
    """`data` with comments and directives blanked."""
    hidden = (found for found in asides(data) if found[0].lstrip()[:1] in {b"/", b"#"})
    return overlay(data, [_blank(data, *found.span()) for found in hidden])


def _unbraced(data: bytes, start: int) -> Iterator[Edit]:
    """The outermost braces of a launch configuration, as parentheses."""
    depth = 0
    for found in code_matches(_BRACKETS, data, start, starts=_BRACKET_STARTS):
        if found["stop"] or (found["end"] and not depth):
            return
        if found["open"]:
            depth += 1
            if found[0] == b"{" and depth == 1:
                yield Edit(*found.span(), b"(")
        elif found["close"]:
            depth -= 1
            if found[0] == b"}" and not depth:
                yield Edit(*found.span(), b")")


def _third_argument(data: bytes, opening: int, end: int) -> int:
    """The offset of the second comma in the parentheses at `opening`, which end at `end`; -1 where there is none."""
    depth = commas = 0
    for found in code_matches(_BRACKETS, data, opening, starts=_BRACKET_STARTS):
        if found.start() >= end:
            break
        depth += bool(found["open"]) - bool(found["close"])
        commas += bool(found["comma"]) and depth == 1
        if commas == 2:
            return found.start()
    return -1
