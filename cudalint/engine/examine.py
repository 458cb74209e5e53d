"""Asking every rule about every subject on every GPU. A rule that fails is reported once and the others still run."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from typing import Any

from cudalint.engine.targets import Targets
from cudalint.hw import Device
from cudalint.ir import Instance, Kernel, Launch
from cudalint.record import mutable_record, record
from cudalint.rule import Context, Finding, MissingFigureError, Related, Rule, Suppression, Unread
from cudalint.source import Span

AnyRule = Rule[Any]
Subject = Launch | Kernel | Instance | Unread | Suppression


@record
class Said:
    """One finding of one rule about one subject on one GPU. `ordinal` tells apart what it says of one place."""

    rule: AnyRule
    subject: Subject
    device: Device
    finding: Finding
    ordinal: int

    @property
    def kernel(self) -> str:
        """The kernel it is about; "" where it is about none."""
        match self.subject:
            case Launch():
                return self.subject.kernel_name
            case Kernel():
                return self.subject.name
            case Instance():
                return self.subject.kernel.name
        return ""


@mutable_record
class Failures:
    """What kept rules from answering: one line for each rule that crashed, one for each rule and GPU skipped."""

    crashed: dict[str, str] = field(default_factory=dict)
    skipped: dict[tuple[str, str], str] = field(default_factory=dict)

    def lines(self) -> tuple[str, ...]:
        return (*self.crashed.values(), *self.skipped.values())

    def rules(self) -> frozenset[str]:
        """The slugs of the rules that did not answer everywhere."""
        return frozenset(self.crashed) | {slug for slug, _ in self.skipped}

    def add(self, other: "Failures") -> None:
        """Take over what failed elsewhere in the same run."""
        for slug, line in other.crashed.items():
            self.crashed.setdefault(slug, line)
        for key, line in other.skipped.items():
            self.skipped.setdefault(key, line)

    def crash(self, rule: AnyRule, subject: Subject, error: Exception) -> None:
        if rule.slug not in self.crashed:
            line = f"rule {rule.slug} crashed at {subject.span}: {type(error).__name__}: {error}"
            self.crashed[rule.slug] = line

    def skip(self, rule: AnyRule, device: Device, error: MissingFigureError) -> None:
        self.skipped.setdefault((rule.slug, device.id), f"skipped rule {rule.slug} on {device.id}: {error}")


def examine(
    rules: Sequence[AnyRule], subjects: Iterable[Subject], targets: Targets, failures: Failures
) -> Iterator[Said]:
    """Everything the rules say about the subjects."""
    by_type: dict[type, list[AnyRule]] = defaultdict(list)
    for rule in rules:
        by_type[rule.on].append(rule)
    for subject in subjects:
        contexts = targets.of(subject.span.file)
        for rule in by_type[type(subject)]:
            for context in contexts:
                findings = _ask(rule, subject, context, failures)
                if findings:
                    yield from _said(rule, subject, context.device, findings)


def _ask(rule: AnyRule, subject: Subject, context: Context, failures: Failures) -> list[Finding]:
    """The answer of one rule; nothing where it fails."""
    try:
        return list(rule.check(subject, context))
    except MissingFigureError as error:
        failures.skip(rule, context.device, error)
    except Exception as error:  # noqa: BLE001 - one faulty rule must not silence the others
        failures.crash(rule, subject, error)
    return []


def _said(rule: AnyRule, subject: Subject, device: Device, findings: Iterable[Finding]) -> Iterator[Said]:
    seen: dict[Span, int] = {}
    for found in findings:
        finding = _with_site(found, subject)
        ordinal = seen[finding.at] = seen.get(finding.at, -1) + 1
        yield Said(rule, subject, device, finding, ordinal)


def _with_site(finding: Finding, subject: Subject) -> Finding:
    """A finding about what a caller makes of a launch names the launch as well."""
    launch = subject.launch if isinstance(subject, Instance) else subject
    site = launch.site if isinstance(launch, Launch) else None
    if site is None or finding.at != subject.span or any(related.span == site for related in finding.related):
        return finding
    return replace(finding, related=(*finding.related, Related(site, "launched here")))
