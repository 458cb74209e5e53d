"""The commands beside `check`, and how fast the program starts."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click import Context

from cudalint.catalogue import catalogue
from cudalint.cli.app import group
from cudalint.version import VERSION
from tests.cli.conftest import Program


@pytest.mark.parametrize("command", group.list_commands(Context(group)))
def test_every_command_has_help(program: Program, command: str) -> None:
    done = program(command, "--help")
    assert done.code == 0
    assert done.out.startswith(f"Usage: cudalint {command} ")


def test_version(program: Program) -> None:
    assert program("--version").out == f"cudalint {VERSION}\n"


def test_start_imports_nothing_heavy() -> None:
    code = "import sys; from cudalint.cli.app import run; run(['--version']); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert not loaded & {"tree_sitter", "pathspec", "networkx", "cudalint.engine", "cudalint.rule", "multiprocessing"}


def test_launches_as_a_table(program: Program) -> None:
    done = program("launches", ".", "--gpu", "h200")
    assert done.code == 0
    assert done.out.startswith("PLACE ")
    assert done.out.splitlines()[-1] == "3 launches in 3 files; block known for 3, grid for 3, both for 3"


def test_launches_as_json_is_the_object_of_check(program: Program) -> None:
    of_launches = program("launches", "clean.cu", "--output-format", "json").report
    of_check = program("check", "clean.cu", "--output-format", "json").report
    assert of_launches == of_check
    assert of_launches["launches"][0]["grid"]["value"] == 4096


def test_unknown_values_show_their_formula(program: Program, project: Path) -> None:
    text = (project / "clean.cu").read_text().replace("4096, 256", "(n + 255) / 256, 256")
    (project / "clean.cu").write_text(text)
    row = program("launches", "clean.cu").out.splitlines()[1]
    assert "? = " in row
    assert "256 (literal)" in row


def test_rules_as_text_and_as_json(program: Program) -> None:
    slugs = {rule.slug for rule in catalogue()}
    assert {entry["rule"] for entry in json.loads(program("rules", "--output-format", "json").out)} == slugs
    text = program("rules").out
    assert all(slug in text for slug in slugs)


def test_explain_a_rule(program: Program) -> None:
    for rule in catalogue():
        page = program("explain", rule.slug).out
        assert page.startswith(f"{rule.slug}\n{rule.group}, {rule.severity}")
        assert "```" not in page


def test_explain_suggests_the_nearest_rule(program: Program) -> None:
    assert "block-not-warp-multiple" in program("explain", "block-not-warp-multiples").err


def test_explain_a_launch(program: Program) -> None:
    done = program("explain", "clean.cu:6", "--gpu", "h200", "--gpu", "mi300x")
    assert done.code == 0
    assert done.out.startswith("clean.cu:6: launch of scale_clean in run\n")
    assert "  block            256 (literal)" in done.out
    assert "on mi300x" in done.out


def test_explain_names_the_lines_that_have_launches(program: Program) -> None:
    assert "launches are at line 6" in program("explain", "clean.cu:1").err


def test_config_says_where_settings_come_from(program: Program, project: Path) -> None:
    (project / "cudalint.toml").write_text('gpu = ["mi300x"]\n')
    out = program("config").out
    assert "gpu = [mi300x]  (cudalint.toml)\n" in out
    assert "fail-on = warning  (default)\n" in out
    assert "(cudalint.toml)" not in program("config", "--isolated").out


def test_cache_clean_removes_what_a_run_kept(program: Program, project: Path) -> None:
    program("clean.cu")
    assert (project / ".cudalint_cache" / "CACHEDIR.TAG").exists()
    assert program("cache", "clean").code == 0
    assert not (project / ".cudalint_cache").exists()
    assert "nothing is kept" in program("cache", "clean").err


def test_cache_clean_spares_folders_of_others(program: Program, project: Path) -> None:
    (project / "mine").mkdir()
    program("cache", "clean", "--cache-dir", "mine")
    assert (project / "mine").is_dir()


def test_cache_folder_from_the_option_and_from_the_environment(
    program: Program, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program("clean.cu", "--cache-dir", "kept")
    assert (project / "kept" / "CACHEDIR.TAG").exists()
    monkeypatch.setenv("CUDALINT_NO_CACHE", "1")
    program("clean.cu")
    program("clean.cu", "--no-cache")
    assert not (project / ".cudalint_cache").exists()


def test_ir_shows_launches(program: Program) -> None:
    out = program("ir", "clean.cu").out
    assert out.startswith("unit clean.cu (cuda, 6 lines)\n")
    assert "kernel scale_clean; grid 4096; block 256" in out
