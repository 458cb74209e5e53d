"""Launches that a formula of one line gets wrong, and figures others have published."""

import pytest

from cudalint import hw
from cudalint.model import occupancy, occupancy_range, sweep

NVIDIA = [target for target in hw.architectures() if target.vendor == "nvidia"]
KIB = 1024


def waves_per_simd(target: str, registers: int, block: int = 64, **more: int) -> float:
    found = occupancy(hw.architecture(target), block=block, registers=registers, scalar_registers=more.get("sgprs", 0))
    return found.warps_per_sm / 4


@pytest.mark.parametrize("target", NVIDIA, ids=lambda target: target.id)
def test_200_registers_and_320_threads_fail_although_the_registers_suffice(target: hw.Architecture) -> None:
    """Ten warps count as twelve; 12 x 6400 > 65536 >= 320 x 200."""
    found = occupancy(target, block=320, registers=200)
    assert found.blocks_per_sm == 0
    assert found.limiters == ("registers",)
    assert found.reason is not None
    assert found.reason.startswith("10 warps count as 12 and take 76800 registers")


def test_nine_warps_of_200_registers_fail_and_eight_fit() -> None:
    assert occupancy(hw.architecture("sm_90"), block=288, registers=200).blocks_per_sm == 0
    assert occupancy(hw.architecture("sm_90"), block=256, registers=200).blocks_per_sm == 1


def test_fragments_of_sub_partitions_are_not_pooled() -> None:
    assert occupancy(hw.architecture("sm_90"), block=64, registers=88).blocks_per_sm == 10


@pytest.mark.parametrize(
    ("gpu", "dynamic_kib", "blocks"), [("a100", 41, 3), ("rtx3090", 50, 1), ("rtx3090", 49, 2)], ids=str
)
def test_one_kib_is_reserved_in_every_block(gpu: str, dynamic_kib: int, blocks: int) -> None:
    found = occupancy(hw.device(gpu), block=64, registers=16, dynamic_shared=dynamic_kib * KIB)
    assert found.blocks_per_sm == blocks
    assert found.allocated_shared == (dynamic_kib + 1) * KIB


def test_half_a_register_file_per_block_on_tegra_x1() -> None:
    assert occupancy(hw.architecture("5.3"), block=1024, registers=64).blocks_per_sm == 0
    assert occupancy(hw.architecture("5.2"), block=1024, registers=64).blocks_per_sm == 1


@pytest.mark.parametrize(("gpu", "blocks"), [("h100", 8), ("v100", 16)])
def test_a_carveout_of_nothing_leaves_room_for_the_reserved_bytes_only(gpu: str, blocks: int) -> None:
    assert occupancy(hw.device(gpu), block=128, registers=16, carveout=0).blocks_per_sm == blocks


def test_shared_memory_past_48_kib_needs_the_opt_in() -> None:
    assert occupancy(hw.device("h200"), block=128, registers=32, dynamic_shared=49 * KIB).blocks_per_sm == 4
    refused = occupancy(hw.device("h200"), block=128, registers=32, dynamic_shared=49 * KIB, shared_optin=False)
    assert refused.blocks_per_sm == 0
    assert refused.limiters == ("shared_memory",)
    assert refused.reason == (
        "50176 bytes of dynamic shared memory are more than the 49152 a block may ask for without an opt-in"
    )


def test_more_than_there_is_fails_with_the_opt_in_too() -> None:
    refused = occupancy(hw.device("h200"), block=128, registers=32, static_shared=229 * KIB)
    assert refused.reason == "234496 bytes of shared memory are more than the 232448 a block may have"


def test_too_many_threads_or_registers_say_so() -> None:
    assert occupancy(hw.device("h200"), block=1025, registers=8).reason == (
        "1025 threads are more than the 1024 a block may have"
    )
    assert occupancy(hw.device("h200"), block=32, registers=257).reason == (
        "257 registers per thread are more than the 255 there are"
    )


def test_barriers_are_named_where_they_run_out_with_the_blocks() -> None:
    assert occupancy(hw.device("rtx5090"), block=64, registers=16).limiters == ("warps", "blocks", "barriers")


def test_unknown_registers_never_limit() -> None:
    found = occupancy(hw.device("h200"), block=1024, registers=0)
    assert (found.blocks_per_sm, found.limiters, found.allocated_registers) == (2, ("warps",), 0)


def test_1024_threads_leave_a_third_of_an_ada_sm_empty() -> None:
    found = occupancy(hw.device("rtx4090"), block=1024, registers=32)
    assert (found.blocks_per_sm, found.fraction, found.threads_per_sm) == (1, 32 / 48, 1024)


def test_idle_lanes_are_not_resident_threads() -> None:
    found = occupancy(hw.device("h200"), block=100, registers=16)
    assert (found.blocks_per_sm, found.warps_per_sm, found.threads_per_sm) == (16, 64, 1600)


def test_as_many_blocks_as_a_grid_barrier_survived_on_an_h200() -> None:
    gpu = hw.device("h200")
    assert gpu.multiprocessors * occupancy(gpu, block=256, registers=32).blocks_per_sm == 1056


def test_mi250_with_122_vgprs_holds_half_its_wavefronts() -> None:
    """rocprofiler-compute documentation: 49.9 % measured."""
    found = occupancy(hw.device("mi250"), block=256, registers=122)
    assert (found.fraction, found.limiters) == (0.5, ("registers",))


def test_mi250_with_all_its_lds_in_one_workgroup_holds_an_eighth() -> None:
    """rocprofiler-compute documentation: 12.5 % measured."""
    found = occupancy(hw.device("mi250"), block=256, registers=32, static_shared=64 * KIB)
    assert (found.fraction, found.limiters) == (0.125, ("shared_memory",))


def test_mi250_with_64_vgprs_and_76_sgprs_is_full() -> None:
    """rocprofiler-compute documentation: 98.9 % measured."""
    assert occupancy(hw.device("mi250"), block=1024, registers=64, scalar_registers=76).fraction == 1.0


def test_the_manual_of_llvm_calc_occupancy() -> None:
    assert waves_per_simd("gfx90a", 50, block=512, sgprs=30) == 8


@pytest.mark.parametrize(
    ("registers", "waves"),
    [(24, 10), (28, 9), (32, 8), (36, 7), (40, 6), (48, 5), (64, 4), (84, 3), (128, 2), (129, 1)],
)
def test_the_gcn_table(registers: int, waves: int) -> None:
    assert waves_per_simd("gfx900", registers) == waves


@pytest.mark.parametrize(
    ("target", "registers", "waves"),
    [
        ("gfx1100", 116, 12),
        ("gfx1100", 211, 7),
        ("gfx1100", 256, 5),
        ("gfx1201", 96, 16),
        ("gfx942", 128, 4),
        ("gfx942", 129, 3),
    ],
)
def test_what_compiler_remarks_say(target: str, registers: int, waves: int) -> None:
    block = hw.architecture(target).warp_size
    assert waves_per_simd(target, registers, block) == waves


@pytest.mark.parametrize(("block", "blocks"), [(32, 64), (64, 32), (128, 16), (256, 8), (512, 4), (1024, 2)])
def test_workgroups_of_an_rdna_wgp(block: int, blocks: int) -> None:
    assert occupancy(hw.architecture("gfx1030"), block=block, registers=32).blocks_per_sm == blocks


def test_cu_mode_halves_what_a_wgp_holds() -> None:
    card = hw.device("7900xtx")
    pair = occupancy(card, block=256, registers=32)
    single = occupancy(card, block=256, registers=32, mode="cu")
    assert (pair.blocks_per_sm, single.blocks_per_sm) == (8, 4)
    assert pair.fraction == single.fraction == 1.0


def test_an_mi300x_with_128_vgprs_holds_1216_blocks_of_256() -> None:
    gpu = hw.device("mi300x")
    assert gpu.multiprocessors * occupancy(gpu, block=256, registers=128).blocks_per_sm == 1216
    assert occupancy(gpu, block=256, registers=64).fraction == 1.0


def test_accumulation_registers_share_the_file_from_gfx90a_only() -> None:
    shared, separate = hw.architecture("gfx942"), hw.architecture("gfx908")
    assert occupancy(shared, block=64, registers=126).warps_per_sm == 4 * 4
    assert occupancy(shared, block=64, registers=126, accumulation_registers=128).warps_per_sm == 2 * 4
    assert occupancy(separate, block=64, registers=84).warps_per_sm == 3 * 4
    assert occupancy(separate, block=64, registers=84, accumulation_registers=84).warps_per_sm == 3 * 4
    assert occupancy(separate, block=64, registers=84, accumulation_registers=128).warps_per_sm == 2 * 4


def test_an_amd_workgroup_that_cannot_launch_says_why() -> None:
    gpu = hw.device("mi300x")
    assert occupancy(gpu, block=1088, registers=8).reason == "1088 threads are more than the 1024 a workgroup may have"
    assert occupancy(gpu, block=64, registers=257).reason == "257 VGPRs are more than 256"
    assert (
        occupancy(hw.device("mi50"), block=64, registers=8, accumulation_registers=1).reason
        == "1 AGPRs are more than 0"
    )
    assert occupancy(gpu, block=64, registers=8, static_shared=65537).reason == (
        "65537 bytes of LDS are more than the 65536 of a workgroup"
    )
    assert occupancy(gpu, block=1024, registers=256).reason == (
        "16 wavefronts are more than the 8 that fit at this register count"
    )


@pytest.mark.parametrize(
    ("gpu", "wrong", "complaint"),
    [
        ("h200", {"block": 0, "registers": 8}, "at least one thread"),
        ("h200", {"block": 32, "registers": -1}, "registers cannot be negative"),
        ("h200", {"block": 32, "registers": 8, "static_shared": -1}, "shared memory cannot be negative"),
        ("h200", {"block": 32, "registers": 8, "dynamic_shared": -1}, "shared memory cannot be negative"),
        ("h200", {"block": 32, "registers": 8, "carveout": 101}, "percentage"),
        ("mi300x", {"block": 32, "registers": 8, "scalar_registers": -1}, "cannot be negative"),
        ("mi300x", {"block": 32, "registers": 8, "accumulation_registers": -1}, "cannot be negative"),
        ("mi300x", {"block": 32, "registers": 8, "wave_size": 32}, "no wavefronts of 32"),
    ],
)
def test_amounts_that_are_none(gpu: str, wrong: dict[str, int], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        occupancy(hw.device(gpu), **wrong)  # type: ignore[arg-type]


def test_unknown_registers_span_a_range() -> None:
    lowest, highest = occupancy_range(hw.device("h200"), block=256, registers=(1, 255))
    assert (lowest.blocks_per_sm, highest.blocks_per_sm) == (1, 8)


def test_a_sweep_tries_every_block_of_whole_warps() -> None:
    swept = sweep(hw.device("mi300x"), registers=32)
    assert [block for block, _ in swept] == list(range(64, 1025, 64))
    assert dict(swept)[256] == occupancy(hw.device("mi300x"), block=256, registers=32)
    assert [block for block, _ in sweep(hw.device("7900xtx"), registers=32, wave_size=64)] == list(range(64, 1025, 64))
    assert [block for block, _ in sweep(hw.device("h200"), registers=32, wave_size=64)] == list(range(32, 1025, 32))
