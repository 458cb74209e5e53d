"""What a rule says of one place on several GPUs becomes one finding."""

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace

from cudalint.config import Config
from cudalint.digest import digest
from cudalint.engine.examine import Said
from cudalint.ir import Instance, Launch
from cudalint.report import ReportedFinding
from cudalint.rule import Confidence, Fact, Related, Severity, Suppression, Unread
from cudalint.source import Span
from cudalint.suppress import Place

Merged = tuple[ReportedFinding, Place]


def merge(said: Iterable[Said], config: Config) -> list[Merged]:
    """One finding for each rule and place, with where it may be suppressed, in order of place."""
    groups: dict[Hashable, list[Said]] = {}
    for one in said:
        group = groups.setdefault((one.finding.at, one.rule.slug, one.kernel, one.ordinal), [])
        if not (group and _other_of_macro(group[0], one)):
            group.append(one)
    paths: dict[str, str] = {}
    merged = []
    for group in groups.values():
        file = group[0].finding.at.file
        if file not in paths:
            paths[file] = config.relative(file)
        merged.append(_merge_group(group, config, paths[file]))
    merged.sort(key=lambda pair: in_order(pair[0]))
    return _numbered(merged)


def in_order(finding: ReportedFinding) -> tuple[str, int, int, str, str]:
    """What findings are sorted by."""
    span = finding.span
    return span.file, span.line, span.column, finding.rule, finding.kernel


def _other_of_macro(first: Said, other: Said) -> bool:
    """Whether the two are about different launches of one macro: all stand where it is used, and the first speaks."""
    subject = first.subject
    return isinstance(subject, Launch) and bool(subject.macro) and other.subject is not subject


def _merge_group(said: Sequence[Said], config: Config, path: str) -> Merged:
    by_gpu = _worst_by_gpu(said, config)
    first = next(iter(by_gpu.values()))
    rule = first.rule
    worst = max((_severity(one, config) for one in by_gpu.values()), key=lambda severity: severity.rank)
    deciding = [one for one in by_gpu.values() if _severity(one, config) is worst]
    labelled = {_labelled(gpu, _severity(one, config), worst): one for gpu, one in by_gpu.items()}
    common, targets = _evidence({gpu: one.finding.evidence for gpu, one in by_gpu.items()})
    finding = ReportedFinding(
        rule=rule.slug,
        group=rule.group,
        severity=worst,
        confidence=Confidence.PROVEN if any(_proven(one) for one in deciding) else Confidence.LIKELY,
        message=_joined(labelled, lambda one: one.finding.message),
        span=first.finding.at,
        gpus=tuple(by_gpu),
        evidence=common,
        targets=targets,
        related=tuple(dict.fromkeys(related for one in by_gpu.values() for related in one.finding.related)),
        remedy=_joined(by_gpu, lambda one: one.finding.remedy),
        fingerprint=f"{path}\0{rule.slug}\0{first.kernel}\0{_launch_text(first)}",
        kernel=first.kernel,
    )
    return finding, Place(_suppressible(first, finding.related), first.kernel, path)


def _labelled(gpu: str, severity: Severity, worst: Severity) -> str:
    """A GPU as a message names it: with the severity where the finding is less grave for it."""
    return gpu if severity is worst else f"{gpu} ({severity})"


def _worst_by_gpu(said: Sequence[Said], config: Config) -> dict[str, Said]:
    """The gravest of what is said for each GPU: a launch site reached in several ways is still one place."""
    worst: dict[str, Said] = {}
    for one in said:
        known = worst.get(one.device.id)
        if known is None or _severity(one, config).rank > _severity(known, config).rank:
            worst[one.device.id] = one
    return worst


def _severity(said: Said, config: Config) -> Severity:
    """The severity under the settings: they replace a rule's own, and cap what the rule itself holds for less grave."""
    own = said.finding.severity or said.rule.severity
    wanted = config.severity.get(said.rule.slug) or config.severity.get(said.rule.group)
    if wanted is None:
        return own
    return wanted if own.rank >= said.rule.severity.rank or wanted.rank < own.rank else own


def _proven(said: Said) -> bool:
    return (said.finding.confidence or said.rule.confidence) is Confidence.PROVEN


def _joined(by_gpu: Mapping[str, Said], text: Callable[[Said], str]) -> str:
    """The one text of all GPUs, or each text after the GPUs it holds for."""
    gpus: dict[str, list[str]] = {}
    for gpu, said in by_gpu.items():
        gpus.setdefault(text(said), []).append(gpu)
    if len(gpus) == 1:
        return next(iter(gpus))
    return "; ".join(f"{', '.join(names)}: {part}" for part, names in gpus.items() if part)


def _evidence(by_gpu: Mapping[str, Mapping[str, Fact]]) -> tuple[dict[str, Fact], dict[str, dict[str, Fact]]]:
    """The facts that are the same for all GPUs, and the others for each."""
    first, *others = by_gpu.values()
    common = {name: fact for name, fact in first.items() if all(other.get(name) == fact for other in others)}
    own = {gpu: {name: fact for name, fact in facts.items() if name not in common} for gpu, facts in by_gpu.items()}
    return common, {gpu: facts for gpu, facts in own.items() if facts}


def _suppressible(said: Said, related: Iterable[Related]) -> tuple[Span, ...]:
    """Where a suppression works: at the finding, and for a launch also at what computed it."""
    launch = said.subject.launch if isinstance(said.subject, Instance) else said.subject
    if not isinstance(launch, Launch):
        return (said.finding.at,)
    if isinstance(said.subject, Instance) and said.finding.at != launch.span:
        return (said.finding.at,)
    kernel = launch.kernel.span if launch.kernel else None
    return (said.finding.at, launch.span, *(place.span for place in related if place.span != kernel))


def _launch_text(said: Said) -> str:
    """What identifies the subject beside its kernel, without white space: the launch as written."""
    match said.subject:
        case Launch(form=form, grid=grid, block=block, dynamic_shared=shared, stream=stream):
            text = f"{form}<<<{grid.text},{block.text},{shared.text},{stream}>>>"
        case Unread(problem=problem):
            text = problem.message
        case Suppression(rules=rules):
            text = ",".join(rules)
        case _:
            text = ""
    return re.sub(r"\s+", "", text)


def _numbered(merged: Iterable[Merged]) -> list[Merged]:
    """The findings with their identities hashed; an ordinal tells apart those that are alike."""
    seen: dict[str, int] = {}
    numbered = []
    for finding, place in merged:
        identity = finding.fingerprint
        ordinal = seen[identity] = seen.get(identity, -1) + 1
        fingerprint = digest(f"{identity}\0{ordinal}")[:16]
        numbered.append((replace(finding, fingerprint=fingerprint), place))
    return numbered
