"""Workgroups per CU or WGP on AMD, by the rules of LLVM's AMDGPUBaseInfo.cpp (namespace IsaInfo) and AMDGPUSubtarget.cpp.

VGPRs, and on gfx9 SGPRs, decide how many wavefronts a SIMD holds; a workgroup of more than one wavefront also takes a
barrier. From gfx90a VGPRs and AGPRs share one file. On RDNA in WGP mode a workgroup spreads over the SIMDs of two CUs.
"""

from typing import NamedTuple

from cudalint.hw import AmdArchitecture
from cudalint.model.occupancy_result import (
    BARRIERS,
    REGISTERS,
    SCALAR_REGISTERS,
    SHARED_MEMORY,
    WARPS,
    Occupancy,
)

_UNLIMITED = 1 << 30


class _Refusal(NamedTuple):
    resource: str
    reason: str


def amd_occupancy(
    architecture: AmdArchitecture,
    *,
    block: int,
    registers: int,
    accumulation_registers: int,
    scalar_registers: int,
    shared: int,
    wave_size: int | None,
    mode: str | None,
) -> Occupancy:
    """Occupancy of a workgroup of `block` threads; registers are per wavefront lane, 0 where unknown (never limits);
    `scalar_registers` is the total with VCC and the other extras; `shared` is bytes of LDS.
    Raises ValueError for a negative number of registers, and for a wave size or a mode the target does not have.
    """
    if accumulation_registers < 0 or scalar_registers < 0:
        raise ValueError("a number of registers cannot be negative")
    file, unit = architecture.vector_file(wave_size), architecture.functional_block(mode)
    simds, most = unit.simds, architecture.max_waves_per_simd
    waves = -(-block // file.wave_size)

    total = _vector_registers(architecture, registers, accumulation_registers)
    allocated = -(-total // file.unit) * file.unit
    vector_waves = most if total < file.unit else max(1, min(most, file.registers // allocated))
    scalar_waves = _scalar_waves(architecture, scalar_registers) if scalar_registers else most
    lds = -(-shared // architecture.lds_unit) * architecture.lds_unit

    by_slots = most * simds // waves
    by_vectors = vector_waves * simds // waves if vector_waves < most else _UNLIMITED
    by_scalars = scalar_waves * simds // waves if scalar_waves < most else _UNLIMITED
    by_barriers = unit.max_multiwave_blocks if waves > 1 else _UNLIMITED
    by_lds = unit.lds // lds if lds else _UNLIMITED
    blocks = min(by_slots, by_vectors, by_scalars, by_barriers, by_lds)
    limiters = [WARPS] if by_slots == blocks else []
    if by_vectors == blocks:
        limiters.append(REGISTERS)
    if by_scalars == blocks:
        limiters.append(SCALAR_REGISTERS)
    if by_barriers == blocks:
        limiters.append(BARRIERS)
    if by_lds == blocks:
        limiters.append(SHARED_MEMORY)
    refusal = _refusal(architecture, block, registers, accumulation_registers, shared)
    if refusal is not None:
        blocks, limiters = 0, [refusal.resource]
    elif not blocks:
        refusal = _Refusal(limiters[0], _crowded(waves, min(vector_waves, scalar_waves) * simds))
    resident, lanes = blocks * waves, allocated * waves * file.wave_size
    reason = refusal.reason if refusal else None
    return Occupancy(blocks, tuple(limiters), resident, resident / (most * simds), blocks * block, lanes, lds, reason)


def _vector_registers(architecture: AmdArchitecture, registers: int, accumulation_registers: int) -> int:
    """Registers a wavefront takes of the file that limits it."""
    if not accumulation_registers or architecture.accumulation == "none":
        return registers
    if architecture.accumulation == "separate":
        return max(registers, accumulation_registers)
    step = architecture.accumulation_alignment
    return -(-registers // step) * step + accumulation_registers


def _scalar_waves(architecture: AmdArchitecture, scalar_registers: int) -> int:
    """Wavefronts per SIMD by SGPRs."""
    most = architecture.max_waves_per_simd
    for registers, waves in architecture.scalar_waves:
        if scalar_registers <= registers:
            return min(most, waves)
    return min(most, architecture.scalar_waves_beyond or most)


def _refusal(
    architecture: AmdArchitecture, block: int, registers: int, accumulation_registers: int, shared: int
) -> _Refusal | None:
    """The resource and the sentence, where the launch or the compiler would refuse such a workgroup."""
    most = architecture.max_threads_per_block
    if block > most:
        return _Refusal(WARPS, f"{block} threads are more than the {most} a workgroup may have")
    most = architecture.max_registers_per_thread
    if registers > most:
        return _Refusal(REGISTERS, f"{registers} VGPRs are more than {most}")
    most = architecture.max_accumulation_registers
    if accumulation_registers > most:
        return _Refusal(REGISTERS, f"{accumulation_registers} AGPRs are more than {most}")
    most = architecture.max_shared_per_block
    if shared > most:
        return _Refusal(SHARED_MEMORY, f"{shared} bytes of LDS are more than the {most} of a workgroup")
    return None


def _crowded(waves: int, fitting: int) -> str:
    return f"{waves} wavefronts are more than the {fitting} that fit at this register count"
