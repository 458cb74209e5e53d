"""The rules about residency, on launches made by hand."""

from cudalint.ir import Quantity
from cudalint.rule import Severity
from cudalint.rules.order.cooperative_launch_too_large import check as too_large
from cudalint.rules.wave.grid_underfills_device import check as underfills
from cudalint.rules.wave.residency_mismatch import check as mismatch
from tests.rules.launches import findings, kernel, launch, messages, per_sm

STRIDE = kernel(grid_stride=True)


def test_idle_sms_are_counted() -> None:
    assert messages(underfills, launch(9, 128)) == ["9 blocks on 132 SMs: 123 idle, the others hold 4 of 64 warps"]
    assert messages(underfills, launch(256, 256), "mi300x") == [
        "256 blocks on 304 CUs: 48 idle, the others hold 4 of 32 wavefronts"
    ]


def test_little_to_gain_is_a_note() -> None:
    def severity(grid: int, **parts: bool) -> Severity | None:
        (finding,) = findings(underfills, launch(grid, 256, of=kernel(**parts)))
        return finding.severity

    assert severity(9) is Severity.WARNING
    assert severity(105) is Severity.WARNING, "132 / 105 is more than a quarter faster"
    assert severity(106) is Severity.NOTE
    assert severity(9, loops=False) is Severity.NOTE


def test_one_block_a_full_grid_and_an_unknown_grid_are_left_alone() -> None:
    for grid in (1, 132, 10_000, Quantity(), per_sm(1)):
        assert not findings(underfills, launch(grid, 256))


def test_fewer_blocks_assumed_than_any_number_of_registers_allows() -> None:
    (message,) = messages(mismatch, launch(per_sm(6), 32, of=STRIDE))
    assert message == ("6 blocks per SM assumed, but h200 holds between 8 and 32: the rest of its slots stay empty")
    assert not findings(mismatch, launch(per_sm(6), 256, of=STRIDE)), "255 registers would hold one"


def test_more_blocks_assumed_than_fit() -> None:
    (message,) = messages(mismatch, launch(per_sm(8), 256, registers=40, of=STRIDE))
    assert message == "8 blocks per SM assumed, but h200 holds 6: a last wave runs nearly empty"
    assert not findings(mismatch, launch(per_sm(8), 256, registers=32, of=STRIDE)), "8 are resident"
    assert not findings(mismatch, launch(per_sm(12), 256, registers=40, of=STRIDE)), "two whole waves"
    assert not findings(mismatch, launch(per_sm(8), 256, registers=40)), "does not loop over the grid"


def test_a_cooperative_grid_must_be_resident() -> None:
    (message,) = messages(too_large, launch(2000, 256, cooperative=True))
    assert message == "2000 blocks must be resident at once; h200 holds 1056 (132 SMs × 8)"
    assert findings(too_large, launch(per_sm(9), 256, cooperative=True))
    assert findings(too_large, launch(5000, Quantity(), cooperative=True)), "more than any block size allows"
    assert findings(too_large, launch(1000, 256, registers=128, cooperative=True)), "only two per SM with 128 registers"


def test_a_cooperative_grid_that_may_fit_is_left_alone() -> None:
    assert not findings(too_large, launch(1056, 256, cooperative=True))
    assert not findings(too_large, launch(per_sm(8), 256, cooperative=True))
    assert not findings(too_large, launch(Quantity(), 256, cooperative=True))
    assert not findings(too_large, launch(2000, 256))
