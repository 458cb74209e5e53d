"""What of a file could not be read, as far as it matters to a reader of launches and kernels."""

from collections.abc import Iterable, Iterator, Sequence

from tree_sitter import Node

from cudalint.frontends.cuda_syntax.edits import code_matches
from cudalint.frontends.cuda_syntax.preprocessor import MacroTable
from cudalint.frontends.cuda_syntax.recovery import Reading
from cudalint.ir.expr import Launching
from cudalint.ir.stmt import expressions
from cudalint.ir.unit import Function, Problem
from cudalint.source import Span, line_of

_NO_CODE = frozenset({
    "comment", "string_content", "raw_string_content", "string_literal", "raw_string_literal", "char_literal", "character",
    "preproc_arg", "system_lib_string", "raw_string_delimiter",
})  # fmt: skip
_STATEMENTS = ("_statement", "_definition", "declaration")
_OUTSIDE_LAUNCHES = frozenset({"preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif", "translation_unit"})
_HELD = rb"<<<|\b__global__\b"


def read_problems(
    reading: Reading, functions: Sequence[Function], launches: Iterable[int], macros: MacroTable
) -> list[Problem]:
    """The problems of one file, in order of place, each said once.

    `launches` are the byte offsets of the `<<<` that were understood.
    """
    found = [
        *_lost_launches(reading, frozenset(launches)),
        *_lost_kernels(reading, functions),
        *_broken_kernels(reading, functions),
        *_broken_launches(reading),
        *_lost_macro_uses(reading, functions, macros),
        *_dropped(reading),
    ]
    unique = {problem.message: problem for problem in reversed(found)}
    return sorted(unique.values(), key=lambda problem: problem.extent)


def _offsets(data: bytes, word: bytes) -> Iterator[int]:
    found = data.find(word)
    while found >= 0:
        yield found
        found = data.find(word, found + len(word))


def _in_code(root: Node, offset: int, size: int) -> Node | None:
    """The token at `offset`, unless that lies in a comment, a literal or the body of a macro."""
    leaf = root.descendant_for_byte_range(offset, offset + size)
    return None if leaf is None or leaf.type in _NO_CODE else leaf


def _lines(reading: Reading, start: int, end: int) -> str:
    first, last = line_of(reading.text.place(start, start)), line_of(reading.text.place(end, end))
    return f"line {first}" if first == last else f"lines {first} to {last}"


def _lost_launches(reading: Reading, launches: frozenset[int]) -> Iterator[Problem]:
    for offset in _offsets(reading.text.data, b"<<<"):
        if offset in launches or _in_code(reading.tree.root_node, offset, 3) is None:
            continue
        end = offset + 3
        yield Problem(
            f"the launch on {_lines(reading, offset, end)} could not be read", reading.text.place(offset, end), "launch"
        )


def _lost_kernels(reading: Reading, functions: Sequence[Function]) -> Iterator[Problem]:
    """Every `__global__` must belong to a kernel that was read, or to a declaration that the parser understood."""
    if not reading.faults:
        return
    headings = [(function.span, function.name_span) for function in functions if function.is_kernel]
    for offset in _offsets(reading.text.data, b"__global__"):
        place = reading.text.place(offset, offset + 10)
        word = Span.unpack("", place)
        if any(
            (whole.line, whole.column) <= (word.line, word.column) <= (name.line, name.column)
            for whole, name in headings
        ):
            continue
        leaf = _in_code(reading.tree.root_node, offset, 10)
        if leaf is None or not _in_fault(leaf):
            continue
        yield Problem(f"the kernel on {_lines(reading, offset, offset)} could not be read", place, "kernel")


def _in_fault(node: Node) -> bool:
    """Whether a token stands in something the parser did not understand."""
    around = node.parent
    while around is not None:
        if around.is_error:
            return True
        if around.type in {"declaration", "template_instantiation", "function_definition", "friend_declaration"}:
            return around.has_error
        around = around.parent
    return False


def _broken_kernels(reading: Reading, functions: Sequence[Function]) -> Iterator[Problem]:
    """The kernels with faults in them, one problem each."""
    faults = [(Span.unpack("", reading.text.extent(fault)), fault) for fault in reading.faults]
    for function in functions:
        if not function.is_kernel or function.body is None or not faults:
            continue
        whole = Span.unpack("", function.extent)
        inside = [(span, fault) for span, fault in faults if _touch(span, whole)]
        if inside:
            span, fault = inside[0]
            where = _lines(reading, fault.start_byte, fault.end_byte)
            more = f" and {len(inside) - 1} more places" if len(inside) > 1 else ""
            yield Problem(f"part of kernel '{function.name}' ({where}{more}) could not be read", span.extent, "kernel")


def _touch(fault: Span, kernel: Span) -> bool:
    """Whether they overlap; a kernel that stands whole inside an error was read all the same."""
    start, end = (fault.line, fault.column), (fault.end_line, fault.end_column)
    first, last = (kernel.line, kernel.column), (kernel.end_line, kernel.end_column)
    return start < last and first <= end and not (start <= first and last <= end)


def _broken_launches(reading: Reading) -> Iterator[Problem]:
    """The launches that have a fault in what they launch or in their configuration."""
    for fault in reading.faults:
        launch = _launch_around(fault)
        if launch is not None:
            where = _lines(reading, launch.start_byte, launch.end_byte)
            yield Problem(f"part of the launch on {where} could not be read", reading.text.extent(launch), "launch")


def _launch_around(fault: Node) -> Node | None:
    """The launch in whose kernel or configuration a fault lies."""
    node, around = fault, fault.parent
    while around is not None and around.type not in _OUTSIDE_LAUNCHES and not around.type.endswith(_STATEMENTS):
        if around.type == "kernel_call_syntax":
            return around.parent
        if around.type == "call_expression" and node.type != "argument_list" and _is_launch(around):
            return around
        node, around = around, around.parent
    return None


def _is_launch(call: Node) -> bool:
    return any(child.type == "kernel_call_syntax" for child in call.children)


def _lost_macro_uses(reading: Reading, functions: Sequence[Function], macros: MacroTable) -> Iterator[Problem]:
    """The uses of macros that launch, where no launch came out."""
    names = [name.encode() for name in macros.launching if name.encode() in reading.text.data]
    if not names:
        return
    pattern = rb"\b(?:" + b"|".join(sorted(names, reverse=True)) + rb")\b"
    starts = bytes({name[0] for name in names})
    uses = [found.span() for found in code_matches(pattern, reading.text.data, starts=starts)]
    expanded = _expanded(functions) if uses else []
    for start, end in uses:
        place = reading.text.place(start, end)
        span = Span.unpack("", place)
        if not any(launch.covers(span) for launch in expanded):
            name = reading.text.between(start, end)
            yield Problem(
                f"the launch that macro '{name}' makes on line {span.line} could not be read", place, "launch"
            )


def _expanded(functions: Sequence[Function]) -> list[Span]:
    """Where launches come out of macros."""
    return [
        Span.unpack("", node.extent)
        for function in functions
        for node in expressions(function.body or ())
        if isinstance(node, Launching) and node.macro
    ]


def _dropped(reading: Reading) -> Iterator[Problem]:
    """The branches of an `#if` that were left out although they may be the ones compiled."""
    for start, end in reading.dropped:
        holds = next(code_matches(_HELD, reading.text.source[start:end], starts=b"<_"), None)
        if holds is not None:
            where = _lines(reading, start, end)
            kind = "launch" if holds[0] == b"<<<" else "kernel"
            yield Problem(
                f"the {kind} in one branch of an #if, {where}, was not read", reading.text.place(start, end), kind
            )
