"""The Markdown page that GitHub Actions shows under a finished step."""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from cudalint.report import Report, ReportedFinding
from cudalint.reporters.github import hidden, relative, repository_root
from cudalint.reporters.snippet import printable
from cudalint.reporters.wording import checked, count, found

_MOST_BYTES = 1_000_000
"""GitHub refuses a step's summary above 1 MiB."""


def step_summary(report: Report, *, root: Path | None = None) -> str:
    """A table of findings for each file, cut off (and saying so) before it grows too large."""
    head = f"## cudalint\n\n{found(report)}. {checked(report)}.\n"
    more = hidden(report)
    if more:
        head += f"\nGitHub limits annotations: {count(more, 'finding')} of these have none.\n"
    sections = list(_sections(report, root or repository_root()))
    output, size = [head], len(head.encode())
    for index, section in enumerate(sections):
        size += len(section.encode("utf-8", "replace"))
        if size > _MOST_BYTES:
            output.append(f"\nCut off here: {count(len(sections) - index, 'line')} more. The log lists all.\n")
            break
        output.append(section)
    return "".join(output)


def _sections(report: Report, root: Path) -> Iterator[str]:
    ordered = sorted(report.findings, key=lambda finding: finding.file)
    for file, findings in groupby(ordered, key=lambda finding: finding.file):
        yield f"\n### {_cell(relative(file, root))}\n\n| line | severity | rule | message |\n|---|---|---|---|\n"
        yield from (_row(finding) for finding in findings)


def _row(finding: ReportedFinding) -> str:
    return f"| {finding.line} | {finding.severity} | {finding.rule} | {_cell(finding.message)} |\n"


def _cell(text: str) -> str:
    escaped = printable(text).replace("\\", "\\\\")
    for mark in "|`*_<>[]":
        escaped = escaped.replace(mark, f"\\{mark}")
    return escaped
