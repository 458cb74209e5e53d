"""How a cliff reads, and which resources have one."""

from cudalint import hw
from cudalint.model import cliffs


def test_cliffs_of_42_registers_and_20000_bytes_on_an_h200() -> None:
    found = cliffs(hw.device("h200"), block=256, registers=42, dynamic_shared=20_000)
    assert [cliff.sentence() for cliff in found] == [
        "2 registers fewer: +1 block per SM",
        "7 registers more: -1 block per SM",
        "25569 bytes more: -1 block per SM",
        "32 threads fewer: +0 blocks per SM",
        "32 threads more: -1 block per SM",
    ]


def test_one_register_reads_as_one() -> None:
    [fewer, *_] = cliffs(hw.device("h200"), block=256, registers=41)
    assert fewer.sentence() == "1 register fewer: +1 block per SM"


def test_unknown_registers_have_no_cliff() -> None:
    assert {cliff.resource for cliff in cliffs(hw.device("h200"), block=256, registers=0)} == {"shared_memory", "block"}


def test_scalar_registers_have_cliffs_where_they_limit() -> None:
    found = cliffs(hw.architecture("gfx900"), block=64, registers=8, scalar_registers=81)
    assert [cliff.sentence() for cliff in found if cliff.resource == "scalar_registers"] == [
        "1 scalar register fewer: +4 blocks per SM",
        "8 scalar registers more: -4 blocks per SM",
    ]
    modern = cliffs(hw.architecture("gfx1100"), block=64, registers=8, scalar_registers=81)
    assert "scalar_registers" not in {cliff.resource for cliff in modern}


def test_the_last_bytes_of_a_block_are_a_cliff_to_nothing() -> None:
    found = cliffs(hw.device("h200"), block=256, registers=32, dynamic_shared=200 * 1024)
    [more] = [cliff for cliff in found if cliff.resource == "shared_memory" and cliff.change > 0]
    assert (more.value, more.occupancy.blocks_per_sm) == (232_449, 0)
