"""What launches are known to pass to their kernels."""

from pathlib import Path

import pytest

from cudalint.analysis import link
from cudalint.frontends import Project, read
from cudalint.ir import Launch, Quantity
from cudalint.pipeline import linking

HEAD = "__global__ void k(float *p, int n, unsigned m, float f) { p[threadIdx.x] = n * f + m; }\n"

PASSED = {
    "constants": ("void f(float *p) { k<<<1, 64>>>(p, 3, 4 * 5, 2.5f); }", ["? = p", "3", "20", "?"]),
    "formulas": (
        "void f(float *p, int n) { k<<<1, 64>>>(p, n, 2 * n + 1, 0); }",
        ["? = p", "? = n", "? = 2 * n + 1", "0"],
    ),
    "narrowed by conditions": (
        "void f(float *p, int n) { if (n > 3 && n < 9) k<<<1, 64>>>(p, n, n + 1, 0); }",
        ["? = p", "4..8 = n", "5..9 = n + 1", "0"],
    ),
    "after the configuration": (
        "void f(float *p) { int n = 7; k<<<n, 64>>>(p, n++, n, 0); }",
        ["? = p", "7", "8", "0"],
    ),
    "what several calls agree on": (
        "void g(float *p, int n) { k<<<1, 64>>>(p, n, 6, 0); }\nvoid f(float *p) { g(p, 1); g(p, 2); }",
        ["? = p", "? = n", "6", "0"],
    ),
    "what several meetings come to": (
        "void f(float *p, int n) { auto run = [&](int v) { k<<<1, 64>>>(p, v, n, 0); }; run(1); run(5); }",
        ["? = p", "1..5 = argument", "? = n", "0"],
    ),
    "in code never reached": (
        "void f(float *p, int n) { return; k<<<1, 64>>>(p, 3, n, 0); }",
        ["? = p", "3", "? = n", "0"],
    ),
    "packed in an array": (
        "void f(float *p, int n) { void *a[] = {&p, &n}; cudaLaunchKernel((void *)k, dim3(1), dim3(64), a, 0, 0); }",
        [],
    ),
    "by an extensible launch": (
        (
            "void f(float *p, int n) { cudaLaunchConfig_t c = {}; c.gridDim = 1; c.blockDim = 64;"
            " cudaLaunchKernelEx(&c, k, p, n, 5u, 0); }"
        ),
        ["? = p", "? = n", "5", "0"],
    ),
    "by a macro of HIP": (
        "void f(float *p) { hipLaunchKernelGGL(k, 1, 64, 0, 0, p, 3, 4, 0); }",
        ["? = p", "3", "4", "0"],
    ),
    "up to a parameter pack": (
        "template <class... A> void f(float *p, A... rest) { k<<<1, 64>>>(p, rest..., 0); }",
        ["? = p"],
    ),
    "up to a forwarded pack": (
        "template <class... A> void f(float *p, A &&...rest) { k<<<1, 64>>>(p, 3, std::forward<A>(rest)..., 0); }",
        ["? = p", "3"],
    ),
}


def launches(folder: Path, text: str, jobs: int = 0) -> tuple[Launch, ...]:
    path = folder / "a.cu"
    path.write_text(HEAD + text, encoding="utf-8")
    unit = read(path, str(path), Project((folder,), [path]))
    if not jobs:
        return link([unit]).launches
    return linking.linked([unit], assume={}, resources={}, requested=(), jobs=jobs).launches


def told(passed: tuple[Quantity, ...]) -> list[str]:
    return [_told(one) for one in passed]


def _told(one: Quantity) -> str:
    if one.exact is not None:
        return str(one.exact)
    known = "?" if one.lo is None and one.hi is None else f"{one.lo}..{one.hi}"
    return known if one.form is None else f"{known} = {one.form}"


@pytest.mark.parametrize(("text", "expected"), PASSED.values(), ids=PASSED)
def test_arguments_are_known_as_far_as_the_host_code_says(text: str, expected: list[str], tmp_path: Path) -> None:
    (found,) = launches(tmp_path, text)
    assert told(found.passed) == expected


def test_arguments_do_not_change_the_configuration(tmp_path: Path) -> None:
    (found,) = launches(tmp_path, "void f(float *p) { int n = 7; k<<<n, 64>>>(p, n++, n, 0); }")
    assert found.grid.volume.exact == 7


WRAPPER = """
void g(float *p, int n, int t) { k<<<(n + t - 1) / t, t>>>(p, n, t, 0); }
void f(float *p, int q) { g(p, q, 64); g(p, 1000, 128); }
"""


def test_what_callers_make_of_a_launch_passes_what_they_pass(tmp_path: Path) -> None:
    (found,) = launches(tmp_path, WRAPPER)
    assert [told(way.passed) for way in found.variants] == [
        ["? = p", "? = q", "64", "0"],
        ["? = p", "1000", "128", "0"],
    ]
    assert told(found.passed) == ["? = p", "? = argument", "64..128 = argument", "0"]
    assert found.passed[1].form != found.passed[2].form


def test_forked_processes_find_the_same_arguments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linking, "_FEW_ROOTS", 2)
    alone, spread = (launches(tmp_path, WRAPPER + WRAPPER.replace(" g(", " h("), jobs) for jobs in (0, 2))
    assert [told(way.passed) for one in alone for way in one.ways] == [
        told(way.passed) for one in spread for way in one.ways
    ]
