"""Runs the trace of a kernel for one block, all its threads together, and keeps what they touch between two barriers.

Loops run for a few turns. A barrier that some threads may not reach, and a call that may hold one, count as barriers: what
is found besides them is no consequence of theirs. An access whose element or whose condition is not known is left out.
"""

import operator
from collections.abc import Iterator, Sequence

from cudalint.analysis.device.events import (
    Access,
    Barrier,
    Branch,
    Carry,
    Control,
    Event,
    Exchange,
    Exit,
    Loop,
    Trace,
    Unknown,
)
from cudalint.analysis.device.lanes import UNKNOWN, Key, Truth, Valuation, Worth, both, combined, negated
from cudalint.analysis.device.values import THREAD, Code, Group, Num, Pointer
from cudalint.ir import symbol as sym
from cudalint.record import mutable_record

_TURNS = 3
_TURNS_INSIDE = 2
"""Turns of a loop with a barrier inside of another loop."""
_TURNS_UNEVEN = 12
"""Turns of a loop with a barrier and a variable that does not change by the same amount in each, such as a halved stride."""
_TURNS_UNKNOWN = 2
_JUMPS = (64, 36, 16)
"""By how many turns the last one may lie behind the others."""
_WAITING = (
    "sync", "barrier", "wait", "arrive", "commit", "fence", "block", "group", "cta", "reduce", "scan", "sort", "asm",
)  # fmt: skip

Decision = tuple[object, bool]


@mutable_record
class Touch:
    """One access as all threads of the block do it: the threads of each element.

    Where not `sure`, data decides which of the threads do it. `step` counts on from touch to touch, `phase` from barrier to barrier, `lockstep` from one barrier of a warp to the next.
    `turns` are the turns of the loops around it. `decisions` are the uniform conditions it rests on whose values are not known.
    """

    access: Access
    elements: dict[Key, list[int]]
    single: bool
    sure: bool
    step: int
    phase: int
    lockstep: int
    turns: dict[int, int]
    decisions: frozenset[Decision]


@mutable_record
class Reached:
    """Which threads come to an event; `by_data` where that is not known of some only because it depends on data."""

    lanes: Truth
    decisions: frozenset[Decision] = frozenset()
    by_data: bool = True


_EVERYBODY = Reached(lanes=True)


class Replay:
    """One run. `touches` are those of the phase so far; `phases` gives every phase when it is over."""

    space = "shared"
    """The memory whose accesses are kept."""
    most_work = 300
    """Accesses and turns that are run, each for all threads of the block."""
    keeps_unsure = False
    """Whether accesses that only some data brings about are kept too."""

    def __init__(self, trace: Trace, block: tuple[int, int, int], at: tuple[int, int, int], warp: int) -> None:
        self.trace, self.warp, self.block = trace, warp, block
        self.values = Valuation(block, at, trace.atoms, trace.dubious)
        self.everybody = range(self.values.threads)
        self.touches: list[Touch] = []
        self.step = self.phase = self.lockstep = self.turn = 0
        self.work = self.most_work
        self.outside = False
        self.swapped: list[str] = []
        self.active: dict[int, tuple[Truth, int]] = {}
        self._reached: dict[int, tuple[Control, Reached]] = {}
        self._matters: dict[int, tuple[Event, bool, bool]] = {}

    def phases(self) -> Iterator[list[Touch]]:
        """The touches between each two barriers that follow each other."""
        yield from self._run(self.trace.events)
        yield self.touches

    # events

    def _run(self, events: list[Event]) -> Iterator[list[Touch]]:
        for event in events:
            if self.work < 0:
                return
            if isinstance(event, Access):
                if self.keeps(event):
                    self._touch(event)
            elif isinstance(event, Branch):
                for arm in event.arms:
                    yield from self._run(arm)
            elif isinstance(event, Loop):
                if self._shows(event)[0]:
                    yield from self._turns(event)
            elif synchronises(event, self.warp):
                if self._executed(event):
                    yield self.touches
                    self.touches = []
                    self.phase += 1
            elif isinstance(event, Exchange | Barrier):
                self.lockstep += 1

    def _shows(self, event: Event) -> tuple[bool, bool]:
        """Whether an event holds an access to that memory or a barrier, and whether it holds a barrier of the block."""
        known = self._matters.get(id(event))
        if known is not None:
            return known[1:]
        shows, waits = self._own(event)
        for part in event.parts():
            for inner in part:
                one, other = self._shows(inner)
                shows, waits = shows or one, waits or other
        self._matters[id(event)] = event, shows, waits
        return shows, waits

    def _own(self, event: Event) -> tuple[bool, bool]:
        if isinstance(event, Access):
            return self.keeps(event), False
        waits = synchronises(event, self.warp)
        return waits, waits

    def keeps(self, access: Access) -> bool:
        """Whether an access is one of those to keep."""
        return access.buffer.space == self.space

    def _touch(self, access: Access) -> None:
        reached = self._reach(access.control)
        if access.buffer.key in self.swapped or access.index is None or reached.lanes is False:
            return
        self.work -= 1
        keys = self.values.keys(access.index.form)
        if keys is None:
            return
        lanes = reached.lanes
        if lanes is not None:
            self._add(access, self._elements(access, keys, lanes), reached.decisions, sure=True)
        if self.keeps_unsure and reached.by_data and (lanes is None or (isinstance(lanes, list) and None in lanes)):
            doubtful: Truth = [one is None for one in lanes] if isinstance(lanes, list) else True
            self._add(access, self._elements(access, keys, doubtful), reached.decisions, sure=False)

    def _add(
        self, access: Access, elements: dict[Key, list[int]], decisions: frozenset[Decision], *, sure: bool
    ) -> None:
        if not elements:
            return
        self.step += 1
        single = sum(map(len, elements.values())) == len(elements)
        turns = {loop: turn for loop, (_, turn) in self.active.items()}
        self.touches.append(
            Touch(access, elements, single, sure, self.step, self.phase, self.lockstep, turns, decisions)
        )

    def _elements(self, access: Access, keys: list[Key], lanes: Truth) -> dict[Key, list[int]]:
        """Which threads of those that come there touch which element; none beyond the end of an array."""
        threads: Sequence[int] = self.everybody
        if isinstance(lanes, list):
            threads = [thread for thread in threads if lanes[thread] is True]
            keys = [keys[thread] for thread in threads]
        length = access.buffer.length if access.size == access.buffer.size else None
        if length is not None and any(isinstance(key, int) and not 0 <= key < length for key in keys):
            self.outside = True
            threads = [t for t, key in zip(threads, keys, strict=True) if not isinstance(key, int) or 0 <= key < length]
            keys = [key for key in keys if not isinstance(key, int) or 0 <= key < length]
        if len(set(keys)) == len(keys):
            return dict(zip(keys, [[thread] for thread in threads], strict=True))
        elements: dict[Key, list[int]] = {}
        for thread, key in zip(threads, keys, strict=True):
            elements.setdefault(key, []).append(thread)
        return elements

    # conditions

    def _reach(self, control: Control | None) -> Reached:
        if control is None:
            return _EVERYBODY
        before = self._reached.get(id(control))
        if before is not None:
            return before[1]
        if control.loop is not None:
            lanes, _ = self.active.get(id(control.loop), (None, 0))
            outer = self._reach(control.outer)
            known = isinstance(lanes, bool) or (isinstance(lanes, list) and None not in lanes)
            found = Reached(lanes, outer.decisions, outer.by_data if known else by_data(control.condition))
        else:
            found = self.narrowed(self._reach(control.outer), control)
        self._reached[id(control)] = control, found
        return found

    def narrowed(self, outer: Reached, control: Control) -> Reached:
        if outer.lanes is False:
            return outer
        holds, _ = self.values.truth(control.condition)
        if holds is None and uniform(control.condition):
            turns = tuple(
                self.active[id(around.loop)][1]
                for around in control.chain()
                if around.loop is not None and id(around.loop) in self.active
            )
            decision = ((id(control.condition), turns), control.holds)
            return Reached(outer.lanes, outer.decisions | {decision}, outer.by_data)
        own = holds if control.holds else negated(holds)
        unknown = own is None or (isinstance(own, list) and None in own)
        lanes = _settled(both(outer.lanes, own))
        return Reached(lanes, outer.decisions, outer.by_data and (not unknown or by_data(control.condition)))

    def _executed(self, event: Event) -> bool:
        """Whether a barrier is come to, as far as that is known: not where a condition on known numbers keeps all away."""
        for control in event.controls():
            if control.loop is not None:
                continue
            holds, assumed = self.values.truth(control.condition)
            holds = _settled(holds)
            if not assumed and isinstance(holds, bool) and holds is not control.holds:
                return False
        return True

    # loops

    def _turns(self, loop: Loop) -> Iterator[list[Touch]]:
        values = self.values
        outer = self._reach(loop.control).lanes
        worths = [values.form(_formula(carry.start)) for carry in loop.carries]
        waits = self._shows(loop)[1]
        carried = {carry.atom for carry in loop.carries}
        uneven = waits and not all(_steady(carry, carried) for carry in loop.carries)
        most = _TURNS_UNEVEN if uneven else _TURNS_INSIDE if waits and self.active else _TURNS
        alive, finished = outer, False
        self.swapped += loop.swapped
        for turn in range(most):
            self.turn += 1
            self.work -= 1
            values.generations.append((loop.versions, self.turn))
            for carry, worth in zip(loop.carries, worths, strict=True):
                values.given[carry.atom] = worth
            if turn == most - 1 and not waits:
                self._jump(loop, worths, alive)
            if turn or loop.kind != "do":
                alive, most = self._entered(loop, alive, most)
            if turn >= most or alive is False or self.work < 0:
                values.generations.pop()
                finished = alive is False and not any(isinstance(one.lanes, list) for one in worths)
                break
            self.active[id(loop)] = alive, self.turn
            self._reached.clear()
            yield from self._run(loop.body)
            alive = self._stayed(loop, alive)
            worths = [values.form(_formula(carry.end)) for carry in loop.carries]
            values.generations.pop()
            if alive is False or any(isinstance(event, Exit) and event.path == loop.path for event in loop.body):
                break
        for carry, worth in zip(loop.carries, worths, strict=True):
            values.given.pop(carry.atom, None)
            if carry.after is not None:
                values.given[carry.after] = worth if finished else UNKNOWN
        self.active.pop(id(loop), None)
        self._reached.clear()
        del self.swapped[len(self.swapped) - len(loop.swapped) :]

    def _jump(self, loop: Loop, worths: list[Worth], alive: Truth) -> None:
        """Go on with a turn far behind, in another warp's part of what the loop runs over, where there is one."""
        steps = [
            sym.add(carry.end.form, sym.atom(carry.atom), -1) if carry.end.form else None for carry in loop.carries
        ]
        for turns in _JUMPS:
            for carry, worth, step in zip(loop.carries, worths, steps, strict=True):
                factor = step.constant if step is not None else None
                there = combined(operator.add, worth.lanes, turns * factor) if factor is not None else None
                self.values.given[carry.atom] = Worth(there, worth.assumed)
            further, _ = self.values.truth(loop.condition)
            if _settled(both(alive, further)) not in (False, None):
                return
        for carry, worth in zip(loop.carries, worths, strict=True):
            self.values.given[carry.atom] = worth

    def _entered(self, loop: Loop, alive: Truth, most: int) -> tuple[Truth, int]:
        """The threads that make one more turn, and how many turns at most are worth it."""
        holds, _ = self.values.truth(loop.condition)
        if holds is None and uniform(loop.condition):
            endless = loop.condition.test is None and loop.condition.form is None
            return alive, most if endless and loop.kind != "each" else min(most, _TURNS_UNKNOWN)
        return _settled(both(alive, holds)), most

    def _stayed(self, loop: Loop, alive: Truth) -> Truth:
        """The threads that did not leave a loop in this turn."""
        for leaving in loop.exits:
            if leaving.kind == "continue":
                continue
            holds, assumed = self.values.truth(leaving.condition)
            if (holds is None and uniform(leaving.condition)) or assumed:
                continue
            alive = both(alive, holds if leaving.holds else negated(holds))
        return _settled(alive)


def uniform(condition: Num) -> bool:
    """Whether a condition is the same for all threads of a block: what an unseen function returns need not be."""
    return not condition.varies & THREAD and not isinstance(condition.read, Unknown)


def _steady(carry: Carry, carried: set[sym.Atom]) -> bool:
    """Whether a variable changes by the same amount in every turn, or is not known anyway."""
    form = carry.end.form
    if form is None or sym.add(form, sym.atom(carry.atom), -1).constant is not None:
        return True
    return any(isinstance(leaf, sym.Symbol) and leaf.version and leaf not in carried for leaf in form.leaves())


def by_data(condition: Num) -> bool:
    """Whether a condition is a comparison of what was read from memory."""
    return isinstance(condition.read, Access) and condition.test is not None


def _formula(value: Num) -> sym.Form | None:
    return sym.number(value.exact) if value.exact is not None else value.form


def _settled(value: Truth) -> Truth:
    """A condition that is the same for all threads as one truth value."""
    if isinstance(value, list) and value:
        first = value[0]
        if first is not None and all(one is first for one in value):
            return first
    return value


def synchronises(event: Event, warp: int) -> bool:
    """Whether an event may order what all threads of the block did before it and do behind it."""
    if isinstance(event, Barrier):
        return event.scope != "warp" and not (event.scope == "tile" and event.size is not None and event.size <= warp)
    return isinstance(event, Unknown) and may_wait(event)


def may_wait(call: Unknown) -> bool:
    """Whether a function that is not seen may hold a barrier: not one that by its name computes, and gets only numbers."""
    name = call.name.lower()
    if any(word in name for word in _WAITING):
        return True
    base, *arguments = call.arguments or (None,)
    return base is not None or any(
        isinstance(argument, Group | Code) or (isinstance(argument, Pointer) and argument.buffer.space != "global")
        for argument in arguments
    )


__all__ = ["Replay", "Touch", "may_wait", "synchronises"]
