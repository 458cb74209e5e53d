"""Workflow commands that GitHub Actions turns into annotations.

Syntax and escapes: the Actions toolkit, `escapeData` and `escapeProperty`. A step shows ten annotations of each level
and drops the rest without a word (actions/toolkit#734), so the worst ones are written and the others counted.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from cudalint.report import Report, ReportedFinding
from cudalint.reporters.wording import count
from cudalint.rule import Severity

_SHOWN = 10
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def github(report: Report, *, root: Path | None = None) -> str:
    """One command a finding, errors first; paths are relative to the repository's `root`, by default where it is found."""
    base = root or repository_root()
    return "".join(f"{line}\n" for line in _commands(report, base))


def repository_root() -> Path:
    """What the workflow calls its workspace, else the enclosing git work tree, else the current folder."""
    workspace = os.environ.get("GITHUB_WORKSPACE")
    if workspace:
        return Path(workspace)
    here = Path.cwd()
    return next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), here)


def relative(file: str, root: Path) -> str:
    """A file as the repository knows it: relative to its root, with forward slashes; as it is where it lies elsewhere."""
    path = os.path.relpath(os.path.realpath(file), os.path.realpath(root))
    return Path(file if path.startswith("..") else path).as_posix()


def hidden(report: Report) -> int:
    """How many findings get no annotation."""
    return sum(max(0, _number(report, severity) - _room(report, severity)) for severity in Severity)


def _commands(report: Report, root: Path) -> Iterator[str]:
    for severity in sorted(Severity, key=lambda level: -level.rank):
        of_level = [finding for finding in report.findings if finding.severity is severity]
        yield from (_command(finding, root) for finding in of_level[: _room(report, severity)])
    more = hidden(report)
    if more:
        yield f"::notice title=cudalint::{count(more, 'more finding')} without an annotation; the log lists all"


def _room(report: Report, severity: Severity) -> int:
    """The line that counts the rest is a notice too, and needs a place where there is a rest."""
    if severity is not Severity.NOTE:
        return _SHOWN
    crowded = any(_number(report, level) > _SHOWN for level in Severity)
    return _SHOWN - 1 if crowded else _SHOWN


def _number(report: Report, severity: Severity) -> int:
    return sum(finding.severity is severity for finding in report.findings)


def _command(finding: ReportedFinding, root: Path) -> str:
    place = {"file": relative(finding.file, root), "line": finding.line, "endLine": finding.end_line}
    if finding.line == finding.end_line:
        place |= {"col": finding.column, "endColumn": finding.end_column}
    properties = ",".join(f"{key}={_property(str(value))}" for key, value in (place | {"title": finding.rule}).items())
    text = f"{finding.message}\n{finding.remedy}" if finding.remedy else finding.message
    return f"::{_LEVELS[finding.severity]} {properties}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
