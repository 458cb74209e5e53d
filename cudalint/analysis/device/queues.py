"""Loops in which threads take items from a common counter, and how the item comes to those who work on it."""

from collections.abc import Iterator

from cudalint.analysis.device.divergence import counts, divergences, loops_around, popped
from cudalint.analysis.device.events import Access, Barrier, Control, Loop, Trace
from cudalint.analysis.device.values import LANE, THREAD, Place
from cudalint.record import record


@record
class Pop:
    """An item taken by `access` that not all know who are asked about it by `control`.

    `barriers` are those that wait for threads with other items; `alone` the condition that only the popping threads meet.
    """

    access: Access
    control: Control
    barriers: tuple[Barrier, ...] = ()
    alone: Control | None = None


def pops(trace: Trace) -> Iterator[Pop]:
    """The pops whose item is not that of the whole block although it ought to be."""
    waiting: dict[Place, list[Barrier]] = {}
    first: dict[Place, tuple[Access, Control]] = {}
    for found in divergences(trace, "block"):
        if found.pop is not None:
            waiting.setdefault(found.pop.place, []).append(found.barrier)
            first.setdefault(found.pop.place, (found.pop, found.control))
    for place, (access, control) in first.items():
        yield Pop(access, control, tuple(waiting[place]), _alone(access))
    yield from _kept(trace, set(first))


def _kept(trace: Trace, told: set[Place]) -> Iterator[Pop]:
    """Loops that end by what one thread popped and kept."""
    taken = {event.place: event for event in trace.walk() if isinstance(event, Access) and counts(event)}
    for loop in trace.walk():
        if not isinstance(loop, Loop):
            continue
        for control in (*loop.exits, Control("loop", loop.condition, True, loop.place, loop=loop)):
            access = popped(control, taken)
            if access is None or access.place in told or not control.condition.varies & LANE:
                continue
            alone = _alone(access)
            if alone is not None and any(around is loop for around in loops_around(access)):
                told.add(access.place)
                yield Pop(access, control, (), alone)


def _alone(access: Access) -> Control | None:
    """The condition in the innermost loop that only some threads of the block pop under."""
    for control in access.controls():
        if control.loop is not None:
            return None
        if control.kind == "branch" and control.condition.varies & THREAD:
            return control
    return None
