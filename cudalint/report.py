"""What a run of the linter returns: the stable, public shapes behind the JSON output."""

from dataclasses import field
from typing import Any

from cudalint.record import record
from cudalint.rule import Confidence, Fact, Related, Severity
from cudalint.source import Span


@record
class ReportedFinding:
    """A finding over all GPUs it holds for. Lines and columns are 1-based, the end column is exclusive.

    `evidence` holds the facts common to all GPUs, and under "targets" those that differ, by GPU.
    """

    rule: str
    group: str
    severity: Severity
    confidence: Confidence
    message: str
    span: Span
    gpus: tuple[str, ...]
    evidence: dict[str, Fact]
    targets: dict[str, dict[str, Fact]]
    related: tuple[Related, ...]
    remedy: str
    fingerprint: str
    kernel: str = ""
    fix: None = None

    @property
    def file(self) -> str:
        return self.span.file

    @property
    def line(self) -> int:
        return self.span.line

    @property
    def column(self) -> int:
        return self.span.column

    @property
    def end_line(self) -> int:
        return self.span.end_line

    @property
    def end_column(self) -> int:
        return self.span.end_column


@record
class Value:
    """What is known of one part of a launch. `value` is None where it is not one known number."""

    value: int | None
    text: str
    origin: str
    lo: int | None = None
    hi: int | None = None
    formula: str | None = None
    dims: tuple[int | None, int | None, int | None] | None = None


@record
class Target:
    """One launch on one GPU. `blocks_per_sm` is None where it depends on what is unknown; the range is always given.

    `waves` is grid / (SMs × blocks per SM). `regime` and `tail_loss` are None where the model cannot tell.
    """

    blocks_per_sm: int | None
    blocks_per_sm_range: tuple[int, int] | None
    limiter: tuple[str, ...]
    occupancy: float | None
    waves: float | None
    regime: str | None = None
    tail_loss: float | None = None


@record
class ReportedLaunch:
    """One launch site with what is known of it."""

    kernel: str
    span: Span
    form: str
    grid: Value
    block: Value
    cluster: Value | None
    dynamic_shared: Value
    registers: Value
    static_shared: Value
    cooperative: bool
    defined: Span | None
    function: str
    targets: dict[str, Target]

    @property
    def file(self) -> str:
        return self.span.file

    @property
    def line(self) -> int:
        return self.span.line


@record
class Summary:
    files: int
    launches: int
    errors: int
    warnings: int
    notes: int
    suppressed: int


@record
class Report:
    """The whole answer. `failures` tell of rules that crashed or were skipped and of files that could not be read."""

    version: str
    gpus: tuple[str, ...]
    findings: tuple[ReportedFinding, ...]
    launches: tuple[ReportedLaunch, ...]
    summary: Summary
    suppressed: tuple[ReportedFinding, ...] = ()
    failures: tuple[str, ...] = ()
    crashed: bool = False
    sources: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)
