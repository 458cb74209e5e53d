"""The time of a phase between barriers, against what an H200 took (see tests/data/README.md)."""

import csv
from pathlib import Path

import pytest

from cudalint import hw
from cudalint.hw.target import NvidiaArchitecture
from cudalint.model.barrier_cost import Work, phase_cycles

ROWS = [
    (int(row["block_threads"]), int(row["factor"]), float(row["ms"]))
    for row in csv.DictReader((Path(__file__).parents[1] / "data/barrier_imbalance_h200.csv").open(encoding="utf-8"))
]
ROUNDS, TURNS, BLOCKS_PER_SM, LAUNCH_MS = 20, 2000, 2, 0.00415
CHAIN, ISSUE = 71 / 16, 19 / 16
"""Cycles and instructions of one turn: 16 multiply-adds of 4 cycles each, and the 3 instructions around them."""


@pytest.mark.parametrize(("block", "factor", "measured"), ROWS, ids=str)
def test_time_of_uneven_warps_is_what_was_measured(block: int, factor: int, measured: float) -> None:
    device = hw.device("h200")
    architecture = device.architecture
    assert isinstance(architecture, NvidiaArchitecture)
    slow, fast = Work(factor * TURNS * CHAIN, factor * TURNS * ISSUE), Work(TURNS * CHAIN, TURNS * ISSUE)
    warps = [slow, *[fast] * (block // 32 - 1)] * BLOCKS_PER_SM
    cycles = ROUNDS * phase_cycles(warps, architecture.sub_partitions)
    assert LAUNCH_MS + cycles / (device.boost_clock_mhz or 0) / 1000 == pytest.approx(measured, rel=0.06)


def test_every_row_was_read() -> None:
    assert {(block, factor) for block, factor, _ in ROWS} == {
        (block, factor) for block in (64, 256, 1024) for factor in (1, 2, 4, 8, 16, 32)
    }


def test_a_warp_alone_takes_its_chain() -> None:
    assert phase_cycles([Work(100, 1)], 4) == pytest.approx(100, rel=1e-6)


def test_many_warps_take_what_their_instructions_take_to_issue() -> None:
    assert phase_cycles([Work(100, 90)] * 64, 4) == pytest.approx(16 * 90, rel=0.01)
    assert phase_cycles([Work(100, 25)] * 64, 4, issue_cycles=4) == pytest.approx(1600, rel=0.01)


def test_idle_warps_and_no_warps_cost_nothing() -> None:
    assert phase_cycles([], 4) == 0
    assert phase_cycles([Work(100, 10), *[Work(0, 0)] * 7], 4) == phase_cycles([Work(100, 10)], 4)


def test_a_slow_warp_runs_alone_when_the_others_are_done() -> None:
    even, uneven = phase_cycles([Work(100, 90)] * 4, 1), phase_cycles([Work(300, 270), *[Work(100, 90)] * 3], 1)
    assert uneven == pytest.approx(even + phase_cycles([Work(200, 180)], 1), rel=0.02)
