"""What an architecture allows one block, one multiprocessor and one grid: the figures occupancy is computed from."""

from dataclasses import KW_ONLY

from cudalint.record import record


@record
class Latency:
    """How long an instruction of a warp takes when the next one waits for it, in cycles of the SM's clock."""

    _: KW_ONLY
    arithmetic: float
    """A multiply-add of 32-bit reals."""
    shared_load: float
    exchange: float
    """A shuffle between the lanes of a warp."""
    cached_load: float
    """A load that finds its data in the cache of the SM."""
    global_load: float
    """A load from device memory that no cache holds."""
    issue: float
    """Cycles a scheduler is taken by one instruction of a warp."""


@record
class Architecture:
    """The figures every vendor has.

    "SM" in a field name means the functional block that blocks are resident on: an SM on NVIDIA, a CU on CDNA and GCN,
    a WGP (two CUs) on RDNA in its default mode. "Warp" means the SIMD group (AMD: wavefront) of the default size.
    """

    _: KW_ONLY
    id: str
    """The compiler's name of the target: "sm_90", "gfx942"."""
    vendor: str
    """"nvidia" or "amd"."""
    family: str
    """The vendor's name of the generation: "Hopper", "CDNA 3"."""
    warp_size: int
    """Threads of a warp."""
    max_threads_per_block: int
    max_block_dim: tuple[int, int, int]
    """Threads of a block along x, y and z."""
    max_grid_dim: tuple[int, int, int]
    """Blocks of a grid along x, y and z."""
    max_grid_threads: int | None
    """Threads of a grid along any one dimension; None where there is no such limit (NVIDIA)."""
    max_threads_per_sm: int
    max_warps_per_sm: int
    max_blocks_per_sm: int
    """Resident blocks when nothing else limits them (AMD: of one wavefront each)."""
    max_registers_per_thread: int
    """Registers the instruction set can address (AMD: architectural VGPRs)."""
    default_shared_per_block: int
    """Bytes of shared memory a block gets without an opt-in."""
    max_shared_per_block: int
    """Bytes of shared memory a block gets at most, with the opt-in where one is needed."""
    shared_per_sm: int
    """Bytes of shared memory of one SM, CU or WGP."""
    latency: Latency | None = None
    """None where nobody has measured it."""

    def unit_name(self, mode: str | None = None) -> str:  # noqa: ARG002  only AMD has modes
        """What blocks are resident on: "SM", "CU" or "WGP"."""
        return "SM"

    @property
    def schedulers(self) -> int:
        """The parts of an SM that issue instructions, each for its own warps."""
        return 1


@record
class NvidiaArchitecture(Architecture):
    """A compute capability."""

    _: KW_ONLY
    registers_per_sm: int
    registers_per_block: int
    """Registers one block may hold; half the file on some embedded parts."""
    launchable_registers_per_thread: int
    """Registers per thread beyond which a launch is refused."""
    register_unit: int
    """Registers a warp's share is rounded up to."""
    sub_partitions: int
    """Sub-partitions of an SM, each with its own scheduler and its own part of the register file."""
    fitting_sub_partitions: int
    """Sub-partitions the block must also fit when it is launched; differs from `sub_partitions` on sm_60 only."""
    shared_reserved_per_block: int
    """Bytes of shared memory the system takes from every block."""
    shared_unit: int
    """Bytes a block's shared memory is rounded up to."""
    shared_carveouts: tuple[int, ...]
    """Bytes of shared memory an SM can be configured to, ascending; empty where the split from L1 is fixed."""
    barriers_per_sm: int | None
    """Block barriers of an SM; None where they never limit."""
    max_portable_cluster: int | None
    """Blocks of a cluster that every device of its generation accepts; None where there are no clusters."""
    max_cluster: int | None
    """Blocks of a cluster with the non-portable opt-in; None where unknown or where there are no clusters."""

    @property
    def schedulers(self) -> int:
        """The parts of an SM that issue instructions, each for its own warps."""
        return self.sub_partitions

    @property
    def independent_threads(self) -> bool:
        """Whether the threads of a warp are scheduled independently of each other: since compute capability 7.0."""
        return int(self.id.removeprefix("sm_")) >= 70


@record
class FunctionalBlock:
    """What AMD workgroups are resident on: a CU, or on RDNA in WGP mode a pair of them."""

    _: KW_ONLY
    mode: str
    """"cu" or "wgp"."""
    compute_units: int
    simds: int
    lds: int
    """Bytes of local data share."""
    max_multiwave_blocks: int
    """Workgroups of more than one wavefront: each holds one of the barriers."""


@record
class VectorFile:
    """The vector registers of one SIMD as wavefronts of one size see them."""

    _: KW_ONLY
    wave_size: int
    registers: int
    unit: int
    """Registers a wavefront's share is rounded up to."""


@record
class AmdArchitecture(Architecture):
    """A gfx target. `warp_size` is its default wavefront size; the blocks and files hold every mode and size."""

    _: KW_ONLY
    default_mode: str
    blocks: tuple[FunctionalBlock, ...]
    vector_files: tuple[VectorFile, ...]
    max_waves_per_simd: int
    max_accumulation_registers: int
    """AGPRs a wavefront can address; 0 where there are none."""
    accumulation: str
    """How AGPRs count: "none"; "separate" (their own file: the larger count decides); "unified" (they add up)."""
    accumulation_alignment: int
    """VGPRs are rounded up to this before AGPRs are added in a unified file; 1 elsewhere."""
    max_scalar_registers: int
    """SGPRs a wavefront can address."""
    scalar_waves: tuple[tuple[int, int], ...]
    """(SGPRs, waves): up to that many SGPRs leave that many waves per SIMD, ascending; empty where they never limit."""
    scalar_waves_beyond: int
    """Waves per SIMD past the last entry of `scalar_waves`; 0 where SGPRs never limit."""
    lds_unit: int
    """Bytes a workgroup's local data share is rounded up to."""

    def unit_name(self, mode: str | None = None) -> str:
        """What workgroups are resident on in a mode; None is the default mode. Raises ValueError for another mode."""
        return self.functional_block(mode).mode.upper()

    @property
    def schedulers(self) -> int:
        """The SIMDs workgroups are spread over in the default mode."""
        return self.blocks[0].simds

    def functional_block(self, mode: str | None = None) -> FunctionalBlock:
        """What workgroups are resident on in a mode; None is the default mode. Raises ValueError for another mode."""
        for block in self.blocks:
            if block.mode == (mode or self.default_mode):
                return block
        raise ValueError(f"{self.id} has no {mode} mode")

    def vector_file(self, wave_size: int | None = None) -> VectorFile:
        """The vector registers for a wavefront size; None is the default. Raises ValueError for another size."""
        for file in self.vector_files:
            if file.wave_size == (wave_size or self.warp_size):
                return file
        raise ValueError(f"{self.id} has no wavefronts of {wave_size}")
