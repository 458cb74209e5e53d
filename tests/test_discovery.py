"""Which files a run reads, and what they are called."""

import os
import subprocess
from pathlib import Path

import pytest

from cudalint.config import Config
from cudalint.discovery import discover
from cudalint.errors import SourceError


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("int x;\n")


def shown(*paths: str, root: Path | None = None, **settings: object) -> list[str]:
    config = Config(root=root or Path.cwd()).merged(**settings)
    return [file.display for file in discover(paths or (".",), config)]


def git(root: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", str(root), *arguments], check=True, capture_output=True)


def test_only_source_suffixes_are_taken_from_a_folder(tree: Path) -> None:
    write(tree, "a.cu", "b.cuh", "c.hip", "d.txt", "e.cu.cc", "f.HPP", "g.o", "h.inl")
    assert shown() == ["a.cu", "b.cuh", "c.hip", "e.cu.cc", "f.HPP", "h.inl"]


def test_a_file_given_by_name_is_taken_whatever_its_suffix(tree: Path) -> None:
    write(tree, "kernel.txt")
    assert shown("kernel.txt") == ["kernel.txt"]


def test_the_default_exclusions_spare_build(tree: Path) -> None:
    write(tree, "build/a.cu", ".venv/b.cu", "x/node_modules/c.cu", "lib/site-packages/d.cu")
    assert shown() == ["build/a.cu"]


def test_an_excluded_folder_is_read_when_given_by_name(tree: Path) -> None:
    write(tree, ".venv/pkg/a.cu")
    assert shown(".venv") == [".venv/pkg/a.cu"]


def test_an_excluded_file_is_read_by_name_unless_exclusion_is_forced(tree: Path) -> None:
    write(tree, "vendor/a.cu")
    assert shown("vendor/a.cu", exclude=("vendor",)) == ["vendor/a.cu"]
    assert shown("vendor/a.cu", exclude=("vendor",), force_exclude=True) == []


def test_exclusions_are_relative_to_the_project_root(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tree, "third_party/project/src/a.cu", "third_party/project/third_party/b.cu")
    monkeypatch.chdir(tree / "third_party/project")
    assert shown(extend_exclude=("third_party/*",)) == ["src/a.cu"]


def test_gitignore_files_are_obeyed_without_git(tree: Path) -> None:
    write(tree, "a.cu", "gen/b.cu", "src/c.cu", "src/d.cu")
    (tree / ".gitignore").write_text("gen/\n")
    (tree / "src/.gitignore").write_text("d.cu\n")
    assert shown() == ["a.cu", "src/c.cu"]
    assert shown(respect_gitignore=False) == ["a.cu", "gen/b.cu", "src/c.cu", "src/d.cu"]


def test_git_says_which_files_belong_to_a_work_tree(tree: Path) -> None:
    write(tree, "a.cu", "b.cu", "gen/c.cu", "lost.cu")
    (tree / ".gitignore").write_text("gen/\n")
    git(tree, "init", "-q")
    git(tree, "add", "a.cu", "lost.cu")
    (tree / "lost.cu").unlink()
    assert shown() == ["a.cu", "b.cu"]


def test_an_ignored_folder_given_by_name_is_read_all_the_same(tree: Path) -> None:
    write(tree, "gen/c.cu")
    (tree / ".gitignore").write_text("gen/\n")
    git(tree, "init", "-q")
    assert shown("gen") == ["gen/c.cu"]


def test_a_nested_work_tree_is_read_too(tree: Path) -> None:
    write(tree, "a.cu", "sub/b.cu")
    git(tree, "init", "-q")
    git(tree / "sub", "init", "-q")
    assert shown() == ["a.cu", "sub/b.cu"]


def test_a_missing_path_is_an_error_that_names_it(tree: Path) -> None:
    with pytest.raises(SourceError, match=r"nowhere\.cu"):
        shown("nowhere.cu")


def test_one_file_under_two_names_is_read_once(tree: Path) -> None:
    write(tree, "a.cu")
    (tree / "link.cu").symlink_to("a.cu")
    assert shown(".", "a.cu", str(tree / "a.cu")) == ["a.cu"]


def test_a_circle_of_links_ends(tree: Path) -> None:
    write(tree, "src/a.cu")
    (tree / "src/loop").symlink_to(tree)
    assert shown() == ["src/a.cu"]


def test_names_are_relative_to_the_current_folder(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tree, "src/a.cu", "other/b.cu")
    monkeypatch.chdir(tree / "src")
    assert shown(str(tree / "src")) == ["a.cu"]
    assert shown("../other") == ["../other/b.cu"]
    assert shown(str(tree / "other")) == [str(tree / "other/b.cu")]


def test_a_name_that_is_not_utf8_survives(tree: Path) -> None:
    raw = os.fsencode(tree) + b"/caf\xe9.cu"
    Path(os.fsdecode(raw)).write_text("int x;\n")
    (found,) = discover(["."], Config(root=tree))
    assert os.fsencode(found.display) == b"caf\xe9.cu"
    assert Path(found.path).read_text() == "int x;\n"
