"""What calls in device code are taken for."""

from pathlib import Path

from cudalint.analysis.device.events import Barrier, Loop
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
