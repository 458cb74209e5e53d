"""A second run over unchanged files answers from memory, and any change that matters makes it look again."""

from pathlib import Path
from typing import Any

import pytest

from cudalint.config import Config
from cudalint.engine import check, run
from cudalint.report import Report

SOURCE = """#include "size.h"
__global__ void scale(float *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= 2.0f; }
void go(float *x, int n) { if (n > 0) scale<<<(n + SIZE - 1) / SIZE, SIZE>>>(x, n); }
"""


class Project:
    """A folder with one source and its header."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root = root
        self.loads = 0
        self._load = run.load
        self.write("a.cu", SOURCE)
        monkeypatch.setattr(run, "load", self._counted)

    def _counted(self, *arguments: Any, **settings: Any) -> Any:
        self.loads += 1
        return self._load(*arguments, **settings)

    def write(self, name: str, text: str) -> None:
        (self.root / name).write_text(text)

    def check(self, *paths: str, **settings: Any) -> Report:
        config = Config(root=self.root).merged(gpu=("h200",), **settings)
        return check([self.root / path for path in paths or ("a.cu",)], config)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CUDALINT_NO_CACHE", raising=False)
    monkeypatch.delenv("CUDALINT_CACHE_DIR", raising=False)
    made = Project(tmp_path, monkeypatch)
    made.write("size.h", "#define SIZE 100\n")
    return made


def test_an_unchanged_project_is_answered_from_memory(project: Project) -> None:
    first = project.check()
    assert [finding.rule for finding in first.findings] == ["block-not-warp-multiple"]
    assert project.check() == first
    assert project.loads == 1
    assert (project.root / ".cudalint_cache/CACHEDIR.TAG").exists()


def test_a_change_to_a_file_read_besides_those_given_counts(project: Project) -> None:
    project.check()
    project.write("size.h", "#define SIZE 128\n")
    assert project.check().findings == ()


def test_an_include_that_appears_counts(project: Project) -> None:
    (project.root / "size.h").unlink()
    assert project.check().findings == ()
    project.write("size.h", "#define SIZE 100\n")
    assert len(project.check().findings) == 1


def test_settings_count(project: Project) -> None:
    project.check()
    assert project.check(ignore=("block",)).findings == ()
    assert project.loads == 2
    project.check(jobs=1)
    assert project.loads == 2


def test_a_run_in_which_something_failed_is_not_remembered(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cudalint.pipeline.reading.read", lambda *_, **__: 1 / 0)
    report = project.check()
    assert report.crashed
    assert report.failures == ("a.cu: reading it failed: ZeroDivisionError: division by zero",)
    project.check()
    assert project.loads == 2


@pytest.mark.parametrize("variable", ["CUDALINT_NO_CACHE", ""])
def test_nothing_is_kept_when_told_so(project: Project, monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    if variable:
        monkeypatch.setenv(variable, "1")
    project.check(cache=None if variable else False)
    assert not (project.root / ".cudalint_cache").exists()


def test_the_folder_can_be_named(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDALINT_CACHE_DIR", str(project.root / "elsewhere"))
    project.check()
    assert (project.root / "elsewhere/CACHEDIR.TAG").exists()
    project.check(cache_dir="own")
    assert (project.root / "own/CACHEDIR.TAG").exists()


def test_no_cache_is_left_in_a_folder_that_is_no_project(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    away = tmp_path / "away"
    away.mkdir()
    monkeypatch.chdir(away)
    project.check()
    assert not (project.root / ".cudalint_cache").exists()
