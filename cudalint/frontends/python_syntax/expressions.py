"""Expressions of Python in the terms of C, where both mean the same: true divisions divide reals, tuples are lists."""

import ast
from collections.abc import Iterator

from cudalint.frontends.python_syntax import calls as _calls  # noqa: F401 - registers the lowering of calls
from cudalint.frontends.python_syntax.lowering import Lowering, expression
from cudalint.frontends.python_syntax.scopes import Scope
from cudalint.frontends.python_syntax.types import REAL
from cudalint.ir.expr import (
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    Construct,
    Expr,
    Float,
    Index,
    Int,
    Lambda,
    Member,
    Name,
    Opaque,
    Text,
    Unary,
)
from cudalint.ir.stmt import Evaluate, Return

_OPERATORS: dict[type, str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Mod: "%", ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&",
    ast.BitOr: "|", ast.BitXor: "^", ast.FloorDiv: "//", ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=",
    ast.Gt: ">", ast.GtE: ">=", ast.Is: "==", ast.IsNot: "!=",
}  # fmt: skip
_UNARY: dict[type, str] = {ast.USub: "-", ast.UAdd: "+", ast.Not: "!", ast.Invert: "~"}


@expression(ast.Constant)
def _constant(low: Lowering, node: ast.Constant) -> Expr:
    value, extent = node.value, low.extent(node)
    if isinstance(value, int):
        return Int(extent, int(value))
    if isinstance(value, float):
        return Float(extent, value)
    if isinstance(value, str):
        return Text(extent, value)
    return Opaque(extent, repr(value))


@expression(ast.Name)
def _name(low: Lowering, node: ast.Name) -> Expr:
    name, scope = node.id, low.scope
    if name == low.this and name:
        return low.name(node, "this")
    if name in scope.bound and name not in scope.foreign and scope.kind == "function":
        return low.name(node, name)
    special = _special(low, node)
    if special is not None:
        return special
    function = low.function_of(node)
    if function is not None:
        return low.name(node, low.qualified(function))
    owner = scope.owner_of(name)
    if owner is not None and owner.kind == "function" and owner is not scope:
        value = low.integer(node)
        if value is not None:
            return Int(low.extent(node), value)
    return low.name(node, name)


def _special(low: Lowering, node: ast.expr) -> Expr | None:
    """What recognisers know of a name or an attribute."""
    path = low.path(node)
    if path:
        for asked in low.recognisers:
            found = asked.attribute(low, node, path)
            if found is not None:
                return found
    return None


@expression(ast.Attribute)
def _attribute(low: Lowering, node: ast.Attribute) -> Expr:
    path = low.path(node)
    for asked in low.recognisers:
        found = asked.attribute(low, node, path)
        if found is not None:
            return found
    function = low.function_of(node)
    if function is not None:
        class_ = low.scope.method_owner()
        if _is_property(function) and class_ is not None:
            extent = low.extent(node)
            return Call(extent, Member(extent, low.expression(node.value), node.attr), ())
        return low.name(node, low.qualified(function))
    named = low.class_of(node.value)
    if named:
        return low.name(node, f"{named}::{node.attr}")
    if path and _is_module(low, node.value):
        return low.name(node, node.attr)
    return Member(low.extent(node), low.expression(node.value), node.attr)


def _is_property(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    named = [
        part.attr if isinstance(part, ast.Attribute) else getattr(part, "id", "") for part in function.decorator_list
    ]
    return any(name in {"property", "cached_property"} for name in named)


def _is_module(low: Lowering, node: ast.expr) -> bool:
    """Whether a node names a module of the project."""
    return low.path(node) in low.state.get("modules", ())


@expression(ast.Subscript)
def _subscript(low: Lowering, node: ast.Subscript) -> Expr:
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    return Index(low.extent(node), low.expression(node.value), tuple(_position(low, part) for part in parts))


def _position(low: Lowering, node: ast.expr) -> Expr:
    return Opaque(low.extent(node), low.source.excerpt(node)) if isinstance(node, ast.Slice) else low.expression(node)


@expression(ast.Tuple, ast.List)
def _tuple(low: Lowering, node: ast.Tuple | ast.List) -> Expr:
    return Construct(low.extent(node), None, low.expressions(node.elts))


@expression(ast.UnaryOp)
def _unary(low: Lowering, node: ast.UnaryOp) -> Expr:
    extent = low.extent(node)
    rounded = _rounded_up(low, node)
    if rounded is not None:
        return rounded
    operand = low.expression(node.operand)
    if isinstance(operand, Int) and isinstance(node.op, ast.USub):
        return Int(extent, -operand.value)
    return Unary(extent, _UNARY[type(node.op)], operand)


def _rounded_up(low: Lowering, node: ast.UnaryOp) -> Expr | None:
    """`-(-n // b)` as what it is for: n / b rounded up."""
    quotient = node.operand
    if not isinstance(node.op, ast.USub) or not isinstance(quotient, ast.BinOp):
        return None
    above = quotient.left
    if not isinstance(quotient.op, ast.FloorDiv) or not (
        isinstance(above, ast.UnaryOp) and isinstance(above.op, ast.USub)
    ):
        return None
    return ceiling(low, node, low.expression(above.operand), low.expression(quotient.right))


def ceiling(low: Lowering, node: ast.expr, dividend: Expr, divisor: Expr) -> Expr:
    """The quotient of two integers, rounded up."""
    extent = low.extent(node)
    real = Cast(dividend.extent, REAL, dividend)
    return Call(extent, Name(extent, "ceil"), (Binary(extent, "/", real, divisor),))


@expression(ast.BinOp)
def _binary(low: Lowering, node: ast.BinOp) -> Expr:
    extent = low.extent(node)
    left = low.expression(node.left)
    if isinstance(node.op, ast.Pow):
        return _power(low, node, left)
    right = low.expression(node.right)
    if isinstance(node.op, ast.Div):
        return Binary(extent, "/", Cast(left.extent, REAL, left), right)
    if isinstance(node.op, ast.MatMult):
        return Call(extent, Name(extent, "matmul"), (left, right))
    return Binary(extent, _OPERATORS[type(node.op)], left, right)


def _power(low: Lowering, node: ast.BinOp, left: Expr) -> Expr:
    """A power: known, a shift, a square, or a call."""
    extent = low.extent(node)
    known = low.integer(node)
    if known is not None:
        return Int(extent, known)
    right = low.expression(node.right)
    if isinstance(left, Int) and left.value == 2:
        return Binary(extent, "<<", Int(left.extent, 1), right)
    if isinstance(right, Int) and right.value == 2 and isinstance(left, Name | Member):
        return Binary(extent, "*", left, left)
    return Call(extent, Name(extent, "pow"), (left, right))


@expression(ast.BoolOp)
def _logical(low: Lowering, node: ast.BoolOp) -> Expr:
    op = "&&" if isinstance(node.op, ast.And) else "||"
    extent = low.extent(node)
    result = low.expression(node.values[0])
    for part in node.values[1:]:
        result = Binary(extent, op, result, low.expression(part))
    return result


@expression(ast.Compare)
def _compare(low: Lowering, node: ast.Compare) -> Expr:
    extent = low.extent(node)
    if any(isinstance(op, ast.In | ast.NotIn) for op in node.ops):
        return Call(extent, Opaque(extent, "in"), low.expressions((node.left, *node.comparators)))
    values = low.expressions((node.left, *node.comparators))
    pairs = [
        Binary(extent, _OPERATORS[type(op)], left, right)
        for op, left, right in zip(node.ops, values[:-1], values[1:], strict=True)
    ]
    result: Expr = pairs[0]
    for pair in pairs[1:]:
        result = Binary(extent, "&&", result, pair)
    return result


@expression(ast.IfExp)
def _conditional(low: Lowering, node: ast.IfExp) -> Expr:
    condition = low.expression(node.test)
    return Conditional(low.extent(node), condition, low.expression(node.body), low.expression(node.orelse))


@expression(ast.NamedExpr)
def _named(low: Lowering, node: ast.NamedExpr) -> Expr:
    return Assign(low.extent(node), "", low.expression(node.target), low.expression(node.value))


@expression(ast.Lambda)
def _lambda(low: Lowering, node: ast.Lambda) -> Expr:
    extent = low.extent(node)
    parameters = tuple(argument.arg for argument in node.args.args)
    outer = low.scope
    low.scope = Scope("function", outer.name, node, outer, parameters=frozenset(parameters))
    value = low.expression(node.body)
    low.scope = outer
    return Lambda(extent, parameters, (Return(extent, value),))


@expression(ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)
def _comprehension(low: Lowering, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Expr:
    """A comprehension, as something unknown that may run its element any number of times."""
    extent = low.extent(node)
    names = tuple(dict.fromkeys(name for part in node.generators for name in _targets(part.target)))
    ranges = low.expressions(part.iter for part in node.generators)
    outer = low.scope
    low.scope = Scope("function", outer.name, node, outer, parameters=frozenset(names))
    inner = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
    body = tuple(Evaluate(low.extent(part), low.expression(part)) for part in inner)
    low.scope = outer
    return Call(extent, Opaque(extent, low.source.excerpt(node)), (*ranges, Lambda(extent, names, body)))


def _targets(node: ast.expr) -> Iterator[str]:
    return (part.id for part in ast.walk(node) if isinstance(part, ast.Name))


@expression(ast.Starred)
def _starred(low: Lowering, node: ast.Starred) -> Expr:
    extent = low.extent(node)
    return Call(extent, Opaque(extent, "*"), (low.expression(node.value),))


@expression(ast.Await)
def _await(low: Lowering, node: ast.Await) -> Expr:
    return low.expression(node.value)


@expression(ast.Yield, ast.YieldFrom)
def _yield(low: Lowering, node: ast.Yield | ast.YieldFrom) -> Expr:
    extent = low.extent(node)
    return Call(extent, Opaque(extent, "yield"), low.expressions([node.value] if node.value is not None else []))
