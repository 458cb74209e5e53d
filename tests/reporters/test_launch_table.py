"""The table of launches and the derivation of one."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from cudalint.hw import device
from cudalint.reporters.derivation import derivation
from cudalint.reporters.launch_table import SORTS, launch_table
from tests.reporters.reports import CLEAN, KNOWN, REPORT, UNKNOWN

Golden = Callable[[str, str], None]
DEVICES = {"h200": device("h200"), "mi300x": device("mi300x")}


def test_golden(golden: Golden) -> None:
    golden("launches.txt", launch_table(REPORT))


@pytest.mark.parametrize("launch", [KNOWN, UNKNOWN], ids=["known", "unknown"])
def test_derivation_golden(golden: Golden, launch: object, request: pytest.FixtureRequest) -> None:
    golden(f"derivation_{request.node.callspec.id}.txt", derivation(launch, DEVICES))


def test_derivation_multiplies_out() -> None:
    assert "waves            0.000947 = 1 / (132 SMs × 8)" in derivation(KNOWN, DEVICES)


def test_waves_are_a_range_where_residency_is() -> None:
    ranged = replace(KNOWN, targets={"h200": UNKNOWN.targets["h200"]}, grid=replace(KNOWN.grid, value=1056))
    assert "waves            0.5..4 = 1056 / (132 SMs × 2..16)" in derivation(ranged, DEVICES)


@pytest.mark.parametrize("sort", ["kernel", "grid", "block", "registers", "waves"])
def test_sorts(sort: str) -> None:
    first = launch_table(REPORT, sort=sort).splitlines()[1]
    assert first.startswith("src/sort.hip:2 ")


def test_every_order_survives_unknowns() -> None:
    for sort in SORTS:
        assert launch_table(replace(REPORT, launches=(UNKNOWN, UNKNOWN)), sort=sort).count("saxpy.cu") == 2


def test_totals() -> None:
    last = launch_table(REPORT).splitlines()[-1]
    assert last == "2 launches in 2 files; block known for 2, grid for 1, both for 1"


def test_no_launches_is_no_table() -> None:
    assert launch_table(CLEAN) == "0 launches in 1 file\n"
