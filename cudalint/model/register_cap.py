"""How many registers a thread can have for a block to run at all, or for several to be resident."""

from functools import lru_cache

from cudalint.hw import Architecture, Device
from cudalint.model.occupancy_calculator import occupancy


def register_cap(target: Device | Architecture, block: int, blocks: int = 1) -> int:
    """The most registers per thread with which `blocks` blocks of `block` threads are resident on one SM.

    What a compiler keeps to for `__launch_bounds__(block, blocks)`, and what a launch that runs cannot exceed. Shared
    memory is left out. 1 where not even that many fit.
    """
    architecture = target if isinstance(target, Architecture) else target.architecture
    return _cap(architecture, block, blocks)


@lru_cache(maxsize=4096)
def _cap(architecture: Architecture, block: int, blocks: int) -> int:
    low, high = 1, architecture.max_registers_per_thread
    while low < high:
        middle = (low + high + 1) // 2
        if occupancy(architecture, block=block, registers=middle).blocks_per_sm >= blocks:
            low = middle
        else:
            high = middle - 1
    return low
