"""Which two threads of a block use one element of shared memory with nothing to order them."""

from pathlib import Path

import pytest

from cudalint.analysis.device.hazards import hazards
from cudalint.analysis.device.told import happening
from tests.analysis.traces import traced


def found(folder: Path, body: str, launch: str = "<<<1, 256>>>(d, n)", before: str = "") -> list[str]:
    """What is said of a kernel with this body, over `s` of 256 floats, `t` of (16, 17), `d` and `n`."""
    trace = traced(
        folder,
        f"""
        {before}
        __global__ void k(float *d, int n) {{
          __shared__ float s[256], t[16][17];
          const int i = threadIdx.x;
          {body}
        }}
        void run(float *d, int n) {{ k{launch}; }}
        """,
    )
    return [happening(hazard) + (" within a warp" if hazard.warp else "") for hazard in hazards(trace)]


def test_elements_are_named_as_they_are_written(tmp_path: Path) -> None:
    body = "t[threadIdx.y][i] = d[i]; d[i] = t[15 - threadIdx.y][i];"
    assert found(tmp_path, body, "<<<1, dim3(16, 16)>>>(d, n)") == [
        "thread (0, 15) reads t[0][0], which thread (0, 0) writes at line 6"
    ]


def test_sizes_that_are_not_known_cancel_out(tmp_path: Path) -> None:
    assert found(tmp_path, "s[n + i] = d[i]; d[i] = s[n + (i ^ 32)];")
    assert not found(tmp_path, "s[n + i] = d[i]; d[i] = s[i + 32];")
    assert not found(tmp_path, "s[i] = d[i]; d[i] = s[i ^ n];")


def test_guards_decide_which_threads_meet(tmp_path: Path) -> None:
    assert not found(tmp_path, "if (i < 128) s[i] = d[i]; if (i < 128) d[i] = s[i];")
    assert not found(tmp_path, "if (i < 128) s[i] += s[i + 128];")
    assert found(tmp_path, "if (i <= 128) s[i] += s[i + 128 - (i == 128)];") == [], "the comparison is no known number"
    assert found(tmp_path, "if (i < 160) s[i] += s[i + 96];")


@pytest.mark.parametrize(
    "index", ["2 * i", "(i ^ 5) * 2 + (i & 1)", "(i >> 5) * 32 + i % 32", "i / 32 * 32 + (i & 31)"]
)
def test_an_index_of_its_own_for_each_thread_races_with_nothing(tmp_path: Path, index: str) -> None:
    assert not found(tmp_path, f"s[{index}] = d[i]; d[i] = s[{index}];", "<<<1, 128>>>(d, n)")


def test_the_end_of_a_loop_meets_its_start(tmp_path: Path) -> None:
    loop = "for (int j = 0; j < n; ++j) {{ s[i] = d[j]; __syncthreads(); d[i] += s[255 - i]; {} }}"
    assert found(tmp_path, loop.format("")) == [
        "thread 0 writes s[0], which thread 255 may still have to read at line 6 in the turn before"
    ]
    assert not found(tmp_path, loop.format("__syncthreads();"))
    assert not found(tmp_path, loop.format("if (j + 1 < n) __syncthreads();"))


def test_long_loops_before_it_hide_nothing(tmp_path: Path) -> None:
    body = """
      unknown_t sum = 0;
      for (int a = 0; a < 64; ++a) {
        s[i] = d[a]; __syncthreads();
        for (int b = 0; b < 16; ++b) { for (int c = 0; c < 16; ++c) { sum += s[b] * s[c] * s[b + 16] * s[c + 16] * s[b + 32] * s[c + 32] * s[b + 48] * s[c + 48]; } }
        __syncthreads();
      }
      s[i] = sum; d[i] = s[255 - i];
    """
    assert found(tmp_path, body) == ["thread 255 reads s[0], which thread 0 writes at line 13"]


def test_variables_keep_their_values_behind_a_loop(tmp_path: Path) -> None:
    body = "int o = 256; while (o > 64) { o /= 2; __syncthreads(); } s[i] = d[i]; d[i] = s[(i + o) % 256];"
    assert found(tmp_path, body) == ["thread 192 reads s[0], which thread 0 writes at line 6"]


def test_a_launch_of_unknown_size_is_run_with_usual_blocks(tmp_path: Path) -> None:
    assert found(tmp_path, "s[i] = d[i]; d[i] = s[255 - i];", "<<<1, n>>>(d, n)")
    assert not found(tmp_path, "t[0][i % 16] = 0; if (i >= 4096) d[i] = t[0][3];", "<<<1, n>>>(d, n)")


def test_the_block_is_that_of_an_array_all_threads_fill(tmp_path: Path) -> None:
    body = """
      __shared__ float some[8][16], all[16][16]; const int j = threadIdx.y;
      if (j < 8) some[j][i] = d[i]; all[j][i] = d[i]; d[i] = all[15 - j][i];
    """
    assert found(tmp_path, body, "<<<1, dim3(n, n)>>>(d, n)") == [
        "thread (0, 15) reads all[0][0], which thread (0, 0) writes at line 8"
    ]


def test_values_of_unseen_functions_may_differ_between_threads(tmp_path: Path) -> None:
    before = "__device__ int place();"
    assert not found(tmp_path, "const int p = place(); s[p] = d[i];", before=before)
    assert found(tmp_path, "const int p = n / 2; s[p] = d[i] * i + i; d[i] = s[p];", before=before)


def test_what_may_wait_orders_everything(tmp_path: Path) -> None:
    before = "__device__ void block_sort(float *); __device__ float twice(float);"
    assert not found(tmp_path, "s[i] = d[i]; block_sort(s); d[i] = s[255 - i];", before=before)
    assert found(tmp_path, "s[i] = d[i]; d[i] = twice(d[i]); d[i] += s[255 - i];", before=before)
    assert not found(tmp_path, "s[i] = d[i]; WAIT_FOR_ALL; d[i] = s[255 - i];")


def test_a_barrier_some_threads_miss_counts_as_one(tmp_path: Path) -> None:
    assert not found(tmp_path, "s[i] = d[i]; if (i < 100) __syncthreads(); d[i] = s[255 - i];")
    assert found(
        tmp_path, "s[i] = d[i]; if (blockIdx.x == 0) __syncthreads(); d[i] = s[255 - i];", "<<<2, 256>>>(d, n)"
    )


def test_one_missing_barrier_is_told_once(tmp_path: Path) -> None:
    body = "s[i] = d[i]; t[i / 16][i % 16] = 1; d[i] = s[255 - i] + t[15 - i / 16][i % 16] + s[i ^ 128];"
    assert len(found(tmp_path, body)) == 1


def test_lanes_of_a_warp_are_told_apart_from_warps(tmp_path: Path) -> None:
    assert found(tmp_path, "s[i] = d[i]; d[i] = s[i ^ 1];") == [
        "thread 1 reads s[0], which thread 0 writes at line 6 within a warp"
    ]
    assert not found(tmp_path, "s[i] = d[i]; __syncwarp(); d[i] = s[i ^ 1];")
    assert found(tmp_path, "s[i] = d[i]; __syncwarp(); d[i] = s[i ^ 32];") == [
        "thread 32 reads s[0], which thread 0 writes at line 6"
    ]


def test_swapped_pointers_are_left_alone(tmp_path: Path) -> None:
    body = """
      __shared__ float u[256]; float *a = s, *b = u;
      for (int j = 0; j < n; ++j) { b[i] = a[i ^ 64]; __syncthreads(); float *c = a; a = b; b = c; }
    """
    assert not found(tmp_path, body)


def test_instances_of_a_template_have_memory_of_their_own(tmp_path: Path) -> None:
    before = """
      template <int N> __device__ float first(float v) {
        __shared__ float one; if (threadIdx.x == 0) one = v; __syncthreads(); return one;
      }
    """
    assert not found(tmp_path, "d[i] = first<1>(d[i]) + first<2>(d[i]);", before=before)
    assert found(tmp_path, "d[i] = first<1>(d[i]) + first<1>(d[i]);", before=before)
