"""Which barriers not every thread reaches, and what keeps some threads away."""

from collections.abc import Iterator

from cudalint.analysis.device.events import Barrier, Control, Event, Loop, Trace
from cudalint.analysis.device.values import EVERY, THREAD
from cudalint.record import record


@record
class Divergence:
    """A barrier, and the condition that decides which threads reach it. `kind` is branch, loop or return."""

    barrier: Barrier
    control: Control
    kind: str


_ORDER = ("branch", "loop", "return")
_SCOPES = {"block": THREAD, "grid": EVERY}


def divergences(trace: Trace, scope: str) -> Iterator[Divergence]:
    """The barriers of a scope (block or grid) that some of its threads do not reach, each once."""
    seen = set()
    for event in trace.walk():
        if isinstance(event, Barrier) and event.scope == scope:
            found = sorted(_reasons(event, _SCOPES[scope]), key=lambda one: _ORDER.index(one.kind))
            if found and (event.place, event.path) not in seen:
                seen.add((event.place, event.path))
                yield found[0]


def _reasons(event: Barrier, scope: int) -> Iterator[Divergence]:
    for control in event.controls():
        if control.varies & scope:
            yield Divergence(event, control, _kind(control))
        if control.loop is not None:
            yield from (
                Divergence(event, leaving, "return")
                for leaving in control.loop.exits
                if leaving.kind == "return" and leaving.varies & scope
            )


def _kind(control: Control) -> str:
    return {"branch": "branch", "return": "return"}.get(control.kind, "loop")


def loops_around(event: Event) -> Iterator[Loop]:
    """The loops an event stands in, innermost first."""
    return (control.loop for control in event.controls() if control.loop is not None)
