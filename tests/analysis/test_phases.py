"""Barriers that order nothing, and trees that wait at every step."""

from pathlib import Path

import pytest

from cudalint.analysis.device.phases import idle_barriers
from cudalint.analysis.device.trees import trees
from cudalint.source import Span
from tests.analysis.traces import traced


def kernel(body: str, before: str = "") -> str:
    return f"""
        {before}
        __global__ void k(float *d, const float *x, int n) {{
          __shared__ float s[256]; const int i = threadIdx.x;
          {body}
        }}
        void run(float *d, const float *x, int n) {{ k<<<1, 256>>>(d, x, n); }}
    """


def idle(folder: Path, body: str, before: str = "") -> list[tuple[int, str, bool]]:
    """The lines of the body, from 1 on, with barriers that order nothing."""
    found = idle_barriers(traced(folder, kernel(body, before)))
    return [(Span.unpack(*one.barrier.place).line - 4, one.side, one.ends) for one in found]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("__syncthreads();\ns[i] = x[i]; d[i] = s[i];", [(1, "before", True)]),
        ("s[i] = x[i];\n__syncthreads();\n__syncthreads();\nd[i] = s[i];", [(3, "before", False)]),
        ("d[i] = x[i];\n__syncthreads();", [(2, "after", True)]),
        ("if (n) { s[i] = 0; }\n__syncthreads();\nd[i] = s[255 - i];", []),
        ("for (int j = 0; j < n; ++j) {\n__syncthreads();\ns[i] = 0;\n}", []),
        ("for (int j = 0; j < n; ++j) {\nif (x[j] > 0) break;\ns[i] = 0;\n}\n__syncthreads();\nd[i] = s[0];", []),
        ("if (n) { s[i] = 0; return; }\n__syncthreads();\nd[i] = s[255 - i];", [(2, "before", True)]),
        ("const float v = d[i];\n__syncthreads();\nd[255 - i] = v;", []),
        ("const float v = x[i];\n__syncthreads();\nd[255 - i] = v;", [(2, "before", True)]),
    ],
)
def test_idle_barriers(tmp_path: Path, body: str, expected: list[tuple[int, str, bool]]) -> None:
    assert idle(tmp_path, body) == expected


def test_a_return_of_a_callee_ends_no_way(tmp_path: Path) -> None:
    before = "__device__ int one(float v) { if (v > 0) return 1; return 2; }"
    assert not idle(tmp_path, "s[i] = x[i]; s[i] += one(x[i]);\n__syncthreads();\nd[i] = s[255 - i];", before)


def steps(folder: Path, loop: str) -> list[int | None]:
    body = f"s[i] = x[i]; __syncthreads(); {loop} d[i] = s[0];"
    return [tree.steps for tree in trees(traced(folder, kernel(body)))]


def test_trees_are_loops_whose_stride_passes_a_warp(tmp_path: Path) -> None:
    step = "{ if (i < o) s[i] += s[i + o]; __syncthreads(); }"
    assert steps(tmp_path, f"for (int o = 128; o > 0; o >>= 1) {step}") == [8]
    assert steps(tmp_path, f"for (int o = 128; o >= 1; o /= 2) {step}") == [8]
    assert steps(tmp_path, f"for (int o = 1; o < 256; o *= 2) {step}") == [None]
    assert steps(tmp_path, f"for (int o = 128; o > 32; o >>= 1) {step}") == []
    assert steps(tmp_path, f"for (int o = 128; o > 0; o -= 16) {step}") == []
    assert steps(tmp_path, "for (int o = 128; o > 0; o >>= 1) { s[i] += x[i + o]; __syncthreads(); }") == []
