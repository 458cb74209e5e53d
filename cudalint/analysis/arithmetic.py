"""Integer and real arithmetic on intervals and formulas, as C and Python define it."""

import math
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cudalint.analysis.domain import UNKNOWN, Real, Value
from cudalint.ir import Origin, Quantity
from cudalint.ir import symbol as sym
from cudalint.ir.quantity import weakest

if TYPE_CHECKING:
    from fractions import Fraction


def truth(value: Value) -> bool | None:
    """Whether a value is true, where that is known."""
    if isinstance(value, Real):
        return None if value.exact is None else value.exact != 0
    if not isinstance(value, Quantity):
        return None
    if value.exact is not None:
        return value.exact != 0
    if (value.lo is not None and value.lo > 0) or (value.hi is not None and value.hi < 0):
        return True
    return None


def boolean(known: bool | None, origin: Origin = Origin.LITERAL, form: sym.Form | None = None) -> Quantity:
    """0, 1 or one of the two."""
    return Quantity(0, 1, 1, form, origin) if known is None else Quantity.exactly(int(known), origin)


def real(value: Value) -> Real:
    """A value as a real number."""
    if isinstance(value, Real):
        return value
    if isinstance(value, Quantity):
        if value.exact is not None:
            return Real.exactly(value.exact, value.origin)
        return Real(None, value, Quantity.exactly(1), value.origin)
    return Real()


def integer(value: Value) -> Quantity:
    """A value converted to an integer, reals cut off (towards zero, as for non-negative numbers downwards)."""
    return floor(value) if isinstance(value, Real) else value if isinstance(value, Quantity) else UNKNOWN


def floor(value: Value) -> Quantity:
    number = real(value)
    if number.exact is not None:
        return Quantity.exactly(math.floor(number.exact), number.origin)
    if number.dividend is None or number.divisor is None:
        return Quantity(origin=number.origin)
    return divide(number.dividend, number.divisor)


def ceiling(value: Value) -> Quantity:
    number = real(value)
    if number.exact is not None:
        return Quantity.exactly(math.ceil(number.exact), number.origin)
    if number.dividend is None or number.divisor is None:
        return Quantity(origin=number.origin)
    return divide_up(number.dividend, number.divisor)


def minus(left: Quantity, right: Quantity) -> Quantity:
    return Quantity(
        None if left.lo is None or right.hi is None else left.lo - right.hi,
        None if left.hi is None or right.lo is None else left.hi - right.lo,
        math.gcd(left.multiple_of, right.multiple_of),
        None if left.form is None or right.form is None else sym.add(left.form, right.form, -1),
        weakest(left.origin, right.origin),
    )


def plus(left: Quantity, right: Quantity) -> Quantity:
    total = left.plus(right)
    if total.form is None:
        return total
    return Quantity(total.lo, total.hi, total.multiple_of, sym.round_up_steps(total.form), total.origin)


def divide(left: Quantity, right: Quantity) -> Quantity:
    """Left / right for integers: towards zero, exact where both are known."""
    origin = weakest(left.origin, right.origin)
    divisor = right.exact
    if divisor == 0:
        return Quantity(origin=origin)
    if left.exact is not None and divisor is not None:
        quotient = abs(left.exact) // abs(divisor)
        return Quantity.exactly(quotient if (left.exact < 0) == (divisor < 0) else -quotient, origin)
    form = None if left.form is None or right.form is None else sym.divide(left.form, right.form)
    lo, hi = _quotient_bounds(left, right)
    multiple = 1
    if divisor is not None and left.multiple_of % divisor == 0:
        multiple = max(1, left.multiple_of // abs(divisor))
    return Quantity(lo, hi, multiple, form, origin)


def _quotient_bounds(left: Quantity, right: Quantity) -> tuple[int | None, int | None]:
    if right.lo is None or right.lo <= 0:
        return (0 if left.lo is not None and left.lo >= 0 and right.lo == 0 else None), None
    lo = None
    if left.lo is not None:
        lo = left.lo // right.hi if left.lo >= 0 and right.hi is not None else min(0, -(-left.lo // right.lo))
        lo = 0 if left.lo >= 0 and right.hi is None else lo
    hi = None if left.hi is None else max(0, left.hi // right.lo)
    return lo, hi


def divide_up(left: Quantity, right: Quantity) -> Quantity:
    """ceil(left / right)."""
    slack = minus(right, Quantity.exactly(1))
    quotient = divide(left.plus(slack), right)
    if quotient.exact is not None or left.form is None or right.form is None:
        return quotient
    form = sym.divide_up(left.form, right.form)
    return Quantity(quotient.lo, quotient.hi, 1, form, weakest(left.origin, right.origin))


def remainder(left: Quantity, right: Quantity) -> Quantity:
    origin = weakest(left.origin, right.origin)
    divisor = right.exact
    if divisor == 0:
        return Quantity(origin=origin)
    if left.exact is not None and divisor is not None:
        return Quantity.exactly(int(math.fmod(left.exact, divisor)), origin)
    if divisor is not None and left.multiple_of % divisor == 0:
        return Quantity.exactly(0, origin)
    form = None
    if left.form is not None and right.form is not None:
        form = sym.atom(sym.Remainder(left.form, right.form))
    natural = left.lo is not None and left.lo >= 0
    hi = None if right.hi is None else right.hi - 1
    if natural and left.hi is not None:
        hi = left.hi if hi is None else min(hi, left.hi)
    return Quantity(0 if natural else None, hi, 1, form, origin)


def shift_left(left: Quantity, right: Quantity) -> Quantity:
    if right.exact is not None and 0 <= right.exact < 64:
        return left.times(Quantity.exactly(1 << right.exact, right.origin))
    lo = left.lo if left.lo is not None and left.lo >= 0 else None
    return Quantity(lo, None, left.multiple_of, None, weakest(left.origin, right.origin))


def shift_right(left: Quantity, right: Quantity) -> Quantity:
    if right.exact is not None and 0 <= right.exact < 64:
        return divide(left, Quantity.exactly(1 << right.exact, right.origin))
    natural = left.lo is not None and left.lo >= 0
    return Quantity(0 if natural else None, left.hi, 1, None, weakest(left.origin, right.origin))


_WORD = 1 << 32


def bit_and(left: Quantity, right: Quantity) -> Quantity:
    """Both known; or a mask that rounds down to a power of two; or one that keeps the low bits."""
    if left.exact is not None and right.exact is not None:
        return Quantity.exactly(left.exact & right.exact, weakest(left.origin, right.origin))
    if right.exact is None:
        left, right = right, left
    mask = right.exact
    origin = weakest(left.origin, right.origin)
    if mask is None:
        return Quantity(origin=origin)
    step = -mask if mask < 0 else _WORD - mask
    if step > 0 and step & (step - 1) == 0 and (mask < 0 or mask > _WORD // 2):
        size = Quantity.exactly(step, right.origin)
        return divide(left, size).times(size)
    return Quantity(0, mask, 1, None, origin) if mask >= 0 else Quantity(origin=origin)


def _exactly(operation: Callable[[int, int], int]) -> Callable[[Quantity, Quantity], Quantity]:
    def apply(left: Quantity, right: Quantity) -> Quantity:
        origin = weakest(left.origin, right.origin)
        if left.exact is None or right.exact is None:
            return Quantity(origin=origin)
        return Quantity.exactly(operation(left.exact, right.exact), origin)

    return apply


def extremum(kind: str, left: Quantity, right: Quantity) -> Quantity:
    """Min or max of two integers."""
    choose = min if kind == "min" else max
    origin = weakest(left.origin, right.origin)
    ends = [
        _bound(choose, kind == "min", left.lo, right.lo, low=True),
        _bound(choose, kind == "min", left.hi, right.hi, low=False),
    ]
    if ends[0] is not None and ends[0] == ends[1]:
        return Quantity.exactly(ends[0], origin)
    form = None
    if left.form is not None and right.form is not None:
        parts = tuple(sorted({left.form, right.form}, key=str))
        form = parts[0] if len(parts) == 1 else sym.atom(sym.Extremum(kind, parts))
    return Quantity(ends[0], ends[1], math.gcd(left.multiple_of, right.multiple_of), form, origin)


def _bound(
    choose: Callable[[int, int], int], smaller: bool, left: int | None, right: int | None, *, low: bool
) -> int | None:
    if left is not None and right is not None:
        return choose(left, right)
    known = left if left is not None else right
    return known if low != smaller else None


_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip


def compare(op: str, left: Quantity, right: Quantity) -> Quantity:
    """A comparison, decided by the intervals or by the difference of the formulas."""
    origin = weakest(left.origin, right.origin)
    gap = minus(left, right)
    if gap.form is not None and gap.form.constant is not None:
        return boolean(_COMPARE[op](gap.form.constant, 0), origin)
    answers = {_COMPARE[op](end, 0) for end in _samples(gap)}
    if len(answers) == 1 and (op not in ("==", "!=") or gap.exact is not None or _excludes_zero(gap)):
        return boolean(answers.pop(), origin)
    return boolean(None, origin, _zero_test(op, left, right))


def _samples(gap: Quantity) -> list[float]:
    return [-math.inf if gap.lo is None else gap.lo, math.inf if gap.hi is None else gap.hi]


def _excludes_zero(gap: Quantity) -> bool:
    return (gap.lo is not None and gap.lo > 0) or (gap.hi is not None and gap.hi < 0)


def _zero_test(op: str, left: Quantity, right: Quantity) -> sym.Form | None:
    """`r != 0` and `r > 0` for a remainder r are min(1, r): the last step of a division that rounds up."""
    if right.exact == 0 and op in ("!=", ">") and left.form is not None and isinstance(left.form.atom, sym.Remainder):
        return sym.atom(sym.Extremum("min", (sym.ONE, left.form)))
    return None


_INTEGER: dict[str, Callable[[Quantity, Quantity], Quantity]] = {
    "+": plus,
    "-": minus,
    "*": Quantity.times,
    "/": divide,
    "//": divide,
    "%": remainder,
    "<<": shift_left,
    ">>": shift_right,
    "&": bit_and,
    "|": _exactly(operator.or_),
    "^": _exactly(operator.xor),
    **{op: lambda left, right, op=op: compare(op, left, right) for op in _COMPARE},  # type: ignore[misc]
}


def binary(op: str, left: Value, right: Value) -> Value:
    """Left op right, for any values."""
    if isinstance(left, Real) or isinstance(right, Real):
        return _real_binary(op, real(left), real(right))
    if isinstance(left, Quantity) and isinstance(right, Quantity) and op in _INTEGER:
        return _INTEGER[op](left, right)
    return UNKNOWN


def _real_binary(op: str, left: Real, right: Real) -> Value:
    origin = weakest(left.origin, right.origin)
    if left.exact is not None and right.exact is not None:
        return _real_exact(op, left.exact, right.exact, origin)
    if op in _COMPARE:
        return boolean(None, origin)
    if op == "/" and right.exact is not None and right.exact != 0:
        return _scaled(left, 1 / right.exact, origin)
    if op == "/" and _whole(left) is not None and _whole(right) is not None:
        return Real(None, _whole(left), _whole(right), origin)
    if op == "*" and right.exact is not None:
        return _scaled(left, right.exact, origin)
    if op == "*" and left.exact is not None:
        return _scaled(right, left.exact, origin)
    return Real(origin=origin)


def _real_exact(op: str, left: "Fraction", right: "Fraction", origin: Origin) -> Value:
    if op in _COMPARE:
        return boolean(_COMPARE[op](left - right, 0), origin)
    if op in ("+", "-", "*"):
        apply = {"+": operator.add, "-": operator.sub, "*": operator.mul}[op]
        return Real(apply(left, right), origin=origin)
    return Real(left / right, origin=origin) if op == "/" and right else Real(origin=origin)


def _whole(number: Real) -> Quantity | None:
    """The integer a real number is, if it is one by construction."""
    if number.exact is not None:
        return Quantity.exactly(int(number.exact), number.origin) if number.exact.denominator == 1 else None
    return number.dividend if number.divisor is not None and number.divisor.exact == 1 else None


def _scaled(number: Real, factor: "Fraction", origin: Origin) -> Real:
    if number.dividend is None or number.divisor is None or factor <= 0:
        return Real(origin=origin)
    times, over = Quantity.exactly(factor.numerator, origin), Quantity.exactly(factor.denominator, origin)
    return Real(None, number.dividend.times(times), number.divisor.times(over), origin)


def negate(value: Value) -> Value:
    if isinstance(value, Real):
        return Real(None if value.exact is None else -value.exact, origin=value.origin)
    return minus(Quantity.exactly(0), value) if isinstance(value, Quantity) else UNKNOWN


def logical_not(value: Value) -> Quantity:
    known = truth(value)
    return boolean(None if known is None else not known)


def invert(value: Value) -> Value:
    """~value."""
    if isinstance(value, Quantity) and value.exact is not None:
        return Quantity.exactly(~value.exact, value.origin)
    return UNKNOWN
