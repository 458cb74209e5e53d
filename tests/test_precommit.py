"""The hooks, as pre-commit itself installs and runs them in a user's repository."""

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SHIPPED = ("cudalint", "rules", "hw_profiles", "pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml")
FAULTY = """\
__global__ void scale(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= 2.0f;
}

void run(float *x) { scale<<<4096, 2048>>>(x, 1 << 23); }
"""
CLEAN = FAULTY.replace("scale", "scale_rightly").replace("<<<4096, 2048>>>", "<<<32768, 256>>>")

Hook = Callable[..., subprocess.CompletedProcess[str]]


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=Test", "-c", "user.email=test@example.invalid"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def commit_all(folder: Path) -> None:
    git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "everything")


@pytest.fixture(scope="module")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> Hook:
    """Runs `pre-commit try-repo` for this project in a user's repository; without arguments, all hooks on all files."""
    if importlib.util.find_spec("pre_commit") is None:
        pytest.skip("pre-commit is not installed")
    base = tmp_path_factory.mktemp("hooks")
    probe = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(base / "probe"), "click"]
    if subprocess.run(probe, check=False, capture_output=True).returncode:
        pytest.skip("pip reaches no package registry")
    project, user = base / "project", base / "user"
    project.mkdir()
    for name in SHIPPED:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, project / name)
    (user / "vendored").mkdir(parents=True)
    (user / "faulty.cu").write_text(FAULTY)
    (user / "clean.cu").write_text(CLEAN)
    (user / "vendored" / "faulty.cu").write_text(FAULTY.replace("scale", "vendored_scale"))
    (user / "notes.md").write_text("scale<<<4096, 2048>>>(x);\n")
    (user / "cudalint.toml").write_text('extend-exclude = ["vendored"]\n')
    commit_all(project)
    commit_all(user)
    environment = os.environ | {"PRE_COMMIT_HOME": str(base / "home")}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "pre_commit", "try-repo", str(project), *(arguments or ("--all-files",))]
        return subprocess.run(
            [*command, "--verbose"], cwd=user, env=environment, check=False, capture_output=True, text=True
        )

    return run


def test_manifest_is_valid() -> None:
    if importlib.util.find_spec("pre_commit") is None:
        pytest.skip("pre-commit is not installed")
    command = [sys.executable, "-m", "pre_commit", "validate-manifest", str(ROOT / ".pre-commit-hooks.yaml")]
    assert subprocess.run(command, check=False).returncode == 0


def test_both_hooks_report_the_fault_and_spare_the_excluded_file(hooks: Hook) -> None:
    done = hooks()
    assert done.returncode == 1, done.stdout + done.stderr
    assert done.stdout.count("error[block-exceeds-device-limit]") == 2
    assert done.stdout.count("--> faulty.cu:6:") == 2
    assert done.stdout.count("Found 1 (") == 2
    assert "vendored" not in done.stdout


def test_hook_passes_on_clean_files(hooks: Hook) -> None:
    done = hooks("cudalint", "--files", "clean.cu", "notes.md")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Found 0 (" in done.stdout
