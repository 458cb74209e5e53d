"""Formulas in normal form."""

import pytest

from cudalint.ir import symbol as sym

N, B = sym.atom(sym.Symbol("n")), sym.atom(sym.Symbol("b"))
CEIL = "ceil(n / b)"


def plus(*forms: sym.Form) -> sym.Form:
    total = sym.ZERO
    for form in forms:
        total = sym.add(total, form)
    return total


def test_sums_are_ordered_and_cancel() -> None:
    assert plus(B, N) == plus(N, B)
    assert sym.add(plus(N, B), plus(B, N), -1) == sym.ZERO
    assert str(plus(N, N, sym.number(-3))) == "2 * n - 3"


@pytest.mark.parametrize(
    "form",
    [
        pytest.param(sym.divide(plus(N, B, sym.number(-1)), B), id="(n + b - 1) / b"),
        pytest.param(sym.round_up_steps(plus(sym.divide(plus(N, sym.number(-1)), B), sym.ONE)), id="(n - 1) / b + 1"),
        pytest.param(
            sym.round_up_steps(
                plus(
                    sym.divide(N, B),
                    sym.atom(sym.Extremum("min", (sym.ONE, sym.atom(sym.Remainder(N, B))))),
                )
            ),
            id="n / b + (n % b != 0)",
        ),
        pytest.param(sym.divide_up(N, B), id="ceil(n / b)"),
    ],
)
def test_every_way_to_round_up_is_one_formula(form: sym.Form) -> None:
    assert str(form) == CEIL


def test_a_plain_quotient_rounds_down() -> None:
    assert str(sym.divide(N, sym.number(256))) == "n / 256"
    assert str(sym.divide(plus(N, sym.number(256)), sym.number(256))) == "(n + 256) / 256"


def test_a_product_divides_exactly() -> None:
    product = sym.multiply(N, B)
    assert product is not None
    assert sym.divide(product, B) == N
    assert sym.divide(sym.multiply(N, sym.number(512)) or N, sym.number(256)) == plus(N, N)


def test_a_product_of_large_sums_is_given_up() -> None:
    large = plus(*(sym.atom(sym.Symbol(f"x{i}")) for i in range(8)))
    assert sym.multiply(large, large) is None


def test_symbols_of_one_name_differ_by_version() -> None:
    assert sym.atom(sym.Symbol("n", 1)) != sym.atom(sym.Symbol("n", 2))
    assert str(sym.atom(sym.Symbol("n", 1))) == "n"


def test_factor_of_an_atom() -> None:
    count = sym.DeviceValue("sm_count")
    six = sym.multiply(sym.atom(count), sym.number(6))
    assert six is not None
    assert six.factor(count) == 6
    assert plus(six, sym.ONE).factor(count) is None


def test_formulas_are_put_in_for_atoms_at_any_depth() -> None:
    n, b = sym.Symbol("n"), sym.Symbol("b")
    up = sym.divide_up(sym.atom(n), sym.atom(b))
    assert sym.substitute(up, {b: sym.number(256)}) == sym.divide_up(sym.atom(n), sym.number(256))
    assert sym.substitute(up, {n: sym.number(1000), b: sym.number(256)}) == sym.number(4)
    down = sym.divide(sym.atom(n), sym.atom(b))
    assert sym.substitute(down, {n: sym.number(1000), b: sym.number(256)}) == sym.number(3)
    rest = sym.atom(sym.Remainder(sym.atom(n), sym.atom(b)))
    assert sym.substitute(rest, {n: sym.number(1000), b: sym.number(256)}) == sym.number(232)
    least = sym.atom(sym.Extremum("min", (sym.atom(b), sym.atom(n))))
    assert sym.substitute(least, {n: sym.number(3), b: sym.number(4)}) == sym.number(3)
    assert sym.substitute(sym.add(up, sym.atom(n)), {}) == sym.add(up, sym.atom(n))
