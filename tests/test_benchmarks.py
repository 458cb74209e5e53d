"""The benchmarks still run. Their figures are for people: a test machine's load decides nothing here."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def speed(*arguments: str) -> str:
    command = [sys.executable, str(ROOT / "benchmarks" / "speed.py"), "--lines", "300", *arguments]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def test_speed_prints_every_figure() -> None:
    lines = speed("--jobs", "1").splitlines()
    assert len(lines) == 7
    figures = [float(match[1]) for line in lines[1:] if (match := re.search(r" (\d+(?:\.\d+)?) (?:s|MiB)\b", line))]
    assert len(figures) == 6
    assert min(figures[:3]) > 0


def test_profile_tells_the_stages_apart() -> None:
    stages = set(re.findall(r"^(\w+): [\d.]+ s$", speed("--profile"), re.MULTILINE))
    assert {"parse", "lower", "link", "rules", "other"} <= stages
