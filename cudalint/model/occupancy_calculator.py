"""Occupancy of a launch on any target: the calculator behind rules, tables and the command line. Pure and exact."""

from typing import TypedDict, Unpack

from cudalint.hw import AmdArchitecture, Architecture, Device, NvidiaArchitecture
from cudalint.model.occupancy_amd import amd_occupancy
from cudalint.model.occupancy_nvidia import nvidia_occupancy
from cudalint.model.occupancy_result import Occupancy


class Options(TypedDict, total=False):
    """What a launch or a build may set besides block, registers and shared memory; meanings as in `occupancy`."""

    carveout: int | None
    shared_optin: bool
    accumulation_registers: int
    scalar_registers: int
    wave_size: int | None
    mode: str | None


def architecture_of(target: Device | Architecture) -> Architecture:
    """The architecture of a device, or the architecture itself."""
    return target.architecture if isinstance(target, Device) else target


def warp_size(architecture: Architecture, options: Options) -> int:
    """Threads of a warp, or of a wavefront as the options choose it."""
    if isinstance(architecture, AmdArchitecture):
        return architecture.vector_file(options.get("wave_size")).wave_size
    return architecture.warp_size


def occupancy(
    target: Device | Architecture,
    *,
    block: int,
    registers: int,
    static_shared: int = 0,
    dynamic_shared: int = 0,
    carveout: int | None = None,
    shared_optin: bool = True,
    accumulation_registers: int = 0,
    scalar_registers: int = 0,
    wave_size: int | None = None,
    mode: str | None = None,
) -> Occupancy:
    """Blocks resident per SM (NVIDIA), CU or WGP (AMD) of a launch of `block` threads a block.

    `registers` is per thread (AMD: architectural VGPRs); 0 means unknown and never limits. Shared memory is in bytes.
    NVIDIA only: `carveout`, the percentage of the SM's memory preferred as shared (None: the driver chooses), and
    `shared_optin`, whether the kernel has asked for more than the default. AMD only: `accumulation_registers` (AGPRs),
    `scalar_registers` (SGPRs with VCC and other extras), `wave_size` and `mode` ("cu" or "wgp"), None for the defaults.

    Raises ValueError for a block of no threads, a negative amount, a carveout that is no percentage, or a wave size or a
    mode the target does not have.
    """
    architecture = target.architecture if isinstance(target, Device) else target
    if block < 1 or registers < 0 or static_shared < 0 or dynamic_shared < 0:
        raise ValueError(_fault(block, registers, static_shared, dynamic_shared))
    if carveout is not None and not 0 <= carveout <= 100:
        raise ValueError(f"a carveout is a percentage, not {carveout}")
    if isinstance(architecture, NvidiaArchitecture):
        return nvidia_occupancy(
            architecture,
            block=block,
            registers=registers,
            static_shared=static_shared,
            dynamic_shared=dynamic_shared,
            carveout=carveout,
            shared_optin=shared_optin,
        )
    assert isinstance(architecture, AmdArchitecture)
    return amd_occupancy(
        architecture,
        block=block,
        registers=registers,
        accumulation_registers=accumulation_registers,
        scalar_registers=scalar_registers,
        shared=static_shared + dynamic_shared,
        wave_size=wave_size,
        mode=mode,
    )


def _fault(block: int, registers: int, static_shared: int, dynamic_shared: int) -> str:
    if block < 1:
        return f"a block has at least one thread, not {block}"
    if registers < 0:
        return f"a number of registers cannot be negative: {registers}"
    return f"an amount of shared memory cannot be negative: {min(static_shared, dynamic_shared)}"


def occupancy_range(
    target: Device | Architecture,
    *,
    block: int,
    registers: tuple[int, int],
    static_shared: tuple[int, int] = (0, 0),
    dynamic_shared: tuple[int, int] = (0, 0),
    **options: Unpack[Options],
) -> tuple[Occupancy, Occupancy]:
    """The lowest and the highest occupancy where registers and bytes are only known to lie in an inclusive range.

    Both are reached: more of a resource never fits more blocks. Raises ValueError as `occupancy`.
    """
    lowest, highest = (
        occupancy(
            target,
            block=block,
            registers=registers[end],
            static_shared=static_shared[end],
            dynamic_shared=dynamic_shared[end],
            **options,
        )
        for end in (1, 0)
    )
    return lowest, highest


def sweep(
    target: Device | Architecture,
    *,
    registers: int,
    static_shared: int = 0,
    dynamic_shared: int = 0,
    **options: Unpack[Options],
) -> list[tuple[int, Occupancy]]:
    """(threads, occupancy) of every block of whole warps the target allows. Raises ValueError as `occupancy`."""
    architecture = architecture_of(target)
    warp = warp_size(architecture, options)
    return [
        (
            block,
            occupancy(
                architecture,
                block=block,
                registers=registers,
                static_shared=static_shared,
                dynamic_shared=dynamic_shared,
                **options,
            ),
        )
        for block in range(warp, architecture.max_threads_per_block + 1, warp)
    ]
