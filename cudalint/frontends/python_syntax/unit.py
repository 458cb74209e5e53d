"""Reads one Python file into a `Unit`."""

import ast
import re
import warnings
from collections.abc import Iterator
from pathlib import Path

from cudalint.frontends.cuda_syntax.defines import IncludeLine
from cudalint.frontends.cuda_syntax.includes import Project
from cudalint.frontends.python_syntax import expressions as _expressions  # noqa: F401 - registers how expressions are lowered
from cudalint.frontends.python_syntax import statements as _statements  # noqa: F401 - as above
from cudalint.frontends.python_syntax.comments import read_comments
from cudalint.frontends.python_syntax.definitions import lower_module
from cudalint.frontends.python_syntax.imports import Imports
from cudalint.frontends.python_syntax.lowering import Lowering
from cudalint.frontends.python_syntax.recognisers import recognisers
from cudalint.frontends.python_syntax.relevance import relevant_python
from cudalint.frontends.python_syntax.text import Text
from cudalint.ir.unit import Include, Problem, Unit
from cudalint.source import pack

_DEEP = "nested too deeply"
_LAUNCHES = re.compile(rb"\.jit\b|\w\s*\[[^\]\n]*,[^\]\n]*\]\s*\(|RawKernel|SourceModule")


def read_python(raw: bytes, path: Path, display: str, project: Project) -> Unit:
    """The unit of the Python file at `path`, which holds `raw` and is shown as `display`."""
    text = Text(raw)
    relevant = relevant_python(raw)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes and the like are no business of ours
            tree = ast.parse(text.code)
        low = Lowering(text, tree, recognisers(raw) if relevant else [], display)
        includes = tuple(_includes(low.imports, path, project)) if relevant else ()
        low.state["modules"] = frozenset(_modules(low.imports, includes))
        for asked in low.recognisers:
            asked.prepare(low)
        lower_module(low)
        for asked in low.recognisers:
            asked.finish(low)
    except SyntaxError as error:
        return _failed(text, raw, display, f"{error.msg}", error.lineno or 1)
    except (RecursionError, MemoryError, ValueError) as error:
        return _failed(text, raw, display, _DEEP if isinstance(error, RecursionError) else str(error), 1)
    return Unit(
        path=display,
        language="python",
        includes=includes,
        macros=tuple(low.macros),
        globals=tuple(low.globals),
        structs=tuple(low.structs),
        functions=tuple(low.functions),
        comments=tuple(read_comments(text, tree)),
        problems=tuple(low.problems),
        lines=text.lines,
    )


def unreadable(display: str, message: str) -> Unit:
    """A unit of which nothing is known but why."""
    return Unit(display, "python", problems=(Problem(message, pack(1, 1, 1, 1), "file"),))


def _failed(text: Text, raw: bytes, display: str, why: str, line: int) -> Unit:
    """A unit of which nothing is known but why: said where code for a GPU is lost with it."""
    line = min(max(line, 1), max(text.lines, 1))
    width = len(text.rows[line - 1]) if line <= len(text.rows) else 0
    holds = "file" if _LAUNCHES.search(raw) else ""
    problem = Problem(f"file could not be read as Python: {why}", pack(line, 1, line, width + 1), holds)
    return Unit(display, "python", problems=(problem,), lines=text.lines)


def _includes(imports: Imports, path: Path, project: Project) -> Iterator[Include]:
    """The files of the project that are imported."""
    for name in imports.files():
        resolved = project.resolve(path, IncludeLine(name, True))
        if resolved and resolved != str(path):
            yield Include(name, resolved)


def _modules(imports: Imports, includes: tuple[Include, ...]) -> Iterator[str]:
    """The paths by which modules of the project are named."""
    files = {include.text.removesuffix(".py").lstrip("./").replace("/", ".") for include in includes}
    for target in imports.names.values():
        if target.lstrip(".") in files:
            yield target
