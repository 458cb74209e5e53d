"""Indices made of the global thread id, and the bounds they stand under."""

from pathlib import Path

import pytest

from cudalint.analysis.device.coverage import accesses, bound, guarded, leaves, spread
from cudalint.analysis.device.events import Access, Trace
from tests.analysis.traces import instances


def only(folder: Path, body: str) -> tuple[Access, Trace]:
    """The one access of a kernel of blocks of 32 × 8 threads."""
    text = f"""
__global__ void work(float *a, int n, int w) {{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  {body}
}}
void run(float *a, int n, int w, dim3 grid) {{ work<<<grid, dim3(32, 8)>>>(a, n, w); }}
"""
    ((instance, context),) = instances(folder, text)
    trace = context.trace(instance)
    (access,) = accesses(trace)
    return access, trace


@pytest.mark.parametrize(
    ("index", "stride", "rest"),
    [
        ("x", "1", "0"),
        ("4 * x + 3", "4", "3"),
        ("y * w + x - 1", "1", "-1 + blockDim"),
        ("blockIdx.x * 32 + threadIdx.x", "1", "0"),
        ("x % n", "", ""),
        ("min(x, n)", "", ""),
        ("threadIdx.x", "", ""),
        ("blockIdx.x * 64 + 2 * threadIdx.x + 1", "2", "1"),
    ],
)
def test_an_index_along_x(tmp_path: Path, index: str, stride: str, rest: str) -> None:
    access, trace = only(tmp_path, f"a[{index}] = 0.0f;")
    assert access.index is not None
    assert access.index.form is not None
    found = spread(access.index.form, trace, "x")
    if not stride:
        assert found is None
        return
    assert found is not None
    assert (str(found.stride), found.size.constant) == (stride, 32)
    assert "blockDim" in rest or str(found.rest) == rest


@pytest.mark.parametrize(
    ("condition", "limits"),
    [
        ("if (x < n)", [(True, "n")]),
        ("if (x <= n)", [(True, "n + 1")]),
        ("if (n > x && x >= 1)", [(True, "n"), (False, "1")]),
        ("if (x > n) return;", [(True, "n + 1")]),
        ("if (x < 1 || x + 1 >= n) return;", [(False, "1"), (True, "n - 1")]),
        ("if (!(x < n)) return;", [(True, "n")]),
        ("if (x + y < n)", []),
        ("if (x % 2 == 0)", []),
    ],
)
def test_bounds_of_x(tmp_path: Path, condition: str, limits: list[tuple[bool, str]]) -> None:
    access, trace = only(tmp_path, f"{condition} a[x] = 0.0f;")
    found = [edge for leaf in leaves(access) if (edge := bound(leaf, trace, "x")) is not None]
    assert sorted((edge.upper, str(edge.limit)) for edge in found) == sorted(limits)
    assert guarded(access, trace, "x")
    assert guarded(access, trace, "y") is ("y" in condition)


def test_what_only_picks_threads_of_each_block_is_no_guard(tmp_path: Path) -> None:
    access, trace = only(tmp_path, "if (threadIdx.x < 16 && w > 0) a[x] = 0.0f;")
    assert not guarded(access, trace, "x")
