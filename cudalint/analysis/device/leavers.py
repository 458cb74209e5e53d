"""Whether data of threads that left a kernel early is read after a barrier that they no longer come to."""

from collections.abc import Iterator
from typing import TypeGuard

from cudalint.analysis.device.divergence import Divergence, loops_around
from cudalint.analysis.device.events import Access, Control, Event, Loop, Trace
from cudalint.analysis.device.lanes import Valuation
from cudalint.analysis.device.values import THREAD, Num, Test
from cudalint.ir import symbol as sym

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
    if index is None or index.form is None or _first(index) or _own(load, stores) or _bounded(load, left):
        return False
    met = _met(trace, load, stores, left)
    return met if met is not None else True


def _first(index: Num) -> bool:
    """The element of thread 0, which is the last to leave where a bound on the index decides."""
    return index.exact == 0


def _own(load: Access, stores: list[Access]) -> bool:
    """Whether each thread reads what it stored itself."""
    return any(
        load.index is not None and store.index is not None and load.index.form == store.index.form for store in stores
    )


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


def _met(trace: Trace, load: Access, stores: list[Access], left: Control) -> bool | None:
    """Whether an element that a thread which left would have stored is loaded; None where that is not known."""
    x, y, z = trace.shape.block
    if x is None or y is None or z is None:
        return None
    values = Valuation((x, y, z), (0, 0, 0), trace.atoms)
    stays, assumed = values.truth(left.condition)
    loaded = values.keys(load.index.form if load.index is not None else None)
    if assumed or not isinstance(stays, list) or None in stays or loaded is None:
        return None
    gone = [one is not left.holds for one in stays]
    missing = set()
    for store in stores:
        kept = values.keys(store.index.form if store.index is not None else None)
        if kept is None:
            return None
        missing |= {key for key, away in zip(kept, gone, strict=True) if away}
    return any(key in missing for key, away in zip(loaded, gone, strict=True) if not away)
