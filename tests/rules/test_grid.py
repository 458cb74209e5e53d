"""The rules about the shape of a grid, on launches made by hand."""

import pytest

from cudalint.ir import Dim3, Quantity
from cudalint.ir import symbol as sym
from cudalint.rule import Confidence, Severity
from cudalint.rules.grid.grid_block_swapped import check as swapped
from cudalint.rules.grid.grid_exceeds_device_limit import check as exceeds
from cudalint.rules.grid.grid_may_be_zero import check as may_be_zero
from tests.rules.launches import findings, launch, messages, per_sm, rounded_up

ANY = Quantity()


def named(size: int, text: str) -> Dim3:
    one = Quantity.exactly(1)
    return Dim3(Quantity.exactly(size), one, one, text=text)


def test_each_dimension_of_the_grid_has_its_own_limit() -> None:
    assert messages(exceeds, launch((1, 65_536), (32, 2))) == ["65536 blocks along y; sm_90 allows 65535"]
    assert messages(exceeds, launch((2, 2, 93_288), 64)) == ["93288 blocks along z; sm_90 allows 65535"]
    assert findings(exceeds, launch(1 << 31, 32))
    assert not findings(exceeds, launch((65_536, 65_535, 65_535), 32))
    assert not findings(exceeds, launch((ANY, ANY, ANY), ANY))


def test_hip_limits_the_threads_of_a_dimension() -> None:
    many = launch((1 << 33) // 256, 256)
    assert messages(exceeds, many, "mi300x") == ["8589934592 threads along x; gfx942 allows 4294967295"]
    assert not findings(exceeds, many, "h200")


def test_a_count_of_blocks_in_the_place_of_the_block() -> None:
    (finding,) = findings(swapped, launch(256, rounded_up("n", 256)))
    assert finding.confidence is Confidence.LIKELY
    assert "256 blocks of ceil(n / 256) threads" in finding.message
    (finding,) = findings(swapped, launch(256, 4096))
    assert finding.confidence is None, "the rule's own: proven"
    assert findings(swapped, launch((16, 16), (rounded_up("w", 16), rounded_up("h", 16))))


@pytest.mark.parametrize(
    ("grid", "block"),
    [(1, 2048), (rounded_up("n", 256), 256), (rounded_up("n", 256), 2048), (10, rounded_up("n", 10)), (256, ANY)],
    ids=["one block", "the right way round", "a block that is only too large", "not a block size", "unknown block"],
)
def test_other_shapes_are_not_swapped(grid: int, block: int) -> None:
    assert not findings(swapped, launch(grid, block))


def test_a_grid_named_for_its_blocks_shares_out_the_work() -> None:
    shared_out = launch(64, rounded_up("n", 64))
    assert findings(swapped, shared_out)
    for name in ("NUM_BLOCKS", "blocks", "gridSize"):
        same = launch(64, rounded_up("n", 64))
        object.__setattr__(same, "grid", named(64, name))
        assert not findings(swapped, same), name
    object.__setattr__(shared_out, "grid", named(64, "blockSize"))
    assert findings(swapped, shared_out)


def test_a_grid_of_nothing_is_an_error() -> None:
    (finding,) = findings(may_be_zero, launch(0, 256))
    assert finding.message == "the grid has 0 blocks along x"
    assert finding.severity is None, "the rule's own: error"


def test_a_division_of_a_size_that_may_be_zero_is_a_note() -> None:
    (finding,) = findings(may_be_zero, launch(rounded_up("n", 256, lo=0), 256))
    assert finding.severity is Severity.NOTE
    assert finding.message == "the grid is empty where n is 0, and nothing before rules it out"
    down = sym.divide(sym.atom(sym.Symbol("n")), sym.number(256))
    (finding,) = findings(may_be_zero, launch(Quantity(None, None, 1, down), 256))
    assert "n is less than 256" in finding.message


def test_guarded_and_unknown_grids_are_left_alone() -> None:
    assert not findings(may_be_zero, launch(rounded_up("n", 256, lo=1), 256))
    assert not findings(may_be_zero, launch(ANY, 256))
    assert not findings(may_be_zero, launch(Quantity(0, None, 1, sym.atom(sym.Symbol("blocks"))), 256))


def test_a_grid_made_of_the_properties_of_the_gpu_is_not_empty() -> None:
    capacity = sym.multiply(sym.atom(sym.DeviceValue("sm_count")), sym.atom(sym.DeviceValue("max_threads_per_sm")))
    assert capacity is not None
    assert not findings(may_be_zero, launch(Quantity(None, None, 1, sym.divide(capacity, sym.number(256))), 256))
    assert not findings(may_be_zero, launch(per_sm(4), 256))
