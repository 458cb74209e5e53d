"""Records behave as dataclasses do."""

import copy
import pickle
from dataclasses import KW_ONLY, asdict, field, replace
from functools import cached_property

import pytest

from cudalint.record import mutable_record, record


@record
class Place:
    name: str
    line: int = field(compare=False)
    tags: tuple[str, ...] = ()


@record
class Named(Place):
    _: KW_ONLY
    owner: str = "nobody"
    notes: list[str] = field(default_factory=list, hash=False, repr=False)


@record
class Length:
    text: str

    @cached_property
    def length(self) -> int:
        return len(self.text)


@mutable_record
class Counter:
    count: int = 0


def test_fields_are_set_by_place_name_and_default() -> None:
    named = Named("a", line=3, owner="b")
    assert (named.name, named.line, named.tags, named.owner, named.notes) == ("a", 3, (), "b", [])
    assert Named("a", 3).notes is not Named("a", 3).notes


@pytest.mark.parametrize("arguments", [("a",), ("a", 3, (), "owner")], ids=["too few", "too many"])
def test_a_wrong_call_is_refused(arguments: tuple[object, ...]) -> None:
    with pytest.raises(TypeError):
        Named(*arguments)  # type: ignore[arg-type, call-arg, misc]


def test_records_compare_and_hash_by_the_fields_that_count() -> None:
    assert Place("a", 1) == Place("a", 2) != Place("b", 1)
    assert hash(Place("a", 1)) == hash(Place("a", 2))
    assert Place("a", 1) != Named("a", 1)
    assert Named("a", 1, notes=["x"]) != Named("a", 1)
    assert hash(Named("a", 1, notes=["x"])) == hash(Named("a", 1))


def test_a_mutable_record_compares_but_does_not_hash() -> None:
    counter = Counter()
    counter.count += 1
    assert counter == Counter(1) != Counter()
    with pytest.raises(TypeError, match="unhashable"):
        hash(counter)


def test_records_have_slots_unless_they_keep_answers() -> None:
    assert not hasattr(Place("a", 1), "__dict__")
    assert Length("abc").length == 3


def test_a_record_is_shown_as_its_call() -> None:
    assert repr(Named("a", 1)) == "Named(name='a', line=1, tags=(), owner='nobody')"


def test_what_is_made_for_dataclasses_takes_records() -> None:
    place = Place("a", 1)
    assert replace(place, name="b") == Place("b", 1)
    assert asdict(place) == {"name": "a", "line": 1, "tags": ()}
    assert copy.deepcopy(place) == place
    assert pickle.loads(pickle.dumps(Counter(3))) == Counter(3)
    match place:
        case Place(name, line):
            assert (name, line) == ("a", 1)
