"""Reads one file of CUDA C++, HIP or plain C++ into a `Unit`."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from cudalint.frontends.cuda_syntax.comments import read_comments
from cudalint.frontends.cuda_syntax.declarations import lower_unit
from cudalint.frontends.cuda_syntax.defines import Directives, read_directives
from cudalint.frontends.cuda_syntax.includes import Project
from cudalint.frontends.cuda_syntax.masks import Blank
from cudalint.frontends.cuda_syntax.preprocessor import MacroTable, split_arguments
from cudalint.frontends.cuda_syntax.problems import read_problems
from cudalint.frontends.cuda_syntax.recovery import read_text
from cudalint.frontends.cuda_syntax.snippets import read_expression
from cudalint.frontends.cuda_syntax.text import Text
from cudalint.ir.unit import Attribute, Function, Include, Macro, Problem, Unit
from cudalint.source import pack


def unreadable(display: str, language: str, message: str) -> Unit:
    """A unit of which nothing is known but why."""
    return Unit(display, language, problems=(Problem(message, pack(1, 1, 1, 1)),))


def read_unit(
    data: bytes, path: Path, display: str, language: str, project: Project, *, wanted: frozenset[str] = frozenset()
) -> Unit:
    """The unit of the file at `path`, which holds `data` (as `decoding.decode` gives it) and is shown as `display`.

    `wanted` names functions to lower whatever they hold.
    """
    own = read_directives(data, str(path))
    macros = project.macros(path, own)
    plain = Text(data)
    reading = read_text(plain, macros, hip=language == "hip")
    root, text = reading.tree.root_node, reading.text
    lowered = lower_unit(root, text, macros, wanted)
    functions = _with_attributes(lowered.functions, reading.blanks, text, macros)
    problems = (*lowered.problems, *read_problems(reading, functions, lowered.launch_offsets, macros))
    return Unit(
        path=display,
        language=language,
        includes=tuple(Include(line.name, project.resolve(path, line)) for line in own.includes),
        macros=tuple(_macros(own, plain, macros)),
        globals=lowered.globals,
        aliases=lowered.aliases,
        structs=lowered.structs,
        functions=functions,
        comments=tuple(read_comments(root, text)),
        problems=problems,
        lines=plain.lines,
    )


def _macros(own: Directives, text: Text, macros: MacroTable) -> Iterable[Macro]:
    """The definitions of the file whose bodies read as expressions."""
    for macro in own.macros:
        extent = text.place(macro.start, macro.end)
        body = read_expression(macro.body, macros, extent)
        if body is not None:
            yield Macro(macro.name, macro.parameters, body, macro.body, extent, macro.conditional)


def _with_attributes(
    functions: Sequence[Function], blanks: Sequence[Blank], text: Text, macros: MacroTable
) -> tuple[Function, ...]:
    """The functions with the launch attributes that the tree does not show: each belongs to the next function named."""
    changed = list(functions)
    order = sorted(range(len(changed)), key=lambda index: changed[index].heading)
    for blank in blanks:
        place = text.place(blank.start, blank.start)
        index = next((index for index in order if changed[index].heading >= place), None)
        if index is None:
            continue
        written = (read_expression(argument, macros, place) for argument in split_arguments(blank.arguments))
        attribute = Attribute(blank.name, tuple(argument for argument in written if argument is not None), place)
        others = tuple(other for other in changed[index].attributes if other.name != blank.name)
        changed[index] = replace(changed[index], attributes=(*others, attribute))
    return tuple(changed)
