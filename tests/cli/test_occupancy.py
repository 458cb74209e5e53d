"""The occupancy command: what it prints and what it refuses."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cudalint import hw
from cudalint.cli.occupancy import occupancy
from cudalint.model import occupancy as calculate

MINE = """\
id = "mine"
name = "Mine"
aliases = []
vendor = "nvidia"
architecture = "sm_90"
sm_count = 10

[source]
architecture = "deviceQuery"
sm_count = "deviceQuery"
"""


def run(*arguments: str) -> Result:
    return CliRunner().invoke(occupancy, arguments)


def line(output: str, label: str) -> list[str]:
    """The cells of the line with a label."""
    [found] = [text for text in output.splitlines() if text.startswith(label)]
    return found.removeprefix(label).split()


def test_one_gpu_is_an_h200_unless_named() -> None:
    result = run("--block", "256", "--registers", "42", "--dynamic-shared", "20000")
    assert result.exit_code == 0
    assert result.output.splitlines()[0].split() == ["h200"]
    assert line(result.output, "resident blocks") == ["5", "per", "SM"]
    assert line(result.output, "occupancy") == ["62.5", "%"]
    assert line(result.output, "limited by") == ["registers"]
    assert "660 blocks on 132 SMs" in result.output
    assert "-2 (40): 6 per SM, 75 %" in result.output
    assert "+7 (49): 4 per SM, 50 %" in result.output
    assert "+25,569 (45,569): 4 per SM, 50 %" in result.output


def test_several_gpus_stand_side_by_side() -> None:
    result = run("--block", "256", "--registers", "32", "--gpu", "H200", "--gpu", "mi300x", "--gpu", "7900xtx")
    assert result.output.splitlines()[0].split() == ["h200", "mi300x", "rx7900xtx"]
    assert line(result.output, "resident blocks") == ["8", "per", "SM", "8", "per", "CU", "8", "per", "WGP"]


def test_an_architecture_has_no_whole_gpu() -> None:
    result = run("--block", "256", "--gpu", "sm_90")
    assert line(result.output, "on the whole GPU") == ["-"]


def test_cu_mode_counts_compute_units() -> None:
    result = run("--block", "256", "--gpu", "7900xtx", "--mode", "cu")
    assert "384 blocks on 96 CUs" in result.output


def test_what_does_not_fit_says_why() -> None:
    result = run("--block", "320", "--registers", "200")
    assert result.exit_code == 0
    assert "10 warps count as 12 and take 76800 registers" in result.output
    assert "-64 (256): 1 per SM" in result.output


def test_the_opt_in_can_be_withheld() -> None:
    assert "without an opt-in" in run("--block", "64", "--dynamic-shared", "50000", "--no-optin").output


def test_a_sweep_has_a_row_for_every_block_size_of_any_gpu() -> None:
    result = run("--block", "256", "--gpu", "rtx4090", "--gpu", "mi300x", "--registers", "32", "--sweep")
    sizes = [text.split()[0] for text in result.output.split("\n\n")[1].splitlines()[1:]]
    assert sizes == [str(size) for size in range(32, 1025, 32)]
    assert line(result.output, "1024 ")[:3] == ["1", "66.67", "%"]
    assert line(result.output, "96 ")[-1] == "-"


def test_json_holds_the_whole_answer() -> None:
    result = run("--block", "256", "--registers", "42", "--gpu", "h200", "--sweep", "--output-format", "json")
    answer = json.loads(result.output)
    found = calculate(hw.device("h200"), block=256, registers=42)
    target = answer["targets"]["h200"]
    assert answer["launch"]["block"] == 256
    assert target["blocks_per_sm"] == found.blocks_per_sm
    assert target["limiters"] == list(found.limiters)
    assert target["resident_blocks"] == found.blocks_per_sm * 132
    assert {cliff["resource"] for cliff in target["cliffs"]} == {"registers", "shared_memory", "block"}
    assert [row["block"] for row in target["sweep"]] == list(range(32, 1025, 32))


def test_amd_registers_of_every_kind() -> None:
    result = run("--block", "256", "--gpu", "mi300x", "--registers", "100", "--agprs", "30", "--sgprs", "90")
    assert line(result.output, "resident blocks") == ["3", "per", "CU"]
    assert "fewer SGPRs" not in result.output


def test_a_gpu_of_the_users_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(MINE, encoding="utf-8")
    assert "80 blocks on 10 SMs" in run("--block", "256", "--gpu-file", str(path)).output
    both = run("--block", "256", "--gpu-file", str(path), "--gpu", "mine", "--gpu", "h100")
    assert both.output.splitlines()[0].split() == ["mine", "h100"]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "Missing option '--block'"),
        (["--block", "0"], "0 is not in the range"),
        (["--block", "256", "--registers", "-1"], "-1 is not in the range"),
        (["--block", "256", "--carveout", "101"], "101 is not in the range"),
        (["--block", "256", "--gpu", "h201"], "Error: no GPU called 'h201': did you mean h200"),
        (["--block", "256", "--gpu", "mi300x", "--mode", "wgp"], "Error: gfx942 has no wgp mode"),
        (["--block", "256", "--gpu", "mi300x", "--wave-size", "32"], "Error: gfx942 has no wavefronts of 32"),
        (["--block", "256", "--gpu-file", "absent.toml"], "Error: absent.toml: No such file"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(arguments: list[str], complaint: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert complaint in result.output
    assert isinstance(result.exception, SystemExit)
