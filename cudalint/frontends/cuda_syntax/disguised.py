"""Expressions that the grammar took for parameter declarations.

`dim3 grid(gx, f(n));` inside a function reads as the declaration of a function as long as every argument could be a
type; it practically never is one.
"""

from tree_sitter import Node

from cudalint.frontends.cuda_syntax import grammar
from cudalint.frontends.cuda_syntax.lowering import Lowering
from cudalint.ir.expr import Binary, Call, Expr, Index

_NAMED = frozenset({"type_identifier", "qualified_identifier", "template_type"})
_BINARY = {"pointer_declarator": "*", "reference_declarator": "&"}


def constructor_arguments(low: Lowering, parameters: Node | None) -> tuple[Expr, ...] | None:
    """The arguments that the parameters of a supposed function are; None where it may well be a function."""
    if parameters is None or not parameters.named_child_count:
        return None
    values: list[Expr] = []
    for child in parameters.named_children:
        if child.type == "comment":
            continue
        value = _argument(low, child) if child.type == "parameter_declaration" else None
        if value is None:
            return None
        values.append(value)
    return tuple(values)


def _argument(low: Lowering, node: Node) -> Expr | None:
    inner = [child for child in node.named_children if child.type != "comment"]
    if inner[0].type not in _NAMED or len(inner) > 2:
        return None
    first = low.expression(inner[0])
    return first if len(inner) == 1 else _applied(low, node, first, inner[1])


def _applied(low: Lowering, node: Node, first: Expr, shape: Node) -> Expr | None:
    """`a * b` as declarator reads `* b`, `f(x)` reads `(x)`, `a[i]` reads `[i]`."""
    extent = low.extent(node)
    kind = shape.type
    inner = shape.named_children
    if kind in _BINARY:
        if len(inner) == 1 and inner[0].type == "identifier":
            return Binary(extent, _BINARY[kind], first, low.expression(inner[0]))
        return None
    if kind in {"parenthesized_declarator", "abstract_parenthesized_declarator"}:
        return Call(extent, first, (low.expression(inner[0]),)) if inner and inner[0].type == "identifier" else None
    if kind == "abstract_array_declarator":
        size = shape.child_by_field_id(grammar.SIZE)
        return Index(extent, first, (low.expression(size),)) if size is not None else None
    if kind == "abstract_function_declarator" and shape.child_by_field_id(grammar.DECLARATOR) is None:
        parameters = shape.child_by_field_id(grammar.PARAMETERS)
        if parameters is not None and not parameters.named_child_count:
            return Call(extent, first, ())
        arguments = constructor_arguments(low, parameters)
        return Call(extent, first, arguments) if arguments is not None else None
    return None
