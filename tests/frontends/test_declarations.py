"""Headings, classes, globals and which bodies are lowered."""

import pytest

from cudalint.ir import Int, Name, Type
from cudalint.ir.unit import Function, Unit
from tests.frontends.lowered import function_of, unit_of


def only(code: str) -> Function:
    (function,) = unit_of(code).functions
    return function


def lowered_names(unit: Unit) -> set[str]:
    return {
        function.name for function in unit.functions if function.body is not None and "skipped" not in function.kinds
    }


ATTRIBUTE_SPELLINGS = [
    ("__global__ void __launch_bounds__(256, 2) k() {}", "launch_bounds", "256, 2"),
    ("__global__ __launch_bounds__(256) void k() {}", "launch_bounds", "256"),
    ("__launch_bounds__(256) __global__ void k() {}", "launch_bounds", "256"),
    ("void __launch_bounds__(N * 2) __global__ k() {}", "launch_bounds", "(N * 2)"),
    ("__global__ void __launch_bounds__(256, 2, 4) k() {}", "launch_bounds", "256, 2, 4"),
    ("template <int N>\n__global__ void __launch_bounds__(N) k() {}", "launch_bounds", "N"),
    ("__attribute__((launch_bounds(256))) __global__ void k() {}", "launch_bounds", "256"),
    ("__global__ void k() __attribute__((launch_bounds(256)));", "launch_bounds", "256"),
    (
        "__attribute__((amdgpu_flat_work_group_size(64, 256))) __global__ void k() {}",
        "flat_work_group_size",
        "64, 256",
    ),
    ("[[clang::amdgpu_flat_work_group_size(64, 256)]] __global__ void k() {}", "flat_work_group_size", "64, 256"),
    ("__attribute__((reqd_work_group_size(64, 1, 1))) __global__ void k() {}", "reqd_work_group_size", "64, 1, 1"),
    ("__attribute__((amdgpu_waves_per_eu(2, 4))) __global__ void k() {}", "waves_per_eu", "2, 4"),
    ("__global__ void __maxnreg__(64) k() {}", "maxnreg", "64"),
    ("__global__ void __cluster_dims__(2, 1, 1) k() {}", "cluster_dims", "2, 1, 1"),
    ("__global__ __block_size__((128, 1, 1)) void k() {}", "block_size", "((128 , 1) , 1)"),
    ("#define LB(n) __launch_bounds__(n, 2)\n__global__ void LB(256) k() {}", "launch_bounds", "256, 2"),
    ("__global__ void __launch_bounds__(256) k();", "launch_bounds", "256"),
]


@pytest.mark.parametrize(("code", "name", "arguments"), ATTRIBUTE_SPELLINGS)
def test_every_spelling_of_a_launch_attribute(code: str, name: str, arguments: str) -> None:
    kernel = only(code)
    assert kernel.is_kernel
    assert kernel.name == "k"
    (attribute,) = kernel.attributes
    assert (attribute.name, ", ".join(map(str, attribute.arguments))) == (name, arguments)


def test_parameters() -> None:
    kernel = only("__global__ void k(const T* __restrict__ p, int n = 3, dim3& g, float a[10], void (*f)(int)) {}")
    assert [(p.name, p.type, p.default) for p in kernel.parameters] == [
        ("p", Type("T", pointer=1, const=True), None),
        ("n", Type("int"), Int(0, 3)),
        ("g", Type("dim3", reference=True), None),
        ("a", Type("float", pointer=1), None),
        ("f", Type("void(int)", pointer=1), None),
    ]


def test_no_parameters() -> None:
    assert only("__global__ void k(void) {}").parameters == ()


def test_template_parameters() -> None:
    kernel = only("template <typename T, int N = 4, class U = float, typename... A, bool B> __global__ void k() {}")
    assert [(p.name, p.type, p.default, p.pack) for p in kernel.template] == [
        ("T", None, None, False),
        ("N", Type("int"), Int(0, 4), False),
        ("U", None, Type("float"), False),
        ("A", None, None, True),
        ("B", Type("bool"), None, False),
    ]


def test_explicit_specialisation() -> None:
    kernel = only("template <> __global__ void k<float, 3>(int n) {}")
    assert (kernel.name, kernel.specialises) == ("k", (Type("float"), Int(0, 3)))


@pytest.mark.parametrize(
    ("code", "kinds"),
    [
        ("void f() {}", {"host", "skipped"}),
        ("__device__ void f() {}", {"device"}),
        ("__host__ __device__ void f() {}", {"host", "device"}),
        ("static __forceinline__ __device__ void f() {}", {"static", "inline", "device"}),
        ("constexpr int f(int x) { return x; }", {"constexpr", "host"}),
        ('extern "C" __global__ void f() {}', {"global"}),
        ("#define HD __host__ __device__ inline\nHD int f() { return 1; }", {"host", "device", "inline"}),
        ("#define KERNEL __global__\nKERNEL void f() {}", {"global"}),
    ],
)
def test_kinds(code: str, kinds: set[str]) -> None:
    assert only(code).kinds == kinds


@pytest.mark.parametrize(
    ("code", "qualified", "owner"),
    [
        ("namespace a::b { namespace { __device__ void f() {} } }", "a::b::f", ""),
        ("namespace a { struct S { __device__ void f() {} }; }", "a::S::f", "S"),
        ("struct S { __device__ int operator()(int i) { return i; } };", "S::operator()", "S"),
        ("struct S { __device__ ~S() {} };", "S::~S", "S"),
        ("template <class T> __device__ void ns::S<T>::f() {}", "ns::S::f", "S"),
        ("namespace ns { void g(); }\n__device__ void ns::f() {}", "ns::f", ""),
        ("struct S { __device__ operator int() { return 1; } };", "S::operator int", "S"),
        ("#if A\n__device__ void f() {}\n#endif", "f", ""),
    ],
)
def test_scope_and_owner(code: str, qualified: str, owner: str) -> None:
    function = unit_of(code).functions[-1]
    assert (function.qualified, function.owner) == (qualified, owner)


def test_constructor() -> None:
    function = function_of("struct S { int a; dim3 g; S(int n) : a(n), g{n, 1} { k<<<a, 1>>>(); } };", "S")
    assert "constructor" in function.kinds
    assert [(name, str(value)) for name, value in function.initialisers] == [("a", "n"), ("g", "{n, 1}")]


def test_returned_type() -> None:
    assert only("const float* f();").returns == Type("float", pointer=1, const=True)
    assert only("auto f() -> int;").returns == Type("int")


def test_struct() -> None:
    code = (
        "struct alignas(16) S : B<int>, C { int a, *b[3]; static constexpr int kB = 256; dim3 g{1, 2}; float x = 1; };"
    )
    (struct,) = unit_of(code).structs
    assert (struct.name, struct.bases, struct.alignment) == ("S", ("B<int>", "C"), Int(0, 16))
    assert [(f.name, f.type.pointer, f.init and str(f.init)) for f in struct.fields] == [
        ("a", 0, None),
        ("b", 1, None),
        ("kB", 0, "256"),
        ("g", 0, "dim3{1, 2}"),
        ("x", 0, "1"),
    ]
    assert struct.fields[2].storage == {"static", "constexpr"}


def test_struct_named_by_its_typedef_and_one_with_two_names() -> None:
    unit = unit_of("typedef struct { int a; } T;\ntypedef struct S { int b; } U;")
    assert [struct.name for struct in unit.structs] == ["T", "S"]
    assert [(alias.name, alias.type) for alias in unit.aliases] == [("U", Type("S"))]


def test_members_of_an_anonymous_union_belong_to_what_holds_it() -> None:
    unit = unit_of("struct S { union { int a; float b; }; int c; };")
    assert [field.name for field in next(s for s in unit.structs if s.name == "S").fields] == ["a", "b", "c"]


def test_nested_types() -> None:
    unit = unit_of("namespace n { struct S { struct T { int a; }; enum { K = 3 }; using V = int; }; }")
    assert {(struct.scope, struct.name) for struct in unit.structs} == {("n", "S"), ("n::S", "T")}
    assert [(entry.scope, entry.declare.name) for entry in unit.globals] == [("n::S", "K")]
    assert [(alias.scope, alias.name) for alias in unit.aliases] == [("n::S", "V")]


def test_enumerators() -> None:
    unit = unit_of("enum { A, B, C = 10, D };\nenum class E : int { X = 2 };")
    values = {(entry.scope, entry.declare.name): str(entry.declare.init) for entry in unit.globals}
    assert values == {("", "A"): "0", ("", "B"): "(A + 1)", ("", "C"): "10", ("", "D"): "(C + 1)", ("E", "X"): "2"}


def test_aliases() -> None:
    unit = unit_of(
        "typedef unsigned int u32;\nusing V = std::vector<int>;\ntemplate <class T> using P = T*;\ntypedef int (*F)(int);"
    )
    assert {alias.name: str(alias.type) for alias in unit.aliases} == {
        "u32": "unsigned int",
        "V": "std::vector<int>",
        "P": "T*",
        "F": "int(int)*",
    }


def test_globals() -> None:
    unit = unit_of(
        "__constant__ float c[N];\nstatic const int a = 1, b = a + 1;\n__device__ int d;\ntemplate <class T> constexpr int s = sizeof(T);"
    )
    assert [(entry.declare.name, set(entry.declare.storage)) for entry in unit.globals] == [
        ("c", {"constant"}),
        ("a", {"static", "const"}),
        ("b", {"static", "const"}),
        ("d", {"device"}),
        ("s", {"constexpr"}),
    ]
    assert unit.globals[0].declare.extents == (Name(0, "N"),)


def test_a_declaration_is_a_function_without_a_body() -> None:
    assert only("__global__ void k(int n);").body is None
    assert only("template __global__ void k<int>(int n);").specialises == (Type("int"),)


CHAIN = """
__global__ void k() {}
void launcher() { k<<<1, 2>>>(); }
void caller() { launcher(); }
int main() { caller(); }
void called_by_launching() { int count = 0; count++; }
void also_launches() { called_by_launching(); k<<<3, 4>>>(); }
void unrelated() { int count = 0; count++; }
"""


def test_bodies_that_bear_on_a_launch_are_lowered() -> None:
    assert lowered_names(unit_of(CHAIN)) == {"k", "launcher", "caller", "main", "called_by_launching", "also_launches"}


def test_a_wanted_body_is_lowered() -> None:
    assert "unrelated" in lowered_names(unit_of(CHAIN, wanted=frozenset({"unrelated"})))


def test_a_skipped_body_is_empty_and_says_so() -> None:
    (function,) = (function for function in unit_of(CHAIN).functions if function.name == "unrelated")
    assert function.body == ()
    assert "skipped" in function.kinds


def test_methods_of_a_class_that_launches_are_lowered() -> None:
    code = "struct S { dim3 g; S() { g = dim3(4); } void set(int n) { g.x = n; } void run() { k<<<g, 1>>>(); } };"
    assert lowered_names(unit_of(code)) == {"S", "set", "run"}


def test_a_function_using_a_macro_that_launches_is_lowered() -> None:
    code = "#define GO(k) k<<<1, 2>>>()\nvoid host() { GO(kernel); }\nvoid other() { int count = 0; count++; }"
    assert lowered_names(unit_of(code)) == {"host"}


def test_functions_of_a_class_inside_a_function() -> None:
    code = "void host() { struct F { __device__ void f() { g(); } }; k<<<1, 2>>>(F()); }"
    function = function_of(code, "f")
    assert (function.scope, function.owner) == ("host::F", "F")


def test_place_of_a_function() -> None:
    function = only("template <int N>\n__global__ void k(int n)\n{\n}")
    assert (function.span.line, function.span.end_line) == (1, 4)
    assert (function.name_span.line, function.name_span.column, function.name_span.end_column) == (2, 17, 18)


def test_kernel_whose_body_never_ends_is_still_there() -> None:
    unit = unit_of("__global__ void k(int n) {\n  f(n);\n  if (n) {\n")
    assert [kernel.name for kernel in unit.kernels] == ["k"]


@pytest.mark.parametrize(
    "code",
    [
        f"typedef {'A<' * 2000}int{'> ' * 2000} T;",
        f"int x = {'f(' * 2000}1{')' * 2000};",
        f"{'namespace n {' * 2000}{'}' * 2000}",
        f"{'struct s {' * 2000}{'};' * 2000}",
        f"{'#if A' + chr(10)}" + "".join(f"#elif B{n}\nint x{n};\n" for n in range(2000)) + "#endif",
        f"void f({'A<' * 2000}int{'> ' * 2000} x) {{}}",
    ],
)
def test_deep_nesting_outside_functions_costs_no_more_than_itself(code: str) -> None:
    unit = unit_of(f"{code}\n__global__ void k() {{}}")
    assert [kernel.name for kernel in unit.kernels] == ["k"]
