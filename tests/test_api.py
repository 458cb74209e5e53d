"""The public interface."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import cudalint
from cudalint.errors import ConfigError, ProfileError, SourceError

SOURCE = """
__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}
void run(float *x, int n, int block) {
  if (n <= 0) return;
  scale<<<1057, block>>>(x, n);
}
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "a.cu"
    path.write_text(SOURCE)
    return path


def test_the_version_is_that_of_the_distribution() -> None:
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
    assert cudalint.__version__ == project["version"]


def test_machines_and_occupancy_are_at_hand() -> None:
    occupancy = cudalint.occupancy(cudalint.device("h200"), block=256, registers=32)
    assert (occupancy.blocks_per_sm, occupancy.fraction) == (8, 1.0)
    assert cudalint.architecture("sm_90") == cudalint.device("h200").architecture
    assert set(cudalint.__all__) <= set(dir(cudalint))


def test_what_does_not_exist_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="chekc"):
        cudalint.chekc  # noqa: B018


def test_a_check_tells_findings_and_launches(source: Path) -> None:
    report = cudalint.check(
        [source], gpus=["h200"], assume={"block": 200}, resources={"scale": {"registers": 32, "static_shared": 0}}
    )
    assert [finding.rule for finding in report.findings] == ["block-not-warp-multiple"]
    (launch,) = report.launches
    assert (launch.kernel, launch.grid.value, launch.block.value, launch.block.origin) == (
        "scale",
        1057,
        200,
        "assumed",
    )
    target = launch.targets["h200"]
    assert target.blocks_per_sm == 9
    assert target.waves == pytest.approx(1057 / (132 * 9))


def test_rules_can_be_chosen(source: Path) -> None:
    assumed = {"block": 200}
    assert cudalint.check([source], assume=assumed, select=["grid"]).findings == ()
    assert cudalint.check([source], assume=assumed, ignore=["block-not-warp-multiple"]).findings == ()


def test_mistakes_are_errors_of_their_own_kind(source: Path) -> None:
    with pytest.raises(SourceError, match="nowhere"):
        cudalint.check(["nowhere"])
    with pytest.raises(ProfileError, match="h20x"):
        cudalint.check([source], gpus=["h20x"])
    with pytest.raises(ConfigError, match="did you mean 'block-not-warp-multiple'"):
        cudalint.check([source], select=["block-not-warp-multiples"])


def test_importing_the_package_imports_nothing_else() -> None:
    code = "import sys; before = set(sys.modules); import cudalint; print(*sorted(set(sys.modules) - before))"
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], cwd=Path(__file__).parents[1], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["cudalint", "cudalint.version"]
