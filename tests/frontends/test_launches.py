"""Every form of a launch becomes one `Launching` with the right parts."""

import pytest

from cudalint.frontends.cuda_syntax.launch_forms import LAUNCH_FORMS
from cudalint.ir import Name
from cudalint.source import Span
from tests.frontends.lowered import launch_of, launches_of, unit_of


@pytest.mark.parametrize(
    ("code", "printed"),
    [
        ("k<<<g, b>>>(p);", "k<<<g, b>>>(p)"),
        ("k<<<g, b, s, st>>>();", "k<<<g, b, s, st>>>()"),
        ("k<<<1>>>();", "k<<<1>>>()"),
        ("k<float, 4><<<g, b>>>(p);", "k<float, 4><<<g, b>>>(p)"),
        ("k<(N > 4)><<<g, b>>>(p);", "k<(N > 4)><<<g, b>>>(p)"),
        ("ns::k<A<B<int>>><<<g, b>>>(p);", "ns::k<A<B<int>>><<<g, b>>>(p)"),
        ("(k<a, b>)<<<g, b>>>(p);", "k<a, b><<<g, b>>>(p)"),
        ("(*fp)<<<g, b>>>(p);", "fp<<<g, b>>>(p)"),
        ("table[i]<<<g, b>>>(p);", "table[i]<<<g, b>>>(p)"),
        ("o->k<<<g, b>>>(p);", "o->k<<<g, b>>>(p)"),
        ("k<<<(n + 255) / 256, n >> 2>>>(p);", "k<<<((n + 255) / 256), (n >> 2)>>>(p)"),
        ("k<<<dim3(1, 2), dim3{3}>>>(p);", "k<<<dim3{1, 2}, dim3{3}>>>(p)"),
        ("k<<<{1, 2, 3}, {4}>>>(p);", "k<<<{1, 2, 3}, {4}>>>(p)"),
        ("CHECK((k<a, b><<<g, b>>>(p)));", "k<a, b><<<g, b>>>(p)"),
        ("DISPATCH(t, [&] { k<<<g, b>>>(p); });", "k<<<g, b>>>(p)"),
        ("SWITCH(t, { k<<<g, b>>>(p); });", "k<<<g, b>>>(p)"),
        ("if (n) k<<<g, b>>>(p); else f();", "k<<<g, b>>>(p)"),
        ("TIMED\n  k<A, B><<<g, b>>>(p);", "k<A, B><<<g, b>>>(p)"),
        ("CHECK(x)\n  k<<<g, b>>>(p);", "k<<<g, b>>>(p)"),
        ("auto f = [=](int i) { k<<<g, b>>>(i); };", "k<<<g, b>>>(i)"),
        ("hipLaunchKernelGGL(k, g, b, s, st, p, q);", "k<<<g, b, s, st>>>(p, q)"),
        ("hipLaunchKernelGGL(HIP_KERNEL_NAME(k<float, 8>), g, b, 0, 0, p);", "k<float, 8><<<g, b, 0, 0>>>(p)"),
        ("hipLaunchKernelGGL((k<float, 8>), g, b, 0, 0, p);", "k<float, 8><<<g, b, 0, 0>>>(p)"),
        ("hipLaunchKernelGGLInternal((k), g, b, 0, 0, p);", "k<<<g, b, 0, 0>>>(p)"),
        ("hipExtLaunchKernelGGL(k, g, b, s, st, e1, e2, 0, p);", "k<<<g, b, s, st>>>(p)"),
        ("hipLaunchKernel((const void*)k, g, b, args, s, st);", "k<<<g, b, s, st>>>(…)"),
        ("hipExtLaunchKernel((void*)k, g, b, args, s, st, e1, e2, 0);", "k<<<g, b, s, st>>>(…)"),
        ("cudaLaunchKernel((void*)k, g, b, args, s, st);", "k<<<g, b, s, st>>>(…)"),
        ("cudaLaunchKernel(&k, g, b, args);", "k<<<g, b>>>(…)"),
        ("cudaLaunchKernel(reinterpret_cast<const void*>(&k<T>), g, b, args, s, st);", "k<T><<<g, b, s, st>>>(…)"),
        ("::cudaLaunchKernel((void*)k, g, b, args, s, st);", "k<<<g, b, s, st>>>(…)"),
        ("CHECK(cudaLaunchKernel((void*)k, g, b, args, s, st));", "k<<<g, b, s, st>>>(…)"),
        ("cudaLaunchCooperativeKernel((void*)k, g, b, args, s, st);", "cooperative k<<<g, b, s, st>>>(…)"),
        ("hipLaunchCooperativeKernel(k, g, b, args, s, st);", "cooperative k<<<g, b, s, st>>>(…)"),
        (
            "cudaLaunchKernelEx(&config, k<int>, p, q);",
            "k<int><<<config.gridDim, config.blockDim, config.dynamicSmemBytes, config.stream>>>(p, q)",
        ),
        (
            "cudaLaunchKernelExC(config, (void*)k, args);",
            "k<<<config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream>>>(…)",
        ),
        (
            "cudaLaunchCooperativeKernelMultiDevice(list, 2, 0);",
            "cooperative list->func<<<list->gridDim, list->blockDim, list->sharedMem, list->stream>>>(…)",
        ),
        ("cuLaunchKernel(f, 1, 2, 3, 4, 5, 6, s, st, args, 0);", "f<<<dim3{1, 2, 3}, dim3{4, 5, 6}, s, st>>>(…)"),
        (
            "cuLaunchCooperativeKernel(f, 1, 2, 3, 4, 5, 6, s, st, args);",
            "cooperative f<<<dim3{1, 2, 3}, dim3{4, 5, 6}, s, st>>>(…)",
        ),
        (
            "cuLaunchKernelEx(&config, f, args, 0);",
            (
                "f<<<dim3{config.gridDimX, config.gridDimY, config.gridDimZ}, "
                "dim3{config.blockDimX, config.blockDimY, config.blockDimZ}, config.sharedMemBytes, config.hStream>>>(…)"
            ),
        ),
        (
            "hipModuleLaunchKernel(f, 1, 2, 3, 4, 5, 6, s, st, args, 0);",
            "f<<<dim3{1, 2, 3}, dim3{4, 5, 6}, s, st>>>(…)",
        ),
        (
            "hipExtModuleLaunchKernel(f, 64, y, z, 32, 1, 1, s, st, args, 0, e1, e2, 0);",
            "f<<<dim3{(((64 + 32) - 1) / 32), (((y + 1) - 1) / 1), (((z + 1) - 1) / 1)}, dim3{32, 1, 1}, s, st>>>(…)",
        ),
    ],
)
def test_form(code: str, printed: str) -> None:
    assert str(launch_of(code)) == printed


@pytest.mark.parametrize("name", sorted(LAUNCH_FORMS))
def test_every_launch_function_makes_a_launch(name: str) -> None:
    arguments = ", ".join(f"a{number}" for number in range(15))
    assert launch_of(f"{name}({arguments});").form == name


@pytest.mark.parametrize("name", sorted(LAUNCH_FORMS))
def test_every_launch_function_has_a_source(name: str) -> None:
    assert LAUNCH_FORMS[name].source


def test_a_call_with_too_few_arguments_is_no_launch() -> None:
    assert launches_of("void host() { cudaLaunchKernel(k); k2<<<1, 2>>>(); }")[0].kernel == Name(0, "k2")


def test_attributes_of_a_launch_by_structure() -> None:
    assert launch_of("cudaLaunchKernelEx(&config, k, p);").attributes == Name(0, "config")


def test_place_of_a_launch_and_its_configuration() -> None:
    launch = launch_of("  k<<<g, b>>>(p);")
    assert Span.unpack("", launch.extent) == Span("", 2, 3, 2, 17)
    assert Span.unpack("", launch.configuration) == Span("", 2, 7, 2, 11)


def test_place_of_a_launch_by_function() -> None:
    launch = launch_of("cudaLaunchKernel((void*)k, g, b, args, s, st);")
    assert Span.unpack("", launch.configuration) == Span("", 2, 28, 2, 45)


MACROS = """
#define GO(kernel, blocks, ...) kernel<<<blocks, 256>>>(__VA_ARGS__)
#define GO_TWICE(kernel) do { GO(kernel, 1, p); GO(kernel, 2, q); } while (0)
#define GO_NOW fixed<<<3, 4>>>()
"""


@pytest.mark.parametrize(
    ("code", "printed"),
    [
        ("GO(k, n, p, q);", [("k<<<n, 256>>>(p, q)", "GO")]),
        ("GO_TWICE(k);", [("k<<<1, 256>>>(p)", "GO_TWICE"), ("k<<<2, 256>>>(q)", "GO_TWICE")]),
        ("GO_NOW;", [("fixed<<<3, 4>>>()", "GO_NOW")]),
        ("CHECK(GO(k, n, p));", [("k<<<n, 256>>>(p)", "GO")]),
        ("if (n) GO(k, n, p); else f();", [("k<<<n, 256>>>(p)", "GO")]),
    ],
)
def test_launch_by_macro(code: str, printed: list[tuple[str, str]]) -> None:
    found = launches_of(f"{MACROS}\nvoid host(int n) {{\n{code}\n}}")
    assert [(str(launch), launch.macro) for launch in found] == printed


def test_launch_by_macro_stands_where_the_macro_is_used() -> None:
    (launch,) = launches_of(f"{MACROS}void host(int n) {{\n  GO(k, n, p);\n}}")
    assert Span.unpack("", launch.extent).line == 6
    assert launch.extent == launch.configuration == launch.grid.extent


def test_macro_that_launches_itself_by_name_is_not_expanded_for_ever() -> None:
    code = "#define go(x) go<<<1, 2>>>(x)\nvoid host() { go(p); }"
    assert [str(launch) for launch in launches_of(code)] == ["go<<<1, 2>>>(p)"]


@pytest.mark.parametrize(
    "code",
    [
        "k<<<1, 2>>>(p);",
        "TEST(a, b) { k<<<1, 2>>>(p); }",
        "TEST(a, b)\n{\n  k<<<1, 2>>>(p);\n}\nBROKEN(",
        "} k<<<1, 2>>>(p);",
    ],
)
def test_launch_outside_any_readable_function(code: str) -> None:
    assert [str(launch) for launch in launches_of(code)] == ["k<<<1, 2>>>(p)"]


def test_launch_in_a_branch_never_compiled_is_neither_found_nor_lost() -> None:
    unit = unit_of("void host() {\n#if 0\nk<<<1, 2>>>(p);\n#endif\n}")
    assert not unit.problems
    assert not launches_of("void host() {\n#if 0\nk<<<1, 2>>>(p);\n#endif\n}")


def test_launch_in_a_comment_or_a_string_is_none() -> None:
    assert launches_of('void host() { /* k<<<1, 2>>>(p); */ f("k<<<1, 2>>>(p)"); }') == []
