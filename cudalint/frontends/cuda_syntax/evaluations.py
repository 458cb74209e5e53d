"""Expression statements, macros used as statements, and what can be saved of statements that could not be read."""

from dataclasses import replace

from tree_sitter import Node

from cudalint.frontends.cuda_syntax import grammar, launches
from cudalint.frontends.cuda_syntax.lowering import STATEMENTS, Lowering, inside, statement
from cudalint.ir.expr import Binary, Call, Expr, Name
from cudalint.ir.stmt import Block, Evaluate, If, Loop, Stmt, Unreadable


@statement("expression_statement")
def _evaluate(low: Lowering, node: Node, into: list[Stmt]) -> None:
    for child in node.named_children:
        if child.type == "ERROR":
            _salvage(low, child, into)
        elif child.type != "comment":
            append_value(low, node, child, into)


def append_value(low: Lowering, node: Node, child: Node, into: list[Stmt]) -> None:
    """One expression statement; operands of a comma, and what a macro stands for, become statements of their own."""
    if child.type in {"call_expression", "identifier"}:
        expanded = _expanded(low, child)
        if expanded is not None:
            into.extend(expanded)
            return
    value = low.expression(child)
    if isinstance(value, Binary) and value.op == ",":
        _operands(value, into)
    else:
        into.append(Evaluate(low.extent(node), value))


def _operands(value: Expr, into: list[Stmt]) -> None:
    if isinstance(value, Binary) and value.op == ",":
        _operands(value.left, into)
        _operands(value.right, into)
    else:
        into.append(Evaluate(value.extent, value))


def _expanded(low: Lowering, node: Node) -> tuple[Stmt, ...] | None:
    """The statements of a macro that launches, in place of its use."""
    name, arguments = node, None
    if node.type == "call_expression":
        if node.child_count != 2:
            return None
        name, arguments = node.children
    if name.type != "identifier":
        return None
    macro = low.name(name)
    return launches.macro_statements(low, node, macro, arguments) if low.launches(macro) else None


@statement("function_definition")
def _headed_block(low: Lowering, node: Node, into: list[Stmt]) -> None:
    """`KERNEL_LOOP(i, n) { … }`: a macro that ends in the head of a loop or an if, and the block it runs."""
    shape, body = node.child_by_field_id(grammar.DECLARATOR), node.child_by_field_id(grammar.BODY)
    use = _macro_use(low, shape) if shape is not None and node.child_by_field_id(grammar.TYPE) is None else None
    if use is None or body is None or node.children[0] != shape:
        _salvage(low, node, into)
        return
    headed = launches.macro_statements(low, node.children[0], *use) or ()
    last = headed[-1] if headed else None
    block = low.body(body)
    if isinstance(last, Loop) and not last.body:
        into.extend((*headed[:-1], replace(last, extent=low.extent(node), body=block)))
    elif isinstance(last, If) and not (last.then or last.other):
        into.extend((*headed[:-1], replace(last, extent=low.extent(node), then=block)))
    else:
        into.extend((Unreadable(low.extent(node), low.excerpt(node)), Block(low.extent(body), block)))


def _macro_use(low: Lowering, node: Node) -> tuple[str, Node | None] | None:
    """The name and arguments of what uses a known macro, whatever the grammar took it for."""
    name, arguments = node, None
    if node.type in {"function_declarator", "call_expression"} and node.child_count == 2:
        name, arguments = node.children
    if name.type != "identifier":
        return None
    word = low.name(name)
    return (word, arguments) if low.macros.get(word) else None


@statement("ERROR")
def _salvage(low: Lowering, node: Node, into: list[Stmt]) -> None:
    """The statements inside what could not be parsed, and the calls outside them."""
    if not node.is_named:
        return
    children = [child for child in node.named_children if child.type != "comment"]
    uses = [_macro_use(low, child) for child in children]
    if not all(uses) or len(children) != node.named_child_count or not children:
        into.append(Unreadable(low.extent(node), low.excerpt(node)))
    for child, use in zip(children, uses, strict=True):
        if child.type in STATEMENTS:
            low.statement(child, into)
        elif use is not None:
            _used_macro(low, child, *use, into=into)
        elif child.type == "call_expression":
            append_value(low, child, child, into)
        else:
            calls = inside(child, frozenset({"call_expression"})) if child.named_child_count else ()
            into.extend(Evaluate(low.extent(call), low.expression(call)) for call in calls)


def _used_macro(low: Lowering, node: Node, name: str, arguments: Node | None, *, into: list[Stmt]) -> None:
    """A macro used without a semicolon: what it launches, else a call of it."""
    expanded = launches.macro_statements(low, node, name, arguments) if low.launches(name) else None
    if expanded is not None:
        into.extend(expanded)
        return
    extent = low.extent(node)
    values = low.expressions(arguments.named_children) if arguments is not None else ()
    into.append(Evaluate(extent, Call(extent, Name(extent, name), values)))
