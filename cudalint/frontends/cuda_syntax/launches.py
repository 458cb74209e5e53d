"""Kernel launches of every form, each as one `Launching`."""

from tree_sitter import Node

from cudalint.frontends.cuda_syntax.counts import countable
from cudalint.frontends.cuda_syntax.launch_forms import KERNEL_WRAPPERS, LAUNCH_FORMS, THREE, LaunchForm
from cudalint.frontends.cuda_syntax.lowering import Lowering, chevron_offsets
from cudalint.frontends.cuda_syntax.preprocessor import split_arguments
from cudalint.ir.expr import Binary, Call, Cast, Construct, Expr, Int, Lambda, Launching, Member, Name, Type, Unary
from cudalint.ir.stmt import Evaluate, Stmt
from cudalint.source import Span


def unwrapped(kernel: Expr) -> Expr:
    """What a kernel argument names, under casts, `&`, `*` and macros that only protect commas."""
    while True:
        if isinstance(kernel, Cast) or (isinstance(kernel, Unary) and kernel.op in "&*"):
            kernel = kernel.operand
        elif isinstance(kernel, Call) and kernel.name in KERNEL_WRAPPERS and len(kernel.arguments) == 1:
            kernel = kernel.arguments[0]
        else:
            return kernel


def irregular_call(low: Lowering, node: Node) -> Expr:
    """A call with more parts than callee and arguments: a chevron launch, or a call with errors in it."""
    callee = chevrons = arguments = None
    lost: list[Node] = []
    for child in node.children:
        kind = child.type
        if kind == "kernel_call_syntax":
            chevrons = child
        elif kind in {"argument_list", "initializer_list"}:
            arguments = child
        elif kind == "ERROR":
            lost.append(child)
        elif callee is None and kind != "comment":
            callee = child
    if callee is None:
        return low.opaque(node)
    if chevrons is None:
        if lost or arguments is None:
            return low.opaque(node)
        return Call(low.extent(node), low.expression(callee), low.expressions(arguments.named_children))
    values = low.expressions(arguments.named_children) if arguments is not None else ()
    counted = arguments is not None and countable(low, arguments)
    if not lost or callee.type != "call_expression":
        return _chevron_launch(low, low.extent(node), low.expression(callee), chevrons, values, counted=counted)
    extent = low.text.place(lost[-1].start_byte, node.end_byte)
    launch = _chevron_launch(low, extent, _name_in_error(low, lost[-1]), chevrons, values, counted=counted)
    return Binary(low.extent(node), ",", low.expression(callee), launch)


def _name_in_error(low: Lowering, node: Node) -> Expr:
    """The kernel after `CHECK(x)` without a semicolon: the grammar calls the macro and finds the kernel out of place."""
    found = [child for child in node.named_children if child.type != "comment"]
    return low.expression(found[-1]) if found else Name(low.extent(node), low.spelling(node))


def _chevron_launch(
    low: Lowering, extent: int, kernel: Expr, chevrons: Node, values: tuple[Expr, ...], *, counted: bool
) -> Launching:
    parts: list[Expr | None] = [_part(low, child) for child in chevrons.named_children if child.type != "comment"]
    grid, block, shared, stream = (*parts, None, None, None, None)[:4]
    if not low.macro:
        low.launch_offsets.append(chevrons.start_byte)
    place = _between(low, chevrons)
    low.launched.append(extent)
    return Launching(
        extent, "chevrons", unwrapped(kernel), grid, block, shared, stream, values, place,
        macro=low.macro, counted=counted,
    )  # fmt: skip


def _between(low: Lowering, chevrons: Node) -> int:
    inner = chevrons.named_children
    if not inner:
        return low.extent(chevrons)
    return low.text.place(inner[0].start_byte, inner[-1].end_byte)


def _part(low: Lowering, node: Node) -> Expr:
    """One part of the configuration; braces there may have been parsed as parentheses."""
    value = low.expression(node)
    if node.type != "parenthesized_expression" or low.text.written(node.start_byte, node.start_byte + 1) != "{":
        return value
    terms: list[Expr] = []
    while isinstance(value, Binary) and value.op == ",":
        terms.insert(0, value.right)
        value = value.left
    return Construct(low.extent(node), None, (value, *terms))


def api_call(low: Lowering, node: Node, name: str, arguments: Node) -> Launching | None:
    """The launch a call of a launch function makes; None for any other call, or one with too few arguments."""
    form = LAUNCH_FORMS.get(name) or (LAUNCH_FORMS.get(name.rpartition("::")[2]) if ":" in name else None)
    if form is None:
        return None
    values = low.expressions(arguments.named_children)
    needed = max(form.kernel, form.block + form.width - 1, form.config)
    if len(values) <= needed:
        return None
    kernel, grid, block, shared, stream = _configured(form, values) if form.config >= 0 else _listed(form, values)
    if form.work_items:
        grid = _groups(grid, block)
    inner = [child for child in arguments.named_children if child.type != "comment"]
    first, last = (form.config, form.config) if form.config >= 0 else (form.grid, max(form.stream, form.grid))
    place = low.text.place(inner[first].start_byte, inner[min(last, len(inner) - 1)].end_byte)
    own = values[form.arguments :] if form.arguments is not None else None
    attributes = _structure(values[form.config])[0] if form.config >= 0 and not form.fields[0] else None
    low.launched.append(place)
    return Launching(
        low.extent(node), name.rpartition("::")[2], unwrapped(kernel), grid, block, shared, stream, own, place,
        cooperative=form.cooperative, attributes=attributes, macro=low.macro,
        counted=own is not None and countable(low, arguments),
    )  # fmt: skip


def _listed(form: LaunchForm, values: tuple[Expr, ...]) -> tuple[Expr, Expr, Expr, Expr | None, Expr | None]:
    def at(position: int) -> Expr | None:
        return values[position] if 0 <= position < len(values) else None

    def size(position: int) -> Expr:
        if form.width == 1:
            return values[position]
        parts = values[position : position + form.width]
        return Construct(_spanning(parts[0].extent, parts[-1].extent), Type("dim3"), parts)

    return values[form.kernel], size(form.grid), size(form.block), at(form.shared), at(form.stream)


def _configured(form: LaunchForm, values: tuple[Expr, ...]) -> tuple[Expr, Expr, Expr, Expr, Expr]:
    config, arrow = _structure(values[form.config])
    extent = config.extent
    kernel, grid, block, shared, stream = form.fields

    def member(name: str) -> Expr:
        return Member(extent, config, name, arrow)

    def size(stem: str) -> Expr:
        if form.width != THREE:
            return member(stem)
        return Construct(extent, Type("dim3"), tuple(member(stem + axis) for axis in "XYZ"))

    launched = member(kernel) if kernel else values[form.kernel]
    return launched, size(grid), size(block), member(shared), member(stream)


def _structure(argument: Expr) -> tuple[Expr, bool]:
    """The structure behind a pointer argument, and whether it takes an arrow to reach into it."""
    while isinstance(argument, Cast):
        argument = argument.operand
    if isinstance(argument, Unary) and argument.op == "&":
        return argument.operand, False
    return argument, True


def _groups(grid: Expr, block: Expr) -> Expr:
    """The number of blocks where the size of the grid is given in threads."""
    if not isinstance(grid, Construct) or not isinstance(block, Construct):
        return grid
    counts: list[Expr] = []
    for items, size in zip(grid.arguments, block.arguments, strict=True):
        extent = items.extent
        padded = Binary(extent, "-", Binary(extent, "+", items, size), Int(extent, 1))
        counts.append(Binary(extent, "/", padded, size))
    return Construct(grid.extent, grid.type, tuple(counts))


def _spanning(first: int, last: int) -> int:
    start = Span.unpack("", first)
    end = Span.unpack("", last)
    return Span("", start.line, start.column, end.end_line, end.end_column).extent


def macro_statements(low: Lowering, node: Node, name: str, arguments: Node | None) -> tuple[Stmt, ...] | None:
    """What a use of a launching macro stands for; None where the macro cannot be expanded here."""
    texts = None
    if arguments is not None:
        texts = split_arguments(low.text.between(arguments.start_byte + 1, arguments.end_byte - 1))
    expansion = low.macros.expand(name, texts, low.extent(node))
    if expansion is None:
        return None
    if not low.macro:
        low.launch_offsets.extend(chevron_offsets(low.data, node.start_byte, node.end_byte))
    return low.within(expansion.text, name).body(expansion.root)


def macro_value(low: Lowering, node: Node, name: str, arguments: Node | None) -> Expr | None:
    """A launching macro used as a value: the one expression it stands for, or a block that runs in place."""
    body = macro_statements(low, node, name, arguments)
    if body is None:
        return None
    if len(body) == 1 and isinstance(body[0], Evaluate):
        return body[0].value
    extent = low.extent(node)
    return Call(extent, Lambda(extent, (), body), ())
