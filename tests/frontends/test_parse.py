import pytest

from cudalint.frontends.cuda_syntax.defines import read_directives
from cudalint.frontends.cuda_syntax.parse import faults, parse
from cudalint.frontends.cuda_syntax.preprocessor import MacroTable
from cudalint.frontends.cuda_syntax.recovery import Reading, read_text
from cudalint.frontends.cuda_syntax.text import ExpandedText, MappedText, Segment, Text
from cudalint.source import Span, pack


def reading(source: str, *, hip: bool = False) -> Reading:
    data = source.encode()
    return read_text(Text(data), MacroTable([read_directives(data)]), hip=hip)


BROKEN = {
    "attribute macro before a function": "#define API\n#define INLINE inline\nAPI INLINE float f(float x) { return x; }\n__device__ int i;\n",
    "attribute macro in a class": "#define HD __host__ __device__\nstruct S { HD int operator()(int x) const { return x; } };\n",
    "well-known attribute macro": "CUTLASS_HOST_DEVICE float f(float x) { return x; }\n__device__ int i;\n",
    "device lambda": "void f() { g([=] __device__ (int i) { return i; }); h([=] __host__ __device__ (int i) -> int { return i; }); }\n",
    "lambda marked by a macro": "void f() { g([=] GPU_LAMBDA (int i) { return i; }); k<<<1, 1>>>(); }\n",
    "aligned shared array": "__global__ void k() { __shared__ float __align__(8) s[4]; extern __shared__ __align__(16) char t[]; }\n",
    "aligned struct": "struct __align__(16) S { int a; };\ntypedef struct __align__(8) { int a; } T;\n__device__ S s;\n",
    "brace opened in both branches": "__global__ void k(int n) {\n#if A\n if (n > 1) {\n#else\n if (n > 2) {\n#endif\n g(); } h();\n}\n",
    "branches in an argument list": "__global__ void k() {\n g(1,\n#if A\n 2\n#else\n 3\n#endif\n );\n}\n",
    "cluster and register attributes": "__global__ void __cluster_dims__(2, 1, 1) __maxnreg__(64) k(float *p) { p[0] = 1; }\n",
    "three launch bounds": "__global__ void __launch_bounds__(256, 2, 4) k(float *p) { p[0] = 1; }\n",
    "launch bounds macro before": "#define LB(a, b) __launch_bounds__(a, b)\nLB(128, 1) __global__ void k(int b) {}\n",
    "known launch bounds macro": "C10_LAUNCH_BOUNDS_1(512) __global__ void k() {}\n",
    "marker without semicolon": "void f() {\n  TIMED\n  k<A, B><<<g, b>>>(p);\n}\n",
    "check without semicolon": "void f() {\n  CHECK(x)\n  k<<<g, b>>>(p);\n}\n",
    "braced configuration": "void f() { k<<<{1, 2, 3}, {4}>>>(p); }\n",
    "pragma operator": '__global__ void k() { _Pragma("unroll") for (;;) {} }\n',
    "restrict after const": "__global__ void k(const int *const __restrict p) {}\n",
    "statement macro without semicolon": "#define SET(a) a = 1;\n__global__ void k(int x) { if (x) { SET(x) } else if (!x) { SET(x) } }\n",
    "type as argument of a macro": "#define SWAP(T, a, b) { T t = a; a = b; b = t; }\n__global__ void k(int x, int y) { SWAP(unsigned int, x, y); }\n",
    "dynamic shared memory of HIP": "__global__ void k() {\n  HIP_DYNAMIC_SHARED(float, s)\n  s[0] = 1;\n}\n",
}  # fmt: skip


@pytest.mark.parametrize("source", BROKEN.values(), ids=BROKEN.keys())
def test_reads_what_the_grammar_alone_does_not(source: str) -> None:
    raw = parse(source.encode()).root_node
    assert list(faults(raw)), "the grammar reads this by itself"
    assert not reading(source).faults


def test_reads_an_alias_of_global_and_kernels_made_by_macros() -> None:
    result = reading(
        "#define GLOBAL __global__\n#define KERNEL(k) __global__ void k\n"
        "GLOBAL void a(int n) {}\nKERNEL(b)(float *p) { p[0] = 1; }\n"
    )
    assert not result.faults
    assert result.text.data.count(b"__global__ void a") == result.text.data.count(b"__global__ void b") == 1


def test_text_after_a_replaced_macro_keeps_its_place() -> None:
    source = "#define G __global__\nG void k(int n) { f(); }\nint last;\n"
    result = reading(source)
    where = result.text.data.index(b"f()")
    place = Span.unpack("", result.text.place(where, where + 3))
    assert (place.line, place.column, place.end_column) == (2, 19, 22)
    whole = Span.unpack("", result.text.extent(result.tree.root_node.named_children[1]))
    assert (whole.line, whole.column, whole.end_line, whole.end_column) == (2, 1, 2, 25)


@pytest.mark.parametrize(("hip", "kept"), [(False, b"cuda_only"), (True, b"hip_only")])
def test_keeps_the_branch_of_the_language(hip: bool, kept: bytes) -> None:
    source = "__global__ void k(int n) {\n#ifdef __HIPCC__\n if (hip_only) {\n#else\n if (cuda_only) {\n#endif\n }\n}\n"
    result = reading(source, hip=hip)
    assert kept in result.text.data
    assert not result.dropped


def test_a_branch_that_was_given_up_is_told() -> None:
    source = "void f(int n) {\n#ifdef FAST\n if (n) { k<<<1, 1>>>();\n#else\n if (!n) { k<<<1, 2>>>();\n#endif\n }\n}\n"
    result = reading(source)
    assert [b"1, 2" in source.encode()[start:end] for start, end in result.dropped] == [True]


def test_sound_source_is_left_alone() -> None:
    source = "__global__ void k(int *__restrict__ p) { p[0] = 1; }\nvoid f() { k<<<1, 2>>>(p); }\n"
    assert reading(source).text.data == source.encode()


def test_columns_count_characters() -> None:
    text = Text("int ä; int b;\nint c;\n".encode())
    nodes = parse(text.data).root_node.named_children
    assert [text.extent(node) for node in nodes] == [pack(1, 1, 1, 7), pack(1, 8, 1, 14), pack(2, 1, 2, 7)]
    assert text.slice(nodes[0]) == "int ä;"
    assert text.lines == 2


def test_embedded_text_is_placed_in_the_outer_file() -> None:
    inner = b"int a;\nint b;\n"
    text = MappedText(inner, [Segment(0, 10, 8), Segment(7, 11, 1)])
    first, second = parse(inner).root_node.named_children
    assert text.extent(first) == pack(10, 8, 10, 14)
    assert text.extent(second) == pack(11, 1, 11, 7)


def test_an_expansion_stands_where_its_macro_is_used() -> None:
    use = pack(3, 4, 3, 9)
    text = ExpandedText(b"int a;\n", use)
    assert text.extent(parse(text.data).root_node) == use
