"""The README does not lie: its example is run and its output compared, its commands and links exist."""

import re
import shlex
from pathlib import Path

import pytest

from cudalint.cli.app import run

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def test_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    source = blocks("cuda")[0]
    monkeypatch.chdir(tmp_path)
    Path(source.partition("\n")[0].removeprefix("// ")).write_text(source, encoding="utf-8")
    command, _, output = blocks("console")[0].partition("\n")
    assert run(shlex.split(command.removeprefix("$ cudalint "))) == 1
    assert capsys.readouterr().out == output


def test_commands_to_paste_are_two_and_start_from_nothing() -> None:
    commands = blocks("bash")
    assert len(commands) == 2
    assert all(command.startswith("python3 -m venv .venv && .venv/bin/pip install ") for command in commands)
    assert all(command.count("\n") == 1 for command in commands)


def test_first_command_succeeds_on_the_corpus(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    command = blocks("bash")[0].partition(".venv/bin/cudalint ")[2]
    assert run(shlex.split(command)) == 0
    assert re.search(r"^Found [1-9]", capsys.readouterr().out, re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_every_option_of_check_is_documented() -> None:
    from cudalint.cli.check import check

    text = (ROOT / "docs" / "usage.md").read_text(encoding="utf-8")
    options = [name for parameter in check.params for name in parameter.opts if name.startswith("--")]
    assert [name for name in options if f"`{name}" not in text] == []
