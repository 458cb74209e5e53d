"""Which barriers not every thread reaches, and what keeps some threads away."""

from collections.abc import Iterator

from cudalint.analysis.device.events import Access, Barrier, Control, Event, Loop, Trace
from cudalint.analysis.device.values import EVERY, THREAD, Cause, Num, Place, chain, guessed
from cudalint.ir import Opaque
from cudalint.record import record


@record
class Divergence:
    """A barrier, and the condition that decides which threads reach it.

    `kind` is branch, loop, return, or queue where the threads differ because each took its own number from the counter that
    the atomic operation `pop` counts.
    """

    barrier: Barrier
    control: Control
    kind: str
    pop: Access | None = None


_ORDER = ("queue", "branch", "loop", "return")
_SCOPES = {"block": THREAD, "grid": EVERY}
_COUNTING = ("Add", "Inc", "Sub", "Dec", "add", "sub")


def divergences(trace: Trace, scope: str) -> list[Divergence]:
    """The barriers of a scope (block or grid) that some of its threads do not reach, each once."""
    known: dict[str, list[Divergence]] = trace.memo.setdefault("divergences", {})
    if scope not in known:
        known[scope] = [*_found(trace, scope)]
    return known[scope]


def _found(trace: Trace, scope: str) -> Iterator[Divergence]:
    pops = {event.place: event for event in trace.walk() if isinstance(event, Access) and counts(event)}
    seen = set()
    for event in trace.walk():
        if isinstance(event, Barrier) and event.scope == scope:
            found = min(
                _reasons(trace, event, _SCOPES[scope], pops), key=lambda one: _ORDER.index(one.kind), default=None
            )
            if found is not None and (event.place, event.path) not in seen:
                seen.add((event.place, event.path))
                yield found


def _reasons(trace: Trace, event: Barrier, scope: int, pops: dict[Place, Access]) -> Iterator[Divergence]:
    for control in event.controls():
        if _optional(control):
            return
        for reason in _deciding(control, scope):
            if guessed(reason.cause) or unsettled(trace, reason.condition, scope):
                continue
            pop = _popped(event, reason, pops)
            yield Divergence(event, reason, "queue" if pop is not None else _kind(reason), pop)


def unsettled(trace: Trace, condition: Num, scope: int) -> bool:
    """Whether the threads of a scope differ in a condition only as some constant whose value is not seen decides."""
    test = condition.test
    if test is None or not condition.varies & scope:
        return False
    if test.op in {"&&", "||"}:
        sides = [side for side in (test.left, test.right) if side.varies & scope]
        return bool(sides) and all(unsettled(trace, side, scope) for side in sides)
    forms = [side.form for side in (test.left, test.right) if side.form is not None]
    return any(leaf in trace.unsettled for form in forms for leaf in form.leaves())


def _deciding(control: Control, scope: int) -> Iterator[Control]:
    """What makes threads differ in whether they stay under a condition: itself, or the jumps out of the loop it is of."""
    loop = control.loop
    if loop is None:
        if control.varies & scope:
            yield control
        return
    leaving = [one for one in loop.exits if one.kind in {"return", "break"} and one.varies & scope]
    yield from (one for one in leaving if one.kind == "return")
    if loop.varies & scope:
        breaks = [one for one in leaving if one.kind == "break"]
        yield control if control.condition.varies & scope or not breaks else breaks[0]


def _kind(control: Control) -> str:
    return {"branch": "branch", "return": "return"}.get(control.kind, "loop")


def _optional(control: Control) -> bool:
    """Whether the program may be built without what stands under a condition: an `#if` that nothing seen decides."""
    return isinstance(control.source, Opaque) and control.source.text.startswith("#")


def counts(access: Access) -> bool:
    """Whether an access takes the next number from a counter."""
    return access.kind == "atomic" and any(word in access.name for word in _COUNTING)


def popped(control: Control, pops: dict[Place, Access]) -> Access | None:
    """The pop from a queue that a condition comes from, be it in the turn before."""
    causes = [control.cause, *_carried(control)]
    return next((pops[steps[-1].place] for steps in map(chain, causes) if steps and steps[-1].place in pops), None)


def _carried(control: Control) -> Iterator[Cause | None]:
    """Why variables in the condition of a loop differ that hold what the turn before left in them."""
    if control.loop is not None and control.condition.test is not None:
        sides = (control.condition.test.left.form, control.condition.test.right.form)
        leaves = {leaf for side in sides if side is not None for leaf in side.leaves()}
        yield from (carry.end.cause for carry in control.loop.carries if carry.atom in leaves)


def _popped(event: Barrier, control: Control, pops: dict[Place, Access]) -> Access | None:
    """The pop that a condition comes from, where the barrier is in the loop over that queue."""
    pop = popped(control, pops)
    if pop is None:
        return None
    loops = {id(loop) for loop in loops_around(event)}
    again = (other for other in pops.values() if other.buffer is pop.buffer)
    return pop if any(id(loop) in loops for other in again for loop in loops_around(other)) else None


def loops_around(event: Event) -> Iterator[Loop]:
    """The loops an event stands in, innermost first."""
    return (control.loop for control in event.controls() if control.loop is not None)
