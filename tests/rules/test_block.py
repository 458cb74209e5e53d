"""The rules about the shape of a block, on launches made by hand."""

import pytest

from cudalint.ir import Quantity
from cudalint.rules.block.block_exceeds_device_limit import check as exceeds_limit
from cudalint.rules.block.block_exceeds_launch_bounds import check as exceeds_bounds
from cudalint.rules.block.block_not_warp_multiple import check as not_multiple
from cudalint.rules.block.block_size_residency_cliff import check as cliff
from cudalint.rules.block.block_smaller_than_warp import check as smaller
from cudalint.rules.block.launch_does_not_fit import check as does_not_fit
from cudalint.rules.block.shared_memory_exceeds_limit import check as shared
from tests.rules.launches import findings, kernel, launch, messages, per_sm

KB = 1024
ANY = Quantity()


def test_idle_lanes_depend_on_the_warp_of_the_target() -> None:
    assert messages(not_multiple, launch(ANY, 100)) == ["100 threads occupy 4 warps; 28 of 128 lanes idle"]
    assert messages(not_multiple, launch(ANY, 100), "mi300x") == [
        "100 threads occupy 2 wavefronts; 28 of 128 lanes idle"
    ]
    assert messages(not_multiple, launch(ANY, 96), "mi300x") == ["96 threads occupy 2 wavefronts; 32 of 128 lanes idle"]


@pytest.mark.parametrize(
    ("grid", "block"),
    [(ANY, 96), (ANY, (25, 1)), (ANY, ANY), (1, 100)],
    ids=["three warps", "less than a warp", "unknown", "one block"],
)
def test_whole_warps_small_blocks_and_unknown_blocks_are_left_alone(grid: Quantity, block: int) -> None:
    assert not findings(not_multiple, launch(grid, block))


def test_a_small_block_counts_where_it_does_real_work() -> None:
    assert messages(smaller, launch(ANY, (5, 5))) == [
        "25 threads are less than a warp of 32: 7 lanes idle in every block"
    ]
    assert findings(smaller, launch(16, 8))
    assert findings(smaller, launch(100_000, 1, of=kernel(loops=False)))


def test_a_warp_of_nvidia_is_half_a_wavefront() -> None:
    assert not findings(smaller, launch(ANY, 32))
    assert findings(smaller, launch(ANY, 32), "mi300x")
    assert not findings(smaller, launch(ANY, 32), "rx7900xtx")


def test_set_up_launches_of_few_threads_are_left_alone() -> None:
    assert not findings(smaller, launch(1, 1))
    assert not findings(smaller, launch(1, 16))
    assert not findings(smaller, launch(10, 1, of=kernel(loops=False, statements=2)))


@pytest.mark.parametrize(
    ("block", "message"),
    [
        ((32, 64), "2048 threads per block; sm_90 allows 1024"),
        ((1, 1, 128), "128 threads per block along z; sm_90 allows 64"),
        (Quantity(1025, None), "at least 1025 threads per block; sm_90 allows 1024"),
        (0, "a block of 0 threads cannot be launched"),
        ((16, 0), "a block of 0 threads cannot be launched"),
    ],
)
def test_blocks_beyond_the_limits(block: int, message: str) -> None:
    assert messages(exceeds_limit, launch(ANY, block)) == [message]


@pytest.mark.parametrize("block", [1024, (32, 32), (1, 1, 64), ANY, Quantity(1, 2048)])
def test_blocks_within_the_limits_or_unknown(block: int) -> None:
    assert not findings(exceeds_limit, launch(ANY, block))


def test_z_of_a_workgroup_reaches_1024_on_amd() -> None:
    assert not findings(exceeds_limit, launch(ANY, (1, 1, 128)), "mi300x")


def test_launch_bounds_are_a_promise() -> None:
    bounded = kernel(max_threads=640)
    assert messages(exceeds_bounds, launch(ANY, 1024, of=bounded)) == [
        "1024 threads per block, but work is compiled for at most 640"
    ]
    assert not findings(exceeds_bounds, launch(ANY, 640, of=bounded))
    assert not findings(exceeds_bounds, launch(ANY, ANY, of=bounded))
    assert not findings(exceeds_bounds, launch(ANY, 1024))


def test_a_required_work_group_size_is_exact() -> None:
    required = kernel(required=(16, 16, 1))
    assert findings(exceeds_bounds, launch(ANY, (32, 8), of=required), "mi300x")
    assert not findings(exceeds_bounds, launch(ANY, (16, 16), of=required), "mi300x")


def test_registers_are_handed_out_to_whole_sets_of_warps() -> None:
    (finding,) = findings(does_not_fit, launch(ANY, 320, registers=200))
    assert "320 threads with 200 registers" in finding.message
    assert finding.remedy.startswith("launch at most 256 threads per block, or hold the kernel to 168 registers")
    assert not findings(does_not_fit, launch(ANY, 256, registers=200))


def test_unknown_or_bounded_registers_are_taken_to_fit() -> None:
    assert not findings(does_not_fit, launch(ANY, 1024))
    assert not findings(does_not_fit, launch(ANY, 1024, registers=Quantity(16, 255)))
    assert not findings(does_not_fit, launch(ANY, 320, registers=200, of=kernel(max_threads=512)))
    assert not findings(does_not_fit, launch(ANY, 320, registers=200, of=kernel(max_registers=128)))


def test_more_than_48_kb_needs_an_opt_in_on_nvidia_only() -> None:
    assert messages(shared, launch(ANY, 256, dynamic=64 * KB)) == [
        "65536 bytes of shared memory per block, but without an opt-in a block gets 49152"
    ]
    assert findings(shared, launch(ANY, 256, dynamic=40 * KB, static=9 * KB))
    assert not findings(shared, launch(ANY, 256, dynamic=48 * KB))
    assert not findings(shared, launch(ANY, 256, dynamic=64 * KB), "mi300x")


def test_an_opt_in_reaches_as_far_as_it_says() -> None:
    assert not findings(shared, launch(ANY, 256, dynamic=64 * KB, opted=64 * KB))
    assert not findings(shared, launch(ANY, 256, dynamic=64 * KB, opted=ANY))
    assert findings(shared, launch(ANY, 256, dynamic=96 * KB, opted=64 * KB))
    assert not findings(shared, launch(ANY, 256, dynamic=40 * KB, opted=32 * KB))


def test_no_opt_in_helps_beyond_the_limit_of_a_block() -> None:
    assert findings(shared, launch(ANY, 256, dynamic=228 * KB, opted=228 * KB))
    assert findings(shared, launch(ANY, 256, dynamic=65 * KB), "mi300x")
    assert not findings(shared, launch(ANY, 256, dynamic=160 * KB), "mi355x")


def test_unknown_bytes_are_left_alone() -> None:
    assert not findings(shared, launch(ANY, 256, dynamic=ANY, static=ANY))


@pytest.mark.parametrize(
    ("gpu", "block", "empty"),
    [("rtx3090", 1024, "16 of 48"), ("h200", 768, "16 of 64"), ("h200", 32, "32 of 64"), ("mi300x", 768, "8 of 32")],
)
def test_warp_slots_lost_to_the_block_size(gpu: str, block: int, empty: str) -> None:
    (message,) = messages(cliff, launch(ANY, block), gpu)
    assert f"leave {empty}" in message


@pytest.mark.parametrize(("gpu", "block"), [("h200", 1024), ("rtx3090", 512), ("mi300x", 64), ("mi300x", 1024)])
def test_blocks_that_fill_the_slots(gpu: str, block: int) -> None:
    assert not findings(cliff, launch(ANY, block), gpu)


def test_the_remedy_names_sizes_that_fill_the_slots() -> None:
    (finding,) = findings(cliff, launch(ANY, 1024), "rtx3090")
    assert finding.remedy == "48 warps fit with 384 or 512 or 768 threads per block"


def test_another_limiter_or_a_short_grid_silences_the_cliff() -> None:
    assert not findings(cliff, launch(ANY, 32, dynamic=16 * KB)), "shared memory allows 13 blocks anyway"
    assert not findings(cliff, launch(ANY, 768, registers=64)), "registers allow one block anyway"
    assert not findings(cliff, launch(200, 32)), "200 blocks never fill 32 on each of 132 SMs"
    assert not findings(cliff, launch(per_sm(6), 32)), "6 blocks on an SM are fewer than the cap of 32"
    assert findings(cliff, launch(100_000, 32))
