"""Imports only go down: no module knows what stands above it or beside it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LAYERS = [
    {"__main__"},
    {"cli"},
    {"api", "testing"},
    {"engine"},
    {"pipeline"},
    {"frontends", "reporters", "catalogue", "suppress", "discovery", "cache"},
    {"config"},
    {"rules"},
    {"report"},
    {"rule"},
    {"analysis", "resources"},
    {"model"},
    {"hw"},
    {"ir"},
    {"source"},
    {"digest", "errors", "pattern", "record", "version", "hw_profiles"},
]
LEVEL = {name: level for level, names in enumerate(reversed(LAYERS)) for name in names}
AT_HOME = {
    "tree_sitter": "frontends",
    "tree_sitter_cuda": "frontends",
    "clang": "frontends",
    "click": "cli",
    "networkx": "analysis",
}
NAMELESS = {"utils", "util", "helpers", "helper", "common", "misc"}


def sources() -> Iterator[tuple[str, Path]]:
    """Every module file with the part of the package it belongs to."""
    for folder, prefix in ((ROOT / "cudalint", ""), (ROOT / "rules", "rules"), (ROOT / "hw_profiles", "hw_profiles")):
        for path in sorted(folder.rglob("*.py")):
            part = prefix or path.relative_to(folder).parts[0].removesuffix(".py")
            yield part, path


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: relative import"
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


MODULES = [pytest.param(part, path, id=str(path.relative_to(ROOT))) for part, path in sources() if part != "__init__"]


@pytest.mark.parametrize(("part", "path"), MODULES)
def test_a_module_imports_only_what_is_below(part: str, path: Path) -> None:
    used = {name.split(".")[1] for name in imported(path) if name.startswith("cudalint.")}
    others = {name for name in used & LEVEL.keys() if name != part}
    assert {name for name in others if LEVEL[name] >= LEVEL[part]} == set()


@pytest.mark.parametrize(("part", "path"), MODULES)
def test_a_library_stays_where_it_belongs(part: str, path: Path) -> None:
    libraries = {name.split(".")[0] for name in imported(path)} & AT_HOME.keys()
    assert {name for name in libraries if AT_HOME[name] != part} == set()


def test_every_module_has_a_layer_and_a_telling_name() -> None:
    found = list(sources())
    assert {part for part, _ in found} - LEVEL.keys() == {"__init__"}
    assert {path.stem for _, path in found} & NAMELESS == set()
