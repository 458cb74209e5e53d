"""Operations on numbers that differ between threads."""

from collections.abc import Callable

from cudalint.analysis.device.values import UNKNOWN, Num, Test, first_cause, promoted, truth
from cudalint.ir import symbol as sym

_HEAVIEST = 48
_COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!="})
_LOGIC = frozenset({"&&", "||"})
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}

Bounds = tuple[int | None, int | None]
RangeOf = Callable[[sym.Form], Bounds]


def binary(op: str, left: Num, right: Num, range_of: RangeOf) -> Num:
    """The result of an operator of C."""
    if op in _COMPARISONS:
        return compare(op, left, right, range_of)
    if op in _LOGIC:
        return logical(op, left, right)
    if op == ",":
        return right
    kind = promoted(left.kind, right.kind) if op not in {"<<", ">>"} else promoted(left.kind, "int")
    varies = left.varies | right.varies
    cause = first_cause(left, right) if varies else None
    read = left.read if left.read is not None else right.read
    if kind in {"float", "struct"}:
        return Num(varies, None, None, None, kind, cause, None, read)
    operation = _OPERATIONS.get(op)
    form, lo, hi = operation(left, right) if operation is not None else (None, None, None)
    if form is not None:
        constant = form.constant
        if constant is not None:
            return Num(0, form, constant, constant, kind)
        if form.weight > _HEAVIEST:
            form = None
    return Num(varies, form, lo, hi, kind, cause, None, read)


_Result = tuple[sym.Form | None, int | None, int | None]


def _add(left: Num, right: Num) -> _Result:
    return (
        None if left.form is None or right.form is None else sym.add(left.form, right.form),
        None if left.lo is None or right.lo is None else left.lo + right.lo,
        None if left.hi is None or right.hi is None else left.hi + right.hi,
    )


def _subtract(left: Num, right: Num) -> _Result:
    return (
        None if left.form is None or right.form is None else sym.add(left.form, right.form, -1),
        None if left.lo is None or right.hi is None else left.lo - right.hi,
        None if left.hi is None or right.lo is None else left.hi - right.lo,
    )


def _multiply(left: Num, right: Num) -> _Result:
    form = None if left.form is None or right.form is None else sym.multiply(left.form, right.form)
    if left.lo is None or right.lo is None or left.lo < 0 or right.lo < 0:
        return form, None, None
    return form, left.lo * right.lo, None if left.hi is None or right.hi is None else left.hi * right.hi


def _divide(left: Num, right: Num) -> _Result:
    divisor = right.exact
    form = None
    if left.form is not None and right.form is not None and divisor != 0:
        form = sym.divide(left.form, right.form)
    if divisor is None or divisor <= 0 or left.lo is None or left.lo < 0:
        return form, 0 if left.lo is not None and left.lo >= 0 else None, left.hi if left.lo is not None else None
    return form, left.lo // divisor, None if left.hi is None else left.hi // divisor


def _remainder(left: Num, right: Num) -> _Result:
    divisor = right.exact
    if (
        divisor is not None
        and divisor > 0
        and left.lo is not None
        and left.hi is not None
        and 0 <= left.lo <= left.hi < divisor
    ):
        return left.form, left.lo, left.hi
    form = None
    if left.form is not None and right.form is not None and divisor != 0:
        form = sym.atom(sym.Remainder(left.form, right.form))
        if right.form == sym.ONE:
            form = sym.ZERO
    lo = 0 if left.lo is not None and left.lo >= 0 else None
    return form, lo, None if right.hi is None else right.hi - 1


def _shift_left(left: Num, right: Num) -> _Result:
    count = right.exact
    if count is None or not 0 <= count < 63:
        return _bitwise("<<", left, right), None, None
    return _multiply(left, Num(0, sym.number(1 << count), 1 << count, 1 << count))


def _shift_right(left: Num, right: Num) -> _Result:
    count = right.exact
    if count is None or not 0 <= count < 63:
        return _bitwise(">>", left, right), 0 if left.lo is not None and left.lo >= 0 else None, None
    return _divide(left, Num(0, sym.number(1 << count), 1 << count, 1 << count))


def _and(left: Num, right: Num) -> _Result:
    for value, mask in ((left, right.exact), (right, left.exact)):
        if mask is not None and mask >= 0:
            if mask & (mask + 1) == 0:
                size = mask + 1
                return _remainder(value, Num(0, sym.number(size), size, size))
            return _bitwise("&", left, right), 0, mask
    return _bitwise("&", left, right), None, None


def _or(left: Num, right: Num) -> _Result:
    a, b = left.exact, right.exact
    if a is not None and b is not None:
        return sym.number(a | b), a | b, a | b
    return _bitwise("|", left, right), None, None


def _xor(left: Num, right: Num) -> _Result:
    a, b = left.exact, right.exact
    if a is not None and b is not None:
        return sym.number(a ^ b), a ^ b, a ^ b
    return _bitwise("^", left, right), None, None


def _bitwise(op: str, left: Num, right: Num) -> sym.Form | None:
    if left.form is None or right.form is None:
        return None
    return sym.atom(sym.Bitwise(op, left.form, right.form))


_OPERATIONS: dict[str, Callable[[Num, Num], _Result]] = {
    "+": _add, "-": _subtract, "*": _multiply, "/": _divide, "%": _remainder, "<<": _shift_left, ">>": _shift_right,
    "&": _and, "|": _or, "^": _xor,
}  # fmt: skip


def compare(op: str, left: Num, right: Num, range_of: RangeOf) -> Num:
    known = _compared(op, left, right, range_of)
    if known is not None:
        return truth(value=known)
    varies = left.varies | right.varies
    read = left.read if left.read is not None else right.read
    cause = first_cause(left, right) if varies else None
    return Num(varies, None, 0, 1, "bool", cause, Test(op, left, right), read)


def _compared(op: str, left: Num, right: Num, range_of: RangeOf) -> bool | None:
    if left.form is None or right.form is None or left.kind == "float" or right.kind == "float":
        return _by_bounds(op, _minus(left, right))
    difference = sym.add(left.form, right.form, -1)
    lo, hi = _minus(left, right)
    low, high = range_of(difference)
    lo = low if lo is None else lo if low is None else max(lo, low)
    hi = high if hi is None else hi if high is None else min(hi, high)
    return _by_bounds(op, (lo, hi))


def _minus(left: Num, right: Num) -> Bounds:
    lo = None if left.lo is None or right.hi is None else left.lo - right.hi
    hi = None if left.hi is None or right.lo is None else left.hi - right.lo
    return lo, hi


def _by_bounds(op: str, difference: Bounds) -> bool | None:
    """Whether `op 0` holds for a difference within bounds."""
    lo, hi = difference
    if op in {">", ">=", "!="}:
        opposite = _by_bounds(_NEGATED[op], difference)
        return None if opposite is None else not opposite
    if op == "==":
        if lo is not None and lo == hi == 0:
            return True
        return False if (lo is not None and lo > 0) or (hi is not None and hi < 0) else None
    edge = 0 if op == "<=" else -1
    if hi is not None and hi <= edge:
        return True
    return False if lo is not None and lo > edge else None


def known(value: Num) -> bool | None:
    """Whether a condition surely holds, or surely does not."""
    if value.lo is not None and value.lo == value.hi:
        return value.lo != 0
    if value.lo is not None and value.lo > 0:
        return True
    return None


def logical(op: str, left: Num, right: Num) -> Num:
    first, second = known(left), known(right)
    decisive = op == "||"
    if first is decisive or second is decisive:
        return truth(value=decisive)
    if first is not None:
        return right if second is None else truth(value=not decisive)
    if second is not None:
        return left
    varies = left.varies | right.varies
    read = left.read if left.read is not None else right.read
    cause = first_cause(left, right) if varies else None
    return Num(varies, None, 0, 1, "bool", cause, Test(op, left, right), read)


def negated(value: Num) -> Num:
    """The logical negation."""
    settled = known(value)
    if settled is not None:
        return truth(value=not settled)
    test = value.test
    if test is not None and test.op in _NEGATED:
        turned = Test(_NEGATED[test.op], test.left, test.right)
    elif test is not None and test.op == "!":
        turned = test.left.test or Test("!=", test.left, UNKNOWN)
    else:
        turned = Test("!", value, value)
    return Num(value.varies, None, 0, 1, "bool", value.cause, turned, value.read)


def minus(value: Num) -> Num:
    form = None if value.form is None else sym.multiply(value.form, sym.number(-1))
    lo = None if value.hi is None else -value.hi
    hi = None if value.lo is None else -value.lo
    return Num(value.varies, form, lo, hi, value.kind, value.cause, None, value.read)


def mirrored(op: str) -> str:
    """The comparison with its sides exchanged."""
    return _MIRRORED[op]


def opposite(op: str) -> str:
    """The comparison that holds where this one does not."""
    return _NEGATED[op]
