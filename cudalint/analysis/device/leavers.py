"""Whether data of threads that left a kernel early is read after a barrier that they no longer come to."""

import itertools
import math
import operator
from collections.abc import Iterator
from typing import TypeGuard

from cudalint.analysis.device import arithmetic
from cudalint.analysis.device.divergence import Divergence, loops_around
from cudalint.analysis.device.events import Access, Control, Event, Loop, Trace
from cudalint.analysis.device.lanes import Valuation, Worth, combined
from cudalint.analysis.device.values import THREAD, Num, Test
from cudalint.ir import symbol as sym

_INDICES = frozenset(sym.Symbol(f"threadIdx.{axis}") for axis in "xyz")
_MOST_TURNS = 256
_PLACES = frozenset(
    sym.Symbol(f"{part}.{axis}") for part in ("threadIdx", "blockIdx", "blockDim", "gridDim") for axis in "xyz"
)


def read_after(trace: Trace, found: Divergence) -> Access | None:
    """A load, after the barrier, of shared memory that the threads that left would have written between."""
    events = [*trace.walk()]
    at = next(number for number, event in enumerate(events) if event is found.barrier)
    filled = {event.buffer.key for event in events[:at] if _filled_before(event, found.control)}
    written = [event for event in events[:at] if _filled(event, found.control)]
    for load in events[at:]:
        if isinstance(load, Access) and load.kind != "store" and load.buffer.space == "shared":
            stores = [store for store in written if store.buffer.key == load.buffer.key]
            if stores and load.buffer.key not in filled and _of_others(trace, load, stores, found.control):
                return load
    return None


def _fills(event: Event) -> TypeGuard[Access]:
    """Whether threads store, each an element of its own, to shared memory."""
    return (
        isinstance(event, Access)
        and event.kind == "store"
        and event.buffer.space == "shared"
        and event.index is not None
        and bool(event.index.varies & THREAD)
    )


def _filled(event: Event, left: Control) -> TypeGuard[Access]:
    """Whether those that did not leave store, where those that did would have had to."""
    limits = _limits(left.condition)
    return (
        _fills(event)
        and any(control is left for control in event.controls())
        and not any(limits & _stride(loop) for loop in loops_around(event))
    )


def _filled_before(event: Event, left: Control) -> TypeGuard[Access]:
    """Whether those that left stored before they did."""
    return _fills(event) and all(control is not left for control in event.controls())


def _stride(loop: Loop) -> set[object]:
    """What the step of a loop is made of."""
    step = loop.induction.step if loop.induction is not None else None
    if step is None or step.form is None:
        return set()
    return {leaf for leaf in step.form.leaves() if leaf not in _PLACES}


def _of_others(trace: Trace, load: Access, stores: list[Access], left: Control) -> bool:
    index = load.index
    if index is None or index.form is None or _own(trace, load, stores) or _grouped(index.form) or _bounded(load, left):
        return False
    values = _valuation(trace)
    if _elements(values, load) is None:
        return index.exact != 0 and _by_data(left.condition)
    gone = _gone(values, left)
    first = next(gone, None)
    if first is None:
        return index.exact != 0 and _by_data(left.condition)
    return any(_missed(values, away, stores, load, left) for away in itertools.chain([first], gone))


def _own(trace: Trace, load: Access, stores: list[Access]) -> bool:
    """Whether each thread reads what it stored itself, at whatever turn of a loop."""
    mine = _unnamed(trace, load)
    return any(_unnamed(trace, store) == mine for store in stores)


def _unnamed(trace: Trace, access: Access) -> list[tuple[list[str], int]] | None:
    """The index of an access without what tells the turns of loops from each other."""
    if access.index is None or access.index.form is None:
        return None
    counted = {}
    for loop in loops_around(access):
        if loop.induction is not None:
            step = loop.induction.step.form if loop.induction.step is not None else None
            counted[loop.induction.atom] = f"{loop.induction.start.form}, +{step}"

    def name(atom: sym.Atom) -> str:
        if not isinstance(atom, sym.Symbol) or not atom.version:
            return str(atom)
        return counted.get(atom, repr(atom)) if trace.atoms.get(atom, 0) & THREAD else "?"

    return sorted((sorted(map(name, atoms)), factor) for atoms, factor in access.index.form.terms)


def _grouped(form: sym.Form) -> bool:
    """Whether threads read within a group of neighbours, which may well leave together."""
    return any(
        isinstance(atom, sym.Quotient | sym.Remainder) and not _INDICES.isdisjoint(sym.atom(atom).leaves())
        for atom in form.atoms()
    )


def _by_data(condition: Num) -> bool:
    """Whether it is the data that decides who leaves, or how much there is of it: not a role that a thread has in its block."""
    leaves = {leaf for side in _sides(condition) if side.form is not None for leaf in side.form.leaves()}
    blocks = any(leaf in leaves for leaf in (sym.Symbol(f"blockIdx.{axis}") for axis in "xyz"))
    return blocks or not any(leaf in _INDICES for leaf in leaves)


def _bounded(load: Access, left: Control) -> bool:
    """Whether the condition that some left by bounds the load too, or its index."""
    limits = _limits(left.condition)
    if load.index is not None and load.index.form is not None and limits & {*load.index.form.leaves()}:
        return True
    for control in load.controls():
        if control is left:
            return False
        if limits & _limits(control.condition):
            return True
    return False


def _limits(condition: Num) -> set[object]:
    """What a condition compares a thread's place with: symbols other than that place, and numbers."""
    found: set[object] = set()
    for side in _sides(condition):
        if side.exact is not None:
            found.add(side.exact)
        elif side.form is not None:
            found |= {leaf for leaf in side.form.leaves() if leaf not in _PLACES}
    return found


def _sides(condition: Num) -> Iterator[Num]:
    test: Test | None = condition.test
    if test is None:
        return
    for side in (test.left, test.right):
        if side.test is not None:
            yield from _sides(side)
        else:
            yield side


def _valuation(trace: Trace) -> Valuation:
    """Values for one block; where its size is not known, one of some threads along each axis the kernel uses stands for it."""
    flat = sym.Symbol("threadIdx.y") not in trace.atoms
    x, y, z = (
        size or (1 if sym.Symbol(f"threadIdx.{axis}") not in trace.atoms else 64 if flat else 16)
        for axis, size in zip("xyz", trace.shape.block, strict=True)
    )
    return Valuation((x, y, z), (0, 0, 0), trace.atoms)


def _gone(values: Valuation, left: Control) -> Iterator[list[bool]]:
    """For each thread whether it left; where a bound that is not known decides, the threads that leave first."""
    stays, assumed = values.truth(left.condition)
    if isinstance(stays, list) and not assumed and None not in stays:
        yield [one is not left.holds for one in stays]
        return
    for leaf, op in _leaving(left.condition, holds=not left.holds):
        first, second = values.form(leaf.left.form).lanes, values.form(leaf.right.form).lanes
        distance = combined(operator.sub, first, second)
        if isinstance(distance, list) and min(distance) != max(distance):
            edge = max(distance) if op in {">", ">="} else min(distance)
            limit = _parameter(leaf.right.form)
            if limit is not None and isinstance(first, list):
                values.given[limit] = Worth(max(first) if op in {">", ">="} else min(first))
            yield [one == edge for one in distance]


def _parameter(form: sym.Form | None) -> sym.Atom | None:
    """The parameter that a formula is."""
    atom = form.atom if form is not None else None
    return atom if isinstance(atom, sym.Symbol) and not atom.version and atom not in _PLACES else None


def _leaving(condition: Num, *, holds: bool) -> Iterator[tuple[Test, str]]:
    """The comparisons each of which alone makes a thread leave, with the operator that does."""
    test = condition.test
    if test is None:
        return
    if test.op == ("||" if holds else "&&"):
        yield from _leaving(test.left, holds=holds)
        yield from _leaving(test.right, holds=holds)
    elif test.op in {"<", "<=", ">", ">="}:
        yield test, test.op if holds else arithmetic.opposite(test.op)


def _missed(values: Valuation, away: list[bool], stores: list[Access], load: Access, left: Control) -> bool:
    """Whether a thread that stays loads what one that left would have stored."""
    missing: set[int] = set()
    there: set[int] = set()
    for store in stores:
        stored = _elements(values, store)
        if stored is None:
            return _by_data(left.condition)
        for thread in _reaching(values, store, left):
            if away[thread]:
                missing |= stored[thread]
            else:
                there |= stored[thread]
    missing -= there
    loaded = _elements(values, load)
    return loaded is not None and any(
        not away[thread] and not missing.isdisjoint(loaded[thread]) for thread in _reaching(values, load, left)
    )


def _reaching(values: Valuation, store: Access, left: Control) -> Iterator[int]:
    """The threads that would come to a store, as far as its conditions are known."""
    known = []
    for control in store.controls():
        if control is not left and control.loop is None:
            holds, assumed = values.truth(control.condition)
            if isinstance(holds, list) and (not assumed or control.kind == "return"):
                known.append((holds, control.holds))
    for thread in range(values.threads):
        if all(holds[thread] is not (not wanted) for holds, wanted in known):
            yield thread


def _elements(values: Valuation, access: Access) -> list[set[int]] | None:
    """The elements each thread means in all turns of the loops around an access; None where they are not known."""
    form = access.index.form if access.index is not None else None
    spread: list[tuple[sym.Atom, range]] = []
    for loop in loops_around(access):
        turns = _turns(loop)
        if turns is not None and loop.induction is not None:
            spread.append((loop.induction.atom, turns))
    found: list[set[int]] = [set() for _ in range(values.threads)]
    if math.prod(len(turns) for _, turns in spread) > _MOST_TURNS:
        return None
    for numbers in itertools.product(*(turns for _, turns in spread)):
        for (atom, _), number in zip(spread, numbers, strict=True):
            values.given[atom] = Worth(number)
        keys = values.keys(form)
        if keys is None or any(not isinstance(key, int) for key in keys):
            return None
        for elements, key in zip(found, keys, strict=True):
            if isinstance(key, int):
                elements.add(key)
    return found


def _turns(loop: Loop) -> range | None:
    """The values a loop counts through, where they are numbers."""
    induction = loop.induction
    if induction is None or induction.op != "+" or induction.step is None or induction.bound is None:
        return None
    start, step, bound, test = induction.start.exact, induction.step.exact, induction.bound.exact, loop.condition.test
    if start is None or bound is None or not step or step < 0 or test is None or test.op not in {"<", "<="}:
        return None
    return range(start, bound + (test.op == "<="), step)
