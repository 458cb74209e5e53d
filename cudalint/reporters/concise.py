"""One line a finding, as compilers write them."""

from cudalint.report import Report, ReportedFinding
from cudalint.reporters.paint import Paint
from cudalint.reporters.snippet import printable
from cudalint.reporters.wording import checked, found


def concise(report: Report, *, colour: bool = False, totals: bool = True) -> str:
    """`path:line:column: severity[rule] message`; `totals` adds the last two lines, which count."""
    paint = Paint(colour)
    output = [_line(finding, paint) for finding in report.findings]
    if totals:
        output += [found(report), checked(report)]
    return "".join(f"{line}\n" for line in output)


def _line(finding: ReportedFinding, paint: Paint) -> str:
    place = paint.strong(f"{printable(finding.file)}:{finding.line}:{finding.column}:")
    title = paint.severity(f"{finding.severity}[{finding.rule}]", finding.severity)
    return f"{place} {title} {printable(finding.message)}"
