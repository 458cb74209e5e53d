"""The format for programs. `docs/json.md` promises its keys, their order and their meaning."""

import json
from collections.abc import Iterable
from typing import Any

from cudalint.report import Report, ReportedFinding, ReportedLaunch, Summary, Target, Value
from cudalint.rule import Fact


def json_report(report: Report) -> str:
    """The whole report as one JSON object, a line for each finding and each launch."""
    return (
        f'{{"version": {json.dumps(report.version)},\n'
        f'"gpus": {json.dumps(report.gpus)},\n'
        f'"findings": {_lines(map(_finding, report.findings))},\n'
        f'"launches": {_lines(map(_launch, report.launches))},\n'
        f'"summary": {json.dumps(_summary(report.summary))}}}\n'
    )


def _lines(entries: Iterable[dict[str, Any]]) -> str:
    lines = ",\n ".join(map(json.dumps, entries))
    return f"[\n {lines}\n]" if lines else "[]"


def _finding(finding: ReportedFinding) -> dict[str, Any]:
    evidence: dict[str, Any] = _facts(finding.evidence)
    if finding.targets:
        evidence["targets"] = {gpu: _facts(facts) for gpu, facts in finding.targets.items()}
    return {
        "rule": finding.rule,
        "group": finding.group,
        "severity": str(finding.severity),
        "confidence": str(finding.confidence),
        "message": finding.message,
        "file": finding.file,
        "line": finding.line,
        "column": finding.column,
        "end_line": finding.end_line,
        "end_column": finding.end_column,
        "gpus": list(finding.gpus),
        "evidence": evidence,
        "related": [
            {"file": related.span.file, "line": related.span.line, "message": related.message}
            for related in finding.related
        ],
        "remedy": finding.remedy,
        "fix": finding.fix,
        "fingerprint": finding.fingerprint,
    }


def _facts(facts: dict[str, Fact]) -> dict[str, dict[str, int | float | str]]:
    return {name: {"value": fact.value, "origin": fact.origin} for name, fact in facts.items()}


def _launch(launch: ReportedLaunch) -> dict[str, Any]:
    return {
        "kernel": launch.kernel,
        "file": launch.file,
        "line": launch.line,
        "grid": _value(launch.grid),
        "block": _value(launch.block),
        "dynamic_shared": _value(launch.dynamic_shared),
        "registers": _value(launch.registers),
        "static_shared": _value(launch.static_shared),
        "cooperative": launch.cooperative,
        "targets": {gpu: _target(target) for gpu, target in launch.targets.items()},
        "cluster": None if launch.cluster is None else _value(launch.cluster),
        "form": launch.form,
        "function": launch.function,
    }


def _value(value: Value) -> dict[str, Any]:
    return {
        "value": value.value,
        "text": value.text,
        "origin": value.origin,
        "lo": value.lo,
        "hi": value.hi,
        "formula": value.formula,
        "dims": None if value.dims is None else list(value.dims),
    }


def _target(target: Target) -> dict[str, Any]:
    least_most = target.blocks_per_sm_range
    return {
        "blocks_per_sm": target.blocks_per_sm,
        "limiter": list(target.limiter),
        "occupancy": target.occupancy,
        "waves": target.waves,
        "regime": target.regime,
        "tail_loss": target.tail_loss,
        "blocks_per_sm_range": None if least_most is None else list(least_most),
    }


def _summary(summary: Summary) -> dict[str, int]:
    return {
        "files": summary.files,
        "launches": summary.launches,
        "errors": summary.errors,
        "warnings": summary.warnings,
        "notes": summary.notes,
        "suppressed": summary.suppressed,
    }
