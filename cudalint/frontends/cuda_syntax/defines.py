"""The preprocessor lines of a file: what it defines and includes, found without parsing it."""

import re
from dataclasses import field
from functools import cached_property
from typing import NamedTuple

from cudalint.frontends.cuda_syntax.launch_forms import LAUNCH_FORMS
from cudalint.record import mutable_record, record

_DIRECTIVE = re.compile(
    rb"#[ \t]*(define|undef|include|ifdef|ifndef|if|elif|else|endif)\b((?:[^\\\n]+|\\[ \t]*\r?\n|\\)*)",
)
_COMMENT = re.compile(rb"//[^\n]*|/\*.*?\*/", re.DOTALL)
_DEFINE = re.compile(r"\s*([A-Za-z_]\w*)(?:\(([^()]*)\))?(.*)", re.DOTALL)
_SPLICE = re.compile(r"\\[ \t]*\r?\n")
_REMARK = re.compile(r"""("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|//.*|/\*.*?(?:\*/|$)""", re.DOTALL)
_INCLUDE = re.compile(r'\s*(?:"([^"\n]+)"|<([^>\n]+)>)')
_ABSENT = re.compile(r"\s*!\s*defined\s*\(?\s*(\w+)\s*\)?\s*$")

HOLDS_LAUNCH = re.compile(rf"<<<|\b(?:{'|'.join(LAUNCH_FORMS)})\b")
HOLDS_HEADING = re.compile(r"\b__(?:global|shared|launch_bounds|cluster_dims|maxnreg|block_size)__\b")


_WORD = re.compile(r"[A-Za-z_]\w*")
_WORDS = re.compile(r"[A-Za-z_\s][\w\s]*\Z|\Z")
_ATTRIBUTE = re.compile(
    r"""\b(?:__(?:host|device|forceinline|noinline|inline|restrict|inline_hint)__ | __restrict | __inline | __forceinline
      | inline | static | constexpr | const | explicit | extern\s*"C" | __device_builtin__ | __cudart_builtin__)(?!\w)
      | \b(?:__attribute__|__declspec|__align__|alignas|_Pragma|__pragma|__launch_bounds__)\s*
        \((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)
      | \[\[[^\[\]]*\]\]""",
    re.VERBOSE,
)


class MacroDefinition(NamedTuple):
    """One `#define`. `parameters` is None for an object-like macro; a variadic one has `...` or `name...` last.

    `body` has line splices and comments replaced by spaces. `start` and `end` are byte offsets in `file`.
    """

    name: str
    parameters: tuple[str, ...] | None
    body: str
    start: int
    end: int
    conditional: bool
    file: str


class IncludeLine(NamedTuple):
    """`#include "name"` (`quoted`) or `#include <name>`."""

    name: str
    quoted: bool


@record
class Directives:
    """What the preprocessor lines of one file say. `launching` names the macros that hold a launch, `heading` those that
    hold a word of a kernel's heading or of a shared array.
    """

    macros: tuple[MacroDefinition, ...]
    includes: tuple[IncludeLine, ...]
    launching: frozenset[str]
    heading: frozenset[str]

    @cached_property
    def by_name(self) -> dict[str, list[MacroDefinition]]:
        """The definitions of each name."""
        found: dict[str, list[MacroDefinition]] = {}
        for macro in self.macros:
            found.setdefault(macro.name, []).append(macro)
        return found

    @cached_property
    def words(self) -> dict[str, set[str]]:
        """The identifiers in the bodies of each macro."""
        found: dict[str, set[str]] = {}
        for macro in self.macros:
            found.setdefault(macro.name, set()).update(_WORD.findall(macro.body))
        return found

    @cached_property
    def attributes(self) -> dict[str, frozenset[str]]:
        """The macros some body of which holds nothing but attributes and other macros, with the names of those."""
        return {
            macro.name: frozenset(rest.split())
            for macro in self.macros
            if _WORDS.match(rest := _ATTRIBUTE.sub(" ", macro.body))
        }


@mutable_record
class _Level:
    """One open `#if`. `counts` says that what stands under it may or may not hold; `dead` that it never does."""

    counts: bool
    dead: bool = False
    absent: str = ""


@mutable_record
class _Reader:
    file: str
    macros: list[MacroDefinition] = field(default_factory=list)
    includes: list[IncludeLine] = field(default_factory=list)
    levels: list[_Level] = field(default_factory=list)
    settled: set[str] = field(default_factory=set)

    def take(self, keyword: bytes, rest: str, start: int, end: int) -> None:
        if keyword == b"define":
            self._define(rest, start, end)
        elif keyword == b"undef":
            self.settled.discard(rest.strip())
        elif keyword == b"include":
            if found := _INCLUDE.match(rest):
                self.includes.append(IncludeLine(found[1] or found[2], bool(found[1])))
        elif keyword == b"endif":
            del self.levels[-1:]
        elif keyword in {b"else", b"elif"}:
            self._turn(keyword, rest)
        else:
            self.levels.append(_opened(keyword, rest))

    def _define(self, rest: str, start: int, end: int) -> None:
        found = _DEFINE.match(rest)
        if found is None or any(level.dead for level in self.levels):
            return
        name, parameters, body = found.groups()
        if self.levels and self.levels[-1].absent == name:
            if name in self.settled:
                return
            self.levels[-1].counts = False
        conditional = any(level.counts for level in self.levels)
        if not conditional:
            self.settled.add(name)
        listed = None if parameters is None else tuple(part.strip() for part in parameters.split(",") if part.strip())
        self.macros.append(MacroDefinition(name, listed, plain_body(body), start, end, conditional, self.file))

    def _turn(self, keyword: bytes, rest: str) -> None:
        if not self.levels:
            return
        level = self.levels[-1]
        known = level.dead or not (level.counts or level.absent)
        if keyword == b"else" and known:
            self.levels[-1] = _Level(counts=False, dead=not level.dead)
        else:
            self.levels[-1] = _Level(counts=True, dead=rest.strip() == "0")


def _opened(keyword: bytes, rest: str) -> _Level:
    condition = rest.strip()
    if keyword == b"if" and condition in {"0", "1"}:
        return _Level(counts=False, dead=condition == "0")
    if keyword == b"ifndef":
        return _Level(counts=True, absent=condition.split()[0] if condition else "")
    found = _ABSENT.match(condition) if keyword == b"if" else None
    return _Level(counts=True, absent=found[1] if found else "")


def plain_body(body: str) -> str:
    """A replacement list on one line, without comments."""
    if "\\" in body:
        body = _SPLICE.sub(" ", body)
    if "//" in body or "/*" in body:
        body = _REMARK.sub(lambda found: found[1] or " ", body)
    return body.strip()


def read_directives(data: bytes, file: str = "") -> Directives:
    """The definitions and includes of a file, in order. Definitions in block comments and under `#if 0` are left out.

    A definition counts as conditional unless all that stands around it is an include guard, `#if 1`, or the `#ifndef`
    of its own name; one under that `#ifndef` is left out where the name has been defined before.
    """
    reader = _Reader(file)
    remarks = [found.span() for found in _COMMENT.finditer(data)] if b"/*" in data and b"#" in data else []
    passed = 0
    for found in _DIRECTIVE.finditer(data):
        start = found.start()
        if data[data.rfind(b"\n", 0, start) + 1 : start].strip():
            continue
        while passed < len(remarks) and remarks[passed][1] <= start:
            passed += 1
        if passed < len(remarks) and remarks[passed][0] < start:
            continue
        reader.take(found[1], found[2].decode(errors="replace"), start, start + len(found[0].rstrip()))
    macros = tuple(reader.macros)
    launches = macros if b"<<<" in data or b"Launch" in data else ()
    return Directives(
        macros,
        tuple(reader.includes),
        frozenset(macro.name for macro in launches if HOLDS_LAUNCH.search(macro.body)),
        frozenset(macro.name for macro in macros if "__" in macro.body and HOLDS_HEADING.search(macro.body)),
    )
