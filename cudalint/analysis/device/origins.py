"""From which accesses to memory a value comes."""

from collections import defaultdict
from collections.abc import Iterator

from cudalint.analysis.device.events import Access, Carry, Trace
from cudalint.analysis.device.values import Num
from cudalint.ir import symbol as sym

_MOST = 64


class Origins:
    """What the values of a trace come from, through variables, loops and shared memory."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.stored: dict[str, list[Access]] = defaultdict(list)
        self.carried: dict[sym.Atom, Carry] = {}
        for event in trace.walk():
            if isinstance(event, Access):
                if event.kind == "store" and event.buffer.space == "shared":
                    self.stored[event.buffer.key].append(event)
            else:
                self.carried.update((carry.atom, carry) for carry in getattr(event, "carries", ()))

    def of(self, value: Num | None) -> list[Access]:
        """The loads and atomics a value is made of, those behind shared memory included."""
        found: list[Access] = []
        self._follow(value, found, set())
        return found

    def _follow(self, value: Num | None, found: list[Access], seen: set[object]) -> None:
        if value is None or len(seen) > _MOST:
            return
        for access in self.direct(value, seen):
            if id(access) in seen:
                continue
            seen.add(id(access))
            found.append(access)
            if access.buffer.space == "shared":
                for store in self.stored[access.buffer.key]:
                    self._follow(store.value, found, seen)
        for atom in leaves(value):
            carry = self.carried.get(atom)
            if carry is not None and atom not in seen:
                seen.add(atom)
                self._follow(carry.start, found, seen)
                self._follow(carry.end, found, seen)

    def direct(self, value: Num, seen: set[object]) -> Iterator[Access]:
        if isinstance(value.read, Access):
            yield value.read
        for atom in leaves(value):
            made = self.trace.made.get(atom)
            if made is not None and atom not in seen:
                yield made
        if value.test is not None:
            for side in (value.test.left, value.test.right):
                if side is not value:
                    yield from self.direct(side, seen)


def leaves(value: Num) -> Iterator[sym.Atom]:
    """The symbols in the formula of a value, and in the sides of the comparison it is."""
    if value.form is not None:
        yield from value.form.leaves()
    if value.test is not None:
        for side in (value.test.left, value.test.right):
            if side is not value:
                yield from leaves(side)


def origins(trace: Trace) -> Origins:
    """The origins of a trace, made once."""
    known: Origins | None = trace.memo.get("origins")
    if known is None:
        known = trace.memo["origins"] = Origins(trace)
    return known
