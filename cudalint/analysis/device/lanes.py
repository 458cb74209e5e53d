"""What formulas and conditions are worth for every thread of one block, under values given to their symbols."""

import operator
from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet

from cudalint.analysis.device.values import THREAD, Num, Test
from cudalint.ir import symbol as sym
from cudalint.record import mutable_record

Lanes = int | list[int] | None
"""One number for all threads, one for each, or not known."""
Truth = bool | list[bool | None] | None
"""The same for a condition; None among the threads where it is not known of one."""
Key = int | tuple[object, ...]
"""An element: its number, or a number and multiples of symbols whose values are not known."""

_PARAMETER = 1 << 20
_GRID = 64
_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip
_WRAP = {"unsigned": 0xFFFFFFFF, "ulong": 0xFFFFFFFFFFFFFFFF}
_WIDEST_SHIFT = 62


def combined(operation: Callable[[int, int], int], left: Lanes, right: Lanes) -> Lanes:
    """An operation thread by thread."""
    if left is None or right is None:
        return None
    if isinstance(left, int):
        return operation(left, right) if isinstance(right, int) else [operation(left, b) for b in right]
    if isinstance(right, int):
        return [operation(a, right) for a in left]
    return [operation(a, b) for a, b in zip(left, right, strict=True)]


def _times(left: Lanes, right: Lanes) -> Lanes:
    if left == 1:
        return right
    if isinstance(left, int) and isinstance(right, list):
        return [left * b for b in right]
    return combined(operator.mul, left, right)


def _plus(left: Lanes, right: Lanes) -> Lanes:
    if left == 0 or right == 0:
        return right if left == 0 else left
    if isinstance(left, list) and isinstance(right, list):
        return [a + b for a, b in zip(left, right, strict=True)]
    if isinstance(left, list) and isinstance(right, int):
        return [a + right for a in left]
    return combined(operator.add, left, right)


def _quotient(dividend: int, divisor: int) -> int:
    if not divisor:
        raise ZeroDivisionError
    whole = abs(dividend) // abs(divisor)
    return whole if (dividend < 0) == (divisor < 0) else -whole


def _remainder(dividend: int, divisor: int) -> int:
    return dividend - divisor * _quotient(dividend, divisor)


def _round_up(dividend: int, divisor: int) -> int:
    if not divisor:
        raise ZeroDivisionError
    return -(-dividend // divisor)


def _shifted(value: int, count: int) -> int:
    if not 0 <= count <= _WIDEST_SHIFT:
        raise OverflowError
    return value << count


_BITS: dict[str, Callable[[int, int], int]] = {
    "&": operator.and_, "|": operator.or_, "^": operator.xor, "<<": _shifted, ">>": lambda a, b: a >> min(max(b, 0), 64),
}  # fmt: skip


@mutable_record
class Worth:
    """The value of a formula. `assumed` is set where it rests on a number that a parameter was given for want of its own."""

    lanes: Lanes
    assumed: bool = False


UNKNOWN = Worth(None)


class Valuation:
    """Values for the symbols of a trace: a block of known size, one block of the grid, and whatever loops set."""

    def __init__(
        self,
        block: tuple[int, int, int],
        at: tuple[int, int, int],
        atoms: dict[sym.Atom, int],
        dubious: AbstractSet[sym.Atom] = frozenset(),
    ) -> None:
        x, y, z = block
        self.threads = x * y * z
        self.atoms, self.dubious = atoms, dubious
        self.given: dict[sym.Atom, Worth] = {}
        self.generations: list[tuple[tuple[int, int], int]] = []
        numbers = range(self.threads)
        axes = ([t % x for t in numbers], [t // x % y for t in numbers], [t // (x * y) for t in numbers])
        for axis, size, own, here in zip("xyz", block, axes, at, strict=True):
            self.given[sym.Symbol(f"threadIdx.{axis}")] = Worth(own if size > 1 else 0)
            self.given[sym.Symbol(f"blockDim.{axis}")] = Worth(size)
            self.given[sym.Symbol(f"blockIdx.{axis}")] = Worth(here)
            self.given[sym.Symbol(f"gridDim.{axis}")] = Worth(_GRID, assumed=True)
        self.place = {sym.Symbol(f"blockIdx.{axis}") for axis in "xyz"}

    def atom(self, atom: sym.Atom) -> Worth:
        known = self.given.get(atom)
        if known is not None:
            return known
        try:
            worth = self._made(atom)
        except (ZeroDivisionError, OverflowError):
            return UNKNOWN
        return worth

    def _made(self, atom: sym.Atom) -> Worth:
        if isinstance(atom, sym.Symbol):
            if atom.version:
                return UNKNOWN
            worth = Worth(_PARAMETER + len(self.given), assumed=True)
            self.given[atom] = worth
            return worth
        if isinstance(atom, sym.Quotient):
            if atom.real:
                return UNKNOWN
            return self._pair(_round_up if atom.up else _quotient, atom.dividend, atom.divisor)
        if isinstance(atom, sym.Remainder):
            return self._pair(_remainder, atom.dividend, atom.divisor)
        if isinstance(atom, sym.Bitwise):
            return self._pair(_BITS[atom.op], atom.left, atom.right)
        if isinstance(atom, sym.Extremum):
            choice: Callable[[int, int], int] = min if atom.kind == "min" else max
            worth = self.form(atom.arguments[0])
            for argument in atom.arguments[1:]:
                other = self.form(argument)
                worth = Worth(combined(choice, worth.lanes, other.lanes), worth.assumed or other.assumed)
            return worth
        return UNKNOWN

    def _pair(self, operation: Callable[[int, int], int], left: sym.Form, right: sym.Form) -> Worth:
        first, second = self.form(left), self.form(right)
        return Worth(combined(operation, first.lanes, second.lanes), first.assumed or second.assumed)

    def form(self, form: sym.Form | None) -> Worth:
        """What a formula is worth."""
        if form is None:
            return UNKNOWN
        total: Lanes = 0
        assumed = False
        for atoms, coefficient in form.terms:
            product: Lanes = coefficient
            for atom in atoms:
                worth = self.atom(atom)
                assumed = assumed or worth.assumed
                product = _times(product, worth.lanes)
            total = _plus(total, product)
            if total is None:
                return UNKNOWN
        return Worth(total, assumed)

    # conditions

    def truth(self, condition: Num) -> tuple[Truth, bool]:
        """Whether a condition holds, and whether that rests on an assumed number."""
        if condition.exact is not None:
            return bool(condition.exact), False
        if condition.test is not None:
            return self._test(condition.test)
        worth = self.form(condition.form)
        if isinstance(worth.lanes, list):
            return [value != 0 for value in worth.lanes], worth.assumed
        return None if worth.lanes is None else worth.lanes != 0, worth.assumed

    def _test(self, test: Test) -> tuple[Truth, bool]:
        if test.op == "!":
            value, assumed = self.truth(test.left)
            return negated(value), assumed
        if test.op in {"&&", "||"}:
            (left, first), (right, second) = self.truth(test.left), self.truth(test.right)
            result = both(left, right) if test.op == "&&" else negated(both(negated(left), negated(right)))
            return result, first or second
        return self._compared(test)

    def _compared(self, test: Test) -> tuple[Truth, bool]:
        left, right = self._number(test.left), self._number(test.right)
        assumed = left.assumed or right.assumed
        first, second = left.lanes, right.lanes
        mask = _WRAP.get(test.left.kind) if test.left.kind == test.right.kind else None
        mask = mask or max((_WRAP.get(side.kind, 0) for side in (test.left, test.right)), default=0)
        if mask and not {test.left.kind, test.right.kind} & {"long", ""}:
            first, second = (combined(operator.and_, side, mask) for side in (first, second))
        compare = _COMPARISONS.get(test.op)
        if first is None or second is None or compare is None:
            return None, assumed
        result = combined(compare, first, second)
        return (bool(result) if not isinstance(result, list) else [bool(one) for one in result]), assumed

    def _number(self, value: Num) -> Worth:
        return Worth(value.exact) if value.exact is not None else self.form(value.form)

    # elements

    def keys(self, form: sym.Form | None) -> list[Key] | None:
        """The element each thread means by an index, so that equal elements are equal whatever the unknown symbols are."""
        if form is None:
            return None
        known: Lanes = 0
        rest: dict[tuple[object, ...], Lanes] = {}
        for atoms, coefficient in form.terms:
            product: Lanes = coefficient
            tokens: list[object] = []
            for atom in atoms:
                worth = self.atom(atom)
                if worth.lanes is not None and not worth.assumed and atom not in self.place:
                    product = _times(product, worth.lanes)
                    continue
                token = self.token(atom)
                if token is None:
                    return None
                tokens.append(token)
            if tokens:
                rest[tuple(tokens)] = _plus(rest.get(tuple(tokens), 0), product)
            else:
                known = _plus(known, product)
        return self._spread(known, rest)

    def _spread(self, known: Lanes, rest: dict[tuple[object, ...], Lanes]) -> list[Key]:
        numbers = known if isinstance(known, list) else [known or 0] * self.threads
        if not rest:
            return [*numbers]
        columns: list[Iterable[object]] = [numbers]
        for tokens, factor in rest.items():
            columns.append([tokens] * self.threads)
            columns.append(factor if isinstance(factor, list) else [factor] * self.threads)
        return [*zip(*columns, strict=True)]

    def token(self, atom: sym.Atom) -> object | None:
        """What tells the value of a symbol from that of others; None where it differs between the threads of a block."""
        leaves = [*sym.atom(atom).leaves()]
        generations = []
        for leaf in leaves:
            if not isinstance(leaf, sym.Symbol):
                continue
            if leaf in self.dubious:
                return None
            if leaf.name.startswith("threadIdx.") or self.atoms.get(leaf, 0 if not leaf.version else THREAD) & THREAD:
                return None
            generations += [turn for (first, behind), turn in self.generations if first <= leaf.version < behind]
        return atom, tuple(generations)


def negated(value: Truth) -> Truth:
    if isinstance(value, list):
        return [None if one is None else not one for one in value]
    return None if value is None else not value


def _and(left: bool | None, right: bool | None) -> bool | None:
    if left is False or right is False:
        return False
    return None if left is None or right is None else True


def both(left: Truth, right: Truth) -> Truth:
    """Whether two conditions hold together, thread by thread."""
    if left is False or right is False:
        return False
    if left is True:
        return right
    if right is True:
        return left
    if isinstance(left, list):
        if isinstance(right, list):
            return [_and(a, b) for a, b in zip(left, right, strict=True)]
        return [_and(a, right) for a in left]
    return [_and(left, b) for b in right] if isinstance(right, list) else None
