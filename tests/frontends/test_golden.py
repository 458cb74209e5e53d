"""Whole files against their dumps; `--update-golden` writes the dumps anew."""

from pathlib import Path

import pytest

from cudalint.frontends import Project, read
from cudalint.ir.dump import dump

GOLDEN = Path(__file__).parent / "golden"
SOURCES = sorted(GOLDEN.glob("*.cu"))


@pytest.mark.parametrize("source", SOURCES, ids=[source.stem for source in SOURCES])
def test_dump(source: Path, request: pytest.FixtureRequest) -> None:
    unit = read(source, source.name, Project(), wanted=frozenset({"everything"}))
    expected = source.with_suffix(".ir")
    if request.config.getoption("--update-golden"):
        expected.write_text(dump(unit), encoding="utf-8")
    assert dump(unit) == expected.read_text(encoding="utf-8")
