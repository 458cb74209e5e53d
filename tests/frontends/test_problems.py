import pytest

from tests.frontends.lowered import unit_of


def told(source: str) -> list[tuple[str, str]]:
    return [(problem.message, problem.holds) for problem in unit_of(source).problems]


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("__global__ void k() {}\nvoid f() { k<<<1, 1>>>(); }", id="sound"),
        pytest.param("#define UNUSED(k) k<<<1, 1>>>()\nint a;", id="launch in a macro that nobody uses"),
        pytest.param(
            "#define GO(k) k<<<1, 1>>>()\n__global__ void k() {}\nvoid f() { GO(k); }", id="launch in a macro"
        ),
        pytest.param('// a <<<b>>> __global__\nconst char *s = "k<<<1, 1>>>()";', id="comment and string"),
        pytest.param('const char *s = R"(__global__ void k() { int ( })";', id="raw string"),
        pytest.param(
            "TEST_CASE(a)\nTEST(b, c) { g(); }\n__global__ void k() {}", id="call at file scope without semicolon"
        ),
        pytest.param("template __global__ void k<float>(float *);", id="instantiation"),
        pytest.param("int x = = 3;\n__global__ void k() {}", id="broken, but neither kernel nor launch"),
    ],
)
def test_says_nothing_where_nothing_is_lost(source: str) -> None:
    assert told(source) == []


def test_names_the_kernel_with_an_unreadable_part() -> None:
    assert told("__global__ void scale(int *p) {\n  p[0] = = @ 1;\n}") == [
        ("part of kernel 'scale' (line 2) could not be read", "kernel")
    ]


def test_names_the_macro_whose_launch_did_not_come_out() -> None:
    chain = "".join(f"#define A{i}(k) A{i + 1}(k) A{i + 1}(k)\n" for i in range(30)) + "#define A30(k) k<<<1, 1>>>();\n"
    messages = told(chain + "void f() {\n  A0(work);\n}")
    assert messages == [("the launch that macro 'A0' makes on line 33 could not be read", "launch")]


def test_tells_of_a_launch_in_a_branch_that_was_not_read() -> None:
    source = "void f(int n) {\n#ifdef FAST\n if (n) { k<<<1, 1>>>();\n#else\n if (!n) { k<<<1, 2>>>();\n#endif\n }\n}"
    assert [holds for _, holds in told(source)] == ["launch"]


def test_tells_of_a_launch_that_is_no_launch_to_the_parser() -> None:
    messages = told("__global__ void k() {}\nvoid f() {\n  k<<<((((>>>();\n}")
    assert messages
    assert all(holds == "launch" for _, holds in messages)
