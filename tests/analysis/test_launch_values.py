"""What is known of launches in small programs, from the source on."""

from pathlib import Path

import pytest

from cudalint.analysis import link
from cudalint.frontends import Project, read
from cudalint.ir import Launch, Program

HEAD = """
__global__ void k(float *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] = n; }
template <int B> __global__ void __launch_bounds__(B) tk(float *p) { __shared__ float s[B]; s[threadIdx.x] = *p; }
"""


def linked(folder: Path, sources: dict[str, str], **assume: int) -> Program:
    paths = [folder / name for name in sources]
    for path, text in zip(paths, sources.values(), strict=True):
        path.write_text(text, encoding="utf-8")
    project = Project((folder,), paths)
    wanted = frozenset({"g", "h"})
    return link([read(path, str(path), project, wanted=wanted) for path in paths], assume=assume)


def launches(folder: Path, body: str, **assume: int) -> list[Launch]:
    return list(linked(folder, {"a.cu": HEAD + body}, **assume).launches)


BLOCKS = {
    "literal": ("void f(float *p, int n) { k<<<n, 64 * 2>>>(p, n); }", 128),
    "const local": ("void f(float *p, int n) { const int t = 96; k<<<n, t>>>(p, n); }", 96),
    "dim3 declared": ("void f(float *p, int n) { dim3 b(16, 8); k<<<n, b>>>(p, n); }", 128),
    "dim3 braced": ("void f(float *p, int n) { dim3 b{16, 8}; k<<<n, b>>>(p, n); }", 128),
    "dim3 list assigned": ("void f(float *p, int n) { dim3 b = {16, 8, 2}; k<<<n, b>>>(p, n); }", 256),
    "dim3 constructed": ("void f(float *p, int n) { dim3 b = dim3(64); k<<<n, b>>>(p, n); }", 64),
    "dim3 by member": ("void f(float *p, int n) { dim3 b; b.x = 32; b.y = 4; k<<<n, b>>>(p, n); }", 128),
    "make_uint3": ("void f(float *p, int n) { uint3 b = make_uint3(8, 4, 1); k<<<n, dim3(b)>>>(p, n); }", 32),
    "macro": ("#define T 192\nvoid f(float *p, int n) { k<<<n, T>>>(p, n); }", 192),
    "macro with a default": ("#ifndef T\n#define T 64\n#endif\nvoid f(float *p, int n) { k<<<n, T>>>(p, n); }", 64),
    "macro defined before its default": (
        "#define T 64\n#ifndef T\n#define T 4\n#endif\nvoid f(float *p, int n) { k<<<n, T>>>(p, n); }",
        64,
    ),
    "macro with two values": (
        "#ifdef BIG\n#define T 512\n#else\n#define T 64\n#endif\nvoid f(float *p, int n) { k<<<n, T>>>(p, n); }",
        None,
    ),
    "function-like macro": ("#define SQ(x) ((x) * (x))\nvoid f(float *p, int n) { k<<<n, SQ(8)>>>(p, n); }", 64),
    "enumerator": ("enum { A = 31, B };\nvoid f(float *p, int n) { k<<<n, B>>>(p, n); }", 32),
    "template argument": (
        "template <int T> void f(float *p) { tk<T><<<1, T>>>(p); }\nvoid g(float *p) { f<96>(p); }",
        96,
    ),
    "template default": (
        "template <int T = 32> void f(float *p) { tk<T><<<1, T>>>(p); }\nvoid g(float *p) { f(p); }",
        32,
    ),
    "sizeof": ("struct S { char c; double d; };\nvoid f(float *p, int n) { k<<<n, 4 * sizeof(S)>>>(p, n); }", 64),
    "array length": (
        "void f(float *p) { int s[] = {1, 2, 4}; k<<<1, 32 * (sizeof(s) / sizeof(s[0]))>>>(p, 1); }",
        96,
    ),
    "helper with a default": (
        (
            "struct Plan { int g, b; };\nstatic Plan plan(int n, int b = 640) { return {n / b, b}; }\n"
            "void f(float *p, int n) { Plan q = plan(n); k<<<q.g, q.b>>>(p, n); }"
        ),
        640,
    ),
    "reference parameter": (
        "void pick(int n, int &b) { b = 224; }\nvoid f(float *p, int n) { int b; pick(n, b); k<<<n, b>>>(p, n); }",
        224,
    ),
    "constant member": (
        "struct R { static constexpr int t = 160; void f(float *p) const { k<<<1, t>>>(p, t); } };",
        160,
    ),
    "member from the constructor": (
        "class R { int t_; public: R() { t_ = 96; } void f(float *p) { k<<<1, t_>>>(p, 1); } };",
        96,
    ),
    "member changed from outside": (
        "struct R { int t = 96; void f(float *p) { k<<<1, t>>>(p, 1); } };\nvoid g(R &r, int n) { r.t = n; }",
        None,
    ),
    "same in both arms": (
        "void f(float *p, int n) { int t; if (n > 9) { t = 64; } else { t = 64; } k<<<n, t>>>(p, n); }",
        64,
    ),
    "different in two arms": (
        "void f(float *p, int n) { int t = 64; if (n > 9) t = 128; k<<<n, t>>>(p, n); }",
        None,
    ),
    "a case of a switch": (
        "void f(float *p, int t) { switch (t) { case 256: tk<256><<<1, t>>>(p); break; default: break; } }",
        256,
    ),
    "element of a loop": (
        "void f(float *p) { int s[] = {32, 64}; for (int j = 0; j < 2; ++j) k<<<1, s[j]>>>(p, j); }",
        None,
    ),
    "changed in a loop": ("void f(float *p) { for (int t = 32; t <= 512; t *= 2) k<<<1, t>>>(p, t); }", None),
    "read from a stream": (
        '#include <fstream>\nvoid f(float *p) { int t = 64; std::ifstream in("x"); in >> t; k<<<1, t>>>(p, t); }',
        None,
    ),
    "read from the command line": (
        (
            "void parse(int, char **, int);\n"
            "int main(int argc, char **argv) { int t = 64; parse(argc, argv, t); k<<<1, t>>>(nullptr, t); }"
        ),
        None,
    ),
    "written through a pointer": (
        "void ask(int *);\nvoid f(float *p) { int t = 64; ask(&t); k<<<1, t>>>(p, t); }",
        None,
    ),
    "every caller agrees": (
        "void f(float *p, int t) { k<<<1, t>>>(p, t); }\nvoid g(float *p) { f(p, 64); }\nvoid h(float *p) { f(p, 64); }",
        64,
    ),
    "callers differ": (
        "void f(float *p, int t) { k<<<1, t>>>(p, t); }\nvoid g(float *p) { f(p, 64); }\nvoid h(float *p) { f(p, 96); }",
        None,
    ),
    "handed on as a pointer": (
        (
            "void f(float *p, int t) { k<<<1, t>>>(p, t); }\nvoid bench(void (*)(float *, int));\n"
            "void g(float *p) { f(p, 64); bench(f); }"
        ),
        None,
    ),
    "in a table of pointers": (
        "void f(float *p, int t) { k<<<1, t>>>(p, t); }\nvoid (*table[])(float *, int) = {f};\nvoid g(float *p) { f(p, 64); }",
        None,
    ),
    "a call lost in a macro": (
        (
            "void f(float *p, int t) { k<<<1, t>>>(p, t); }\nvoid g(float *p) { f(p, 64); }\n"
            "#define EACH(t, ...) switch (t) { case 0: { __VA_ARGS__ break; } }\n"
            "void h(float *p, int t) { EACH(t, f(p, 96);) }"
        ),
        None,
    ),
    "a function that calls itself": (
        "void f(float *p, int t) { k<<<1, t>>>(p, t); if (t > 1) f(p, t / 2); }\nvoid g(float *p) { f(p, 64); }",
        None,
    ),
    "field of a runtime structure": (
        "void f(float *p) { cudaExtent e = {96, 1, 1}; k<<<1, e.width>>>(p, 1); }",
        96,
    ),
    "vector type": ("void f(float *p) { int2 b = make_int2(32, 2); k<<<1, dim3(b.x, b.y)>>>(p, 1); }", 64),
    "lambda": (
        "void f(float *p, int n) { auto go = [&](int t) { k<<<n, t>>>(p, n); }; go(224); }",
        224,
    ),
}


@pytest.mark.parametrize(("body", "block"), BLOCKS.values(), ids=BLOCKS.keys())
def test_block(tmp_path: Path, body: str, block: int | None) -> None:
    (launch,) = launches(tmp_path, body)
    assert launch.block.volume.exact == block


GRIDS = {
    "(n + b - 1) / b": ("(n + 255) / 256", "ceil(n / 256)"),
    "(n - 1) / b + 1": ("(n - 1) / 256 + 1", "ceil(n / 256)"),
    "n / b + (n % b != 0)": ("n / 256 + (n % 256 != 0)", "ceil(n / 256)"),
    "n % b ? … : …": ("n % 256 ? n / 256 + 1 : n / 256", "ceil(n / 256)"),
    "ceil of a real": ("(int)ceil((float)n / 256)", "ceil(n / 256)"),
    "ceil of a real as it is": ("ceil(n / 256.0)", "ceil(n / 256)"),
    "ceil of an integer": ("ceil(n / 256)", "n / 256"),
    "helper": ("div_up(n, 256)", "ceil(n / 256)"),
    "lambda": ("up(n, 256)", "ceil(n / 256)"),
    "truncated": ("n / 256", "n / 256"),
    "SM count": ("prop.multiProcessorCount * 4", "4 * sm count"),
    "occupancy": ("prop.multiProcessorCount * fit", "occupancy(k) * sm count"),
}


@pytest.mark.parametrize(("grid", "formula"), GRIDS.values(), ids=GRIDS.keys())
def test_grid_formula(tmp_path: Path, grid: str, formula: str) -> None:
    body = f"""
    int div_up(int a, int b) {{ return (a + b - 1) / b; }}
    void f(float *p, int n) {{
      cudaDeviceProp prop; cudaGetDeviceProperties(&prop, 0);
      int fit = 0; cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, k, 256, 0);
      auto up = [](int a, int b) {{ return (a + b - 1) / b; }};
      k<<<{grid}, 256>>>(p, n);
    }}"""
    (launch,) = launches(tmp_path, body)
    assert str(launch.grid.x.form) == formula


@pytest.mark.parametrize(
    ("guard", "least"),
    [("", 0), ("if (n == 0) return;", 1), ("if (!n) return;", 1), ("assert(n > 0);", 1), ("if (n > 512) return;", 0)],
)
def test_guards_narrow_the_grid(tmp_path: Path, guard: str, least: int) -> None:
    (launch,) = launches(tmp_path, f"void f(float *p, unsigned n) {{ {guard} k<<<(n + 255) / 256, 256>>>(p, n); }}")
    assert launch.grid.x.lo == least


@pytest.mark.parametrize("guard", ["if (a - b <= 0) return;", "assert(a - b > 0);"])
def test_guards_on_differences_narrow_the_grid(tmp_path: Path, guard: str) -> None:
    (launch,) = launches(
        tmp_path, f"void f(float *p, int a, int b) {{ {guard} k<<<(a - b + 127) / 128, 128>>>(p, a); }}"
    )
    assert launch.grid.x.lo == 1


def test_a_size_compared_with_zero_is_known_to_be_none(tmp_path: Path) -> None:
    (launch,) = launches(tmp_path, "void f(float *p, int n) { if (n == 0) return; k<<<(n + 127) / 128, 128>>>(p, n); }")
    assert launch.grid.x.nonzero
    assert launch.grid.x.lo != 1


def test_a_guard_after_the_grid_is_computed_counts(tmp_path: Path) -> None:
    body = "void f(float *p, int n) { int g = (n + 255) / 256; if (n <= 0) return; k<<<g, 256>>>(p, n); }"
    (launch,) = launches(tmp_path, body)
    assert launch.grid.x.lo == 1


def test_assumptions_outweigh_the_code(tmp_path: Path) -> None:
    (launch,) = launches(tmp_path, "void f(float *p, int n) { int t = 64; k<<<n, t>>>(p, n); }", t=96, n=10)
    assert (launch.block.volume.exact, launch.grid.volume.exact) == (96, 10)
    assert launch.block.volume.origin == "assumed"


def test_callers_in_another_file_shape_a_launch_one_by_one(tmp_path: Path) -> None:
    wrapper = HEAD + "void f(float *p, int t) { k<<<1, t>>>(p, t); }"
    caller = "void f(float *, int);\nvoid g(float *p) { f(p, 64); }\nvoid h(float *p) { f(p, 100); }"
    (launch,) = linked(tmp_path, {"a.cu": wrapper, "b.cu": caller}).launches
    assert [(way.block.volume.exact, way.span.line) for way in launch.ways] == [(64, 2), (100, 3)]
    assert all(way.span.file.endswith("b.cu") for way in launch.ways)


def test_a_constant_of_a_header_is_seen(tmp_path: Path) -> None:
    sources = {"a.cu": '#include "size.h"\n' + HEAD + "void f(float *p) { k<<<1, kSize>>>(p, 1); }"}
    sources["size.h"] = "#pragma once\nconstexpr int kSize = 48;\n"
    (launch,) = linked(tmp_path, sources).launches
    assert launch.block.volume.exact == 48
    assert launch.block.volume.made is not None
    assert launch.block.volume.made.file.endswith("size.h")


def test_kernel_facts_follow_template_arguments(tmp_path: Path) -> None:
    (launch,) = launches(tmp_path, "void f(float *p) { tk<96><<<1, 96>>>(p); }")
    assert launch.kernel is not None
    assert launch.kernel.max_threads is not None
    assert launch.kernel.max_threads.exact == 96
    assert launch.static_shared.exact == 96 * 4


def test_an_opt_in_inside_a_helper_reaches_the_launch(tmp_path: Path) -> None:
    body = """
    template <typename K> void allow(K kernel, int bytes) {
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    }
    void f(float *p) { allow(k, 65536); k<<<1, 32, 65536>>>(p, 1); }
    void g(float *p) { tk<32><<<1, 32, 65536>>>(p); }"""
    opted, other = launches(tmp_path, body)
    assert opted.shared_limit is not None
    assert opted.shared_limit.exact == 65536
    assert other.shared_limit is None


def test_what_constants_keep_from_running_is_listed_but_not_judged(tmp_path: Path) -> None:
    body = "void f(float *p) { if (sizeof(float) == 8) k<<<1, 33>>>(p, 1); else k<<<1, 64>>>(p, 1); }"
    dead, live = launches(tmp_path, body)
    assert (dead.block.volume.exact, dead.reachable, dead.ways) == (33, False, ())
    assert live.reachable


def test_a_kernel_may_launch_kernels(tmp_path: Path) -> None:
    (launch,) = launches(tmp_path, "__global__ void parent(float *p) { k<<<1, 40>>>(p, 1); }")
    assert launch.block.volume.exact == 40


def test_arms_of_a_choice_are_told_from_launches_in_a_row(tmp_path: Path) -> None:
    body = """
    void choice(float *p, int n) { if (n < 9) k<<<1, 32>>>(p, n); else k<<<1, 1024>>>(p, n); }
    void row(float *p, int n) { k<<<n, 256>>>(p, n); k<<<1, 32>>>(p, n); }"""
    assert [launch.one_of_several for launch in launches(tmp_path, body)] == [True, True, False, False]


def test_calls_in_arms_of_a_choice_are_such_arms_too(tmp_path: Path) -> None:
    body = """
    template <int B> void go(float *p) { tk<B><<<9, B>>>(p); }
    void g(float *p, int b) { switch (b) { case 32: go<32>(p); break; case 128: go<128>(p); break; } }"""
    (launch,) = launches(tmp_path, body)
    assert [(way.block.volume.exact, way.one_of_several) for way in launch.ways] == [(32, True), (128, True)]


def test_a_member_assigned_in_another_file_is_unknown(tmp_path: Path) -> None:
    header = "#pragma once\nstruct P { int w; P() : w(12) {} };\nstruct A { P p; };\n"
    one = '#include "p.h"\n' + HEAD + "void train(P q, float *x) { k<<<q.w / 4, 128>>>(x, 1); }"
    other = '#include "p.h"\nvoid g(A &a, int n) { a.p.w = n; }'
    (launch,) = linked(tmp_path, {"one.cu": one, "two.cu": other, "p.h": header}).launches
    assert launch.grid.x.exact is None


def test_formulas_that_would_explode_get_a_name(tmp_path: Path) -> None:
    steps = " ".join(["x = (x * b + a) / (x + b);"] * 40)
    (launch,) = launches(tmp_path, f"void f(float *p, int a, int b) {{ int x = a / b; {steps} k<<<x, 32>>>(p, a); }}")
    assert launch.grid.x.form is not None
    assert launch.grid.x.form.weight < 100


def test_a_local_array_hides_a_dynamic_one(tmp_path: Path) -> None:
    body = "extern __shared__ int s[];\n__device__ void put(int *s) { s[0] = 1; }\n"
    body += "__global__ void h(int *d) { __shared__ int s[64]; s[threadIdx.x] = *d; put(s); }\n"
    (launch,) = launches(tmp_path, body + "void f(int *d) { h<<<1, 64>>>(d); }")
    assert launch.kernel is not None
    assert launch.kernel.dynamic_arrays == ()
    assert launch.static_shared.exact == 256
