"""The gpus command."""

import json
from pathlib import Path

from click.testing import CliRunner

from cudalint import hw
from cudalint.cli.gpus import gpus


def test_every_gpu_has_a_line() -> None:
    result = CliRunner().invoke(gpus)
    assert result.exit_code == 0
    assert [line.split()[0] for line in result.output.splitlines()[1:]] == [gpu.id for gpu in hw.devices()]
    assert "rtx4090          GeForce RTX 4090                    sm_89         128 SMs  32    4090" in result.output


def test_json_has_the_figures() -> None:
    records = {gpu["id"]: gpu for gpu in json.loads(CliRunner().invoke(gpus, ["--output-format", "json"]).output)}
    assert len(records) == len(hw.devices())
    card = records["rx7900xtx"]
    assert (card["architecture"], card["sm_count"], card["multiprocessors"], card["unit"]) == ("gfx1100", 96, 48, "WGP")
    assert card["aliases"] == ["7900xtx"]
    assert records["gh200"]["memory_bandwidth_gb_per_s"] is None


def test_a_wrong_gpu_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('vendor = "intel"\n', encoding="utf-8")
    result = CliRunner().invoke(gpus, ["--gpu-file", str(path)])
    assert result.exit_code == 2
    assert f"Error: {path}: vendor: must be one of nvidia, amd" in result.output
