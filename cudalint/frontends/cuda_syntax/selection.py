"""Which function bodies are worth lowering: those of the device, and those of the host that bear on a launch."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable

from tree_sitter import Node

from cudalint.frontends.cuda_syntax.launch_forms import LAUNCH_FORMS
from cudalint.ir.unit import Function
from cudalint.record import mutable_record

_IDENTIFIER = re.compile(rb"([A-Za-z_]\w*+)\s*+([(<]?)")
MARKS = re.compile(
    b"|".join([b"<<<", b"FuncSetAttribute", b"Occupancy", *sorted((name.encode() for name in LAUNCH_FORMS), key=len)])
)
_TOUCHED = re.compile(
    rb"(?<!\w)([A-Za-z_]\w*+)\s*+(?:\[[^\]\n]*+\]\s*+)?+(?:(?:[-+*/%|&^]|<<|>>)?=(?!=)|\+\+|--)"
    rb"|(?:\+\+|--|&)\s*([A-Za-z_]\w*)"
)
_SMALL = 200
_DEVICE_SIDE = frozenset({"device", "global"})


@mutable_record
class Pending:
    """A function whose body is not lowered yet. `nodes` are the statements or the block it consists of.

    Of a host function, `mentions` are the functions of the file that it names, `calls` what it may call.
    """

    heading: Function
    nodes: list[Node]
    start: int
    end: int
    mentions: frozenset[bytes] = frozenset()
    calls: frozenset[str] = frozenset()


def chosen(
    pending: list[Pending],
    data: bytes,
    launches: Callable[[str], bool],
    wanted: frozenset[str],
    callees: frozenset[str],
) -> set[int]:
    """The indices of the functions whose bodies matter.

    Device code always; host code that launches, that calls what launches, that is called from such code, or that belongs
    to a class such code works on; also what is `wanted` by name or calls one of `callees`, what calls those in turn, and
    small functions that only compute a value.
    """
    keep = {index for index, item in enumerate(pending) if _always(item, data, wanted)}
    host = [index for index, item in enumerate(pending) if not item.heading.kinds & _DEVICE_SIDE]
    if not host:
        return keep
    known = {item.heading.name.encode() for item in pending}
    macros: dict[bytes, bool] = {}
    starts, asked = [], []
    for index in host:
        item = pending[index]
        found = set(_IDENTIFIER.findall(data, item.start, item.end))
        names = {name for name, _ in found}
        item.mentions = frozenset(names & known)
        item.calls = frozenset(map(bytes.decode, {name for name, bracket in found if bracket} | item.mentions))
        if MARKS.search(data, item.start, item.end) or any(_is_launching(name, macros, launches) for name in names):
            starts.append(index)
        if item.heading.name in wanted or not callees.isdisjoint(item.calls):
            asked.append(index)
    return keep | _related(pending, host, starts, asked)


def touched(data: bytes, item: Pending) -> frozenset[str]:
    """The names a body that is not lowered assigns to, or takes the address of."""
    found = _TOUCHED.findall(data, item.start, item.end)
    return frozenset((assigned or addressed).decode() for assigned, addressed in found)


def _always(item: Pending, data: bytes, wanted: frozenset[str]) -> bool:
    heading = item.heading
    if heading.kinds & _DEVICE_SIDE or heading.name in wanted or "constexpr" in heading.kinds or not heading.name:
        return True
    small = item.end - item.start <= _SMALL and heading.returns is not None and bool(heading.parameters)
    return small and b"return" in data[item.start : item.end]


def _is_launching(name: bytes, known: dict[bytes, bool], launches: Callable[[str], bool]) -> bool:
    answer = known.get(name)
    if answer is None:
        answer = known[name] = launches(name.decode())
    return answer


def _related(pending: list[Pending], host: Iterable[int], starts: list[int], asked: list[int]) -> set[int]:
    """All host functions from which one of `starts` is reached, and all that those reach or share a class with; and all
    from which one of those `asked` for is reached.
    """
    by_name: dict[bytes, list[int]] = defaultdict(list)
    callers: dict[bytes, list[int]] = defaultdict(list)
    by_owner: dict[str, list[int]] = defaultdict(list)
    for index in host:
        item = pending[index]
        by_name[item.heading.name.encode()].append(index)
        if item.heading.owner:
            by_owner[item.heading.owner].append(index)
        for name in item.mentions:
            callers[name].append(index)

    def above(index: int) -> list[int]:
        return callers[pending[index].heading.name.encode()]

    def below(index: int) -> list[int]:
        item = pending[index]
        called = [other for name in item.mentions for other in by_name[name]]
        return called + by_owner[item.heading.owner] if item.heading.owner else called

    return _closure(_closure(set(starts), above), below) | _closure(set(asked), above)


def _closure(members: set[int], following: Callable[[int], list[int]]) -> set[int]:
    todo = list(members)
    while todo:
        for other in following(todo.pop()):
            if other not in members:
                members.add(other)
                todo.append(other)
    return members
