"""Reads one file of CUDA C++, HIP or plain C++ into a `Unit`."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from cudalint.frontends.cuda_syntax.bracketed import sums
from cudalint.frontends.cuda_syntax.comments import read_comments
from cudalint.frontends.cuda_syntax.declarations import lower_unit
from cudalint.frontends.cuda_syntax.defines import Directives, read_directives
from cudalint.frontends.cuda_syntax.edits import overlay
from cudalint.frontends.cuda_syntax.includes import Project
from cudalint.frontends.cuda_syntax.masks import remarks
from cudalint.frontends.cuda_syntax.preprocessor import MacroTable
from cudalint.frontends.cuda_syntax.problems import read_problems
from cudalint.frontends.cuda_syntax.recovery import read_text
from cudalint.frontends.cuda_syntax.snippets import read_expression
from cudalint.frontends.cuda_syntax.text import Text
from cudalint.ir.unit import Include, Macro, Problem, Unit
from cudalint.source import pack


def unreadable(display: str, language: str, message: str) -> Unit:
    """A unit of which nothing is known but why."""
    return Unit(display, language, problems=(Problem(message, pack(1, 1, 1, 1), "file"),))


def read_directives_only(data: bytes, path: Path, display: str, language: str, project: Project) -> Unit:
    """The includes and macros of a file whose code does not matter."""
    own = read_directives(data, str(path))
    text = Text(data)
    return Unit(
        display,
        language,
        includes=_includes(own, path, project),
        macros=tuple(_macros(own, text, project.macros(path, own))),
        lines=text.lines,
    )


def read_unit(
    data: bytes,
    path: Path,
    display: str,
    language: str,
    project: Project,
    *,
    wanted: frozenset[str] = frozenset(),
    callees: frozenset[str] = frozenset(),
) -> Unit:
    """The unit of the file at `path`, which holds `data` (as `decoding.decode` gives it) and is shown as `display`.

    `wanted` names functions to lower whatever they hold, and so is what calls one of `callees`.
    """
    return read_placed(Text(data), path, display, language, project, wanted=wanted, callees=callees)


def read_placed(
    written: Text,
    path: Path,
    display: str,
    language: str,
    project: Project,
    *,
    wanted: frozenset[str] = frozenset(),
    callees: frozenset[str] = frozenset(),
) -> Unit:
    """As `read_unit`, of text that need not stand where its lines say."""
    data = written.data
    own = read_directives(data, str(path))
    macros = project.macros(path, own)
    plain = written.masked(overlay(data, list(remarks(data, own.macros))))
    reading = read_text(plain, macros, hip=language == "hip")
    root, text = reading.tree.root_node, reading.text
    lowered = lower_unit(root, text, macros, wanted, callees)
    problems = (*lowered.problems, *read_problems(reading, lowered.functions, lowered.launch_offsets, macros))
    return Unit(
        path=display,
        language=language,
        includes=_includes(own, path, project),
        macros=tuple(_macros(own, plain, macros)),
        globals=tuple(replace(item, file=display) for item in lowered.globals),
        aliases=lowered.aliases,
        structs=lowered.structs,
        functions=tuple(replace(function, file=display) for function in lowered.functions),
        comments=tuple(read_comments(root, text)),
        problems=problems,
        lines=plain.lines,
    )


def _includes(own: Directives, path: Path, project: Project) -> tuple[Include, ...]:
    return tuple(Include(line.name, project.resolve(path, line)) for line in own.includes)


def _macros(own: Directives, text: Text, macros: MacroTable) -> Iterable[Macro]:
    """The definitions of the file; the body is None where it reads as no expression."""
    for macro in own.macros:
        extent = text.place(macro.start, macro.end)
        body = read_expression(macro.body, macros, extent)
        if body is not None and macro.parameters:
            body = sums(body, macro.parameters)
        yield Macro(macro.name, macro.parameters, body, macro.body, extent, macro.conditional)
