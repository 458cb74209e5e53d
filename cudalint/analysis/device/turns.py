"""How often each thread of a block goes round a loop, and which values symbols have for it: chosen where they are not known."""

import operator
from collections.abc import Callable, Mapping

from cudalint.analysis.device.counting import Choice, choices
from cudalint.analysis.device.events import Loop, Trace
from cudalint.analysis.device.lanes import Lanes, Valuation, Worth, combined
from cudalint.analysis.device.values import THREAD, Num
from cudalint.ir import symbol as sym
from cudalint.record import record

USUAL = 1024
"""What a number is taken for that the launch does not tell."""
_MOST_HALVINGS = 64
_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "!=": "!="}


class Sample(Valuation):
    """Values for all symbols that are the same for the threads of a block: `numbers`, else the usual one. `asked` are those
    that it had to choose.
    """

    def __init__(self, trace: Trace, block: tuple[int, int, int], numbers: Mapping[sym.Atom, int]) -> None:
        at = tuple(0 if size == 1 else 1 for size in trace.shape.grid)
        super().__init__(block, (at[0], at[1], at[2]), trace.atoms)
        self._numbers = numbers
        self._choices = choices(trace)
        self.asked: set[sym.Atom] = set()

    def _made(self, atom: sym.Atom) -> Worth:
        if not isinstance(atom, sym.Symbol):
            return super()._made(atom)
        choice = self._choices.get(atom)
        if choice is not None:
            worth = self._chosen(choice)
        elif atom.version and self.atoms.get(atom, THREAD) & THREAD:
            worth = Worth(None)
        else:
            self.asked.add(atom)
            worth = Worth(self._numbers.get(atom, USUAL), assumed=True)
        self.given[atom] = worth
        return worth

    def _chosen(self, choice: Choice) -> Worth:
        truth, assumed = self.truth(choice.condition)
        then, other = self.number(choice.then), self.number(choice.other)
        if truth is None or then.lanes is None or other.lanes is None:
            return Worth(None)
        if isinstance(truth, bool):
            taken = then if truth else other
            return Worth(taken.lanes, assumed or taken.assumed)
        if None in truth:
            return Worth(None)
        left, right = _spread(then.lanes, self.threads), _spread(other.lanes, self.threads)
        return Worth(
            [a if holds else b for holds, a, b in zip(truth, left, right, strict=True)],
            assumed or then.assumed or other.assumed,
        )

    def number(self, value: Num) -> Worth:
        return Worth(value.exact) if value.exact is not None else self.form(value.form)

    def turns(self, loop: Loop) -> Worth:
        """How often each thread goes round, exits left aside; not known where its condition is no comparison with a counter."""
        worth = self._counted(loop)
        if loop.kind == "do":
            worth = Worth(combined(operator.add, worth.lanes, 1), worth.assumed)
        return worth

    def _counted(self, loop: Loop) -> Worth:
        """How often the condition of a loop holds."""
        counter = _counter(loop)
        if counter is None:
            return Worth(None)
        start, step = self.number(counter.start), self.number(counter.step)
        rest = self.form(counter.rest)
        assumed = start.assumed or step.assumed or rest.assumed
        if start.lanes is None or step.lanes is None or rest.lanes is None:
            return Worth(None)
        if counter.op in {"+", "-"}:
            advance = step.lanes if counter.op == "+" else combined(lambda a, _: -a, step.lanes, 0)
            distance = combined(lambda a, b: counter.factor * a + b, start.lanes, rest.lanes)
            pace = combined(lambda a, _: counter.factor * a, advance, 0)
            return Worth(combined(_steps(counter.test), distance, pace), assumed)
        if not isinstance(step.lanes, int) or not isinstance(rest.lanes, int):
            return Worth(None)
        walked = _scaling(counter, step.lanes, rest.lanes)
        return Worth(combined(lambda a, _: walked(a), start.lanes, 0), assumed)


@record
class _Counter:
    """A loop goes on while factor × the counter + rest compares with 0 as `test` says."""

    start: Num
    op: str
    step: Num
    factor: int
    rest: sym.Form
    test: str


def _counter(loop: Loop) -> _Counter | None:
    test = loop.condition.test
    if test is None or test.op not in _FLIPPED or test.left.form is None or test.right.form is None:
        return None
    difference = sym.add(test.left.form, test.right.form, -1)
    for atom, start, op, step in _counting(loop):
        own = [(atoms, factor) for atoms, factor in difference.terms if atom in atoms]
        if len(own) == 1 and own[0][0] == (atom,) and abs(own[0][1]) == 1:
            factor = own[0][1]
            rest = sym.add(difference, sym.term((atom,), factor), -1)
            return None if atom in rest.all_atoms() else _Counter(start, op, step, factor, rest, test.op)
    return None


def _counting(loop: Loop) -> list[tuple[sym.Atom, Num, str, Num]]:
    """The variables a loop counts with: symbol, start, operation, amount."""
    found = []
    induction = loop.induction
    if induction is not None and induction.step is not None:
        found.append((induction.atom, induction.start, induction.op, induction.step))
    for carry in loop.carries:
        if carry.end.form is not None:
            step = sym.add(carry.end.form, sym.atom(carry.atom), -1)
            if step.terms and carry.atom not in step.all_atoms():
                found.append((carry.atom, carry.start, "+", Num(0, step)))
    return found


def _steps(test: str) -> Callable[[int, int], int]:
    """The turns of a counter that is `distance` from where it stops and comes nearer by `pace`."""

    def count(distance: int, pace: int) -> int:
        if test in {">", ">="}:
            distance, pace = -distance, -pace
        reached = distance >= 0 if test in {"<", ">"} else distance > 0
        if test == "!=":
            return abs(distance // pace) if pace and distance % pace == 0 and distance * pace <= 0 else 0
        if reached or pace <= 0:
            return 0
        extra = 1 if test in {"<=", ">="} else 0
        return (-distance + extra + pace - 1) // pace

    return count


_TESTS: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "!=": operator.ne,
}  # fmt: skip
_CHANGES: dict[str, Callable[[int, int], int]] = {
    "*": operator.mul, "/": lambda value, by: value // by if by else value, "<<": lambda value, by: value << min(by, 64),
    ">>": lambda value, by: value >> min(by, 64),
}  # fmt: skip


def _scaling(counter: _Counter, by: int, rest: int) -> Callable[[int], int]:
    """The turns of a counter that is multiplied, divided or shifted."""
    goes_on, change = _TESTS[counter.test], _CHANGES.get(counter.op)

    def count(value: int) -> int:
        turns = 0
        while turns < _MOST_HALVINGS and change is not None and goes_on(counter.factor * value + rest, 0):
            value, turns = change(value, by), turns + 1
        return turns

    return count


def _spread(value: Lanes, threads: int) -> list[int]:
    return value if isinstance(value, list) else [value or 0] * threads
