"""What calls in device code are taken for."""

from pathlib import Path

from cudalint.analysis.device.events import Barrier, Branch, Loop
from cudalint.analysis.device.values import BLOCK, EVERY, LANE, WARP, guessed
from tests.analysis.traces import traced


def test_template_arguments_may_be_constants_of_the_calling_function(tmp_path: Path) -> None:
    trace = traced(
        tmp_path,
        """
        template <int N> __device__ void fill(float *s) { for (int i = threadIdx.x; i < N; i += 256) s[i] = 0; }
        __global__ void k(float *s) { const int N = 2 * 256; fill<N>(s); }
        void run(float *s) { k<<<1, 256>>>(s); }
        """,
    )
    (loop,) = (event for event in trace.walk() if isinstance(event, Loop))
    assert not loop.varies, "two turns for every thread"


def test_groups_are_waited_for_by_function_or_method(tmp_path: Path) -> None:
    trace = traced(
        tmp_path,
        """
        namespace cg = cooperative_groups;
        __global__ void k() {
          cg::thread_block block = cg::this_thread_block();
          cg::grid_group grid = cg::this_grid();
          block.sync(); cg::sync(block); synchronize(block); grid.sync(); cg::sync(grid);
        }
        void run() { k<<<1, 256>>>(); }
        """,
    )
    scopes = [event.scope for event in trace.walk() if isinstance(event, Barrier)]
    assert scopes == ["block", "block", "block", "grid", "grid"]


def varying(folder: Path, condition: str, setup: str = "", launch: str = "<<<n, 256>>>(d, n)") -> list[int]:
    """Between which threads it differs whether they come to a barrier, by the conditions around it, innermost first."""
    trace = traced(
        folder,
        f"""
        __device__ int unseen(int i);
        __global__ void k(int *d, int n) {{
          __shared__ int s[256];
          const int tid = threadIdx.x, lane = tid % 32;
          {setup}
          {condition} __syncthreads();
        }}
        void run(int *d, int n) {{ k{launch}; }}
        """,
    )
    (barrier,) = (event for event in trace.walk() if isinstance(event, Barrier))
    return [control.varies for control in barrier.controls()]


def test_a_vote_over_what_lanes_of_all_warps_read_alike_is_the_same_for_the_block(tmp_path: Path) -> None:
    assert varying(tmp_path, "if (v)", "int v = __all_sync(0xffffffff, s[lane]);") == [0]
    assert varying(tmp_path, "if (v)", "int v = __all_sync(0xffffffff, s[tid]);") == [WARP]


def test_what_stands_on_both_sides_of_a_comparison_does_not_matter(tmp_path: Path) -> None:
    assert varying(tmp_path, "if (blockIdx.x + tid < n + tid)") == [BLOCK]
    assert varying(tmp_path, "for (int i = tid; i < n + tid; i += 7)") == [0]
    assert varying(tmp_path, "for (int i = tid; i < n; i += 7)") == [EVERY & ~BLOCK]


def test_a_parameter_may_be_the_size_of_the_block(tmp_path: Path) -> None:
    assert varying(tmp_path, "if (tid < n)", launch="<<<1, n>>>(d, n)") == []
    assert varying(tmp_path, "if (tid < n)", launch="<<<1, n + 1>>>(d, n)") == [LANE | WARP]


def test_all_threads_read_the_same_from_memory_whoever_wrote_it_in_a_loop(tmp_path: Path) -> None:
    loop = "int r = 1; while (r > 0) {{ if (tid == 0) {where} = tid; r = {where}; __syncthreads(); }} if (0)"
    assert varying(tmp_path, loop.format(where="d[0]")) == [0]
    assert varying(tmp_path, loop.format(where="s[0]")) == [0]
    assert varying(tmp_path, loop.format(where="own[0]"), "int own[4];") == [LANE | WARP]


def test_what_is_not_seen_is_only_guessed_to_differ(tmp_path: Path) -> None:
    trace = traced(
        tmp_path,
        """
        __device__ int unseen(int i);
        __global__ void k(int *d) {
          int x = d[threadIdx.x];
          if (unseen(threadIdx.x)) d[0] = 1;
          if (d[threadIdx.x] < unseen(threadIdx.x)) d[1] = 1;
          for (int o = 16; o > 0; o /= 2) x = max(x, __shfl_xor_sync(0xffffffff, x, o));
          if (x) d[2] = 1;
          if (d[threadIdx.x]) d[3] = 1;
        }
        void run(int *d) { k<<<1, 256>>>(d); }
        """,
    )
    causes = [event.condition.cause for event in trace.walk() if isinstance(event, Branch)]
    assert [guessed(cause) for cause in causes] == [True, True, True, False]


ROUNDED = "for (int i = {start}; i < (n + {step} - 1) / {step} * {step}; i += {step})"


def test_loops_rounded_up_to_whole_blocks_run_equally_often(tmp_path: Path) -> None:
    assert varying(tmp_path, ROUNDED.format(start="tid", step="256")) == [0]
    assert varying(tmp_path, ROUNDED.format(start="tid", step="128")) == [WARP]
    grid = ROUNDED.format(start="blockIdx.x * blockDim.x + tid", step="(2 * gridDim.x * blockDim.x)")
    assert varying(tmp_path, grid) == [0]
    assert varying(tmp_path, grid, launch="<<<n, n>>>(d, n)") == [0]


def test_the_threads_of_a_turn_are_alike_in_what_it_decided(tmp_path: Path) -> None:
    found = "int found = 0; for (int i = tid; i < n; i += 256) {{ {skip} found += s[0]; if (found < 3) __syncthreads(); }} if (0)"
    assert varying(tmp_path, found.format(skip="")) == [0, LANE | WARP]
    assert varying(tmp_path, found.format(skip="if (i == 5) break;"))[0] == 0
    assert varying(tmp_path, found.format(skip="if (i == 5) continue;"))[0] == LANE | WARP
    behind = "int found = 0; for (int i = tid; i < n; i += 256) found += s[0]; if (found < 3)"
    assert varying(tmp_path, behind) == [LANE | WARP]


def test_a_flag_in_shared_memory_ends_a_loop_for_all(tmp_path: Path) -> None:
    loop = "__shared__ int done; while (!done) { if (tid == 3) done = 1; __syncthreads(); } if (0)"
    assert varying(tmp_path, loop) == [0]


def test_what_all_lanes_get_from_one_is_the_same_in_the_next_turn(tmp_path: Path) -> None:
    loop = "int item = 0; while (item < n) {{ if (lane == 0) item = atomicAdd(d, 1); {hand} __syncthreads(); }} if (0)"
    assert varying(tmp_path, loop.format(hand="item = __shfl_sync(0xffffffff, item, 0);")) == [WARP | BLOCK]
    assert varying(tmp_path, loop.format(hand="")) == [EVERY]
    assert varying(tmp_path, loop.format(hand="if (n > 5) item = __shfl_sync(0xffffffff, item, 0);")) == [EVERY]


def test_votes_in_loops_are_the_same_for_the_warp(tmp_path: Path) -> None:
    loop = (
        "int depth = 0; while (depth < n) { if (__all_sync(0xffffffff, d[tid] > 0)) depth++; __syncthreads(); } if (0)"
    )
    assert varying(tmp_path, loop) == [WARP]
    loop = "int depth = 0; while (depth < n) { if (__all_sync(0xffffffff, d[0] > 0)) depth++; __syncthreads(); } if (0)"
    assert varying(tmp_path, loop) == [0]


def test_a_loop_variable_that_a_function_makes_is_a_guess(tmp_path: Path) -> None:
    trace = traced(
        tmp_path,
        """
        __device__ int next(int i) { return __shfl_sync(0xffffffff, i, 0); }
        __global__ void k(int *d, int n) {
          int i = 0, j = 0;
          while (d[i] < n) { j += next(threadIdx.x); i += d[threadIdx.x]; if (j < n) d[0] = 1; if (i < n) d[1] = 1; }
        }
        void run(int *d, int n) { k<<<1, 256>>>(d, n); }
        """,
    )
    causes = [event.condition.cause for event in trace.walk() if isinstance(event, Branch)]
    assert [guessed(cause) for cause in causes] == [True, False]
