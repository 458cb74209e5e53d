"""Phrases the formats for people share."""

from collections import Counter
from collections.abc import Iterable

from cudalint.report import Report, ReportedFinding
from cudalint.reporters.snippet import printable
from cudalint.rule import Fact


def count(number: int, noun: str) -> str:
    """As in "1 error", "2 errors", "2 launches"."""
    plural = "" if number == 1 else "es" if noun.endswith("ch") else "s"
    return f"{number} {noun}{plural}"


def found(report: Report) -> str:
    """How many findings there are, by severity."""
    summary = report.summary
    severities = count(summary.errors, "error"), count(summary.warnings, "warning"), count(summary.notes, "note")
    total = summary.errors + summary.warnings + summary.notes
    return f"Found {total} ({', '.join(severities)}), {summary.suppressed} suppressed"


def checked(report: Report) -> str:
    """What was looked at, for which GPUs."""
    summary = report.summary
    return (
        f"Checked {count(summary.files, 'file')} with {count(summary.launches, 'launch')} for {', '.join(report.gpus)}"
    )


def statistics(findings: Iterable[ReportedFinding]) -> str:
    """One line a rule, the most frequent first."""
    counts = Counter((finding.rule, finding.severity) for finding in findings)
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return "".join(f"{number:6}  {severity:7}  {rule}\n" for (rule, severity), number in ordered)


def fact(name: str, value: Fact) -> str:
    """As in "block 100 (literal)"."""
    number = f"{value.value:.4g}" if isinstance(value.value, float) else str(value.value)
    return printable(f"{name.replace('_', ' ')} {number} ({value.origin})")


def facts(evidence: dict[str, Fact]) -> str:
    return ", ".join(fact(name, value) for name, value in evidence.items())
