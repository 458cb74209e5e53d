"""The format for people: message, source with the place underlined, evidence and remedy."""

from collections.abc import Iterator

from cudalint.report import Report, ReportedFinding
from cudalint.reporters.paint import Paint
from cudalint.reporters.snippet import Lines, printable, read_lines, snippet
from cudalint.reporters.wording import checked, facts, found
from cudalint.rule import Related
from cudalint.source import Span


def full(report: Report, *, colour: bool = False, lines: Lines = read_lines, totals: bool = True) -> str:
    """Every finding with its source; `totals` adds the last two lines, which count."""
    paint = Paint(colour)
    blocks = ["\n".join(_finding(finding, report, paint, lines)) for finding in report.findings]
    if totals:
        blocks.append(f"{found(report)}\n{checked(report)}")
    return "".join(f"{block}\n\n" for block in blocks).removesuffix("\n")


def suppressed(report: Report, *, colour: bool = False) -> str:
    """What was found and silenced, one line each."""
    paint = Paint(colour)
    return "".join(
        f"{paint.faint('suppressed')} {_place(finding.span)}: {finding.rule}: {printable(finding.message)}\n"
        for finding in report.suppressed
    )


def _finding(finding: ReportedFinding, report: Report, paint: Paint, lines: Lines) -> Iterator[str]:
    gutter = len(str(max([finding.end_line, *(related.span.end_line for related in finding.related)])))
    title = f"{finding.severity}[{finding.rule}]"
    yield f"{paint.severity(title, finding.severity)}{paint.strong(f': {printable(finding.message)}')}"
    yield from _source(finding.span, gutter, paint, lines)
    for related in finding.related:
        yield from _related(related, gutter, paint, lines)
    for label, text in _remarks(finding, report):
        yield f"{'':{gutter}} {paint.frame('=')} {paint.strong(label)}: {text}"


def _related(related: Related, gutter: int, paint: Paint, lines: Lines) -> Iterator[str]:
    yield f"{paint.strong('note')}: {printable(related.message)}"
    yield from _source(related.span, gutter, paint, lines, "-")


def _source(span: Span, gutter: int, paint: Paint, lines: Lines, mark: str = "^") -> Iterator[str]:
    yield f"{'':{gutter}}{paint.frame('-->')} {_place(span)}"
    yield from snippet(span, lines(span.file), gutter, paint, mark)


def _remarks(finding: ReportedFinding, report: Report) -> Iterator[tuple[str, str]]:
    if finding.evidence:
        yield "evidence", facts(finding.evidence)
    for gpu, evidence in finding.targets.items():
        yield f"on {gpu}", facts(evidence)
    if finding.gpus != report.gpus and not finding.targets:
        yield "gpu", ", ".join(finding.gpus)
    if finding.remedy:
        yield "help", printable(finding.remedy)


def _place(span: Span) -> str:
    return f"{printable(span.file)}:{span.line}:{span.column}"
