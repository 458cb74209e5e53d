"""The barriers before which some warps of a block work while the others wait, and what that costs."""

from collections.abc import Iterator, Mapping

from cudalint.analysis.device.cost import Phase, phases
from cudalint.analysis.device.events import Barrier, Control, Loop, Trace
from cudalint.analysis.device.tally import Uneven
from cudalint.analysis.device.turns import USUAL
from cudalint.analysis.device.values import THREAD
from cudalint.hw.target import Latency
from cudalint.ir import symbol as sym
from cudalint.record import record

LEAST_LOSS = 0.2
"""The share of a phase from which on its loss is worth a change."""
_LARGE = USUAL << 12
_SMALL = (8, 16, 32, 64)
_MOST_SYMBOLS = 4


@record
class Imbalance:
    """`loss` is the share of the phase before `barrier` that even work would save, `share` that of the whole kernel. Most is lost in `loop`: `busy` of all
    `warps` are in it, the slowest for `turns`, `factor` times as long as the others on average (None: those are not in it).

    `alone` says that one thread is in it. `control` is what keeps the other warps away, None where only turns differ.
    `from_turns` is set where the launch does not tell the turns: from so many on, `loss` is at least that.
    """

    barrier: Barrier
    loss: float
    share: float
    loop: Loop
    turns: int
    busy: int
    warps: int
    factor: float | None
    alone: bool
    control: Control | None
    from_turns: int | None = None


def imbalances(trace: Trace, latency: Latency, schedulers: int) -> Iterator[Imbalance]:
    """The barriers of a counted trace before which the least loss or more is certain, each once."""
    base, asked = _losses(trace, latency, schedulers, {})
    if not base:
        return
    assumed = any(phase.assumed or any(one.assumed for one in phase.uneven) for phase in base.values())
    others = _variations(trace, latency, schedulers, asked) if assumed else []
    for key, phase in base.items():
        main = max(phase.uneven, key=lambda one: one.excess)
        runs = [phase.loss, *(run[key].loss if key in run else 0.0 for run in others)]
        if min(runs) < LEAST_LOSS or not main.turns:
            continue
        busy = sum(turns > 0 for turns in main.turns)
        unbounded = main.assumed and busy < len(main.turns)
        if not unbounded:
            yield _told(phase, main, min(runs), None)
            continue
        least = _least_turns(trace, latency, schedulers, asked, key)
        if least is not None:
            yield _told(phase, main, LEAST_LOSS, least)


_Key = tuple[object, object]


def _losses(
    trace: Trace, latency: Latency, schedulers: int, numbers: Mapping[sym.Atom, int]
) -> tuple[dict[_Key, Phase], set[sym.Atom]]:
    """The phase before each barrier that costs most."""
    found, asked = phases(trace, latency, schedulers, numbers)
    worst: dict[_Key, Phase] = {}
    for phase in found:
        key = phase.barrier.place, phase.barrier.path
        if key not in worst or phase.share > worst[key].share:
            worst[key] = phase
    return worst, asked


def _variations(trace: Trace, latency: Latency, schedulers: int, asked: set[sym.Atom]) -> list[dict[_Key, Phase]]:
    """The same with each of the chosen numbers much larger than the others; nothing is found where there are many."""
    if len(asked) > _MOST_SYMBOLS:
        return [{}]
    return [_losses(trace, latency, schedulers, {atom: _LARGE})[0] for atom in asked]


def _least_turns(trace: Trace, latency: Latency, schedulers: int, asked: set[sym.Atom], key: _Key) -> int | None:
    """From how many turns on the least loss is reached, where that is soon."""
    for number in _SMALL:
        found, _ = _losses(trace, latency, schedulers, dict.fromkeys(asked, number))
        if key in found and found[key].loss >= LEAST_LOSS:
            return max(max(found[key].uneven, key=lambda one: one.excess).turns)
    return None


def _told(phase: Phase, main: Uneven, loss: float, from_turns: int | None) -> Imbalance:
    most = max(main.turns)
    others = [*main.turns]
    others.remove(most)
    mean = sum(others) / len(others)
    busy = sum(turns > 0 for turns in main.turns)
    control = next(
        (one for one in main.loop.controls() if one.loop is None and one.condition.varies & THREAD), None
    )  # fmt: skip
    return Imbalance(
        phase.barrier, loss, phase.share, main.loop, most, busy, len(main.turns), most / mean if mean else None,
        busy == 1 and main.threads == 1, control, from_turns,
    )  # fmt: skip


__all__ = ["LEAST_LOSS", "Imbalance", "imbalances"]
