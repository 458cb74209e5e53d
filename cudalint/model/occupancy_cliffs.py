"""The next cliffs: how little more or less of each resource changes how many warps are resident."""

from bisect import bisect_left
from collections.abc import Iterator
from typing import Unpack

from cudalint.hw import AmdArchitecture, Architecture, Device
from cudalint.model.occupancy_calculator import Options, architecture_of, occupancy, warp_size
from cudalint.model.occupancy_result import REGISTERS, SCALAR_REGISTERS, SHARED_MEMORY, Occupancy
from cudalint.record import record

BLOCK = "block"


@record
class Cliff:
    """The nearest amount of one resource, in one direction, at which the number of resident warps is another."""

    resource: str
    """"registers", "scalar_registers", "shared_memory" or "block"."""
    change: int
    """By how much the resource differs from the launch's: registers per thread, bytes, or threads (whole warps)."""
    value: int
    """The amount at the cliff: registers per thread, bytes in all, threads per block."""
    blocks_gained: int
    """Blocks per SM (AMD: CU or WGP) more than the launch has; negative where there are fewer."""
    occupancy: Occupancy
    """What is resident at the cliff."""

    def sentence(self, unit: str = "SM") -> str:
        """As in "2 registers fewer: +1 block per SM"; `unit` is what blocks are resident on."""
        noun = _NOUNS[self.resource] if abs(self.change) != 1 else _NOUNS[self.resource].removesuffix("s")
        direction = "fewer" if self.change < 0 else "more"
        blocks = "block" if abs(self.blocks_gained) == 1 else "blocks"
        return f"{abs(self.change)} {noun} {direction}: {self.blocks_gained:+d} {blocks} per {unit}"


_NOUNS = {REGISTERS: "registers", SCALAR_REGISTERS: "scalar registers", SHARED_MEMORY: "bytes", BLOCK: "threads"}


def cliffs(
    target: Device | Architecture,
    *,
    block: int,
    registers: int,
    static_shared: int = 0,
    dynamic_shared: int = 0,
    **options: Unpack[Options],
) -> list[Cliff]:
    """The next cliff of each resource, fewer first, where there is one.

    Registers of 0 are unknown and have none. Less shared memory is taken from the dynamic part first, more is added to
    it. The block moves by whole warps. Raises ValueError as `occupancy`.
    """
    architecture = architecture_of(target)
    launch = _Launch(architecture, block, registers, static_shared, dynamic_shared, options)
    shared = static_shared + dynamic_shared
    scalars = options.get("scalar_registers", 0)
    found: list[Cliff] = []
    if registers:
        found += launch.bisected(REGISTERS, registers, range(1, architecture.max_registers_per_thread + 1))
    if scalars and isinstance(architecture, AmdArchitecture) and architecture.scalar_waves:
        found += launch.bisected(SCALAR_REGISTERS, scalars, range(1, architecture.max_scalar_registers + 1))
    found += launch.bisected(SHARED_MEMORY, shared, range(architecture.max_shared_per_block + 2))
    return found + list(launch.block_cliffs(warp_size(architecture, options)))


@record
class _Launch:
    architecture: Architecture
    block: int
    registers: int
    static_shared: int
    dynamic_shared: int
    options: Options

    def at(self, resource: str, amount: int) -> Occupancy:
        """The launch's occupancy with another amount of one resource."""
        static = min(self.static_shared, amount) if resource == SHARED_MEMORY else self.static_shared
        options = self.options.copy()
        if resource == SCALAR_REGISTERS:
            options["scalar_registers"] = amount
        return occupancy(
            self.architecture,
            block=amount if resource == BLOCK else self.block,
            registers=amount if resource == REGISTERS else self.registers,
            static_shared=static,
            dynamic_shared=amount - static if resource == SHARED_MEMORY else self.dynamic_shared,
            **options,
        )

    def bisected(self, resource: str, amount: int, allowed: range) -> Iterator[Cliff]:
        """More of a resource never fits more blocks, so bisection finds the first amount with another answer."""
        here = self.at(resource, amount)
        for way in (range(amount - 1, allowed.start - 1, -1), range(amount + 1, allowed.stop)):
            step = bisect_left(
                way, True, key=lambda value: self.at(resource, value).blocks_per_sm != here.blocks_per_sm
            )
            if step < len(way):
                yield _cliff(resource, amount, way[step], here, self.at(resource, way[step]))

    def block_cliffs(self, warp: int) -> Iterator[Cliff]:
        """Blocks are tried one by one: resident warps rise and fall with their size."""
        here, warps = self.at(BLOCK, self.block), -(-self.block // warp)
        most = self.architecture.max_threads_per_block
        for way in (range((warps - 1) * warp, 0, -warp), range((warps + 1) * warp, most + 1, warp)):
            for threads in way:
                there = self.at(BLOCK, threads)
                if there.warps_per_sm != here.warps_per_sm:
                    yield _cliff(BLOCK, self.block, threads, here, there)
                    break


def _cliff(resource: str, amount: int, value: int, here: Occupancy, there: Occupancy) -> Cliff:
    return Cliff(resource, value - amount, value, there.blocks_per_sm - here.blocks_per_sm, there)
