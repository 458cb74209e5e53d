"""A product: an architecture, how many multiprocessors it has, and how fast it computes and moves data."""

from collections.abc import Mapping
from dataclasses import KW_ONLY, field

from cudalint.hw.target import AmdArchitecture, Architecture
from cudalint.record import record


@record
class Device:
    """One GPU as a program sees it. A figure nobody has published is None."""

    _: KW_ONLY
    id: str
    """The profile's file name: "h200"."""
    name: str
    """The marketing name: "H200 SXM 141GB"."""
    aliases: tuple[str, ...]
    vendor: str
    """"nvidia" or "amd"."""
    architecture: Architecture
    sm_count: int
    """SMs (NVIDIA) or physical CUs (AMD)."""
    boost_clock_mhz: float | None = None
    memory_bandwidth_gb_per_s: float | None = None
    """In 10^9 bytes a second."""
    memory_gb: float | None = None
    l2_cache_mib: float | None = None
    """L2 of the whole GPU in 2^20 bytes."""
    fp32_tflops: float | None = None
    fp16_tflops: float | None = None
    """Vector (not matrix) half precision."""
    fp64_tflops: float | None = None
    """Vector double precision."""
    fp16_tensor_tflops: float | None = None
    """Dense matrix half precision."""
    fp64_tensor_tflops: float | None = None
    remarks: str = ""
    source: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    """Where each figure comes from, by its key in the profile."""

    @property
    def multiprocessors(self) -> int:
        """How many functional blocks `Occupancy.blocks_per_sm` counts against: SMs, CUs, or WGPs in the default mode."""
        return self.multiprocessors_in(None)

    def multiprocessors_in(self, mode: str | None) -> int:
        """The same for one mode ("cu" or "wgp") of an AMD device; None is the default mode."""
        if isinstance(self.architecture, AmdArchitecture):
            return self.sm_count // self.architecture.functional_block(mode).compute_units
        return self.sm_count

    @property
    def unit_name(self) -> str:
        """What a functional block is called: "SM", "CU" or "WGP"."""
        return self.architecture.unit_name()

    @property
    def warp_name(self) -> str:
        """What a SIMD group is called: "warp" or "wavefront"."""
        return "warp" if self.vendor == "nvidia" else "wavefront"
