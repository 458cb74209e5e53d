"""The JSON object: golden, its keys in their order, and readable by any JSON reader."""

import json
from collections.abc import Callable

from cudalint.reporters.json_report import json_report
from tests.reporters.reports import CLEAN, REPORT


def test_golden(golden: Callable[[str, str], None]) -> None:
    golden("report.json", json_report(REPORT))


def test_keys_and_their_order() -> None:
    report = json.loads(json_report(REPORT))
    assert list(report) == ["version", "gpus", "findings", "launches", "summary"]
    assert list(report["findings"][0]) == [
        "rule", "group", "severity", "confidence", "message", "file", "line", "column", "end_line", "end_column",
        "gpus", "evidence", "related", "remedy", "fix", "fingerprint",
    ]  # fmt: skip
    assert list(report["summary"]) == ["files", "launches", "errors", "warnings", "notes", "suppressed"]


def test_facts_that_differ_by_gpu_are_under_targets() -> None:
    evidence = json.loads(json_report(REPORT))["findings"][1]["evidence"]
    assert evidence["block"] == {"value": 100, "origin": "constexpr"}
    assert evidence["targets"]["mi300x"]["warp"] == {"value": 64, "origin": "hardware"}


def test_unknown_values_are_null_with_their_text() -> None:
    launch = json.loads(json_report(REPORT))["launches"][0]
    assert launch["grid"]["value"] is None
    assert launch["grid"]["text"] == "n / threads"
    assert launch["targets"]["h200"]["waves"] is None


def test_empty_report() -> None:
    assert json.loads(json_report(CLEAN))["findings"] == []
