"""From files to units: which are read, in parallel, from the cache, and whatever goes wrong."""

import os
import pickle
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from cudalint.cache import Cache
from cudalint.discovery import Found
from cudalint.frontends import Project
from cudalint.ir import Unit
from cudalint.pipeline import Loaded, load, reading
from cudalint.pipeline.wrappers import mentions_call, wrappers

KERNEL = "__global__ void k(float *x) { x[threadIdx.x] = 0; }\n"
LAUNCH = KERNEL + "void f(float *x) { k<<<1, 64>>>(x); }\n"
WRAPPER = KERNEL + "void launch_k(float *x, int n) { int blocks = n / 64; k<<<blocks, 64>>>(x); }\n"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def loaded(root: Path, files: dict[str, str], *, given: Sequence[str] | None = None, **settings: Any) -> Loaded:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    names = sorted(files) if given is None else given
    return load([Found(str(root / name), name) for name in names], root, **settings)


def lowered(unit: Unit, name: str) -> bool:
    return any(function.name == name and function.body for function in unit.functions)


def test_only_files_with_code_for_a_gpu_are_read(root: Path) -> None:
    result = loaded(root, {"a.cu": LAUNCH, "b.cpp": "int main() { return 0; }\n"})
    assert list(result.units) == ["a.cu"]
    assert result.relevant == {"a.cu"}
    assert result.failures == ()


def test_included_files_are_read_too_though_they_hold_no_such_code(root: Path) -> None:
    files = {
        "a.cu": '#include "inc/b.h"\n' + LAUNCH,
        "inc/b.h": '#pragma once\n#include "c.h"\nconst int n = 3;\n',
        "inc/c.h": "const int m = 4;\n",
        "d.h": "const int other = 4;\n",
    }
    result = loaded(root, files, given=["a.cu", "inc/b.h"])
    assert list(result.units) == ["a.cu", "inc/b.h", "inc/c.h"]
    assert result.relevant == {"a.cu"}
    assert result.context == (str(root / "inc/c.h"),)
    assert [include.resolved for include in result.units["a.cu"].includes] == ["inc/b.h"]
    assert dict(result.includes) == {str(root / "a.cu"): "inc/b.h", str(root / "inc/b.h"): "c.h"}


def test_callers_of_a_launch_wrapper_are_read_wherever_they_are(root: Path) -> None:
    caller = "void launch_k(float *, int);\nint main() { launch_k(nullptr, 640); }\n"
    files = {"a.cu": WRAPPER, "main.cpp": caller, "other.cpp": "int other() { return 0; }\n"}
    result = loaded(root, files)
    assert list(result.units) == ["a.cu", "main.cpp"]
    assert lowered(result.units["main.cpp"], "main")


def test_callers_of_callers_are_read_too(root: Path) -> None:
    middle = "void launch_k(float *, int);\nvoid outer(float *x, int n) { launch_k(x, n); }\n"
    files = {
        "a.cu": WRAPPER,
        "b.cpp": middle,
        "c.cpp": "void outer(float *, int);\nvoid top() { outer(nullptr, 64); }\n",
    }
    assert list(loaded(root, files).units) == ["a.cu", "b.cpp", "c.cpp"]


def test_callers_found_in_one_round_are_still_there_after_the_next(root: Path) -> None:
    filler = "int a = 1; " * 40
    both = f"void launch_k(float *, int);\nvoid outer(float *, int);\nvoid first(float *x) {{ {filler} launch_k(x, 64); }}\n"
    both += f"void last(float *x) {{ {filler} outer(x, 64); }}\n"
    middle = "void launch_k(float *, int);\nvoid outer(float *x, int n) { launch_k(x, n); }\n"
    unit = loaded(root, {"a.cu": WRAPPER, "b.cpp": middle, "both.cpp": both}).units["both.cpp"]
    assert lowered(unit, "first")
    assert lowered(unit, "last")


def test_a_launch_that_depends_on_nothing_given_needs_no_callers(root: Path) -> None:
    files = {"a.cu": LAUNCH, "b.cpp": "void f(float *);\nint main() { f(nullptr); }\n"}
    assert list(loaded(root, files).units) == ["a.cu"]


def test_wrappers_are_told_by_what_decides_their_launches(root: Path) -> None:
    text = (
        KERNEL
        + """
void plain(float *x, int n) { k<<<4, 64>>>(x); }
void by_parameter(float *x, int n) { k<<<n, 64>>>(x); }
void by_variable(float *x, int n) { dim3 grid; grid.x = n / 64; k<<<grid, 64>>>(x); }
template <class K> void by_kernel(K kernel) { kernel<<<4, 64>>>(); }
"""
    )
    unit = loaded(root, {"a.cu": text}).units["a.cu"]
    assert wrappers(unit) == {"by_parameter", "by_variable", "by_kernel"}


def test_calls_are_seen_in_bytes() -> None:
    assert mentions_call(b"x = launch_k (1);", frozenset({"launch_k"}))
    assert mentions_call(b"launch_k<float>(1);", frozenset({"launch_k"}))
    assert not mentions_call(b"launch_k; launch_kk(1)", frozenset({"launch_k"}))


def many(count: int) -> dict[str, str]:
    return {f"file{number:02}.cu": LAUNCH + f"// {number}\n" for number in range(count)}


@pytest.fixture
def in_parallel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cudalint.pipeline.loading._FEW_BYTES", 0)


@pytest.mark.usefixtures("in_parallel")
def test_processes_give_what_one_process_gives(root: Path) -> None:
    files = many(25)
    assert loaded(root, files, jobs=2).units == loaded(root, files, jobs=1).units


@pytest.mark.usefixtures("in_parallel")
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_file_that_breaks_the_reading_costs_no_other(root: Path, monkeypatch: pytest.MonkeyPatch, jobs: int) -> None:
    def read(path: Path, display: str, project: Project, **_: Any) -> Unit:
        if display == "file07.cu":
            raise RecursionError("too deep")
        return Unit(display, "cuda")

    monkeypatch.setattr(reading, "read", read)
    result = loaded(root, many(25), jobs=jobs)
    assert len(result.units) == 24
    assert result.failures == ("file07.cu: reading it failed: RecursionError: too deep",)


@pytest.mark.usefixtures("in_parallel")
def test_a_process_that_dies_costs_one_file(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(path: Path, display: str, project: Project, **_: Any) -> Unit:
        if display in {"file03.cu", "file22.cu"}:
            os.kill(os.getpid(), signal.SIGKILL)
        return Unit(display, "cuda")

    monkeypatch.setattr(reading, "read", read)
    result = loaded(root, many(25), jobs=2)
    assert len(result.units) == 23
    assert result.failures == tuple(f"file{n}.cu: the process that read it died" for n in ("03", "22"))


def test_a_file_that_cannot_be_opened_is_told(root: Path) -> None:
    result = loaded(root, {"a.cu": LAUNCH}, given=["a.cu", "gone.cu"])
    assert list(result.units) == ["a.cu"]
    assert result.failures == ("gone.cu: cannot be read: No such file or directory",)


class Counting:
    """Counts how often files are really read."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.names: list[str] = []
        self._read = reading.read
        monkeypatch.setattr(reading, "read", self)

    def __call__(self, path: Path, display: str, project: Project, **settings: Any) -> Unit:
        self.names.append(display)
        return self._read(path, display, project, **settings)


def test_an_unchanged_file_comes_from_the_cache(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(root / "cache")
    files = {"a.cu": WRAPPER, "b.cu": LAUNCH}
    first = loaded(root, files, cache=cache)
    reads = Counting(monkeypatch)
    assert loaded(root, files, cache=cache) == first
    assert reads.names == []
    loaded(root, {**files, "b.cu": LAUNCH + "// changed\n"}, cache=cache)
    assert reads.names == ["b.cu"]


def test_a_file_is_read_again_when_what_it_includes_changes(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(root / "cache")
    files = {"a.cu": '#include "b.h"\n' + LAUNCH, "b.h": '#include "c.h"\n', "c.h": "#define N 1\n"}
    loaded(root, files, given=["a.cu"], cache=cache)
    reads = Counting(monkeypatch)
    loaded(root, {**files, "c.h": "#define N 2\n"}, given=["a.cu"], cache=cache)
    assert reads.names == ["a.cu", "b.h", "c.h"]


def test_a_file_is_read_again_when_an_include_appears(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(root / "cache")
    files = {"a.cu": '#include "b.h"\n' + LAUNCH}
    assert list(loaded(root, files, given=["a.cu"], cache=cache).units) == ["a.cu"]
    reads = Counting(monkeypatch)
    assert list(loaded(root, {**files, "b.h": "int x;\n"}, given=["a.cu"], cache=cache).units) == ["a.cu", "b.h"]
    assert reads.names == ["a.cu", "b.h"]


@pytest.mark.parametrize("poison", ["nonsense", ((), b"nonsense", ()), ((), pickle.dumps(1), ("f",)), (1, 2, 3)])
def test_a_poisoned_cache_is_no_use_and_no_harm(root: Path, monkeypatch: pytest.MonkeyPatch, poison: object) -> None:
    plain = loaded(root, {"a.cu": LAUNCH})
    monkeypatch.setattr(Cache, "get", lambda _self, _key: poison)
    assert loaded(root, {"a.cu": LAUNCH}, cache=Cache(root / "cache")).units == plain.units
