import pickle
from pathlib import Path

import pytest

from cudalint.frontends import Project
from cudalint.frontends.cuda_syntax.defines import IncludeLine, read_directives


def make(root: Path, *names: str) -> list[Path]:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#define FROM_{path.stem.upper()} 1\n")
    return [root / name for name in names]


def resolved(root: Path, files: list[Path], including: str, name: str, *, quoted: bool = True) -> str:
    found = Project([root], files).resolve(root / including, IncludeLine(name, quoted))
    return str(Path(found).relative_to(root)) if found else ""


@pytest.mark.parametrize(
    ("include", "target"),
    [
        pytest.param("near.h", "src/app/near.h", id="beside the file"),
        pytest.param("../up.h", "src/up.h", id="relative"),
        pytest.param("src/up.h", "src/up.h", id="from the root"),
        pytest.param("lib/api.h", "include/lib/api.h", id="in an include folder above"),
        pytest.param("helper.h", "src/common/helper.h", id="in a common folder above"),
        pytest.param("inner/deep.h", "third/party/inner/deep.h", id="the one file whose path ends so"),
        pytest.param("twin.h", "", id="two such files: none"),
        pytest.param("vector", "", id="unknown"),
    ],
)
def test_finds_what_an_include_means(tmp_path: Path, include: str, target: str) -> None:
    files = make(
        tmp_path, "src/app/a.cu", "src/app/near.h", "src/up.h", "include/lib/api.h", "src/common/helper.h",
        "third/party/inner/deep.h", "x/twin.h", "y/twin.h",
    )  # fmt: skip
    assert resolved(tmp_path, files, "src/app/a.cu", include) == target


def test_leaves_the_project_only_by_a_relative_include(tmp_path: Path) -> None:
    make(tmp_path, "project/a.cu", "other/x.h", "include/y.h")
    project = Project([tmp_path / "project"], [tmp_path / "project/a.cu"])
    assert project.resolve(tmp_path / "project/a.cu", IncludeLine("../other/x.h", quoted=True))
    assert not project.resolve(tmp_path / "project/a.cu", IncludeLine("y.h", quoted=True))


def test_macros_come_from_all_includes_once_even_in_a_circle(tmp_path: Path) -> None:
    a, b, c = make(tmp_path, "a.cu", "b.h", "c.h")
    a.write_text('#include "b.h"\n#define OWN 1\n')
    b.write_text('#include "c.h"\n#define LAUNCH(k) k<<<1, 1>>>()\n')
    c.write_text('#include "b.h"\n#include "c.h"\n#define VIA(k) LAUNCH(k)\n')
    macros = Project([tmp_path], [a, b, c]).macros(a, read_directives(a.read_bytes()))
    assert [len(macros.get(name)) for name in ("OWN", "LAUNCH", "VIA", "MISSING")] == [1, 1, 1, 0]
    assert macros.expands_to_launch("VIA")


def test_a_project_pickles_without_what_it_has_read(tmp_path: Path) -> None:
    a, b = make(tmp_path, "a.cu", "b.h")
    project = Project([tmp_path], [a, b])
    assert project.resolve(a, IncludeLine("b.h", quoted=True)) == str(b)
    copy = pickle.loads(pickle.dumps(project))
    assert copy.files == project.files
    assert copy.resolve(a, IncludeLine("b.h", quoted=True)) == str(b)
