"""Workflow commands and the step summary: escapes, paths, order, and the limits GitHub sets."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from cudalint.report import Report
from cudalint.reporters.github import github, relative, repository_root
from cudalint.reporters.step_summary import step_summary
from cudalint.rule import Severity
from cudalint.source import Span
from tests.reporters.reports import CLEAN, PARTIAL, REPORT, many

Golden = Callable[[str, str], None]


def of(*findings: object) -> Report:
    return replace(REPORT, findings=findings)


def test_golden(golden: Golden) -> None:
    golden("github.txt", github(REPORT, root=Path.cwd()))


def test_step_summary_golden(golden: Golden) -> None:
    golden("step_summary.md", step_summary(REPORT, root=Path.cwd()))


def test_worst_come_first() -> None:
    levels = [line.split()[0] for line in github(REPORT).splitlines()]
    assert levels == ["::error", "::warning", "::warning"]


def test_text_is_escaped() -> None:
    finding = replace(PARTIAL, message="100%\r\nof it: a, b", remedy="", span=Span("a,b:c%.cu", 1, 1, 1, 2))
    line = github(of(finding)).strip()
    assert "file=a%2Cb%3Ac%25.cu," in line
    assert line.endswith("::100%25%0D%0Aof it: a, b")
    assert "\n" not in line


def test_no_columns_for_a_place_of_several_lines() -> None:
    line = github(of(replace(PARTIAL, span=Span("a.cu", 1, 3, 2, 4))))
    assert "line=1,endLine=2,title=" in line


def test_paths_are_relative_to_the_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    below = tmp_path / "below"
    below.mkdir()
    monkeypatch.chdir(below)
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    assert repository_root() == tmp_path
    assert relative("a.cu", repository_root()) == "below/a.cu"
    assert relative(str(below / "a.cu"), repository_root()) == "below/a.cu"
    assert relative("./../a.cu", repository_root()) == "a.cu"
    assert relative("/elsewhere/a.cu", repository_root()) == "/elsewhere/a.cu"


def test_workspace_of_the_workflow_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link = tmp_path / "link"
    link.symlink_to(tmp_path, target_is_directory=True)
    monkeypatch.setenv("GITHUB_WORKSPACE", str(link))
    assert relative(str(tmp_path / "src" / "a.cu"), repository_root()) == "src/a.cu"


@pytest.mark.parametrize(("severity", "shown", "more"), [(Severity.ERROR, 10, 13), (Severity.NOTE, 9, 14)])
def test_ten_of_a_level_and_then_a_count(severity: Severity, shown: int, more: int) -> None:
    commands = github(of(*many(severity, 23))).splitlines()
    assert len(commands) == shown + 1
    assert commands[-1].startswith(f"::notice title=cudalint::{more} more findings")


def test_ten_of_each_level_need_no_count() -> None:
    findings = [finding for severity in Severity for finding in many(severity, 10)]
    commands = github(of(*findings)).splitlines()
    assert len(commands) == 30
    assert "more" not in commands[-1]


def test_summary_says_when_annotations_are_missing() -> None:
    assert "3 findings of these have none" in step_summary(of(*many(Severity.ERROR, 13)))


def test_summary_stays_below_a_mebibyte() -> None:
    page = step_summary(of(*many(Severity.ERROR, 20_000)))
    assert len(page.encode()) < 1 << 20
    assert "lines more. The log lists all." in page


def test_summary_of_nothing() -> None:
    assert step_summary(CLEAN).startswith("## cudalint\n\nFound 0 ")


def test_markdown_in_messages_is_escaped() -> None:
    page = step_summary(of(replace(PARTIAL, message="a | b <img> `c`\nd")))
    assert "a \\| b \\<img\\> \\`c\\` d |" in page
