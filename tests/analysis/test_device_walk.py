"""Between which threads it differs whether they come to a barrier, however the condition got there."""

from pathlib import Path

import pytest

from cudalint.analysis.device.events import Barrier, Trace
from cudalint.analysis.device.values import BLOCK, LANE, THREAD, WARP
from tests.analysis.traces import traced

SYNC = "__syncthreads();"
DEFINITIONS = """
    #define SYNC() __syncthreads()
    #define LEADER (threadIdx.x == 0)
    #define TID (blockIdx.x * blockDim.x + threadIdx.x)
    #define OWN in[tid]
    #define FIRST in[n]
    #define MAX_OF(a, b) ((a) > (b) ? (a) : (b))
    namespace cg = cooperative_groups;
    struct Pair { int x; int y; __device__ int second() const { return y; } };
    struct Made { int x; int y; __device__ Made(int a, int b) : x(b), y(a) {} };
    struct Nested { Pair in; int z; };
    constexpr int kSmall = 4;
    __constant__ int limit;
    __device__ int counter;
    __device__ void set(int &to, int value) { to = value; }
    __device__ void put(int *to, int value) { *to = value; }
    __device__ void both(int &a, int &b, int value) { a = value; b = 7; }
    __device__ int twice(int value) { return 2 * value; }
    __device__ bool above(int a, int b) { if (a > b) return true; return false; }
    __device__ int first_of(int a, int b) { return a; }
    __device__ void leaves(int a) { if (a > 3) return; counter = 1; }
    __device__ void waits() { __syncthreads(); }
    __device__ void waits_if(bool wanted) { if (wanted) __syncthreads(); }
    __device__ void leaves_before(int a) { if (a > 3) return; __syncthreads(); }
    __device__ int loops(int a) { for (int i = 0; i < a; i++) if (i == 5) return i; return a; }
    __device__ Pair pair(int a, int b) { Pair p; p.x = a; p.y = b; return p; }
    template <bool wanted> __device__ void template_waits() { if (wanted) __syncthreads(); }
    template <typename T> __device__ T same(T value) { return value; }
    template <int n> __device__ int scaled(int value) { return n * value; }
"""


def kernel(folder: Path, code: str, launch: str = "k<<<n, 256>>>(d, in, n, Pair{1, 2})", heading: str = "") -> Trace:
    return traced(
        folder,
        f"""{DEFINITIONS}
        {heading} __global__ void k(int *d, const int *in, int n, Pair given) {{
          __shared__ int s[256];
          const int tid = threadIdx.x;
          {code}
        }}
        void run(int *d, const int *in, int n) {{ {launch}; }}
        """,
    )


def varies(trace: Trace) -> int | None:
    """Between which threads it differs whether they come to the last barrier; None where none comes."""
    barriers = [event for event in trace.walk() if isinstance(event, Barrier) and event.scope == "block"]
    if not barriers:
        return None
    last = max(barriers, key=lambda barrier: barrier.path or (barrier.place,))
    found = 0
    for control in last.controls():
        found |= control.varies
        if control.loop is not None:
            for leaving in control.loop.exits:
                found |= leaving.varies
    return found


UNIFORM = [
    "if (n > 3) @",
    "int a = n; int b = a * 2; if (b > 3) @",
    "int a = tid; a = n; if (a > 3) @",
    "int a = tid; int b = n; int t = a; a = b; b = t; if (a) @",
    "int a = tid; if (n > 3) a = 1; else a = 2; if (a == 1) @",
    "int a; if (tid > 3) a = 5; else a = 5; if (a * n > 1) @",
    "if (tid - tid + n > 3) @",
    "if (tid * 0 + n > 3) @",
    "int a = (d[0] = 1, n); if (a) @",
    "int a = n > 3 ? 1 : 2; if (a == 1) @",
    "int a = tid; { int a = n; if (a > 3) @ }",
    "for (int tid = 0; tid < n; tid++) @",
    "if (tid < 256) @",
    "if (tid < blockDim.x) @",
    "if (tid <= 255 && n > 3) @",
    "if (threadIdx.y == 0) @",
    "if (blockDim.x > 128) @",
    "if (limit > 3) @",
    "if (counter > 3) @",
    "if (kSmall > 3) @",
    "if (given.x > 3) @",
    "if (in[n] > 3) @",
    "if (*in > 3) @",
    "const int *p = in + tid; p = in + n; if (*p) @",
    "if (tid == 0) s[0] = d[n]; __syncthreads(); if (s[0] > 3) @",
    "__shared__ int flag; if (tid == 0) flag = n; __syncthreads(); if (flag) @",
    "__shared__ int next; if (tid == 0) next = atomicAdd(d, 1); __syncthreads(); int mine = next; if (mine > 3) @",
    "if (__syncthreads_or(tid > n)) @",
    "int count = __syncthreads_count(tid > n); if (count > 3) @",
    "for (int i = 0; i < n; i++) @",
    "for (int i = tid; i < 1024; i += 256) @",
    "for (int i = tid; i < 1024; i += blockDim.x) @",
    "for (int i = 0; i < n; i++) { if (i == 3) break; @ }",
    "for (int i = 0; i < n; i++) { if (in[i]) continue; @ }",
    "for (int i = 0; i < n; i++) { if (in[i]) return; @ }",
    "int i; for (i = 0; i < n; i++) d[i] = 0; if (i > 3) @",
    "for (int i = tid; i < n; i += 256) d[i] = 0; @",
    "for (int i = 0; i < n; i++) if (in[tid + i]) break; @",
    "while (in[tid] > 3) { if (in[tid] == 7) break; } @",
    "do { @ } while (--n > 3);",
    "do { if (tid > n) break; d[0] = 1; } while (0); @",
    "do { @ } while (0);",
    "for (int half = 128; half > 0; half >>= 1) @",
    "int turn = 0; while (turn < n) { turn++; @ }",
    "switch (n) { case 1: @ break; default: break; }",
    "switch (tid) { case 0: d[0] = 1; break; default: d[1] = 1; } @",
    "int a; switch (n) { case 1: a = 3; break; default: a = 4; } if (a == 3) @",
    "switch (kSmall) { case 4: @ break; default: return; }",
    "leaves(tid); @",
    "if (above(n, 3)) @",
    "if (twice(n) > 3) @",
    "if (first_of(n, tid) > 3) @",
    "int a = tid; set(a, n); if (a) @",
    "int a = tid; put(&a, n); if (a) @",
    "int a = tid, b = tid; both(a, b, n); if (a) @",
    "int a = tid; int &b = a; b = n; if (a) @",
    "int a = n; int &b = a; for (int i = 0; i < n; i++) { if (a) @ b = i; }",
    "int a = 0, b = tid; both(a, b, tid); if (b * n > 2) @",
    "if (loops(n) > 3) @",
    "waits_if(n > 3);",
    "waits();",
    "template_waits<true>();",
    "if (same(n) > 3) @",
    "if (scaled<2>(n) > 3) @",
    "Pair p; p.x = tid; p.y = n; if (p.y) @",
    "Pair p = {tid, n}; if (p.y) @",
    "Pair p{tid, n}; if (p.y) @",
    "Pair p = pair(tid, n); if (p.y) @",
    "Pair p; p.x = tid; p.y = n; Pair q = p; if (q.y) @",
    "Nested o; o.in.x = tid; o.in.y = n; o.z = tid; if (o.in.y) @",
    "int2 v = make_int2(tid, n); if (v.y) @",
    "Pair p; p.x = tid; p.y = n; p.x = n; if (p.x) @",
    "Pair p = {tid, n}; p.x = n; if (p.x) @",
    "Pair p = {tid, tid}; both(p.x, p.y, n); if (p.x) @",
    "Pair p = {.x = tid, .y = n}; if (p.y) @",
    "Nested o = {{tid, n}, tid}; Pair p = pair(o.z, n); if (p.y) @",
    "float4 v; v.x = tid; v.w = n; float4 u = v; if (u.w > 3.0f) @",
    "auto f = [&](int i) { return i > 3; }; if (f(n)) @",
    "int a = tid; auto f = [&] { a = n; }; f(); if (a) @",
    "auto wait = [&]() { __syncthreads(); }; wait();",
    "SYNC();",
    "if (MAX_OF(n, 3) > 5) @",
    "if (n > 3 && in[0] > 2) @",
    "bool ok = n > 3; ok = ok || in[0]; if (ok) @",
    "int a[4]; for (int i = 0; i < 4; i++) a[i] = n; if (a[2]) @",
    "cg::thread_block block = cg::this_thread_block(); if (block.group_index().x > 3 || n > 3) cg::sync(block);",
    "if (n > 3) { d[tid] = 1; @ } else { @ }",
    "if (n > 3) return; @",
    "if (tid > 300) return; @",
    "const int a = min(n, 5); if (a > 3) @",
    "unsigned a = n; a <<= 2; a |= 1; if (a > 3) @",
    "if (sizeof(int) == 4 && n > 2) @",
    "if (FIRST) @",
    "if constexpr (kSmall > 3) @ else return;",
    "if (tid > 3) goto end; d[0] = 1; end: @",
    "for (int i = 0; i < n; i++) { if (in[tid + i]) goto found; } d[0] = 1; found: @",
    "if (n > 3) goto end; @ end: d[0] = 1;",
    "int a = n; if (n > 5) { a = 3; goto end; } a = 4; end: if (a > 3) @",
    "if (tid > 3) { d[0] = 1; goto end; } if (n > 3) d[1] = 1; end: ; @",
]  # fmt: skip
DIVERGENT = [
    "if (tid > 3) @",
    "if (tid < 255) @",
    "if (!tid) @",
    "if (TID < n) @",
    "if (LEADER) @",
    "if (MAX_OF(tid, 3) > 5) @",
    "if (n > 3 && tid > 5) @",
    "if (tid > 5 || n > 3) @",
    "int a = tid; int b = a + 1; if (b > 3) @",
    "int a = n; a = tid; if (a) @",
    "int a = n; a += tid; if (a > 7) @",
    "int a = 0; if (n > 3) a = tid; if (a) @",
    "int a = 0; if (tid > 3) a = 1; if (a) @",
    "int a = tid > 3 ? 1 : 2; if (a == 1) @",
    "int a = n > 3 ? tid : 0; if (a) @",
    "bool ok = tid < n; if (ok) @",
    "const bool leader = tid == 0; if (!leader) @",
    "int a = tid, b = n; int t = a; a = b; b = t; if (b) @",
    "int a = n; { a = tid; } if (a) @",
    "if ((int)(float)tid > n) @",
    "float f = tid; f = f * 0.5f; if (f > 3.0f) @",
    "if ((n & tid) != 0) @",
    "const int a = min(tid, n); if (a > 3) @",
    "if (in[tid] > 3) @",
    "const int *p = in + tid; if (*p) @",
    "const int *p = in; p += tid; if (p[0]) @",
    "const int *p = &in[tid]; if (p[n]) @",
    "s[tid] = in[tid]; __syncthreads(); if (s[tid] > 3) @",
    "s[tid] = in[tid]; __syncthreads(); int &own = s[tid]; if (own) @",
    "int mine = atomicAdd(d, 1); if (mine > 3) @",
    "if (atomicExch(d, 1) == 0) @",
    "for (int i = tid; i < n; i += 256) @",
    "for (int i = tid; i < 1000; i += 256) @",
    "for (int i = 0; i < in[tid]; i++) @",
    "for (int i = 0; i < n; i++) { if (in[tid * n + i]) break; @ }",
    "for (int i = 0; i < n; i++) { if (in[tid * n + i]) continue; @ }",
    "for (int i = 0; i < n; i++) { if (tid > i) { d[i] = 0; continue; } @ }",
    "while (true) { if (tid > n) return; @ }",
    "for (int i = 0; i < n; i++) if (in[tid + i]) return; @",
    "int i = 0; while (i < in[tid]) i++; if (i > 3) @",
    "int i = 0; while (i < n) { if (in[tid + i]) break; i++; } if (i < n) @",
    "int x = 0; for (int i = 0; i < n; i++) x = tid; if (x) @",
    "int x = 0; for (int i = 0; i < n; i++) { if (x) @ x = TID; }",
    "for (int i = TID; i < n; i += 256) @",
    "if (OWN) @",
    "int x = 0, y = 0; for (int i = 0; i < n; i++) { if (x) @ x = y; y = tid; }",
    "bool done = false; while (!done) { @ done = in[tid] > 3; }",
    "int k = 0; for (int i = 0; i < n; i++) { if (in[tid + i]) k++; } if (k > 3) @",
    "do { if (tid > n) break; @ } while (0);",
    "do { @ } while (in[tid]++ < 3);",
    "switch (tid & 3) { case 0: @ break; case 1: d[0] = 1; break; default: break; }",
    "switch (tid) { case 0: return; default: break; } @",
    "int a; switch (tid) { case 1: a = 3; break; default: a = 4; } if (a == 3) @",
    "int a; switch (n) { case 1: a = tid; break; default: a = 4; } if (a == 3) @",
    "switch (n) { case 1: if (tid > 3) return; break; default: break; } @",
    "switch (n) { case 1: if (tid > 3) break; @ break; default: break; }",
    "if (above(tid, n)) @",
    "if (twice(tid) > 3) @",
    "if (first_of(tid, n) > 3) @",
    "if (loops(tid) > 3) @",
    "int a = 0; set(a, tid); if (a) @",
    "int a = 0; put(&a, tid); if (a) @",
    "int a = 0, b = 0; both(a, b, tid); if (a) @",
    "int a[2]; put(a + 1, tid); if (a[1]) @",
    "waits_if(tid > 3);",
    "if (tid > 3) waits();",
    "leaves_before(tid);",
    "if (tid > 3) template_waits<true>();",
    "if (same(tid) > 3) @",
    "if (scaled<2>(tid) > 3) @",
    "Pair p; p.x = tid; p.y = n; if (p.x) @",
    "Pair p = {tid, n}; if (p.x) @",
    "Pair p = pair(tid, n); if (p.x) @",
    "Pair p; p.x = n; p.y = n; Pair q = p; q.y = tid; if (q.y) @",
    "Nested o; o.in.x = n; o.in.y = tid; o.z = n; if (o.in.y) @",
    "Pair p; p.x = n; p.y = tid; if (p.second()) @",
    "int2 v = make_int2(tid, n); if (v.x) @",
    "int2 v = make_int2(n, n); v.y = tid; if (v.y) @",
    "Pair p = {n, n}; if (n > 3) p.x = tid; if (p.x) @",
    "Pair p = {n, n}; if (tid > 3) p.x = 5; if (p.x) @",
    "Pair p = {n, n}; for (int i = 0; i < n; i++) { if (p.x) @ p.x = tid; }",
    "Pair p = {n, n}; Pair *q = &p; q->x = tid; if (p.x) @",
    "Pair p = {n, n}; Pair &q = p; q.x = tid; if (p.x) @",
    "Pair p = {n, n}; set(p.x, tid); if (p.x) @",
    "Pair p = {n, n}; Pair q = {tid, tid}; p = q; if (p.y) @",
    "Pair p = n > 3 ? Pair{tid, n} : Pair{n, n}; if (p.x) @",
    "Made p(n, tid); if (p.x) @",
    "int a = n; int &b = a; b = tid; if (a) @",
    "int a = n; int &b = a; int &c = b; c = tid; if (a) @",
    "int a = n; int &b = a; a = tid; if (b) @",
    "int a = n; int &b = a; for (int i = 0; i < n; i++) { if (a) @ b = tid; }",
    "int a = n; int &b = a; if (tid > 3) b = 5; if (a == 5) @",
    "auto f = [&](int i) { return i > n; }; if (f(tid)) @",
    "int a = n; auto f = [&] { a = tid; }; f(); if (a) @",
    "auto wait = [&]() { __syncthreads(); }; if (tid > 3) wait();",
    "if (tid > 3) SYNC();",
    "if (tid == 0 && __syncthreads_or(1)) d[0] = 1;",
    "int a = tid > 3 ? __syncthreads_or(1) : 0; d[0] = a;",
    "int a[4]; a[0] = tid; if (a[0]) @",
    "int a[4]; for (int i = 0; i < 4; i++) a[i] = tid; if (a[2]) @",
    "cg::thread_block block = cg::this_thread_block(); if (block.thread_rank() > 3) cg::sync(block);",
    "cg::thread_block block = cg::this_thread_block(); if (block.thread_index().x > 3) block.sync();",
    "if (tid > 3) return; @",
    "if (tid > 3) { if (n > 5) return; } @",
    "if (n > 5) { if (tid > 3) return; } @",
    "if (tid > n) { @ } else { @ }",
    "if (clock() > 3) @",
    "if (tid > 3) goto end; @ end: d[0] = 1;",
    "if (n > 3) { if (tid > 3) goto end; } @ end: d[0] = 1;",
    "for (int i = 0; i < n; i++) { if (in[tid + i]) goto end; @ } end: d[0] = 1;",
    "for (int i = 0; i < n; i++) { if (in[tid + i]) goto end; } @ end: d[0] = 1;",
    "int a = n; if (tid > 5) { a = 3; goto end; } a = 4; end: if (a > 3) @",
    "if (tid > 3) goto end; return; end: @",
]  # fmt: skip
PARTLY = [
    ("if (blockIdx.x > 3) @", BLOCK),
    ("int a = blockIdx.x + n; if (a > 3) @", BLOCK),
    ("if (in[blockIdx.x]) @", BLOCK),
    ("for (int i = blockIdx.x; i < n; i += gridDim.x) @", BLOCK),
    ("if (TID >= n) return; @", THREAD | BLOCK),
    ("if (tid / 32 == 1) @", WARP),
    ("if (tid >> 5) @", WARP),
    ("int warp = tid / warpSize; if (warp == 0) @", WARP),
    ("if (tid < 32) @", WARP),
    ("if (tid >= 64 && tid < 128) @", WARP),
    ("if ((tid & 31) == 0) @", LANE),
    ("if (tid % 32 < 4) @", LANE),
    ("if (__any_sync(~0u, tid > n)) @", WARP),
    ("if (__ballot_sync(~0u, in[tid])) @", WARP),
    ("int a = __shfl_sync(~0u, in[tid], 0); if (a) @", WARP),
    ("for (int i = tid / 32; i < n; i += 8) @", WARP),
    ("auto tile = cg::tiled_partition<32>(cg::this_thread_block()); if (tile.meta_group_rank() == 0) @", WARP),
    ("auto tile = cg::tiled_partition<32>(cg::this_thread_block()); if (tile.thread_rank() == 0) @", LANE),
    ("if (__popc(__activemask()) == 32) @", 0),
]


@pytest.mark.parametrize("code", UNIFORM)
def test_the_block_comes_or_stays_away_together(tmp_path: Path, code: str) -> None:
    found = varies(kernel(tmp_path, code.replace("@", SYNC)))
    assert found is not None, "the barrier is lost"
    assert not found & THREAD


@pytest.mark.parametrize("code", DIVERGENT)
def test_some_threads_of_the_block_may_stay_away(tmp_path: Path, code: str) -> None:
    found = varies(kernel(tmp_path, code.replace("@", SYNC)))
    assert found is not None, "the barrier is lost"
    assert found & THREAD


@pytest.mark.parametrize(("code", "expected"), PARTLY)
def test_between_which_threads_it_differs(tmp_path: Path, code: str, expected: int) -> None:
    assert varies(kernel(tmp_path, code.replace("@", SYNC))) == expected


@pytest.mark.parametrize(
    "code",
    [
        "if (tid > 300) @",
        "if (blockDim.x < 128) @",
        "if (kSmall > 5) @",
        "if constexpr (kSmall > 5) @",
        "for (int i = 0; i < 0; i++) @",
        "return; @",
        "template_waits<false>();",
        "switch (kSmall) { case 3: @ break; default: break; }",
        "if (n > 3) return; else return; @",
    ],
)
def test_nobody_comes(tmp_path: Path, code: str) -> None:
    assert varies(kernel(tmp_path, code.replace("@", SYNC))) is None


def test_what_the_launch_binds_decides_branches_of_templates(tmp_path: Path) -> None:
    heading, code = "template <int mode, bool wait>", "if (mode == 2) { if (tid > 3) @ } else { @ }".replace("@", SYNC)
    assert varies(kernel(tmp_path, code, "k<2, true><<<n, 256>>>(d, in, n, Pair{1, 2})", heading)) == THREAD
    assert varies(kernel(tmp_path, code, "k<1, true><<<n, 256>>>(d, in, n, Pair{1, 2})", heading)) == 0


def test_blocks_of_more_axes(tmp_path: Path) -> None:
    launch = "k<<<n, dim3(32, 8)>>>(d, in, n, Pair{1, 2})"
    assert varies(kernel(tmp_path, "if (threadIdx.y > 3) __syncthreads();", launch)) == WARP
    assert varies(kernel(tmp_path, "if (threadIdx.x > 3) __syncthreads();", launch)) & LANE
    launch = "k<<<n, dim3(16, 16)>>>(d, in, n, Pair{1, 2})"
    assert varies(kernel(tmp_path, "if (threadIdx.y & 1) __syncthreads();", launch)) & LANE


@pytest.mark.parametrize(
    ("code", "complete"),
    [
        ("if (tid > 3) goto end; d[0] = 1; end: d[1] = 1;", True),
        ("again: d[0] = 1; if (n-- > 3) goto again;", False),
        ("if (n > 3) goto inside; for (int i = 0; i < n; i++) { inside: d[i] = 1; }", False),
        ("if (n > 3) goto nowhere;", False),
        ("switch (n & 3) { case 0: do { d[0]++; case 1: d[1]++; } while (--n > 0); }", False),
    ],
    ids=["forwards", "back", "into a loop", "no label", "between cases"],
)
def test_jumps_that_are_followed(tmp_path: Path, code: str, complete: bool) -> None:
    assert kernel(tmp_path, code).complete is complete
