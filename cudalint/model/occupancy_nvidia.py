"""Blocks per SM on NVIDIA, equal to the calculation of CUDA 13.0's cuda_occupancy.h.

Registers are handed out to warps inside each sub-partition of the SM, so fragments of different sub-partitions cannot be
pooled. From sm_80 the system reserves shared memory in every block. Clusters and partitioned global caching are left out.
"""

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
    by_blocks = architecture.max_blocks_per_sm

    unit = architecture.register_unit
    per_warp = -(-registers * architecture.warp_size // unit) * unit
    by_registers = _register_blocks(architecture, registers, per_warp, warps) if registers else _UNLIMITED

    unit = architecture.shared_unit
    shared = -(-(static_shared + dynamic_shared + architecture.shared_reserved_per_block) // unit) * unit
    dynamic = _max_dynamic(architecture, static_shared, shared_optin)
    cap = _shared_cap(architecture, static_shared + dynamic)
    if dynamic_shared > dynamic or shared > cap:
        by_shared = 0
    elif shared:
        by_shared = _shared_pool(architecture, carveout, shared) // shared
    else:
        by_shared = _UNLIMITED

    blocks = min(by_warps, by_blocks, by_registers, by_shared)
    limiters = []
    if by_warps == blocks:
        limiters.append(WARPS)
    if by_blocks == blocks:
        limiters.append(BLOCKS)
    if by_registers == blocks:
        limiters.append(REGISTERS)
    if by_shared == blocks:
        limiters.append(SHARED_MEMORY)
    barriers = architecture.barriers_per_sm
    if barriers is not None and barriers <= blocks:
        blocks = barriers
        limiters.append(BARRIERS)
    reason = None
    if not blocks:
        reason = (
            _thread_reason(architecture, block)
            or _shared_reason(architecture, static_shared, dynamic_shared, dynamic, shared_optin=shared_optin)
            or _register_reason(architecture, registers, per_warp, warps)
        )
    return Occupancy(
        blocks,
        tuple(limiters),
        blocks * warps,
        blocks * warps / architecture.max_warps_per_sm,
        blocks * block,
        per_warp * warps,
        shared,
        reason,
    )


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


def _max_dynamic(architecture: NvidiaArchitecture, static_shared: int, shared_optin: bool) -> int:
    """Bytes of dynamic shared memory the launch may ask for."""
    limit = architecture.max_shared_per_block if shared_optin else architecture.default_shared_per_block
    return max(0, limit - static_shared)


def _shared_cap(architecture: NvidiaArchitecture, reach: int) -> int:
    """Bytes a block may take with the reserved ones: past the default only if what it could ask for goes past it."""
    reserved = architecture.shared_reserved_per_block
    if reach + reserved > architecture.default_shared_per_block:
        return architecture.max_shared_per_block + reserved
    return architecture.default_shared_per_block + reserved


def _shared_pool(architecture: NvidiaArchitecture, carveout: int | None, shared: int) -> int:
    """Bytes of the SM that are shared memory: the next configuration up from the carveout that holds one block."""
    configurations = architecture.shared_carveouts
    if carveout is None or not configurations:
        return architecture.shared_per_sm
    wanted = carveout * architecture.shared_per_sm // 100
    pool = next(size for size in configurations if size >= wanted)
    return pool if pool >= shared else next(size for size in configurations if size >= shared)


def _thread_reason(architecture: NvidiaArchitecture, block: int) -> str | None:
    if block <= architecture.max_threads_per_block:
        return None
    return f"{block} threads are more than the {architecture.max_threads_per_block} a block may have"


def _shared_reason(
    architecture: NvidiaArchitecture, static_shared: int, dynamic_shared: int, dynamic: int, *, shared_optin: bool
) -> str | None:
    if dynamic_shared > dynamic:
        without = "" if shared_optin else " without an opt-in"
        return (
            f"{dynamic_shared} bytes of dynamic shared memory are more than the {dynamic} a block may ask for{without}"
        )
    cap = _shared_cap(architecture, static_shared + dynamic) - architecture.shared_reserved_per_block
    if static_shared + dynamic_shared > cap:
        return f"{static_shared + dynamic_shared} bytes of shared memory are more than the {cap} a block may have"
    return None


def _register_reason(architecture: NvidiaArchitecture, registers: int, per_warp: int, warps: int) -> str:
    if registers > architecture.launchable_registers_per_thread:
        return f"{registers} registers per thread are more than the {architecture.max_registers_per_thread} there are"
    partitions = architecture.fitting_sub_partitions
    whole = -(-warps // partitions) * partitions
    return (
        f"{warps} warps count as {whole} and take {whole * per_warp} registers;"
        f" a block may have {architecture.registers_per_block}"
    )
