"""How evenly the warps of a block work from one barrier to the next, and what is lost where they do not.

The trace is gone through once. Each warp gathers the cycles of its chain and its instructions up to a barrier; beside
them stands what it would gather were the turns of each uneven loop shared out among all warps, and what they would have to
hand each other then. Work that is in no loop cannot be shared out, nor can a loop in which the lanes of a warp exchange
values, so a few statements of one thread are no loss. What is not known is taken to be done by all warps.
"""

from collections.abc import Iterator, Mapping

from cudalint.analysis.device.counting import Compute
from cudalint.analysis.device.events import Access, Barrier, Branch, Control, Event, Exchange, Loop, Trace, Unknown
from cudalint.analysis.device.lanes import Truth, both, negated
from cudalint.analysis.device.tally import Amount, Tally, Uneven
from cudalint.analysis.device.turns import Sample
from cudalint.analysis.device.values import THREAD, WARP
from cudalint.hw.target import Latency
from cudalint.ir import symbol as sym
from cudalint.model.barrier_cost import phase_cycles
from cudalint.record import mutable_record

_UNROLLED = 16
"""Instructions of the body of a loop up to which compilers repeat it, and turns whose loads they then do together."""
_UNROLLED_STORING = 4
"""Turns whose loads are done together where the loop stores, too."""
_TURN_ISSUE, _TURN_CHAIN = 3, 1.75
"""What a turn takes besides its body: instructions, and multiply-adds' worth of cycles."""

_TURNS_UNKNOWN = 32
"""Turns a loop is taken to make where only the size of the rest of the kernel is asked for."""
_ENDING = frozenset({"block", "grid", "cluster"})


@mutable_record
class Phase:
    """What came before a barrier, in cycles of the block alone on its SM. `times` is how often, `share` how much of the
    kernel's time even work would save, both with rough numbers for what is not known. `assumed` says that its own loops
    rest on a number that was chosen.
    """

    barrier: Barrier
    cycles: float
    even_cycles: float
    times: float
    assumed: bool
    uneven: list[Uneven]
    share: float = 0.0

    @property
    def loss(self) -> float:
        """The share of the phase that would be saved were the work even."""
        return 1.0 - self.even_cycles / self.cycles if self.cycles else 0.0


def candidate(trace: Trace) -> bool:
    """Whether there is a loop before a barrier that some warps may be longer in: the others need no counting."""
    warps = trace.shape.threads
    if not trace.complete or warps is None or warps <= trace.shape.warp:
        return False
    events = [*trace.walk()]
    if not any(isinstance(event, Barrier) and event.scope == "block" for event in events):
        return False
    return any(
        isinstance(event, Loop)
        and (event.varies & WARP or any(control.varies & WARP for control in event.controls() if control.loop is None))
        for event in events
    )


def phases(
    trace: Trace, latency: Latency, schedulers: int, numbers: Mapping[sym.Atom, int]
) -> tuple[list[Phase], set[sym.Atom]]:
    """The phases of a counted trace whose work is known, and the symbols for which a number had to be chosen."""
    x, y, z = trace.shape.block
    if x is None or y is None or z is None:
        return [], set()
    sample = Sample(trace, (x, y, z), numbers)
    found = _Cost(trace, sample, latency, schedulers)
    return found.judged(trace.events), sample.asked


class _Cost:
    def __init__(self, trace: Trace, sample: Sample, latency: Latency, schedulers: int) -> None:
        self._phases: list[Phase] = []
        self._total = 0.0
        self._sample, self._latency, self._schedulers = sample, latency, schedulers
        self._warp = trace.shape.warp
        self._warps = -(-sample.threads // self._warp)
        self._lanes: dict[int, tuple[Control, Truth]] = {}
        self._active: dict[int, list[bool]] = {}
        self._waits = {id(event) for event in _holding_barriers(trace.events)}

    def nothing(self) -> Amount:
        none = [0.0] * self._warps
        return Amount(Tally(none, none, none), Tally(none, none, none))

    # phases

    def judged(self, events: list[Event]) -> list[Phase]:
        """The phases of a kernel whose work is known and uneven."""
        self._end(self._run(events, self.nothing(), 1.0), 1.0)
        for phase in self._phases:
            phase.share = (phase.cycles - phase.even_cycles) * phase.times / self._total if self._total else 0.0
        return self._phases

    def _run(self, events: list[Event], amount: Amount, times: float) -> Amount:
        """Go through events that may hold barriers; what is done behind the last of them."""
        for event in events:
            if isinstance(event, Barrier) and event.scope in _ENDING:
                cycles, even = self._end(amount, times)
                if event.scope == "block" and amount.known and amount.uneven:
                    self._phases.append(Phase(event, cycles, even, times, amount.assumed, amount.uneven))
                amount = self.nothing()
            elif id(event) not in self._waits:
                amount.add(self._of([event]))
            elif isinstance(event, Branch):
                ends = [self._run(arm, amount.copy(), times) for arm in event.arms if arm] or [amount]
                amount = max(ends, key=lambda end: max(end.actual.chain))
            elif isinstance(event, Loop):
                turns = max(self._turns(event, self._sample.turns(event).lanes) or [_TURNS_UNKNOWN])
                amount = self._run(event.body, amount, times)
                if turns > 1:
                    amount = self._run(event.body, amount, times * (turns - 1))
        return amount

    def _end(self, amount: Amount, times: float) -> tuple[float, float]:
        """The cycles of a phase that is over, as it is and were it even."""
        cycles, even = (
            phase_cycles(some.works(), self._schedulers, self._latency.issue) for some in (amount.actual, amount.even)
        )
        self._total += cycles * times
        if any(0 in one.turns for one in amount.uneven):
            even += self._handing_over()
        return cycles, min(cycles, even)

    def _handing_over(self) -> float:
        """What warps take at least to bring together what each of them made: a store, a load, and steps that halve."""
        latency = self._latency
        steps = (self._warps - 1).bit_length()
        return 2 * latency.shared_load + steps * (latency.exchange + latency.arithmetic)

    # work

    def _of(self, events: list[Event]) -> Amount:
        """What events without a barrier of the block take."""
        total = self.nothing()
        for event in events:
            if isinstance(event, Loop):
                total.add(self._loop(event))
            elif isinstance(event, Branch):
                total.add(self._branch(event))
            elif isinstance(event, Unknown) or (isinstance(event, Barrier) and event.scope == "named"):
                total.known = False
            else:
                chain, wait, issue = self._single(event)
                if issue:
                    self._charge(total, event.control, chain, wait, issue)
        return total

    def _charge(self, total: Amount, control: Control | None, chain: float, wait: float, issue: float) -> None:
        active = self._active_warps(control)
        one = Tally(*([value if here else 0.0 for here in active] for value in (chain, wait, issue)))
        if wait < 0:  # a load whose address another load gave: they cannot be under way together
            one.wait = [
                before - wait if here else before for here, before in zip(active, total.actual.wait, strict=True)
            ]
        total.actual.add(one)
        total.even.add(one)

    def _single(self, event: Event) -> tuple[float, float, float]:
        """Chain, wait and instructions of an event. A negative wait comes on top of those before it."""
        latency = self._latency
        if isinstance(event, Compute):
            return event.depth * latency.arithmetic, 0.0, event.count
        if isinstance(event, Access):
            return self._access(event)
        if isinstance(event, Exchange):
            return latency.exchange, 0.0, 1.0
        if isinstance(event, Barrier):
            return latency.arithmetic, 0.0, 1.0
        return 0.0, 0.0, 0.0

    def _access(self, access: Access) -> tuple[float, float, float]:
        latency, index = self._latency, access.index
        if access.kind == "store" or (access.kind == "atomic" and not access.used):
            return 0.0, 0.0, 1.0
        if access.buffer.space == "shared":
            time = latency.shared_load
        elif index is None or index.varies & THREAD:
            time = latency.global_load
        else:
            time = latency.cached_load
        if access.kind == "atomic":
            return (2 * time if access.buffer.space == "shared" else latency.global_load), 0.0, 1.0
        return 0.0, (-time if index is not None and index.read is not None else time), 1.0

    def _branch(self, branch: Branch) -> Amount:
        arms = [self._of(arm) for arm in branch.arms if arm]
        if len(arms) > 1 and not branch.condition.varies & THREAD:
            most = arms[0]
            for other in arms[1:]:
                most = Amount(
                    most.actual.most(other.actual), most.even.most(other.even), most.known and other.known,
                    most.assumed or other.assumed, most.uneven + other.uneven,
                )  # fmt: skip
            return most
        total = self.nothing()
        for arm in arms:
            total.add(arm)
        return total

    def _loop(self, loop: Loop) -> Amount:
        body = self._of(loop.body)
        worth = self._sample.turns(loop)
        turns = self._turns(loop, worth.lanes) if not _leaves(loop) else None
        if turns is None:
            roughly = [_TURNS_UNKNOWN] * self._warps
            actual, even = (self._repeated(part, roughly, 1) for part in (body.actual, body.even))
            return Amount(actual, even, known=False, uneven=body.uneven)
        shared = -(-sum(turns) // self._warps)
        uneven = max(turns) > shared and self._divisible(loop, turns)
        overlap = _overlap(loop)
        actual = self._repeated(body.actual, turns, overlap)
        even = self._repeated(body.even.levelled(), [shared] * self._warps, overlap) if uneven else self._repeated(
            body.even, turns, overlap
        )  # fmt: skip
        inner = [Uneven(one.loop, one.turns, one.excess * max(turns), one.threads, one.assumed) for one in body.uneven]
        if uneven:
            excess = max(actual.chain) - max(even.chain)
            assumed = worth.assumed or self._rests_on_assumed(loop.control)
            inner.append(Uneven(loop, turns, excess, self._threads(loop, turns), assumed))
        return Amount(actual, even, body.known, body.assumed or worth.assumed, inner)

    def _divisible(self, loop: Loop, turns: list[int]) -> bool:
        """Whether other warps could take some of the turns: not where lanes work together in each, nor where several threads
        do the same, for what each of them does later.
        """
        inside = [*_all(loop.body)]
        if any(isinstance(event, Exchange | Barrier) for event in inside):
            return False
        if 0 not in turns or self._threads(loop, turns) == 1:
            return True
        return any(isinstance(one, Access) and (one.index is None or one.index.varies & THREAD) for one in inside)

    def _repeated(self, body: Tally, turns: list[int], overlap: int) -> Tally:
        unroll = max(1.0, _UNROLLED // max(1.0, *body.issue))
        chain_extra, issue_extra = _TURN_CHAIN * self._latency.arithmetic / unroll, _TURN_ISSUE / unroll
        chain = [
            n * (own + chain_extra) + -(-n // overlap) * wait if n else 0.0
            for n, own, wait in zip(turns, body.chain, body.wait, strict=True)
        ]
        issue = [n * (own + issue_extra) for n, own in zip(turns, body.issue, strict=True)]
        return Tally(chain, [0.0] * len(turns), issue)

    # threads

    def _turns(self, loop: Loop, lanes: int | list[int] | None) -> list[int] | None:
        """How often the slowest thread of each warp goes round."""
        here = self._reached(loop.control)
        if lanes is None or here is None:
            return None
        threads = self._sample.threads
        each = lanes if isinstance(lanes, list) else [lanes] * threads
        if here is False:
            return [0] * self._warps
        if here is not True:
            each = [0 if reached is False else count for reached, count in zip(here, each, strict=True)]
        return [max(each[first : first + self._warp], default=0) for first in range(0, threads, self._warp)]

    def _threads(self, loop: Loop, turns: list[int]) -> int:
        """How many threads of the busiest warp come to a loop."""
        here = self._reached(loop.control)
        first = turns.index(max(turns)) * self._warp
        if not isinstance(here, list):
            return self._warp
        return sum(reached is not False for reached in here[first : first + self._warp])

    def _rests_on_assumed(self, control: Control | None) -> bool:
        """Whether a number that was chosen keeps some threads away."""
        while control is not None:
            if control.loop is None and control.condition.varies & THREAD:
                holds, assumed = self._sample.truth(control.condition)
                if assumed and isinstance(holds, list) and len(set(holds)) > 1:
                    return True
            control = control.outer
        return False

    def _active_warps(self, control: Control | None) -> list[bool]:
        key = id(control)
        known = self._active.get(key)
        if known is None:
            here = self._reached(control)
            if isinstance(here, list):
                starts = range(0, len(here), self._warp)
                known = [any(one is not False for one in here[first : first + self._warp]) for first in starts]
            else:
                known = [here is not False] * self._warps
            self._active[key] = known
        return known

    def _reached(self, control: Control | None) -> Truth:
        """Which threads come here, None among them where that is not known. Conditions that are the same for the block hold."""
        if control is None:
            return True
        known = self._lanes.get(id(control))
        if known is not None:
            return known[1]
        outer = self._reached(control.outer)
        here = outer
        condition = control.condition
        if control.loop is None and condition.varies & THREAD:
            holds, _ = self._sample.truth(condition)
            own = holds if control.holds else negated(holds)
            here = both(outer, [None] * self._sample.threads if own is None else own)
        self._lanes[id(control)] = control, here
        return here


def _leaves(loop: Loop) -> bool:
    """Whether a loop may end before its counter does."""
    return any(leaving.kind != "continue" for leaving in loop.exits)


def _overlap(loop: Loop) -> int:
    """The turns whose loads are under way together."""
    if any(
        not isinstance(event, Access | Compute) or (isinstance(event, Access) and event.kind == "atomic")
        for event in _flat(loop.body)
    ):
        return 1
    stores = any(isinstance(event, Access) and event.kind == "store" for event in _flat(loop.body))
    return _UNROLLED_STORING if stores else _UNROLLED


def _flat(events: list[Event]) -> Iterator[Event]:
    for event in events:
        if isinstance(event, Branch):
            for arm in event.arms:
                yield from _flat(arm)
        else:
            yield event


def _all(events: list[Event]) -> Iterator[Event]:
    for event in events:
        yield event
        for part in event.parts():
            yield from _all(part)


def _holding_barriers(events: list[Event]) -> Iterator[Event]:
    """The events that have a barrier of the block or the grid in them."""
    for event in events:
        inside = [*(found for part in event.parts() for found in _holding_barriers(part))]
        yield from inside
        own = isinstance(event, Barrier) and event.scope in _ENDING
        direct = any(isinstance(one, Barrier) and one.scope in _ENDING for part in event.parts() for one in part)
        if own or direct or inside:
            yield event


__all__ = ["Phase", "candidate", "phases"]
