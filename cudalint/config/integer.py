"""Whole numbers as people write them on a command line: `1 << 20`, `0x100`, `1e6`, `2**20`, `1'000u`."""

import ast
import operator
import re
from collections.abc import Callable

from cudalint.errors import ConfigError

_SUFFIX = re.compile(r"(?<![\w.])(0[xX][0-9a-fA-F]+|\d[\d._]*(?:[eE]\d+)?)[uUlLzZ]+\b")
_OCTAL = re.compile(r"(?<![\w.])0(\d+)(?![\w.])")
_MOST_BITS = 64
_OPERATORS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.floordiv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.Pow: operator.pow,
}


def integer(text: str) -> int:
    """The whole number a text spells, with + - * / % << >> ** and parentheses; 64 bits at most.

    Raises ConfigError for anything else.
    """
    source = _OCTAL.sub(r"0o\1", _SUFFIX.sub(r"\1", text.replace("'", "_").strip()))
    try:
        return _value(ast.parse(source, mode="eval").body)
    except (SyntaxError, ValueError, ArithmeticError, RecursionError, MemoryError) as error:
        raise ConfigError(f"{text!r} is not a whole number") from error


def _value(node: ast.expr) -> int:
    match node:
        case ast.Constant(value=bool()):
            raise ValueError
        case ast.Constant(value=int() as value):
            return _bounded(value)
        case ast.Constant(value=float() as value) if value.is_integer():
            return _bounded(int(value))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            return _binary(op, _value(left), _value(right))
    raise ValueError


def _binary(op: ast.operator, left: int, right: int) -> int:
    if isinstance(op, ast.Pow | ast.LShift | ast.RShift) and not 0 <= right <= _MOST_BITS:
        raise ValueError
    return _bounded(_OPERATORS[type(op)](left, right))


def _bounded(value: int) -> int:
    if value.bit_length() > _MOST_BITS:
        raise ValueError
    return value
