"""Linking in forked processes finds what linking in one process finds."""

from pathlib import Path

import pytest

from cudalint.analysis import link
from cudalint.frontends import Project, read
from cudalint.ir import Program, Unit
from cudalint.pipeline import linking

PROGRAM = """
__global__ void k{0}(float *p, int n) {{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] = n; }}
void wrap{0}(float *p, int n, int t) {{ k{0}<<<(n + t - 1) / t, t>>>(p, n); }}
void call{0}(float *p, int n) {{ wrap{0}(p, n, 64); wrap{0}(p, n, 100 + {0}); k{0}<<<1, {0} + 1>>>(p, n); }}
"""


def units(folder: Path) -> list[Unit]:
    paths = [folder / f"a{number}.cu" for number in range(12)]
    for number, path in enumerate(paths):
        path.write_text(PROGRAM.format(number), encoding="utf-8")
    project = Project((folder,), paths)
    return [read(path, path.name, project) for path in paths]


def told(program: Program) -> list[object]:
    """What is known of every way to every launch, identities and versions of symbols aside."""
    return [
        (str(way.span), way.kernel_name, str(way.grid), str(way.block), way.kernel is not None, way.function.name)
        for launch in program.launches
        for way in launch.ways
    ]


def test_forked_processes_find_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linking, "_FEW_ROOTS", 2)
    found = units(tmp_path)
    spread = linking.linked(found, assume={}, resources={}, requested=(), jobs=3)
    assert told(spread) == told(link(found))
    assert len(spread.launches) == 24


def test_a_process_that_dies_costs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from cudalint.pipeline import forked

    monkeypatch.setattr(linking, "_FEW_ROOTS", 2)
    monkeypatch.setattr(forked._Work, "part", lambda *_: __import__("os")._exit(1))
    found = units(tmp_path)
    assert told(linking.linked(found, assume={}, resources={}, requested=(), jobs=2)) == told(link(found))
