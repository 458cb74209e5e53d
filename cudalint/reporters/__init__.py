"""One file per format; each is a function from a report to its text."""

from collections.abc import Callable

from cudalint.report import Report
from cudalint.reporters.concise import concise
from cudalint.reporters.full import full
from cudalint.reporters.github import github
from cudalint.reporters.json_report import json_report

FORMATS: dict[str, Callable[[Report], str]] = {
    "full": full,
    "concise": concise,
    "json": json_report,
    "github": github,
}
