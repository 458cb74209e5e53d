"""What `pip install` takes: every package of the source tree, and every data file."""

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
HOMES = {"cudalint": "cudalint", "rules": "cudalint.rules", "hw_profiles": "cudalint.hw_profiles"}


def test_every_package_is_listed() -> None:
    found = {
        ".".join([package, *path.parent.relative_to(ROOT / folder).parts])
        for folder, package in HOMES.items()
        for path in (ROOT / folder).rglob("__init__.py")
    }
    assert found == set(SETTINGS["packages"])


def test_every_profile_is_shipped() -> None:
    patterns = SETTINGS["package-data"]["cudalint.hw_profiles"]
    shipped = {path for pattern in patterns for path in (ROOT / "hw_profiles").glob(pattern)}
    assert shipped == set((ROOT / "hw_profiles").rglob("*.toml"))


def test_a_checkout_that_is_not_installed_finds_its_data() -> None:
    code = "import sys; sys.path.insert(0, sys.argv[1]); import cudalint; print(cudalint.device('h200').id)"
    command = [sys.executable, "-I", "-S", "-c", code, str(ROOT)]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "h200\n"
