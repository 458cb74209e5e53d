"""Symbolic integers in normal form: a sum of products of atoms, enough to see that two grids are the same formula.

Integer division never distributes, so quotients, remainders, minima and maxima are atoms over normal forms. The
round-up idioms (`(n + b - 1) / b`, `(n - 1) / b + 1`, `n / b + (n % b != 0)`) all become one `Quotient(up=True)`.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from functools import lru_cache
from typing import NamedTuple

from cudalint.record import record


class Symbol(NamedTuple):
    """The value a variable has at one point. `version` tells apart the values one name has at several.

    A tuple, because products of symbols are looked up more often than anything else.
    """

    name: str
    version: int = 0

    def __str__(self) -> str:
        return self.name


@record
class Quotient:
    """floor(dividend / divisor), or ceil(…) where `up`; `real` where it is a real number that is not rounded yet."""

    dividend: "Form"
    divisor: "Form"
    up: bool = False
    real: bool = False

    def __str__(self) -> str:
        if self.up:
            return f"ceil({self.dividend} / {_factor(self.divisor)})"
        return f"{_factor(self.dividend)} / {_factor(self.divisor)}"


@record
class Remainder:
    dividend: "Form"
    divisor: "Form"

    def __str__(self) -> str:
        return f"{_factor(self.dividend)} % {_factor(self.divisor)}"


@record
class Extremum:
    """`kind` is min or max."""

    kind: str
    arguments: tuple["Form", ...]

    def __str__(self) -> str:
        return f"{self.kind}({', '.join(map(str, self.arguments))})"


@record
class Bitwise:
    """`op` is one of & | ^ << >>, on operands for which it is no multiplication, division or remainder."""

    op: str
    left: "Form"
    right: "Form"

    def __str__(self) -> str:
        return f"({_factor(self.left)} {self.op} {_factor(self.right)})"


@record
class DeviceValue:
    """A property of the GPU asked for at run time: `sm_count`, `warp_size`, `max_threads_per_block`, …"""

    kind: str

    def __str__(self) -> str:
        return self.kind.replace("_", " ")


@record
class Residency:
    """What an occupancy query answers: blocks per SM of `kernel` with `block` threads and `shared` dynamic bytes."""

    kernel: str
    block: "Form | None"
    shared: "Form | None"

    def __str__(self) -> str:
        return f"occupancy({self.kernel})"


Atom = Symbol | Quotient | Remainder | Extremum | Bitwise | DeviceValue | Residency
Monomial = tuple[Atom, ...]


@record
class Form:
    """`terms` pairs a sorted product of atoms with its coefficient; the empty product is the constant. No zero terms.

    `weight` is the number of leaves, those of shared parts counted as often as they stand in it.
    """

    terms: tuple[tuple[Monomial, int], ...]
    weight: int = field(default=0, compare=False, repr=False)

    @property
    def constant(self) -> int | None:
        """The number this is, if it is one."""
        if not self.terms:
            return 0
        (atoms, coefficient), *rest = self.terms
        return coefficient if not atoms and not rest else None

    @property
    def atom(self) -> Atom | None:
        """The atom this is, if it is one alone."""
        if len(self.terms) != 1:
            return None
        atoms, coefficient = self.terms[0]
        return atoms[0] if len(atoms) == 1 and coefficient == 1 else None

    def factor(self, atom: Atom) -> int | None:
        """K where this form is k × atom exactly, else None."""
        if len(self.terms) == 1 and self.terms[0][0] == (atom,):
            return self.terms[0][1]
        return None

    def atoms(self) -> frozenset[Atom]:
        """The atoms of all terms, outermost level only."""
        return frozenset(atom for atoms, _ in self.terms for atom in atoms)

    def all_atoms(self) -> Iterator[Atom]:
        """The atoms of all terms and those they are made of."""
        for atom in self.atoms():
            yield atom
            for part in _parts(atom):
                yield from part.all_atoms()

    def quotients(self) -> tuple[Quotient, ...]:
        """The divisions a value of this form is a product, a minimum or a maximum of."""
        found: list[Quotient] = []
        for atom in sorted(self.atoms(), key=str):
            if isinstance(atom, Quotient):
                found.append(atom)
            elif isinstance(atom, Extremum):
                found += [quotient for part in atom.arguments for quotient in part.quotients()]
        return tuple(found)

    def leaves(self) -> Iterator[Atom]:
        """The symbols and device properties it is made of, at any depth."""
        for outer in self.atoms():
            match outer:
                case Quotient() | Remainder():
                    yield from outer.dividend.leaves()
                    yield from outer.divisor.leaves()
                case Extremum():
                    for form in outer.arguments:
                        yield from form.leaves()
                case Bitwise():
                    yield from outer.left.leaves()
                    yield from outer.right.leaves()
                case _:
                    yield outer

    def __str__(self) -> str:
        if not self.terms:
            return "0"
        parts = []
        for atoms, coefficient in self.terms:
            product = " * ".join(
                _wrapped(atom) if len(atoms) > 1 or abs(coefficient) != 1 else str(atom) for atom in atoms
            )
            size = abs(coefficient)
            text = product if product and size == 1 else f"{size} * {product}" if product else str(size)
            parts.append(("- " if coefficient < 0 else "+ ") + text)
        first, *rest = parts
        return " ".join([first[2:] if first[0] == "+" else "-" + first[2:], *rest])


def _parts(atom: Atom) -> tuple[Form, ...]:
    match atom:
        case Quotient() | Remainder():
            return atom.dividend, atom.divisor
        case Extremum():
            return atom.arguments
        case Bitwise():
            return atom.left, atom.right
        case Residency():
            return tuple(part for part in (atom.block, atom.shared) if part is not None)
    return ()


def _wrapped(atom: Atom) -> str:
    text = str(atom)
    return f"({text})" if isinstance(atom, Remainder) or (isinstance(atom, Quotient) and not atom.up) else text


def _factor(form: Form) -> str:
    text = str(form)
    return f"({text})" if len(form.terms) > 1 or " / " in text or " % " in text else text


def _form(terms: tuple[tuple[Monomial, int], ...]) -> Form:
    weight = 0
    for monomial, _ in terms:
        weight += 1
        for part in monomial:
            weight += 1 if type(part) is Symbol else _weight(part)
    return Form(terms, weight)


def _weight(part: Atom) -> int:
    match part:
        case Quotient() | Remainder():
            return part.dividend.weight + part.divisor.weight
        case Extremum():
            return sum(form.weight for form in part.arguments)
        case Bitwise():
            return part.left.weight + part.right.weight
    return 1


def _key(part: Atom) -> str:
    """What atoms are sorted by: all that tells them apart."""
    return _symbol_key(part) if type(part) is Symbol else _text(part)


@lru_cache(maxsize=1 << 16)
def _symbol_key(symbol: Symbol) -> str:
    return f"{symbol.name}\0{symbol.version}"


@lru_cache(maxsize=1 << 12)
def _text(part: Atom) -> str:
    return str(part)


ZERO = _form(())
ONE = _form((((), 1),))


def number(value: int) -> Form:
    return Form((((), value),), 1) if value else ZERO


def atom(value: Atom) -> Form:
    return _form((((value,), 1),))


def term(atoms: Monomial, coefficient: int) -> Form:
    """Coefficient × the product of the atoms, which are sorted."""
    return _form(((atoms, coefficient),)) if coefficient else ZERO


def _collect(terms: dict[Monomial, int]) -> Form:
    kept = [(monomial, k) for monomial, k in terms.items() if k]
    if len(kept) > 1:
        kept.sort(key=lambda term: (not term[0], [_key(part) for part in term[0]]))
    return _form(tuple(kept))


def add(left: Form, right: Form, sign: int = 1) -> Form:
    """Left + sign × right."""
    terms = dict(left.terms)
    for monomial, k in right.terms:
        terms[monomial] = terms.get(monomial, 0) + sign * k
    return _collect(terms)


def total(terms: Iterable[tuple[Monomial, int]]) -> Form:
    """The sum of products with their coefficients."""
    summed: dict[Monomial, int] = {}
    for monomial, k in terms:
        summed[monomial] = summed.get(monomial, 0) + k
    return _collect(summed)


_MOST_TERMS = 32


def multiply(left: Form, right: Form) -> Form | None:
    """Left × right, or None where the result would be larger than anything worth comparing."""
    if len(left.terms) * len(right.terms) > _MOST_TERMS:
        return None
    terms: dict[Monomial, int] = {}
    for a, j in left.terms:
        for b, k in right.terms:
            monomial = tuple(sorted(a + b, key=_key)) if a and b else a + b
            terms[monomial] = terms.get(monomial, 0) + j * k
    return _collect(terms)


def divide(dividend: Form, divisor: Form) -> Form:
    """floor(dividend / divisor) as C and Python compute it for non-negative values, recognising what rounds up."""
    whole = _divides(dividend, divisor)
    if whole is not None:
        return whole
    if _rounds_up(dividend, divisor):
        return divide_up(add(dividend, add(divisor, ONE, -1), -1), divisor)
    rest = add(dividend, divisor, -1).constant if divisor.constant is None else None
    if rest is not None and rest >= 0:
        return divide_up(number(rest + 1), divisor)
    return atom(Quotient(dividend, divisor))


def divide_up(dividend: Form, divisor: Form) -> Form:
    """ceil(dividend / divisor)."""
    whole = _divides(dividend, divisor)
    return whole if whole is not None else atom(Quotient(dividend, divisor, up=True))


def _rounds_up(dividend: Form, divisor: Form) -> bool:
    """Whether `dividend` has the `+ divisor - 1` that makes a floor division round up."""
    size = divisor.constant
    if size is not None:
        offset = dict(dividend.terms).get((), 0)
        return size > 1 and offset == size - 1 and len(dividend.terms) > 1
    have = dict(dividend.terms)
    return all(have.get(monomial) == k for monomial, k in divisor.terms) and have.get((), 0) == -1 + dict(
        divisor.terms
    ).get((), 0)


def _divides(dividend: Form, divisor: Form) -> Form | None:
    """The exact quotient where it is one by form: numbers, or a multiple of one monomial."""
    if len(divisor.terms) != 1:
        return ONE if dividend == divisor else None
    below, k = divisor.terms[0]
    terms: dict[Monomial, int] = {}
    for atoms, coefficient in dividend.terms:
        rest = list(atoms)
        for part in below:
            if part not in rest:
                return None
            rest.remove(part)
        if coefficient % k:
            return None
        terms[tuple(rest)] = coefficient // k
    return _collect(terms)


def divides(divisor: Form, form: Form) -> bool:
    """Whether a formula is by its form a multiple of another."""
    return form == ZERO or _divides(form, divisor) is not None


def substitute(form: Form, given: Mapping[Atom, Form]) -> Form | None:
    """The formula with other formulas put in for some atoms, None where it grows too large."""
    total = ZERO
    for atoms, k in form.terms:
        product: Form | None = number(k)
        for part in atoms:
            inner = _substituted(part, given)
            product = None if product is None or inner is None else multiply(product, inner)
        if product is None:
            return None
        total = add(total, product)
    return total


def _substituted(part: Atom, given: Mapping[Atom, Form]) -> Form | None:
    if part in given:
        return given[part]
    if isinstance(part, Quotient | Remainder):
        dividend, divisor = substitute(part.dividend, given), substitute(part.divisor, given)
        if dividend is None or divisor is None:
            return None
        above, below = dividend.constant, divisor.constant
        if above is not None and below:
            if isinstance(part, Remainder):
                return number(above % below)
            return number(-(-above // below) if part.up else above // below)
        if isinstance(part, Remainder):
            return atom(Remainder(dividend, divisor))
        return divide_up(dividend, divisor) if part.up else divide(dividend, divisor)
    if isinstance(part, Extremum):
        parts = [substitute(argument, given) for argument in part.arguments]
        known = [argument for argument in parts if argument is not None]
        if len(known) < len(parts):
            return None
        constants = [argument.constant for argument in known]
        if None not in constants:
            return number((min if part.kind == "min" else max)(value for value in constants if value is not None))
        return atom(Extremum(part.kind, tuple(sorted(known, key=str))))
    return atom(part)


def round_up_steps(form: Form) -> Form:
    """`n / b + 1` under `(n - 1) / b + 1` becomes ceil(n / b), and so does `n / b + (n % b != 0)` once the comparison
    is the atom min(1, n % b).
    """
    for atoms, k in form.terms:
        if k != 1 or len(atoms) != 1 or not isinstance(atoms[0], Quotient) or atoms[0].up:
            continue
        quotient = atoms[0]
        rest = add(form, atom(quotient), -1)
        if rest == ONE and dict(quotient.dividend.terms).get((), 0) == -1 and len(quotient.dividend.terms) > 1:
            return divide_up(add(quotient.dividend, ONE), quotient.divisor)
        part = atom(Remainder(quotient.dividend, quotient.divisor))
        if rest == atom(Extremum("min", (ONE, part))):
            return divide_up(quotient.dividend, quotient.divisor)
    return form
