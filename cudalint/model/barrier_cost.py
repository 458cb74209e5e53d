"""How long a block takes from one barrier to the next: warps that share an SM, each with a chain of its own.

A warp alone takes its chain: the cycles of what it has to do one after another. The warps of a sub-partition share its
scheduler, so they slow each other down where all together want to issue more than it can. A warp that is done leaves its
share to the others: uneven work is a stretch that all run together, then one that only the slow warps are in.

On an H200 the time of n equal chains is not max(chain, n × issue) but a few per cent more where both are close: the fourth
root of the sum of their fourth powers fits all that was measured (`tests/data/barrier_imbalance_h200.csv`).
"""

from collections.abc import Sequence

from cudalint.record import record

_SHARPNESS = 4


@record
class Work:
    """What one warp does in a phase: `chain` in cycles where it runs alone, `issue` in instructions."""

    chain: float
    issue: float


def phase_cycles(warps: Sequence[Work], schedulers: int, issue_cycles: float = 1.0) -> float:
    """Cycles until the last of the warps of an SM is at the barrier. Warps are dealt to the schedulers one by one;
    a scheduler is busy for `issue_cycles` with an instruction.
    """
    return max((_shared(warps[first::schedulers], issue_cycles) for first in range(schedulers)), default=0.0)


def _shared(warps: Sequence[Work], issue_cycles: float) -> float:
    """Cycles the warps of one scheduler take."""
    total = done = 0.0
    left = sorted((max(warp.chain, warp.issue * issue_cycles), warp.issue * issue_cycles) for warp in warps)
    wanted = sum(busy / chain for chain, busy in left if chain)
    for chain, busy in left:
        if chain > done:
            total += (chain - done) * (1.0 + wanted**_SHARPNESS) ** (1.0 / _SHARPNESS)
            done = chain
        if chain:
            wanted = max(0.0, wanted - busy / chain)
    return total
