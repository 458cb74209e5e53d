"""Blocks per SM on NVIDIA, equal to the calculation of CUDA 13.0's cuda_occupancy.h.

Registers are handed out to warps inside each sub-partition of the SM, so fragments of different sub-partitions cannot be
pooled. From sm_80 the system reserves shared memory in every block. Clusters and partitioned global caching are left out.
"""

from bisect import bisect_left

from cudalint.hw import NvidiaArchitecture
from cudalint.model.occupancy_result import BARRIERS, BLOCKS, REGISTERS, SHARED_MEMORY, WARPS, Occupancy

_UNLIMITED = 1 << 30


def nvidia_occupancy(
    architecture: NvidiaArchitecture,
    *,
    block: int,
    registers: int,
    static_shared: int,
    dynamic_shared: int,
    carveout: int | None,
    shared_optin: bool,
) -> Occupancy:
    """Occupancy of a block of `block` threads with `registers` per thread (0: unknown, never limits) and bytes of shared
    memory. `carveout` is the percentage of the SM's memory preferred as shared; None is the driver's choice.
    """
    warps = -(-block // architecture.warp_size)
    by_warps = architecture.max_warps_per_sm // warps if block <= architecture.max_threads_per_block else 0

    unit = architecture.register_unit
    per_warp = -(-registers * architecture.warp_size // unit) * unit
    by_registers = _register_blocks(architecture, registers, per_warp, warps) if registers else _UNLIMITED
    unit = architecture.shared_unit
    requested = static_shared + dynamic_shared
    shared = -(-(requested + architecture.shared_reserved_per_block) // unit) * unit
    refusal = None
    if requested > architecture.default_shared_per_block:
        refusal = _shared_refusal(architecture, static_shared, dynamic_shared, shared_optin=shared_optin)
    by_shared = 0 if refusal else _shared_blocks(architecture, carveout, shared)
    blocks = min(by_warps, architecture.max_blocks_per_sm, by_registers, by_shared)

    limiters = [WARPS] if by_warps == blocks else []
    if architecture.max_blocks_per_sm == blocks:
        limiters.append(BLOCKS)
    if by_registers == blocks:
        limiters.append(REGISTERS)
    if by_shared == blocks:
        limiters.append(SHARED_MEMORY)
    barriers = architecture.barriers_per_sm
    if barriers is not None and barriers <= blocks:
        blocks = barriers
        limiters.append(BARRIERS)
    if not blocks:
        refusal = _refusal(architecture, block, refusal, registers, per_warp)
    resident = blocks * warps
    fraction = resident / architecture.max_warps_per_sm
    return Occupancy(blocks, tuple(limiters), resident, fraction, blocks * block, per_warp * warps, shared, refusal)


def _register_blocks(architecture: NvidiaArchitecture, registers: int, per_warp: int, warps: int) -> int:
    if registers > architecture.launchable_registers_per_thread:
        return 0
    blocks = _partitioned_blocks(architecture, architecture.sub_partitions, per_warp, warps)
    if architecture.fitting_sub_partitions != architecture.sub_partitions and not _partitioned_blocks(
        architecture, architecture.fitting_sub_partitions, per_warp, warps
    ):
        return 0
    return blocks


def _partitioned_blocks(architecture: NvidiaArchitecture, partitions: int, per_warp: int, warps: int) -> int:
    """Blocks by registers; the launch check counts whole sets of one warp per sub-partition."""
    if per_warp * -(-warps // partitions) * partitions > architecture.registers_per_block:
        return 0
    return partitions * (architecture.registers_per_sm // partitions // per_warp) // warps


def _shared_blocks(architecture: NvidiaArchitecture, carveout: int | None, shared: int) -> int:
    """Blocks by shared memory. The carveout is rounded up to a configuration of the SM that holds one block."""
    if not shared:
        return _UNLIMITED
    configurations = architecture.shared_carveouts
    if carveout is None or not configurations:
        return architecture.shared_per_sm // shared
    wanted = max(carveout * architecture.shared_per_sm // 100, shared)
    return configurations[bisect_left(configurations, wanted)] // shared


def _shared_refusal(
    architecture: NvidiaArchitecture, static_shared: int, dynamic_shared: int, *, shared_optin: bool
) -> str | None:
    """Why the launch may not take so much. Past the default, a block may take the maximum only if what it could ask for
    goes past the default too.
    """
    default, reserved = architecture.default_shared_per_block, architecture.shared_reserved_per_block
    dynamic = max(0, (architecture.max_shared_per_block if shared_optin else default) - static_shared)
    if dynamic_shared > dynamic:
        without = "" if shared_optin else " without an opt-in"
        return (
            f"{dynamic_shared} bytes of dynamic shared memory are more than the {dynamic} a block may ask for{without}"
        )
    cap = architecture.max_shared_per_block if static_shared + dynamic + reserved > default else default
    if static_shared + dynamic_shared > cap:
        return f"{static_shared + dynamic_shared} bytes of shared memory are more than the {cap} a block may have"
    return None


def _refusal(
    architecture: NvidiaArchitecture, block: int, shared_refusal: str | None, registers: int, per_warp: int
) -> str:
    """Why no block fits: the threads, else the shared memory, else the registers."""
    if block > architecture.max_threads_per_block:
        return f"{block} threads are more than the {architecture.max_threads_per_block} a block may have"
    if shared_refusal:
        return shared_refusal
    if registers > architecture.launchable_registers_per_thread:
        return f"{registers} registers per thread are more than the {architecture.max_registers_per_thread} there are"
    warps, partitions = -(-block // architecture.warp_size), architecture.fitting_sub_partitions
    whole = -(-warps // partitions) * partitions
    return (
        f"{warps} warps count as {whole} and take {whole * per_warp} registers;"
        f" a block may have {architecture.registers_per_block}"
    )
