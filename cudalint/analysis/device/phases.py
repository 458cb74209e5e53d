"""The phases of a kernel: whether anything that a barrier could order happens on the ways from one barrier to the next."""

from collections.abc import Iterator

from cudalint.analysis.device.events import (
    Access,
    Barrier,
    Branch,
    Control,
    Event,
    Exchange,
    Exit,
    Fence,
    Loop,
    Trace,
    Unknown,
)
from cudalint.analysis.device.intrinsics import BLOCK_VOTES
from cudalint.analysis.device.values import THREAD
from cudalint.record import mutable_record

_BLOCK_WIDE = frozenset({"block", "grid", "cluster", "named"})


@mutable_record
class Idle:
    """A barrier with nothing to order. `side` is before or after it; `ends` whether the kernel starts or ends there."""

    barrier: Barrier
    side: str
    ends: bool


def idle_barriers(trace: Trace) -> Iterator[Idle]:
    """The barriers of the block on one side of which nothing is touched up to the next, or up to the kernel's end."""
    events = [*trace.walk()]
    if not trace.complete or any(isinstance(event, Barrier) and event.scope == "named" for event in events):
        return
    flow = _Flow(_written(events))
    flow.forward(trace.events, busy=False)
    flow.backward(trace.events, busy=False)
    places: dict[object, list[Barrier]] = {}
    for event in events:
        if isinstance(event, Barrier) and event.scope == "block":
            places.setdefault(event.place, []).append(event)
    for barriers in places.values():
        found = [idle for barrier in barriers if (idle := flow.idle(barrier)) is not None]
        if len(found) == len(barriers):
            yield found[0]


def _written(events: list[Event]) -> frozenset[str]:
    """The buffers in global memory that the kernel stores to."""
    return frozenset(event.buffer.key for event in events if isinstance(event, Access) and event.kind != "load")


class _Flow:
    """What is touched before and after each barrier, on any way that leads there or on from there."""

    def __init__(self, written: frozenset[str]) -> None:
        self.written = written
        self.before: dict[int, bool] = {}
        self.start: dict[int, bool] = {}
        self.after: dict[int, bool] = {}
        self.breaks: list[list[bool]] = []
        self.continues: list[list[bool]] = []

    def idle(self, barrier: Barrier) -> Idle | None:
        if barrier.name in BLOCK_VOTES or any(
            control.varies & THREAD or _opaque(control) for control in barrier.controls()
        ):
            return None
        if self.before.get(id(barrier)) is False:
            return Idle(barrier, "before", self.start[id(barrier)])
        if self.after.get(id(barrier)) is False:
            return Idle(barrier, "after", ends=True)
        return None

    def _touches(self, event: Event) -> bool:
        if isinstance(event, Access):
            if event.buffer.space == "constant":
                return False
            return event.buffer.space != "global" or event.kind != "load" or event.buffer.key in self.written
        return isinstance(event, Unknown | Fence) or (isinstance(event, Barrier) and event.scope in {"warp", "tile"})

    def forward(self, events: list[Event], *, busy: bool, first: bool = True) -> tuple[bool, bool] | None:
        """Whether something was touched since the last barrier, and whether there was none yet; None where no way leads on."""
        state: tuple[bool, bool] = busy, first
        for event in events:
            if isinstance(event, Barrier) and event.scope in _BLOCK_WIDE:
                self.before[id(event)] = self.before.get(id(event), False) or state[0]
                self.start[id(event)] = self.start.get(id(event), True) and state[1]
                state = False, False
            elif isinstance(event, Branch):
                ends = [self.forward(arm, busy=state[0], first=state[1]) for arm in event.arms]
                if len(event.arms) < 2:
                    ends.append(state)
                living = [end for end in ends if end is not None]
                if not living:
                    return None
                state = any(end[0] for end in living), all(end[1] for end in living)
            elif isinstance(event, Loop):
                state = self._loop_forward(event, state)
            elif isinstance(event, Exit):
                if self.breaks and (event.kind == "break" or _of_callee(event)):
                    self.breaks[-1].append(state[0])
                elif event.kind == "continue" and self.continues:
                    self.continues[-1].append(state[0])
                if not _of_callee(event):
                    return None
            elif self._touches(event):
                state = True, state[1]
        return state

    def _loop_forward(self, loop: Loop, state: tuple[bool, bool]) -> tuple[bool, bool]:
        busy, first = state
        left: list[bool] = []
        end: tuple[bool, bool] | None = None
        for _ in range(2):
            self.breaks.append([])
            self.continues.append([])
            end = self.forward(loop.body, busy=busy, first=first)
            left = self.breaks.pop()
            again = [*self.continues.pop(), *([end[0]] if end is not None else [])]
            busy = busy or any(again)
        return busy or any(left), first and (end is None or end[1])

    def backward(self, events: list[Event], *, busy: bool, around: tuple[bool, bool] = (True, True)) -> bool:
        """Whether something is touched, or a barrier met, from the start of a list on. `around` says so of what follows
        a `break` and a `continue`.
        """
        for event in reversed(events):
            if isinstance(event, Barrier) and event.scope in _BLOCK_WIDE:
                self.after[id(event)] = self.after.get(id(event), False) or busy
                busy = True
            elif isinstance(event, Branch):
                ends = [self.backward(arm, busy=busy, around=around) for arm in event.arms]
                busy = any(ends) or (len(event.arms) < 2 and busy)
            elif isinstance(event, Loop):
                inside = self.backward(event.body, busy=busy, around=(busy, busy))
                inside = self.backward(event.body, busy=busy or inside, around=(busy, busy or inside))
                busy = busy or inside
            elif isinstance(event, Exit):
                busy = busy if _of_callee(event) else {"break": around[0], "continue": around[1]}.get(event.kind, False)
            elif self._touches(event) and not isinstance(event, Exchange):
                busy = True
        return busy


def _opaque(control: Control) -> bool:
    """Whether a branch compares what has no formula, such as two pointers: where they are the same, all may be shared."""
    test = control.condition.test
    return control.kind == "branch" and test is not None and test.left.form is None and test.right.form is None


def _of_callee(event: Exit) -> bool:
    """Whether it is the return of a device function that the kernel calls: the thread goes on behind the call."""
    return event.kind == "return" and bool(event.path)
