"""What the warps of a block have done up to some point."""

from dataclasses import field

from cudalint.analysis.device.events import Loop
from cudalint.model.barrier_cost import Work
from cudalint.record import mutable_record

Warps = list[float]


@mutable_record
class Tally:
    """What each warp gathered: cycles of its chain, cycles it waits for loads that are under way together, instructions."""

    chain: Warps
    wait: Warps
    issue: Warps

    def add(self, other: "Tally") -> None:
        self.chain = [a + b for a, b in zip(self.chain, other.chain, strict=True)]
        self.wait = [max(a, b) for a, b in zip(self.wait, other.wait, strict=True)]
        self.issue = [a + b for a, b in zip(self.issue, other.issue, strict=True)]

    def most(self, other: "Tally") -> "Tally":
        """The most of two ways."""
        pairs = ((self.chain, other.chain), (self.wait, other.wait), (self.issue, other.issue))
        chain, wait, issue = ([max(a, b) for a, b in zip(*pair, strict=True)] for pair in pairs)
        return Tally(chain, wait, issue)

    def copy(self) -> "Tally":
        return Tally(self.chain, self.wait, self.issue)

    def levelled(self) -> "Tally":
        """Every warp doing what the busiest does."""
        chain, wait, issue = ([max(part)] * len(part) for part in (self.chain, self.wait, self.issue))
        return Tally(chain, wait, issue)

    def works(self) -> list[Work]:
        return [Work(chain + wait, issue) for chain, wait, issue in zip(self.chain, self.wait, self.issue, strict=True)]


@mutable_record
class Uneven:
    """A loop whose turns differ between warps: `turns` of each warp, `excess` the cycles it takes longer than if shared out.

    `assumed` says that a number in it was chosen, `threads` how many threads of the busiest warp are in it.
    """

    loop: Loop
    turns: list[int]
    excess: float
    threads: int
    assumed: bool


@mutable_record
class Amount:
    """What is done up to some point: as it is, and were it even. `known` is false where something cannot be counted,
    `assumed` is set where a number was chosen.
    """

    actual: Tally
    even: Tally
    known: bool = True
    assumed: bool = False
    uneven: list[Uneven] = field(default_factory=list)

    def add(self, other: "Amount") -> None:
        self.actual.add(other.actual)
        self.even.add(other.even)
        self.known, self.assumed = self.known and other.known, self.assumed or other.assumed
        self.uneven = self.uneven + other.uneven

    def copy(self) -> "Amount":
        return Amount(self.actual.copy(), self.even.copy(), self.known, self.assumed, self.uneven)
