"""0 nothing at or above --fail-on, 1 findings, 2 no answer; and never a traceback."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Program

CUDALINT = [sys.executable, "-m", "cudalint"]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("clean.cu",), 0),
        (("error.cu",), 1),
        (("warning.cu",), 1),
        (("check", "."), 1),
        (("warning.cu", "--fail-on", "error"), 0),
        (("error.cu", "--fail-on", "error"), 1),
        (("error.cu", "--fail-on", "never"), 0),
        (("error.cu", "--exit-zero"), 0),
        (("warning.cu", "--min-severity", "error"), 0),
        (("--version",), 0),
        (("--help",), 0),
        (("check", "--help"), 0),
        (("missing.cu",), 2),
        (("clean.cu", "missing"), 2),
        (("--gpu", "nosuch", "clean.cu"), 2),
        (("--select", "nosuch", "clean.cu"), 2),
        (("--nosuch", "clean.cu"), 2),
        (("--assume", "n", "clean.cu"), 2),
        (("--assume", "n=many", "clean.cu"), 2),
        (("--output-format", "nosuch", "clean.cu"), 2),
        (("--report", "nosuch=out", "clean.cu"), 2),
        (("--report", "json=no/folder/out", "clean.cu"), 2),
        (("--config", "missing.toml", "clean.cu"), 2),
        (("--config", "cudalint.toml", "--isolated", "clean.cu"), 2),
        (("--jobs", "0", "clean.cu"), 2),
        (("explain", "nosuch-rule"), 2),
        (("explain", "clean.cu:1"), 2),
        ((), 2),
    ],
)
def test_exit_code(program: Program, arguments: tuple[str, ...], code: int) -> None:
    done = program(*arguments)
    assert done.code == code, done.out + done.err
    assert "Traceback" not in done.err
    assert not (code == 2 and not done.err)


@pytest.mark.parametrize("text", ["gpu = [", "nosuch = 1", "min-severity = 'loud'", "select = ['nosuch']"])
def test_bad_configuration(program: Program, project: Path, text: str) -> None:
    (project / "cudalint.toml").write_text(text)
    done = program("clean.cu")
    assert done.code == 2
    assert "cudalint.toml" in done.err


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every file")
def test_unreadable_file(program: Program, project: Path) -> None:
    (project / "clean.cu").chmod(0)
    assert program("clean.cu").code == 2


def test_folder_without_code(program: Program, project: Path) -> None:
    (project / "empty").mkdir()
    done = program("empty")
    assert done.code == 0
    assert "no CUDA or HIP code found" in done.err


def test_crash_is_one_line_and_a_traceback_only_on_request(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_arguments: object, **_options: object) -> None:
        raise ZeroDivisionError("planted")

    monkeypatch.setattr("cudalint.cli.run.check", crash)
    done = program("clean.cu")
    assert done.code == 2
    assert done.err.count("\n") == 1
    assert "ZeroDivisionError: planted" in done.err
    assert "Traceback" in program("clean.cu", "-v").err


def test_interrupt_is_quiet(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_arguments: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("cudalint.cli.run.check", interrupt)
    done = program("clean.cu")
    assert done.code == 128 + signal.SIGINT
    assert not done.err.strip()


def test_reader_that_goes_away(project: Path) -> None:
    script = f'{" ".join(CUDALINT)} error.cu warning.cu --output-format json | true; echo "${{PIPESTATUS[0]}}"'
    done = subprocess.run(["bash", "-c", script], cwd=project, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout.strip() in {"0", "1"}


def test_module_is_the_program(project: Path) -> None:
    done = subprocess.run([*CUDALINT, "error.cu"], cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "block-exceeds-device-limit" in done.stdout


def test_output_that_cannot_hold_the_text(project: Path) -> None:
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    (project / "核.cu").write_text((project / "error.cu").read_text().replace("scale_error", "other"))
    done = subprocess.run([*CUDALINT, "."], cwd=project, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "\\u6838.cu" in done.stdout
