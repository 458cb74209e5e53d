"""Which conditions are the same for all lanes of a warp."""

from pathlib import Path

import pytest

from cudalint.analysis.device.events import Exchange
from cudalint.analysis.device.values import LANE
from tests.analysis.traces import traced

KERNEL = """
__global__ void k(float *d, int n) {{
  const int tid = threadIdx.x, gid = blockIdx.x * blockDim.x + tid, lane = tid & 31;
  float v = d[gid];
  {condition} v += __shfl_xor_sync(0xffffffff, v, 1);
  d[gid] = v;
}}
void run(float *d, int n, int b) {{ k<<<n, {block}>>>(d, n); }}
"""
SAME = [
    "if (gid / 32 < n)", "if (gid >> 5 < n)", "if (tid < 64)", "if (tid <= 63)", "if (63 >= tid)", "if (tid >= 32)", "if (tid / 64 == 1)",
    "if (tid - lane < n)", "if (gid / 2 < n / 16 * 16)", "if ((tid & ~31) < n)", "if (tid - tid % 32 == 64)", "for (int i = tid / 32; i < n; i += 8)",
]  # fmt: skip
DIFFERENT = [
    "if (tid < 33)", "if (tid <= 64)", "if (gid < n)", "if (tid / 16 == 1)", "if (lane == 0)", "if (tid / 48 == 0)", "if (tid - lane / 2 < n)",
    "if ((tid & ~15) < n)", "for (int i = gid; i < n; i += blockDim.x)",
]  # fmt: skip


def differing(folder: Path, condition: str, block: str, gpu: str = "h200") -> list[bool]:
    """Of the conditions around the shuffle, innermost first, whether they differ between lanes."""
    trace = traced(folder, KERNEL.format(condition=condition, block=block), gpu)
    (shuffle,) = (event for event in trace.walk() if isinstance(event, Exchange))
    return [bool(control.varies & LANE) for control in shuffle.controls()]


def differs(folder: Path, condition: str, block: str, gpu: str = "h200") -> bool:
    return any(differing(folder, condition, block, gpu))


@pytest.mark.parametrize("block", ["256", "b"])
@pytest.mark.parametrize("condition", SAME)
def test_same_for_all_lanes(tmp_path: Path, condition: str, block: str) -> None:
    assert not differs(tmp_path, condition, block)


@pytest.mark.parametrize("condition", DIFFERENT)
def test_different_between_lanes(tmp_path: Path, condition: str) -> None:
    assert differs(tmp_path, condition, "256")


def test_a_wavefront_has_64_lanes(tmp_path: Path) -> None:
    assert differs(tmp_path, "if (tid / 32 == 1)", "256", "mi300x")
    assert not differs(tmp_path, "if (tid / 64 == 1)", "256", "mi300x")


def test_rows_of_a_two_dimensional_block(tmp_path: Path) -> None:
    rows = "if (({row} * blockDim.x + threadIdx.x) / 32 == 1)"
    assert not differs(tmp_path, rows.format(row="threadIdx.y"), "dim3(16, 16)")
    assert differs(tmp_path, rows.format(row="2 * threadIdx.y"), "dim3(16, 15)")
    assert not differs(tmp_path, "if (threadIdx.y == 1)", "dim3(64, 4)")
    assert differs(tmp_path, "if (threadIdx.y == 1)", "dim3(16, 4)")


def test_a_variable_that_counts_in_whole_warps(tmp_path: Path) -> None:
    loop = "for (int i = gid; i < 4 * n; i += {step}) if (i / 32 > 7)"
    assert differing(tmp_path, loop.format(step="blockDim.x"), "b") == [False, True]
    assert differing(tmp_path, loop.format(step="7"), "256") == [True, True]
