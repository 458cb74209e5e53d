"""What an occupancy calculation answers."""

from cudalint.record import record

WARPS = "warps"
BLOCKS = "blocks"
REGISTERS = "registers"
SCALAR_REGISTERS = "scalar_registers"
SHARED_MEMORY = "shared_memory"
BARRIERS = "barriers"


@record
class Occupancy:
    """How many blocks of a launch are resident at once on one multiprocessor, and what stops the next one.

    "SM" means an SM on NVIDIA, a CU on AMD, a WGP (two CUs) on RDNA in WGP mode.
    """

    blocks_per_sm: int
    limiters: tuple[str, ...]
    """Every resource that allows no further block: "warps" (AMD: wavefront slots), "blocks", "registers" (AMD: VGPRs),
    "scalar_registers" (AMD: SGPRs), "shared_memory" (AMD: LDS), "barriers"."""
    warps_per_sm: int
    """Resident warps."""
    fraction: float
    """Resident warps as a share of the warp slots."""
    threads_per_sm: int
    """Resident threads, without the idle lanes of partly filled warps."""
    allocated_registers: int
    """Registers a block takes, rounded as the hardware rounds (AMD: VGPR lanes of all its wavefronts)."""
    allocated_shared: int
    """Bytes of shared memory a block takes, with what the system reserves, rounded as the hardware rounds."""
    reason: str | None = None
    """Why no block fits, where none does."""
