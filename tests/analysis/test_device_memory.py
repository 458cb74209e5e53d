"""Which memory an access in device code means, and which element of it."""

from pathlib import Path

import pytest

from cudalint.analysis.device.events import Access, Trace
from tests.analysis.traces import traced

DEFINITIONS = """
    struct Cell { float value; int tag; };
    struct Grid { float *data; int pitch; };
    struct Four { int a; int b; int c; int d; };
    __device__ float table[64];
    __device__ int counter;
    __constant__ float weights[16];
    __managed__ int shared_with_host;
    __device__ void add_to(float *p, int i) { p[i] += 1.0f; }
    __device__ float first(const float *p) { return *p; }
    __device__ float *after(float *p, int n) { return p + n; }
    __device__ void last_warp(volatile float *p, int i) { p[i] = 1.0f; }
    __device__ void by_reference(float &x) { x = 3.0f; }
    template <int n> __device__ void fill(float (&a)[n]) { a[threadIdx.x] = 0.0f; }
    template <typename T> __device__ void store(T *p, int i, T v) { p[i] = v; }
"""


def accesses(folder: Path, code: str, launch: str = "<<<n, 256>>>") -> list[str]:
    """Every access of a kernel: kind, space, memory and element."""
    trace = traced(
        folder,
        f"""{DEFINITIONS}
        __global__ void k(float *d, const float *in, volatile int *flags, Cell *cells, Grid grid, float4 *wide, int n, int width) {{
          __shared__ float s[256];
          __shared__ float tile[16][17];
          extern __shared__ float pool[];
          const int tid = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
          {code}
        }}
        void run(float *d, const float *in, int *f, Cell *c, Grid g, float4 *w, int n, int width) {{
          k{launch}(d, in, f, c, g, w, n, width);
        }}
        """,
    )
    return told(trace)


def told(trace: Trace) -> list[str]:
    found = []
    for event in trace.walk():
        if isinstance(event, Access):
            index = event.index.form if event.index is not None else None
            exact = event.index.exact if event.index is not None else None
            element = exact if exact is not None else index
            volatile = " volatile" if event.volatile else ""
            found.append(ordered(f"{event.kind} {event.buffer.space} {event.buffer.name}[{element}]{volatile}"))
    return found


def ordered(text: str) -> str:
    """The terms of a sum in one order, whatever order they are written in."""
    head, bracket, rest = text.partition("[")
    inner, _, tail = rest.rpartition("]")
    return f"{head}[{' + '.join(sorted(inner.split(' + ')))}]{tail}" if bracket else text


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("d[0] = 1;", "store global d[0]"),
        ("d[n] = 1;", "store global d[n]"),
        ("*d = 1;", "store global d[0]"),
        ("s[tid] = 1;", "store shared s[threadIdx.x]"),
        ("pool[tid] = 1;", "store shared pool[threadIdx.x]"),
        ("table[tid] = 1;", "store global table[threadIdx.x]"),
        ("counter = 1;", "store global counter[0]"),
        ("shared_with_host = 1;", "store global shared_with_host[0]"),
        ("float x = weights[3];", "load constant weights[3]"),
        ("float x = in[tid];", "load global in[threadIdx.x]"),
        ("float a[4]; a[tid & 3] = 1; float x = a[2];", ""),
        ("int own = tid; own += 3;", ""),
        ("volatile float *v = s; v[tid] = 1;", "store shared s[threadIdx.x] volatile"),
        ("((volatile float *)s)[tid] = 1;", "store shared s[threadIdx.x] volatile"),
        ("static_cast<volatile float *>(s)[tid] = 1;", "store shared s[threadIdx.x] volatile"),
        ("last_warp(s, tid);", "store shared s[threadIdx.x] volatile"),
        ("*flags = 1;", "store global flags[0] volatile"),
        ("__shared__ Cell c; c.tag = 1;", "store shared c.tag[0]"),
        ("__shared__ Cell c[4]; c[tid].tag = 1;", "store shared c.tag[threadIdx.x]"),
        ("Cell c; Cell *q = &c; q->tag = 1; int x = c.tag;", ""),
        ("Cell &c = *cells; c.tag = 1;", "store global cells.tag[0]"),
        ("__shared__ int flag; flag = 1;", "store shared flag[0]"),
        ("atomicAdd(d, 1.0f);", "atomic global d[0]"),
        ("atomicAdd(&s[tid], 1.0f);", "atomic shared s[threadIdx.x]"),
        ("atomicAdd(s + tid, 1.0f);", "atomic shared s[threadIdx.x]"),
        ("atomicAdd(&counter, 1);", "atomic global counter[0]"),
        ("float x = __ldg(in + tid);", "load global in[threadIdx.x]"),
        ("float x = __ldg(&in[tid]);", "load global in[threadIdx.x]"),
        ("cells[tid].tag = 1;", "store global cells.tag[threadIdx.x]"),
        ("cells->value = 1;", "store global cells->value[0]"),
        ("(*cells).value = 1;", "store global cells.value[0]"),
        ("Cell *c = cells + tid; c->tag = 1;", "store global cells->tag[threadIdx.x]"),
        ("Cell &c = cells[tid]; c.tag = 1;", "store global cells.tag[threadIdx.x]"),
        ("grid.data[tid] = 1;", "store global grid.data[threadIdx.x]"),
        ("float *p = n > 3 ? d : d; p[tid] = 1;", "store global d[threadIdx.x]"),
    ],
)  # fmt: skip
def test_spaces_and_names(tmp_path: Path, code: str, expected: str) -> None:
    assert accesses(tmp_path, code) == ([ordered(expected)] if expected else [])


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("d[i] = 1;", "d[threadIdx.x + 256 * blockIdx.x]"),
        ("d[blockIdx.x * 256 + tid] = 1;", "d[threadIdx.x + 256 * blockIdx.x]"),
        ("d[i + 1] = 1;", "d[1 + threadIdx.x + 256 * blockIdx.x]"),
        ("d[tid * 2 + 1] = 1;", "d[1 + 2 * threadIdx.x]"),
        ("d[2 * tid - tid] = 1;", "d[threadIdx.x]"),
        ("d[tid << 2] = 1;", "d[4 * threadIdx.x]"),
        ("d[tid * width + n] = 1;", "d[n + threadIdx.x * width]"),
        ("d[(tid + 1) * width] = 1;", "d[threadIdx.x * width + width]"),
        ("d[255 - tid] = 1;", "d[-threadIdx.x + 255]"),
        ("d[-1] = 1;", "d[-1]"),
        ("float *p = d + 8; p[-3] = 1;", "d[5]"),
        ("int j = -1; d[tid + j + 2] = 1;", "d[threadIdx.x + 1]"),
        ("d[tid / 2] = 1;", "d[threadIdx.x / 2]"),
        ("d[tid % 32] = 1;", "d[threadIdx.x % 32]"),
        ("d[tid & 31] = 1;", "d[threadIdx.x % 32]"),
        ("d[tid >> 5] = 1;", "d[threadIdx.x / 32]"),
        ("d[tid ^ 1] = 1;", "d[(threadIdx.x ^ 1)]"),
        ("d[min(tid, 3)] = 1;", "d[min(3, threadIdx.x)]"),
        ("*(d + tid) = 1;", "d[threadIdx.x]"),
        ("*(tid + d) = 1;", "d[threadIdx.x]"),
        ("tid[d] = 1;", ""),
        ("(d + 4)[tid] = 1;", "d[4 + threadIdx.x]"),
        ("(&d[4])[tid] = 1;", "d[4 + threadIdx.x]"),
        ("float *p = d + 8; p += tid; p[1] = 1;", "d[9 + threadIdx.x]"),
        ("float *p = d; p++; *p = 1;", "d[1]"),
        ("float *p = d; *p++ = 1;", "d[0]"),
        ("float *p = d + 8; p -= 3; p[-1] = 1;", "d[4]"),
        ("float *p = &s[tid]; p[2] = 1;", "s[2 + threadIdx.x]"),
        ("float *p = &d[0]; float *q = &p[tid]; *q = 1;", "d[threadIdx.x]"),
        ("add_to(d + 4, tid);", "d[4 + threadIdx.x]"),
        ("add_to(&s[4], tid);", "s[4 + threadIdx.x]"),
        ("first(in + tid);", "in[threadIdx.x]"),
        ("*after(d, tid) = 1;", "d[threadIdx.x]"),
        ("by_reference(s[tid]);", "s[threadIdx.x]"),
        ("by_reference(d[n]);", "d[n]"),
        ("by_reference(*d);", "d[0]"),
        ("fill(s);", "s[threadIdx.x]"),
        ("store(d, tid, 1.0f);", "d[threadIdx.x]"),
        ("store<float>(s, n, 1.0f);", "s[n]"),
        ("tile[3][tid] = 1;", "tile[51 + threadIdx.x]"),
        ("tile[tid][3] = 1;", "tile[3 + 17 * threadIdx.x]"),
        ("tile[tid / 16][tid % 16] = 1;", "tile[threadIdx.x % 16 + 17 * (threadIdx.x / 16)]"),
        ("float *row = tile[3]; row[tid] = 1;", "tile[51 + threadIdx.x]"),
        ("float *p = &tile[3][2]; p[tid] = 1;", "tile[53 + threadIdx.x]"),
        ("float *p = &tile[0][0]; p[tid] = 1;", "tile[threadIdx.x]"),
        ("float &own = s[tid]; own = 1;", "s[threadIdx.x]"),
        ("auto &own = tile[3][tid]; own = 1;", "tile[51 + threadIdx.x]"),
        ("float *b = pool + 64; b[tid] = 1;", "pool[64 + threadIdx.x]"),
        ("float *b = &pool[64]; b[tid] = 1;", "pool[64 + threadIdx.x]"),
        ("int *b = (int *)(pool + 64); b[tid] = 1;", "pool[64 + threadIdx.x]"),
        ("double *b = reinterpret_cast<double *>(pool); b[tid] = 1;", "pool[threadIdx.x]"),
        ("float4 *b = (float4 *)(pool + 64); b[tid] = make_float4(1, 2, 3, 4);", "pool[16 + threadIdx.x]"),
        ("char *b = (char *)(pool + 2); b[tid] = 1;", "pool[8 + threadIdx.x]"),
        ("int k = tid; k = k * 2; d[k] = 1;", "d[2 * threadIdx.x]"),
        ("int k = tid; { int k = 3; d[k] = 1; }", "d[3]"),
        ("auto f = [&](int j) { d[j] = 1; }; f(tid);", "d[threadIdx.x]"),
        ("const int j[2] = {0, 1}; d[tid] = j[1];", "d[threadIdx.x]"),
        ("d[tid * sizeof(float)] = 1;", "d[4 * threadIdx.x]"),
        ("d[(size_t)tid] = 1;", "d[threadIdx.x]"),
        ("d[(long long)i * width] = 1;", "d[threadIdx.x * width + 256 * blockIdx.x * width]"),
    ],
)  # fmt: skip
def test_elements(tmp_path: Path, code: str, expected: str) -> None:
    found = [one.split(" ", 2)[2] for one in accesses(tmp_path, code) if not one.startswith("load")]
    found = found or [one.split(" ", 2)[2] for one in accesses(tmp_path, code)]
    assert found == ([ordered(expected)] if expected else found)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("d[tid] += 1;", ["load global d[threadIdx.x]", "store global d[threadIdx.x]"]),
        ("d[tid]++;", ["load global d[threadIdx.x]", "store global d[threadIdx.x]"]),
        ("d[tid] = in[n] + s[0];", ["load global in[n]", "load shared s[0]", "store global d[threadIdx.x]"]),
        ("s[tid] = in[i];", ["load global in[threadIdx.x + 256 * blockIdx.x]", "store shared s[threadIdx.x]"]),
        ("if (in[0] > 3) d[0] = 1; else d[1] = 1;", ["load global in[0]", "store global d[0]", "store global d[1]"]),
        ("by_reference(s[tid]);", ["store shared s[threadIdx.x]"]),
        ("counter++;", ["load global counter[0]", "store global counter[0]"]),
        ("bool both = in[0] > 1 && in[1] > 1;", ["load global in[0]", "load global in[1]"]),
        ("float x = n > 3 ? in[0] : in[1];", ["load global in[0]", "load global in[1]"]),
        ("float *p = s; for (int r = 0; r < 2; r++) p[tid] = 1;", ["store shared s[threadIdx.x]"]),
    ],
)  # fmt: skip
def test_order(tmp_path: Path, code: str, expected: list[str]) -> None:
    assert accesses(tmp_path, code) == [*map(ordered, expected)]


def test_what_is_read_from_memory_is_a_symbol_of_its_own(tmp_path: Path) -> None:
    first, second, store, *rest = accesses(tmp_path, "int a = flags[tid]; int b = flags[a]; d[b] = 1; d[flags[n]] = 2;")
    assert first.startswith("load global flags[threadIdx.x]")
    assert second.startswith("load global flags[flags[")
    assert store.startswith("store global d[flags[")
    assert rest[0].startswith("load global flags[n]")


def test_counters_of_loops_stand_in_elements(tmp_path: Path) -> None:
    (store,) = accesses(tmp_path, "for (int j = tid; j < n; j += 256) d[j * 2 + 1] = 0;")
    assert store == ordered("store global d[1 + 2 * j]")
    (store,) = accesses(tmp_path, "for (int r = 0; r < n; r++) for (int c = 0; c < width; c++) d[r * width + c] = 0;")
    assert store == ordered("store global d[c + r * width]")
    (store,) = accesses(tmp_path, "float *p = d + tid; for (int j = 0; j < n; j++, p += 256) *p = 0;")
    assert store.startswith("store global d[p")


def test_pointers_that_change_places_mean_either(tmp_path: Path) -> None:
    code = """
      __shared__ float a[256], b[256];
      float *from = a, *to = b;
      for (int r = 0; r < n; r++) { to[tid] = from[tid ^ 1]; float *t = from; from = to; to = t; }
    """
    found = accesses(tmp_path, code)
    assert [one.split(" ")[1] for one in found] == ["shared", "shared"]


def test_pointers_of_either_of_two_buffers_are_neither(tmp_path: Path) -> None:
    (store,) = accesses(tmp_path, "__shared__ float b[256]; float *p = n > 3 ? s : b; p[tid] = 1;")
    assert store.startswith("store shared ")
    assert store not in {"store shared s[threadIdx.x]", "store shared b[threadIdx.x]"}
    (store,) = accesses(tmp_path, "float *p = n > 3 ? s : d; p[tid] = 1;")
    assert store.startswith("store unknown ")


def test_blocks_of_more_axes(tmp_path: Path) -> None:
    (store,) = accesses(tmp_path, "tile[threadIdx.y][threadIdx.x] = 1;", "<<<n, dim3(16, 16)>>>")
    assert store == ordered("store shared tile[threadIdx.x + 17 * threadIdx.y]")
    (store,) = accesses(tmp_path, "d[threadIdx.y * blockDim.x + threadIdx.x] = 1;", "<<<n, dim3(16, 16)>>>")
    assert store == ordered("store global d[threadIdx.x + 16 * threadIdx.y]")
    (store,) = accesses(tmp_path, "d[threadIdx.y * blockDim.x + threadIdx.x] = 1;", "<<<n, 64>>>")
    assert store == "store global d[threadIdx.x]"
