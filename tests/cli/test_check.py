"""Options of `cudalint check`: what is run, what is written, and where."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Program


def test_options_before_or_after_the_paths_and_the_verb_or_none(program: Program) -> None:
    answers = {
        program(*arguments).out
        for arguments in [
            ("error.cu", "--gpu", "mi300x"),
            ("--gpu", "mi300x", "error.cu"),
            ("check", "--gpu", "mi300x", "error.cu"),
            ("check", "error.cu", "--gpu=mi300x"),
        ]
    }
    assert len(answers) == 1
    assert "mi300x" in answers.pop()


def test_last_of_a_repeated_option_wins(program: Program) -> None:
    assert program("error.cu", "--fail-on", "never", "--fail-on", "error").code == 1
    assert program("error.cu", "--fail-on", "error", "--fail-on", "never").code == 0


def test_file_called_like_a_command(program: Program, project: Path) -> None:
    (project / "rules").mkdir()
    (project / "error.cu").rename(project / "rules" / "error.cu")
    assert program("./rules").code == 1


def test_several_gpus_are_one_finding(program: Program) -> None:
    report = program("error.cu", "--gpu", "h200", "--gpu", "mi300x", "--output-format", "json").report
    assert report["gpus"] == ["h200", "mi300x"]
    assert [finding["rule"] for finding in report["findings"]] == ["block-exceeds-device-limit"]
    assert report["findings"][0]["gpus"] == ["h200", "mi300x"]


def test_select_and_ignore(program: Program) -> None:
    assert "block-exceeds-device-limit" not in program(".", "--select", "block-not-warp-multiple").out
    assert "block-not-warp-multiple" not in program(".", "--ignore", "block-not-warp-multiple,grid").out
    assert program(".", "--ignore", "block,wave,grid").code == 0


def test_json_names_files_from_here_with_forward_slashes(program: Program, project: Path) -> None:
    (project / "src").mkdir()
    (project / "error.cu").rename(project / "src" / "error.cu")
    for path in ("src", "./src/error.cu", str(project / "src")):
        assert program(path, "--output-format", "json").report["findings"][0]["file"] == "src/error.cu"


def test_reports_beside_the_answer(program: Program, project: Path) -> None:
    done = program("error.cu", "--report", "json=out.json", "--report", "concise=out.txt", "--output-format", "github")
    assert json.loads((project / "out.json").read_text())["summary"]["errors"] == 1
    assert (project / "out.txt").read_text().startswith("error.cu:6:")
    assert "::error file=error.cu,line=6," in done.out


def test_output_format_from_the_environment(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDALINT_OUTPUT_FORMAT", "json")
    assert program("error.cu").report["version"]
    assert program("error.cu", "--output-format", "concise").out.startswith("error.cu:6:")


def test_github_format_keeps_the_text_and_writes_the_summary(
    program: Program, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(project / "summary.md"))
    (project / "summary.md").write_text("# Before\n")
    out = program("error.cu", "--output-format", "github").out
    assert out.startswith("error[block-exceeds-device-limit]: ")
    assert "\n::error file=error.cu,line=6," in out
    assert (project / "summary.md").read_text().startswith("# Before\n## cudalint\n")


def test_quiet_is_findings_only(program: Program, project: Path) -> None:
    assert "Found" not in program("error.cu", "--quiet").out
    assert program("clean.cu", "-q").out == ""
    (project / "empty").mkdir()
    assert program("empty", "-q").err == ""


def test_statistics(program: Program) -> None:
    assert "     1  error    block-exceeds-device-limit\n" in program(".", "--statistics").out
    done = program(".", "--statistics", "--output-format", "json")
    assert done.report["findings"]
    assert "block-exceeds-device-limit" in done.err


def test_show_files(program: Program) -> None:
    done = program(".", "--show-files")
    assert done.out == "clean.cu\nerror.cu\nwarning.cu\n"
    assert done.code == 0


def test_show_suppressed(program: Program, project: Path) -> None:
    source = (project / "error.cu").read_text()
    (project / "error.cu").write_text(source.rstrip() + "  // cudalint: ignore[block-exceeds-device-limit] a test\n")
    done = program("error.cu")
    assert done.code == 0, done.out
    assert "1 suppressed" in done.out
    assert "suppressed error.cu:6:" in program("error.cu", "--show-suppressed").out


@pytest.mark.parametrize(
    ("environment", "option", "coloured"),
    [
        ({}, "auto", False),
        ({"FORCE_COLOR": "1"}, "auto", True),
        ({"FORCE_COLOR": "0"}, "auto", False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, "auto", False),
        ({"NO_COLOR": "1"}, "always", True),
        ({"FORCE_COLOR": "1"}, "never", False),
    ],
)
def test_colour(
    program: Program, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], option: str, coloured: bool
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert ("\x1b[" in program("error.cu", "--color", option).out) is coloured


def test_assumptions_decide(program: Program, project: Path) -> None:
    text = (
        (project / "error.cu")
        .read_text()
        .replace("4096, 2048", "4096, threads")
        .replace("int n) { s", "int n, int threads) { s")
    )
    (project / "error.cu").write_text(text)
    assert program("error.cu").code == 0
    assert program("error.cu", "--assume", "threads=1<<11").code == 1


def test_resources_from_a_table(program: Program, project: Path) -> None:
    (project / "kernels.toml").write_text("[scale_clean]\nregisters = 200\n")
    (project / "kernels.json").write_text('{"*": {"registers": 200, "static_shared": 0, "local": 0}}')
    for table in ("kernels.toml", "kernels.json"):
        out = program("launches", "clean.cu", "--output-format", "json", "--resources", table).report
        assert out["launches"][0]["registers"]["value"] == 200


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("kernels.cubin", "", "not supported yet"),
        ("kernels.json", "[]", "not a table"),
        ("kernels.json", "{", "kernels.json"),
        ("kernels.toml", "a = 1", "not a table"),
        ("kernels.toml", "[a]\nregister = 1", "unknown key"),
        ("kernels.toml", "[a]\nregisters = -1", "whole number"),
    ],
)
def test_resources_that_cannot_be_used(program: Program, project: Path, name: str, text: str, complaint: str) -> None:
    (project / name).write_text(text)
    done = program("clean.cu", "--resources", name)
    assert done.code == 2
    assert complaint in done.err
