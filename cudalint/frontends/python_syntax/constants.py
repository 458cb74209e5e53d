"""Integers that a file's own constants make."""

import ast
import operator
from collections.abc import Callable

from cudalint.frontends.python_syntax.scopes import Scope

Follow = Callable[[ast.expr, Scope], tuple[ast.expr, Scope]]
_MOST_BITS = 64
_OPERATIONS: dict[type, Callable[[int, int], int]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.BitOr: operator.or_, ast.BitAnd: operator.and_,
}  # fmt: skip


def integer(follow: Follow, node: ast.expr, scope: Scope) -> int | None:
    """The integer that a node read in a scope is. `follow` finds what names are bound to."""
    node, scope = follow(node, scope)
    if isinstance(node, ast.Constant):
        return node.value if type(node.value) is int else None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = integer(follow, node.operand, scope)
        return None if value is None else -value
    if isinstance(node, ast.BinOp):
        left, right = integer(follow, node.left, scope), integer(follow, node.right, scope)
        return None if left is None or right is None else _binary(node.op, left, right)
    if isinstance(node, ast.Subscript):
        return _element(follow, node, scope)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"int", "min", "max"}:
        values = [integer(follow, argument, scope) for argument in node.args]
        known = [value for value in values if value is not None]
        if known and len(known) == len(values):
            return min(known) if node.func.id == "min" else max(known)
    return None


def _binary(op: ast.operator, left: int, right: int) -> int | None:
    operation = _OPERATIONS.get(type(op))
    if operation is not None:
        return operation(left, right)
    if isinstance(op, ast.FloorDiv) and right:
        return left // right
    if isinstance(op, ast.Mod) and right:
        return left % right
    small = 0 <= right < _MOST_BITS
    if isinstance(op, ast.Pow) and small and abs(left) < 1 << 8:
        return int(left**right)
    if isinstance(op, ast.LShift) and small:
        return left << right
    return left >> right if isinstance(op, ast.RShift) and small else None


def _element(follow: Follow, node: ast.Subscript, scope: Scope) -> int | None:
    base, home = follow(node.value, scope)
    at = integer(follow, node.slice, scope)
    if isinstance(base, ast.Tuple | ast.List) and at is not None and -len(base.elts) <= at < len(base.elts):
        return integer(follow, base.elts[at], home)
    return None
