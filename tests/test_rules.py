"""Every rule on real source files: what is marked must be found, what is not marked must not."""

from pathlib import Path

import pytest

from cudalint.catalogue import AnyRule, catalogue
from cudalint.testing import check_markers, markers

FOLDER = Path(__file__).parent / "rules"
SOURCES = sorted(path for path in FOLDER.rglob("*") if path.suffix in {".cu", ".hip"})


def name_of(path: Path) -> str:
    return str(path.relative_to(FOLDER))


def reports(slug: str, path: Path) -> bool:
    return any(marker.rule == slug for marks in markers(path.read_text("utf-8")).values() for marker in marks)


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_findings_are_those_marked(path: Path) -> None:
    assert check_markers(path) == []


@pytest.mark.parametrize("rule", catalogue(), ids=lambda rule: rule.slug)
def test_every_rule_has_a_source_it_reports_in_and_one_it_is_silent_in(rule: AnyRule) -> None:
    own = [path for path in SOURCES if path.parent.name == rule.slug]
    assert {reports(rule.slug, path) for path in own} == {True, False}


def test_folders_are_named_for_rules() -> None:
    assert {path.parent.name for path in SOURCES} <= {rule.slug for rule in catalogue()}
