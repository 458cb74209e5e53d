import os
import pickle
from pathlib import Path

import pytest

from cudalint.errors import SourceError
from cudalint.frontends import Project, language_of, read, relevant
from cudalint.ir import Launching, Unit
from cudalint.ir.stmt import expressions

SOURCE = "__global__ void k(int *p) { p[0] = 1; }\nvoid f(int *p) { k<<<1, 2>>>(p); }\n"


def read_bytes(folder: Path, data: bytes, name: str = "a.cu") -> Unit:
    path = folder / name
    path.write_bytes(data)
    return read(path, name, Project([folder], [path]))


def launches(unit: Unit) -> list[Launching]:
    nodes = (node for function in unit.functions for node in expressions(function.body or ()))
    return [node for node in nodes if isinstance(node, Launching)]


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        pytest.param(SOURCE.encode(), 2, id="plain"),
        pytest.param(SOURCE.encode()[:-1], 2, id="no newline at the end"),
        pytest.param(SOURCE.encode() + b"#define LAST 1", 3, id="directive without newline at the end"),
        pytest.param(SOURCE.replace("\n", "\r\n").encode(), 2, id="crlf"),
        pytest.param(SOURCE.replace("\n", "\r").encode(), 2, id="cr"),
        pytest.param(b"\xef\xbb\xbf" + SOURCE.encode(), 2, id="byte order mark"),
        pytest.param(SOURCE.encode("utf-16"), 2, id="utf-16"),
        pytest.param(SOURCE.encode("utf-32"), 2, id="utf-32"),
        pytest.param(b"// caf\xe9\n" + SOURCE.encode(), 3, id="latin-1"),
    ],
)
def test_reads_every_kind_of_text(tmp_path: Path, data: bytes, lines: int) -> None:
    unit = read_bytes(tmp_path, data)
    assert [kernel.name for kernel in unit.kernels] == ["k"]
    assert [str(launch) for launch in launches(unit)] == ["k<<<1, 2>>>(p)"]
    assert unit.lines == lines
    assert not unit.problems


def test_an_empty_file_is_an_empty_unit(tmp_path: Path) -> None:
    unit = read_bytes(tmp_path, b"")
    assert (unit.functions, unit.problems) == ((), ())


@pytest.mark.parametrize("data", [b"\x7fELF\0\0<<<", b"\xff\xfe\x00\xd8\x00\xd8"])
def test_a_binary_file_is_a_problem(tmp_path: Path, data: bytes) -> None:
    assert [problem.message for problem in read_bytes(tmp_path, data).problems] == ["binary file, not read"]


def test_a_huge_file_is_a_problem(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    with path.open("wb") as file:
        file.truncate((16 << 20) + 1)
    assert [problem.message for problem in read(path, "a.cu", Project()).problems] == ["file of 16 MiB, not read"]


@pytest.mark.parametrize("kind", ["missing", "folder", "dangling"])
def test_a_path_that_cannot_be_read_is_an_error_that_names_it(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "odd.cu"
    if kind == "folder":
        path.mkdir()
    if kind == "dangling":
        os.symlink("nowhere", path)  # noqa: PTH211 - the same on every version
    with pytest.raises(SourceError, match=r"shown/odd\.cu"):
        read(path, "shown/odd.cu", Project())


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("int x = " + "(" * 20_000 + "1" + ")" * 20_000 + ";\n", id="parentheses"),
        pytest.param("void g() {" + "{" * 20_000 + "}" * 20_000 + "}\n", id="braces"),
        pytest.param("void g() {" + "{" * 20_000, id="open braces"),
        pytest.param("void g() { k<<<" + "!" * 20_000 + "1, 1>>>(0); }\n", id="operators"),
        pytest.param("#if A\n" * 2_000 + "int (;\n" + "#endif\n" * 2_000, id="conditionals"),
        pytest.param("#define f(x) k<<<x, 1>>>()\nvoid g() { " + "f(" * 10_000 + ")" * 10_000 + ";}\n", id="macros"),
        pytest.param("void g() {" + "<<<" * 5_000 + "}\n", id="chevrons"),
        pytest.param("void g() { h(" + "[=] __device__ (int i) { " * 500 + "}" * 500 + "); }\n", id="lambdas"),
        pytest.param("// cudalint: x\n" * 2_000, id="comments"),
    ],
)
def test_nesting_without_end_breaks_nothing_else(tmp_path: Path, source: str) -> None:
    unit = read_bytes(tmp_path, (SOURCE + source).encode())
    assert "k" in [kernel.name for kernel in unit.kernels]


def test_macros_of_the_file_are_kept_with_their_value(tmp_path: Path) -> None:
    unit = read_bytes(
        tmp_path, b"#define N (4 * 64)\n#ifdef A\n#define M 0x10u\n#endif\n#define DIV(a, b) ((a) / (b))\n#define DO(x) do { x; } while (0)\n"
    )  # fmt: skip
    assert [(macro.name, macro.parameters, str(macro.body), macro.conditional) for macro in unit.macros] == [
        ("N", None, "(4 * 64)", False),
        ("M", None, "16u", True),
        ("DIV", ("a", "b"), "(a / b)", False),
        ("DO", ("x",), "None", False),
    ]


def test_parameters_in_brackets_before_a_sign_are_operands(tmp_path: Path) -> None:
    unit = read_bytes(
        tmp_path,
        b"#define AT(x, y, n) ((y+1)*(n)+(x+1))\n#define B(a, b, i, j) (k + (a) * 3 - (b)-(i) * (j) / 2)\n"
        b"#define AT2(a, i, n) p[(a)+(i + 1)]\n#define F(x) ((float)-(x))\n",
    )
    assert [str(macro.body) for macro in unit.macros] == [
        "(((y + 1) * n) + (x + 1))",
        "(((k + (a * 3)) - b) - ((i * j) / 2))",
        "p[(a + (i + 1))]",
        "(float)-x",
    ]


def test_a_launch_through_macros_of_an_include_is_found_at_its_use(tmp_path: Path) -> None:
    (tmp_path / "run.h").write_text(
        "#define RUN(k, cfg, args) do { k CFG cfg args; } while (0)\n#define CFG(g, b) <<<g, b>>>\n"
    )
    unit = read_bytes(tmp_path, b'#include "run.h"\nvoid f(int *p) {\n  RUN(work, (7, 64), (p));\n}\n')
    (launch,) = launches(unit)
    assert (str(launch), launch.macro, launch.extent >> 40) == ("work<<<7, 64>>>(p)", "RUN", 3)
    assert unit.includes[0].resolved == str(tmp_path / "run.h")


def test_attributes_the_grammar_does_not_know_stay_with_their_kernel(tmp_path: Path) -> None:
    unit = read_bytes(
        tmp_path,
        b"__global__ void a() {}\n__global__ void __launch_bounds__(256, 2, 4) b(int *p) { p[0] = 1; }\n"
        b"__global__ void __cluster_dims__(2, 1, 1) __maxnreg__(64) c(int *p) { p[0] = 1; }\n",
    )
    found = {k.name: [(a.name, [str(x) for x in a.arguments]) for a in k.attributes] for k in unit.kernels}
    assert found == {
        "a": [],
        "b": [("launch_bounds", ["256", "2", "4"])],
        "c": [("cluster_dims", ["2", "1", "1"]), ("maxnreg", ["64"])],
    }


def test_a_unit_pickles(tmp_path: Path) -> None:
    unit = read_bytes(tmp_path, SOURCE.encode())
    assert pickle.loads(pickle.dumps(unit)) == unit


@pytest.mark.parametrize(
    ("name", "text", "language"),
    [
        ("a.cu", "", "cuda"),
        ("a.cuh", "cudaMalloc(&p, 4);", "cuda"),
        ("a.hip", "", "hip"),
        ("a.cpp", "#include <hip/hip_runtime.h>", "hip"),
        ("a.cpp", "hipLaunchKernelGGL(k, 1, 1, 0, 0);", "hip"),
        ("a.cu", "#include <hip/hip_runtime.h>", "hip"),
        ("a.h", "int ship(int);", "cpp"),
    ],
)
def test_tells_the_language(name: str, text: str, language: str) -> None:
    assert language_of(Path(name), text.encode()) == language


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("k<<<1, 1>>>();", True),
        ("hipLaunchKernelGGL(k, 1, 1, 0, 0);", True),
        ("cuLaunchKernelEx(&c, f, p, 0);", True),
        ("cudaFuncSetAttribute(k, a, 1);", True),
        ("extern __shared__ int s[];", True),
        ("int a;  // cudalint: ignore", True),
        ("int a = 1 << 3;", False),
        ("not text\0", True),
    ],
)
def test_filters_files_by_their_bytes(text: str, answer: bool) -> None:
    assert relevant(text.encode()) is answer
