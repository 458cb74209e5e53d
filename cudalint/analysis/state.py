"""What is known at one point of a function: the values of its variables and the ranges of what they were made from."""

from collections.abc import Iterable
from dataclasses import field, replace
from itertools import count

from cudalint.analysis.arithmetic import extremum
from cudalint.analysis.domain import Record, Value, join
from cudalint.ir import Quantity
from cudalint.ir import symbol as sym
from cudalint.record import mutable_record

Bounds = tuple[int | None, int | None]
Ranges = dict[sym.Atom | sym.Form, Bounds]
_versions = count(1)


def count_versions_from(start: int) -> None:
    """Let the values named from here on differ from those of a process that counts from elsewhere."""
    global _versions  # noqa: PLW0603 - a counter of the process
    _versions = count(start)


def fresh(name: str) -> sym.Form:
    """A formula for a value of which only the name is known, unlike any other value."""
    return sym.atom(sym.Symbol(name, next(_versions)))


_HEAVIEST = 32


def named(value: Value, name: str) -> Value:
    """The value under a new name where its formula has grown too large to be worth keeping."""
    if isinstance(value, Quantity) and value.form is not None and value.form.weight > _HEAVIEST:
        return replace(value, form=fresh(name))
    return value


def tighter(left: Bounds, right: Bounds) -> Bounds:
    """The intersection of two ranges."""
    los = [end for end in (left[0], right[0]) if end is not None]
    his = [end for end in (left[1], right[1]) if end is not None]
    return max(los, default=None), min(his, default=None)


@mutable_record
class State:
    """`alive` is false after a jump. `symbols` narrows the symbols of formulas and whole formulas, by the conditions
    passed; `nonzero` are formulas that they say are not 0.
    """

    variables: dict[str, Value] = field(default_factory=dict)
    symbols: Ranges = field(default_factory=dict)
    alive: bool = True
    nonzero: frozenset[sym.Form] = frozenset()

    def copy(self) -> "State":
        return State(dict(self.variables), dict(self.symbols), self.alive, self.nonzero)

    def forget(self, names: Iterable[str]) -> None:
        """The named variables may have any value from now on."""
        for name in names:
            old = self.variables.get(name)
            if isinstance(old, Record):
                self.variables[name] = Record(old.type, {})
            elif old is not None:
                self.variables[name] = Quantity(form=fresh(name.rpartition(".")[2]))

    def narrow(self, quantity: Quantity) -> Quantity:
        """The quantity with its interval cut down to what the conditions passed say of the symbols in its formula."""
        if quantity.form is None or quantity.exact is not None or not (self.symbols or self.nonzero):
            return quantity
        form = quantity.form
        if self._cannot_be_zero(form):
            quantity = replace(quantity, nonzero=True)
        lo, hi = tighter((quantity.lo, quantity.hi), interval(form, self.symbols))
        if lo == quantity.lo and hi == quantity.hi:
            return quantity
        if lo is not None and lo == hi:
            return replace(Quantity.exactly(lo, quantity.origin), text=quantity.text, span=quantity.span)
        return replace(quantity, lo=lo, hi=hi)

    def _cannot_be_zero(self, form: sym.Form) -> bool:
        """Whether a formula, or what it is rounded up from, was compared with 0."""
        rounded = form.atom
        inner = rounded.dividend if isinstance(rounded, sym.Quotient) and rounded.up else form
        return inner in self.nonzero


def merge(states: list[State]) -> State:
    """What holds after control from any of the states meets."""
    alive = [state for state in states if state.alive]
    if not alive:
        return State(alive=False) if not states else replace(states[0], alive=False)
    first, *rest = alive
    if not rest:
        return first
    variables: dict[str, Value] = {}
    for name, value in first.variables.items():
        others = [state.variables[name] for state in rest if name in state.variables]
        if len(others) == len(rest):
            variables[name] = _merge_values(name, value, others)
    symbols = {
        atom: (_least(atom, alive), _most(atom, alive))
        for atom in first.symbols
        if all(atom in state.symbols for state in rest)
    }
    return State(variables, symbols, nonzero=frozenset.intersection(*(state.nonzero for state in alive)))


def _merge_values(name: str, value: Value, others: list[Value]) -> Value:
    if all(other is value for other in others):
        return value
    form = fresh(name)
    for other in others:
        value = join(value, other, form)
    return value


def _least(atom: sym.Atom | sym.Form, states: list[State]) -> int | None:
    ends = [state.symbols[atom][0] for state in states]
    return None if None in ends else min(end for end in ends if end is not None)


def _most(atom: sym.Atom | sym.Form, states: list[State]) -> int | None:
    ends = [state.symbols[atom][1] for state in states]
    return None if None in ends else max(end for end in ends if end is not None)


def interval(form: sym.Form, symbols: Ranges) -> Bounds:
    """The range of a formula, given ranges of its symbols."""
    total = Quantity.exactly(0)
    for atoms, coefficient in form.terms:
        product = Quantity.exactly(coefficient)
        for atom in atoms:
            product = product.times(_atom(atom, symbols))
        total = total.plus(product)
    known = symbols.get(form) if len(form.terms) > 1 else None
    return (total.lo, total.hi) if known is None else tighter(known, (total.lo, total.hi))


def _atom(atom: sym.Atom, symbols: Ranges) -> Quantity:
    known = symbols.get(atom, (None, None))
    match atom:
        case sym.Quotient():
            own = _quotient(atom, symbols)
        case sym.Remainder():
            _, top = interval(atom.divisor, symbols)
            low, _ = interval(atom.dividend, symbols)
            own = (0 if low is not None and low >= 0 else None, None if top is None else top - 1)
        case sym.Extremum():
            own = _extremum(atom, symbols)
        case sym.DeviceValue() | sym.Residency():
            own = (1, None)
        case _:
            own = (None, None)
    lo, hi = tighter(known, own)
    return Quantity(lo, hi)


def _quotient(atom: sym.Quotient, symbols: Ranges) -> Bounds:
    low, high = interval(atom.dividend, symbols)
    least, most = interval(atom.divisor, symbols)
    if least is None or least < 1:
        if low is None or low < 0:
            return None, None
        return (1 if atom.up and low > 0 else 0), None
    lo = None if low is None else _rounded(atom, low, least if low < 0 else most)
    hi = None if high is None else _rounded(atom, high, least if high >= 0 else most)
    return lo, hi


def _rounded(atom: sym.Quotient, dividend: int, divisor: int | None) -> int:
    """The quotient, for a divisor of None as large as can be."""
    if divisor is None:
        return 1 if atom.up and dividend > 0 else 0
    return -(-dividend // divisor) if atom.up else dividend // divisor


def _extremum(atom: sym.Extremum, symbols: Ranges) -> Bounds:
    parts = [Quantity(*interval(form, symbols)) for form in atom.arguments]
    result = parts[0]
    for part in parts[1:]:
        result = extremum(atom.kind, result, part)
    return result.lo, result.hi
