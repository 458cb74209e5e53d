"""Results of earlier runs: kept whole, believed only as far as they are harmless."""

import pickle
from pathlib import Path

import pytest

from cudalint.cache import Cache, key_of, pack, stamp, unpack
from cudalint.ir import Include, Unit
from cudalint.ir.expr import Binary, Int, Name, Type
from cudalint.ir.stmt import Evaluate
from cudalint.rule import Severity

KEY = key_of("a")
UNIT = Unit("a.cu", "cuda", includes=(Include("b.cuh", ""),), lines=3)


class Hostile:
    """Runs something when it is unpickled."""

    def __reduce__(self) -> tuple[object, ...]:
        return (Path.touch, (Path("owned"),))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def entry(folder: Path) -> Path:
    return folder / KEY[:2] / KEY[2:]


def test_what_is_kept_comes_back(folder: Path) -> None:
    Cache(folder).put(KEY, UNIT)
    assert Cache(folder).get(KEY) == UNIT
    assert Cache(folder).get(key_of("b")) is None


def test_places_survive_though_they_take_no_part_in_comparison() -> None:
    statement = Evaluate(7, Binary(8, "+", Name(9, "n", (Type("int", pointer=1),)), Int(10, 1, "u")))
    assert repr(unpack(pack(statement))) == repr(statement)


def test_enumerations_of_the_report_are_admitted() -> None:
    assert unpack(pack(Severity.ERROR)) is Severity.ERROR


def test_without_a_folder_nothing_is_kept(folder: Path) -> None:
    cache = Cache(None)
    cache.put(KEY, UNIT)
    cache.prune()
    assert cache.get(KEY) is None
    assert not cache.enabled


def test_the_folder_marks_itself_as_a_cache(folder: Path) -> None:
    Cache(folder).put(KEY, UNIT)
    assert (folder / ".gitignore").read_text() == "*\n"
    assert (folder / "CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f06886806bc55\n")


@pytest.mark.parametrize(
    "damage", [lambda data: data[:-1], lambda _data: b"", lambda data: b"x" + data[1:], lambda data: data[:20]]
)
def test_a_damaged_entry_is_a_miss(folder: Path, damage: "type[bytes]") -> None:
    Cache(folder).put(KEY, UNIT)
    entry(folder).write_bytes(damage(entry(folder).read_bytes()))
    assert Cache(folder).get(KEY) is None


def test_hostile_bytes_build_nothing_but_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(pickle.UnpicklingError, match="not admitted"):
        unpack(pickle.dumps(Hostile()))
    with pytest.raises(pickle.UnpicklingError, match="not admitted"):
        unpack(b"cbuiltins\neval\n(S'1'\ntR.")
    with pytest.raises(pickle.UnpicklingError, match="not admitted"):
        unpack(b"\x80\x04\x8c\x10cudalint.ir.expr\x8c\x0cInt.__init__\x93.")
    assert not Path("owned").exists()


def test_a_hostile_entry_with_a_valid_digest_is_a_miss(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("cudalint.cache.pack", pickle.dumps)
    Cache(folder).put(KEY, Hostile())
    assert entry(folder).exists()
    assert Cache(folder).get(KEY) is None
    assert not Path("owned").exists()


def test_a_folder_that_cannot_be_written_is_no_matter(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    Cache(blocked / "cache").put(KEY, UNIT)
    assert Cache(blocked / "cache").get(KEY) is None


def test_old_entries_are_forgotten(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(folder)
    cache.put(KEY, UNIT)
    cache.prune()
    assert cache.get(KEY) == UNIT
    monkeypatch.setattr("cudalint.cache.time", lambda: entry(folder).stat().st_mtime + 31 * 86_400)
    cache.prune()
    assert cache.get(KEY) is None
    assert (folder / ".gitignore").exists()


def test_a_stamp_changes_with_a_file(tmp_path: Path) -> None:
    file = tmp_path / "a.cu"
    missing = stamp([str(file)])
    file.write_text("a")
    small = stamp([str(file)])
    file.write_text("ab")
    assert len({missing, small, stamp([str(file)])}) == 3


def test_keys_tell_their_parts_apart() -> None:
    assert key_of("a", "b") != key_of("ab")
    assert key_of("a") == key_of("a")
