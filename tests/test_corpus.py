"""Realistic sources: ours with their findings marked, and public packages that must be read without a crash."""

import re
import subprocess
import sys
import tomllib
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from cudalint.config import Config
from cudalint.engine import check
from cudalint.rule import Severity
from cudalint.testing import check_markers, markers

CORPUS = Path(__file__).parent.parent / "corpus"
SOURCES = sorted(path for path in CORPUS.rglob("*") if path.suffix in {".cu", ".hip"})
PACKAGES = tomllib.loads((CORPUS / "manifest.toml").read_text("utf-8"))["package"]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(CORPUS)))
def test_findings_are_those_marked(path: Path) -> None:
    assert check_markers(path) == []


def test_past_false_alarms_carry_no_marks() -> None:
    for path in (CORPUS / "ok").iterdir():
        text = path.read_text("utf-8")
        assert not markers(text), path
        assert re.search(r"^// [A-Z\d].{20,}", text, re.MULTILINE), f"{path} does not say what it is about"


@pytest.fixture(scope="session")
def downloaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("wheels")


def unpacked(package: dict[str, Any], folder: Path) -> Path:
    """The sources in a package's wheel, fetched by pip, which checks the hash."""
    pins = folder / f"{package['name']}.txt"
    pins.write_text(f"{package['name']}=={package['version']} --hash=sha256:{package['sha256']}\n", encoding="utf-8")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
    command += [
        "--require-hashes",
        "--requirement",
        str(pins),
        "--dest",
        str(folder),
        "--retries",
        "1",
        "--timeout",
        "20",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    wheel = folder / package["file"]
    if done.returncode and "do not match" in done.stderr.lower():
        pytest.fail(done.stderr)
    if done.returncode or not wheel.exists():
        pytest.skip(f"{package['name']} could not be downloaded: {done.stderr.strip().splitlines()[-1:]}")
    assert wheel.stat().st_size == package["bytes"]
    target = folder / package["name"]
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(target)
    return target


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package["name"])
def test_public_packages_are_read_as_counted(package: dict[str, Any], downloaded: Path) -> None:
    folder = unpacked(package, downloaded)
    config = Config(root=folder, gpu=("h200",), min_severity=Severity.NOTE, cache=False)
    report = check([str(folder)], config)
    assert not report.crashed
    assert report.failures == ()
    assert report.summary.launches == package["launches"]
    found = Counter(finding.rule for finding in report.findings)
    assert {rule: found[rule] for rule in package["findings"]} == package["findings"]
