"""Interval arithmetic: whatever the operands are within their intervals, the result is within its own."""

import math
import operator
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cudalint.analysis import arithmetic as ar
from cudalint.analysis.domain import Real
from cudalint.ir import Origin, Quantity
from cudalint.ir import symbol as sym

SMALL = st.integers(-300, 5000)
NATURAL = st.integers(0, 5000)


@st.composite
def member(draw: st.DrawFn, values: st.SearchStrategy[int]) -> tuple[int, Quantity]:
    """A number and an interval that holds it."""
    value = draw(values)
    lo = draw(st.none() | st.integers(0, 50).map(lambda below: value - below))
    hi = draw(st.none() | st.integers(0, 50).map(lambda above: value + above))
    lowest = max(lo, 0) if lo is not None and draw(st.booleans()) and value >= 0 else lo
    return value, Quantity(lowest, hi, draw(st.sampled_from([1, *(d for d in (2, 3, 32, 256) if value % d == 0)])))


def holds(value: int, quantity: Quantity) -> bool:
    above = quantity.lo is None or quantity.lo <= value
    below = quantity.hi is None or value <= quantity.hi
    return above and below and value % quantity.multiple_of == 0


def truncated(a: int, b: int) -> int:
    return int(Fraction(a, b))


@pytest.mark.parametrize(
    ("op", "concrete"),
    [("+", operator.add), ("-", operator.sub), ("*", operator.mul)]
    + [(op, ar._COMPARE[op]) for op in ("<", "<=", ">", ">=", "==", "!=")],
)
@given(left=member(SMALL), right=member(SMALL))
def test_sums_products_and_comparisons_are_sound(
    op: str, concrete: Callable[[int, int], int], left: tuple[int, Quantity], right: tuple[int, Quantity]
) -> None:
    result = ar.binary(op, left[1], right[1])
    assert isinstance(result, Quantity)
    assert holds(int(concrete(left[0], right[0])), result)


@given(left=member(SMALL), right=member(st.integers(1, 600)))
def test_quotients_are_sound(left: tuple[int, Quantity], right: tuple[int, Quantity]) -> None:
    assert holds(truncated(left[0], right[0]), ar.divide(left[1], right[1]))


@given(left=member(NATURAL), right=member(st.integers(1, 600)))
def test_remainders_and_round_ups_are_sound(left: tuple[int, Quantity], right: tuple[int, Quantity]) -> None:
    assert holds(left[0] % right[0], ar.remainder(left[1], right[1]))
    natural = left[0], Quantity(left[1].lo and max(left[1].lo, 0), left[1].hi, left[1].multiple_of)
    assert holds(-(-left[0] // right[0]), ar.divide_up(natural[1], right[1]))


@given(left=member(NATURAL), shift=st.integers(0, 8))
def test_shifts_and_masks_are_sound(left: tuple[int, Quantity], shift: int) -> None:
    amount = Quantity.exactly(shift)
    assert holds(left[0] << shift, ar.shift_left(left[1], amount))
    natural = Quantity(max(left[1].lo or 0, 0), left[1].hi, left[1].multiple_of)
    assert holds(left[0] >> shift, ar.shift_right(natural, amount))
    mask = (1 << shift) - 1
    assert holds(left[0] & mask, ar.bit_and(natural, Quantity.exactly(mask)))
    assert holds(left[0] & ~mask, ar.bit_and(natural, Quantity.exactly(~mask)))


@given(left=member(SMALL), right=member(SMALL))
def test_extrema_are_sound(left: tuple[int, Quantity], right: tuple[int, Quantity]) -> None:
    assert holds(min(left[0], right[0]), ar.extremum("min", left[1], right[1]))
    assert holds(max(left[0], right[0]), ar.extremum("max", left[1], right[1]))


def unknown(name: str) -> Quantity:
    return Quantity(0, form=sym.atom(sym.Symbol(name)))


def test_a_real_quotient_rounds_up_to_the_same_formula_as_the_integer_idiom() -> None:
    n, b = unknown("n"), Quantity.exactly(256)
    by_real = ar.ceiling(ar.binary("/", ar.real(n), b))
    by_integer = ar.divide(ar.plus(n, Quantity.exactly(255)), b)
    assert str(by_real.form) == str(by_integer.form) == "ceil(n / 256)"


def test_integer_division_inside_ceil_has_rounded_down_already() -> None:
    inside = ar.divide(unknown("n"), Quantity.exactly(256))
    assert str(ar.ceiling(inside).form) == "n / 256"


def test_a_division_by_zero_is_unknown() -> None:
    assert ar.divide(Quantity.exactly(1), Quantity.exactly(0)).exact is None
    assert ar.remainder(Quantity.exactly(1), Quantity.exactly(0)).exact is None
    assert ar.binary("/", Real(Fraction(1)), Real(Fraction(0))) == Real(origin=Origin.UNKNOWN)


def test_division_truncates_towards_zero() -> None:
    assert ar.divide(Quantity.exactly(-7), Quantity.exactly(2)).exact == -3
    assert ar.remainder(Quantity.exactly(-7), Quantity.exactly(2)).exact == -1
    assert math.fmod(-7, 2) == -1


def test_a_mask_with_high_bits_rounds_down_whatever_its_sign() -> None:
    for mask in (~31, 0xFFFFFFE0):
        assert ar.bit_and(unknown("n"), Quantity.exactly(mask)).multiple_of == 32
