"""A project to check, and the program run on it."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from cudalint.cli.app import run

KERNEL = """\
__global__ void scale(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= 2.0f;
}
"""
TOO_LARGE = f"{KERNEL}\nvoid run(float *x, int n) {{ scale<<<4096, 2048>>>(x, n); }}\n"
PARTIAL_WARP = f"{KERNEL}\nvoid run(float *x, int n) {{ scale<<<512, 100>>>(x, n); }}\n"
CLEAN = f"{KERNEL}\nvoid run(float *x, int n) {{ scale<<<4096, 256>>>(x, n); }}\n"


@dataclass(frozen=True)
class Done:
    """What one command line did."""

    code: int
    out: str
    err: str

    @property
    def report(self) -> dict[str, Any]:
        return dict(json.loads(self.out))


Program = Callable[..., Done]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: one file with an error, one with a warning, one without a fault, each with its own kernel."""
    monkeypatch.chdir(tmp_path)
    for name in ("CUDALINT_OUTPUT_FORMAT", "CUDALINT_CACHE_DIR", "CUDALINT_NO_CACHE", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name in ("GITHUB_STEP_SUMMARY", "GITHUB_WORKSPACE"):
        monkeypatch.delenv(name, raising=False)
    for file, text in {"error.cu": TOO_LARGE, "warning.cu": PARTIAL_WARP, "clean.cu": CLEAN}.items():
        (tmp_path / file).write_text(text.replace("scale", f"scale_{Path(file).stem}"))
    return tmp_path


@pytest.fixture
def program(project: Path, capsys: pytest.CaptureFixture[str]) -> Program:
    """Runs `cudalint` with arguments, in this process and in the project."""

    def call(*arguments: str) -> Done:
        code = run(arguments)
        captured = capsys.readouterr()
        return Done(code, captured.out, captured.err)

    return call
