"""The last block to count itself reads what the others stored: whether a fence stands between the store and the count."""

from collections.abc import Iterator

from cudalint.analysis.device.events import Access, Barrier, Control, Event, Fence, Trace, Unknown
from cudalint.analysis.device.origins import Origins, origins
from cudalint.analysis.device.values import Num, Test
from cudalint.record import record

_COUNTS = frozenset(f"atomic{name}" for name in ("Add", "Inc", "Sub", "Dec"))
_MAY_FENCE = ("fence", "sync", "asm", "flush", "barrier", "membar", "release")


@record
class Unfenced:
    """A `store`, the `count` that tells other blocks of it, and the `load` that the block does which comes last."""

    store: Access
    count: Access
    load: Access


def unfenced(trace: Trace) -> Iterator[Unfenced]:
    """The counts that no fence of the device separates from the stores they announce, each once."""
    if not trace.complete or all(size == 1 for size in trace.shape.grid):
        return
    events = [*trace.walk()]
    source = origins(trace)
    for position, event in enumerate(events):
        if isinstance(event, Access) and event.name in _COUNTS and event.buffer.space == "global":
            found = _announced(events, position, event, source)
            if found is not None:
                yield found


def _announced(events: list[Event], position: int, count: Access, source: Origins) -> Unfenced | None:
    start = max((at for at in range(position) if _fences(events[at])), default=-1) + 1
    stores = [
        event
        for event in events[start:position]
        if isinstance(event, Access) and event.kind == "store" and event.buffer.space == "global"
    ]
    if not stores:
        return None
    chosen: dict[int, bool] = {}
    for load in events[position + 1 :]:
        if not isinstance(load, Access) or load.kind != "load":
            continue
        store = next((one for one in stores if _elsewhere(one, load)), None)
        if store is not None and any(_decides(control, count, source, chosen) for control in load.controls()):
            return Unfenced(store, count, load)
    return None


def _fences(event: Event) -> bool:
    if isinstance(event, Fence):
        return event.scope != "block"
    if isinstance(event, Barrier):
        return event.scope in {"grid", "unknown"}
    return isinstance(event, Unknown) and any(word in event.name.lower() for word in _MAY_FENCE)


def _elsewhere(store: Access, load: Access) -> bool:
    """Whether a load reads the buffer of a store, and not just the element that the thread itself stored."""
    if store.buffer.key != load.buffer.key:
        return False
    if store.index is None or load.index is None or store.index.form is None:
        return True
    return store.index.form != load.index.form


def _decides(control: Control, count: Access, source: Origins, chosen: dict[int, bool]) -> bool:
    """Whether a condition holds for who comes at a certain place of the count, the last as a rule."""
    known = chosen.get(id(control))
    if known is None:
        known = chosen[id(control)] = control.loop is None and any(
            test.op in {"==", "!="} or _of_the_grid(test) for test in _tests(control.condition, count, source, 0)
        )
    return known


def _tests(value: Num | None, count: Access, source: Origins, depth: int) -> Iterator[Test]:
    """The comparisons of a count that a value comes from, also where shared memory hands it to the block."""
    if value is None or depth > 6:
        return
    test = value.test
    if test is not None and test.op in {"&&", "||", "!"}:
        for side in (test.left, test.right):
            if side is not value:
                yield from _tests(side, count, source, depth + 1)
    elif test is not None and any(access is count for side in (test.left, test.right) for access in source.of(side)):
        yield test
    if isinstance(value.read, Access) and value.read.buffer.space == "shared":
        for store in source.stored[value.read.buffer.key]:
            yield from _tests(store.value, count, source, depth + 1)


def _of_the_grid(test: Test) -> bool:
    """Whether a comparison is with the number of blocks."""
    return any(
        str(leaf).startswith("gridDim") for side in (test.left, test.right) if side.form for leaf in side.form.leaves()
    )
