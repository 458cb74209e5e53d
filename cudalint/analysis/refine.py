"""What a condition says of the values in it where it holds, and where it does not."""

import math
from dataclasses import replace

from cudalint.analysis import arithmetic
from cudalint.analysis.evaluate import Evaluator
from cudalint.analysis.state import tighter
from cudalint.ir import Binary, Call, Cast, Expr, Int, Member, Name, Quantity, Unary
from cudalint.ir import symbol as sym

_NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


def refine(evaluator: Evaluator, condition: Expr, *, holds: bool) -> None:
    """Narrow the evaluator's state by a condition that is known to hold, or not to."""
    if isinstance(condition, Unary) and condition.op == "!":
        refine(evaluator, condition.operand, holds=not holds)
    elif isinstance(condition, Binary) and condition.op in ("&&", "||", "and", "or"):
        if (condition.op in ("&&", "and")) == holds:
            refine(evaluator, condition.left, holds=holds)
            refine(evaluator, condition.right, holds=holds)
    elif isinstance(condition, Binary) and condition.op in _NEGATED:
        op = condition.op if holds else _NEGATED[condition.op]
        _compare(evaluator, condition.left, op, condition.right)
        _compare(evaluator, condition.right, _MIRRORED[op], condition.left)
    elif isinstance(condition, Call) and condition.name == "empty" and isinstance(condition.callee, Member):
        size = Call(condition.extent, replace(condition.callee, name="size"), ())
        _compare(evaluator, size, "==" if holds else ">", Int(0, 0))
    elif isinstance(condition, Call) and condition.name in ("likely", "unlikely", "__builtin_expect"):
        refine(evaluator, condition.arguments[0], holds=holds)
    elif isinstance(condition, Name | Member):
        _compare(evaluator, condition, "!=" if holds else "==", Int(0, 0))


def _compare(evaluator: Evaluator, subject: Expr, op: str, bound: Expr) -> None:
    while isinstance(subject, Cast):
        subject = subject.operand
    if isinstance(subject, Int):
        return
    limit = evaluator.quantity(bound)
    if isinstance(subject, Binary) and subject.op == "%" and op == "==" and limit.exact == 0:
        _multiple(evaluator, subject)
        return
    value = arithmetic.integer(evaluator.value(subject))
    narrowed = narrow(value, op, limit)
    if op == "!=" and limit.exact == 0 and value.form is not None:
        evaluator.state.nonzero |= {value.form}
    if narrowed == value:
        return
    if isinstance(subject, Name) and subject.name in evaluator.state.variables:
        evaluator.state.variables[subject.name] = narrowed
    atom = value.form.atom if value.form is not None else None
    if atom is not None and not isinstance(atom, sym.DeviceValue | sym.Residency):
        _narrow_symbol(evaluator, atom, narrowed)
    elif value.form is not None and atom is None:
        known = evaluator.state.symbols.get(value.form, (None, None))
        evaluator.state.symbols[value.form] = tighter(known, (narrowed.lo, narrowed.hi))


def _narrow_symbol(evaluator: Evaluator, atom: sym.Atom, value: Quantity) -> None:
    known = evaluator.state.symbols.get(atom, (None, None))
    evaluator.state.symbols[atom] = tighter(known, (value.lo, value.hi))
    if isinstance(atom, sym.Quotient) and value.lo is not None and value.lo >= 1 and not atom.dividend.constant:
        inner = atom.dividend.atom
        if inner is not None and atom.up:
            _narrow_symbol(evaluator, inner, Quantity(1))


def narrow(value: Quantity, op: str, limit: Quantity) -> Quantity:
    """The quantity where `value op limit` holds."""
    lo, hi = value.lo, value.hi
    match op:
        case "<" | "<=" if limit.hi is not None:
            lo, hi = tighter((lo, hi), (None, limit.hi - (op == "<")))
        case ">" | ">=" if limit.lo is not None:
            lo, hi = tighter((lo, hi), (limit.lo + (op == ">"), None))
        case "==":
            lo, hi = tighter((lo, hi), (limit.lo, limit.hi))
        case "!=" if limit.exact is not None:
            lo = lo + 1 if lo is not None and lo == limit.exact else lo
            hi = hi - 1 if hi is not None and hi == limit.exact else hi
    if (lo, hi) == (value.lo, value.hi) or (lo is not None and hi is not None and lo > hi):
        return value
    if lo is not None and lo == hi:
        return Quantity.exactly(lo, limit.origin if op == "==" else value.origin)
    return replace(value, lo=lo, hi=hi)


def _multiple(evaluator: Evaluator, subject: Binary) -> None:
    """`n % b == 0` makes n a multiple of b."""
    step = evaluator.quantity(subject.right).exact
    left = subject.left
    if step is None or step <= 0 or not isinstance(left, Name) or left.name not in evaluator.state.variables:
        return
    value = evaluator.state.variables[left.name]
    if isinstance(value, Quantity) and value.exact is None:
        multiple = math.lcm(value.multiple_of, step)
        evaluator.state.variables[left.name] = replace(value, multiple_of=multiple)
