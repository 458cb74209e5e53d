"""Pairs of accesses to one element of shared memory by two threads, one of them a store, that nothing orders."""

from collections.abc import Iterator

from cudalint.analysis.device.events import Access, Trace
from cudalint.analysis.device.lanes import Key
from cudalint.analysis.device.replay import Replay, Touch
from cudalint.analysis.device.values import THREAD, Place
from cudalint.ir import symbol as sym
from cudalint.record import mutable_record
from cudalint.source import line_of

_MOST_THREADS = 1024
_MOST_WORK = 800
"""Accesses and turns of loops that are run for one block."""
_MOST_ELEMENTS = 1024
_USUAL_BLOCKS = {
    1: ((128, 1, 1), (256, 1, 1), (512, 1, 1)),
    2: ((16, 16, 1), (32, 8, 1), (8, 32, 1), (8, 8, 1)),
    3: ((8, 8, 4), (4, 4, 8)),
}
_LENGTHS = frozenset({64, 128, 256, 512, 1024})

_Line = tuple[str, int, tuple[Place, ...]]


@mutable_record
class Hazard:
    """`first` and `second` are the accesses in the order they are come to, `early` and `late` the threads that do them.

    `block` is the block it was found for, `next_turn` whether a loop leads from the first to the second.
    """

    first: Access
    second: Access
    early: int
    late: int
    element: Key
    block: tuple[int, int, int]
    steps: tuple[int, int]
    phase: int
    warp: bool
    turns: tuple[dict[int, int], dict[int, int]]

    @property
    def next_turn(self) -> bool:
        return any(self.turns[0].get(loop, turn) != turn for loop, turn in self.turns[1].items())

    @property
    def pair(self) -> tuple[int, int, bool]:
        return id(self.first), id(self.second), self.warp


@mutable_record
class Found:
    """The hazards of one block, in order, and the steps at which each line was run."""

    hazards: list[Hazard]
    steps: dict[_Line, list[int]]


def hazards(trace: Trace) -> list[Hazard]:
    """The hazards that are certain in every block the launch may have, each that another barrier would not mend."""
    known: list[Hazard] | None = trace.memo.get("hazards")
    if known is None:
        known = trace.memo["hazards"] = _look(trace)
    return known


def _look(trace: Trace) -> list[Hazard]:
    if not trace.complete or not any(_stored(event) for event in trace.walk()):
        return []
    every: list[Found] = []
    for block in _blocks(trace):
        found = _of_block(trace, block)
        if found is not None and not found.hazards:
            return []
        every += [found] if found is not None else []
    if not every:
        return []
    common = set.intersection(*({hazard.pair for hazard in one.hazards} for one in every))
    first = every[0]
    return _separate([hazard for hazard in first.hazards if hazard.pair in common], first.steps)


def _stored(event: object) -> bool:
    return isinstance(event, Access) and event.buffer.space == "shared" and event.kind != "load"


def _blocks(trace: Trace) -> list[tuple[int, int, int]]:
    """The block of the launch, or those that are usual where it is not known."""
    x, y, z = trace.shape.block
    if x is not None and y is not None and z is not None:
        return [(x, y, z)] if 1 < x * y * z <= _MOST_THREADS else []
    used = {str(atom) for atom in trace.atoms}
    dimensions = 3 if "threadIdx.z" in used else 2 if "threadIdx.y" in used else 1
    usual = [made] if (made := _made_for(trace, dimensions)) is not None else _USUAL_BLOCKS[dimensions]
    blocks = [(x or a, y or b, z or c) for a, b, c in usual]
    return [block for block in blocks if block[0] * block[1] * block[2] <= _MOST_THREADS]


def _made_for(trace: Trace, dimensions: int) -> tuple[int, int, int] | None:
    """The block for which an array is made that every thread has one element of, by its index."""
    x, y = (sym.atom(sym.Symbol(f"threadIdx.{axis}")) for axis in "xy")
    for event in trace.walk():
        if not isinstance(event, Access) or event.buffer.space != "shared" or event.index is None:
            continue
        if any(control.varies & THREAD for control in event.controls()):
            continue
        form, extents = event.index.form, event.buffer.extents
        if dimensions == 1 and form == x and len(extents) == 1 and extents[0] in _LENGTHS:
            return extents[0] or 1, 1, 1
        if dimensions == len(extents) == 2 and extents[0] and extents[1] and extents[0] * extents[1] <= _MOST_THREADS:
            row = sym.multiply(y, sym.number(extents[1]))
            if row is not None and form == sym.add(x, row):
                return extents[1], extents[0], 1
    return None


def _of_block(trace: Trace, block: tuple[int, int, int]) -> Found | None:
    """What is found for one block; None where the kernel is not made for blocks of that shape."""
    at = tuple(0 if size == 1 else 1 for size in trace.shape.grid)
    replay = Replay(trace, block, (at[0], at[1], at[2]), trace.shape.warp)
    replay.keeps_unsure, replay.work = True, _MOST_WORK
    found: dict[tuple[int, int, bool], Hazard] = {}
    steps: dict[_Line, list[int]] = {}
    for touches in replay.phases():
        for position, touch in enumerate(touches):
            steps.setdefault(_line(touch.access), []).append(touch.step)
            for earlier in touches[: position + 1]:
                for hazard in _between(earlier, touch, block, trace.shape.warp):
                    found.setdefault(hazard.pair, hazard)
    if replay.outside and trace.shape.threads is None:
        return None
    return Found(sorted(found.values(), key=lambda hazard: hazard.steps[1]), steps)


def _between(first: Touch, second: Touch, block: tuple[int, int, int], warp: int) -> Iterator[Hazard]:
    """The hazard between threads of different warps, or else that between threads of one warp."""
    one, other = first.access, second.access
    if one.buffer is not other.buffer or one.size != other.size or not _conflict(one, other):
        return
    if (
        not (first.sure or second.sure)
        or not _compatible(first, second)
        or (first.single and first.elements == second.elements)
    ):
        return
    if _same_value(one, other) and first is second:
        return
    shared = first.elements.keys() & second.elements.keys()
    found: dict[bool, Hazard] = {}
    for element in sorted(shared, key=_order)[:_MOST_ELEMENTS]:
        pair = _threads(first, second, element, warp)
        if pair is not None:
            early, late, within = pair
            if within and (one.kind, other.kind) != ("store", "load"):
                continue
            hazard = Hazard(
                one, other, early, late, element, block, (first.step, second.step), second.phase, within,
                (first.turns, second.turns),
            )  # fmt: skip
            found.setdefault(within, hazard)
            if not within:
                break
    best = found.get(False) or found.get(True)
    if best is not None and (not best.warp or first.lockstep == second.lockstep):
        yield best


def _order(element: Key) -> tuple[object, ...]:
    """What elements are sorted by: their numbers, and the multiples of unknown symbols in them."""
    return (element,) if isinstance(element, int) else element[::2]


def _conflict(first: Access, second: Access) -> bool:
    if first.kind == "load" and second.kind == "atomic":
        return second.index is None or bool(second.index.varies & THREAD)  # else a counter that is polled
    return "store" in {first.kind, second.kind} or (first.kind == "atomic" and second.kind == "load")


def _compatible(first: Touch, second: Touch) -> bool:
    """Whether both can happen: the unknown conditions of one are among those of the other."""
    return first.decisions <= second.decisions or second.decisions <= first.decisions


def _same_value(first: Access, second: Access) -> bool:
    """Whether two stores surely, or by all that is known may, store one value."""
    a, b = first.value, second.value
    if a is None or b is None:
        return True
    if first is second:
        return not a.varies & THREAD or a.form is None
    return a.exact is not None and a.exact == b.exact


def _threads(first: Touch, second: Touch, element: Key, warp: int) -> tuple[int, int, bool] | None:
    """Two threads that touch an element, of two warps if there are such."""
    early, late = first.elements[element], second.elements[element]
    if first is second and len(early) < 2:
        return None
    within = None
    alike = first.access.value is not None and not first.access.value.varies & THREAD
    for a in early[:4] + early[-1:]:
        for b in late[:4] + late[-1:]:
            if a == b or (alike and second.access.kind == "load" and b in early):
                continue
            if second.access.kind == first.access.kind == "store" and _same_value(first.access, second.access):
                continue
            if a // warp != b // warp:
                return a, b, False
            within = within or (a, b, True)
    return within


def _line(access: Access) -> _Line:
    return access.place[0], line_of(access.place[1]), access.path


def _separate(found: list[Hazard], steps: dict[_Line, list[int]]) -> list[Hazard]:
    """Those that are left when a barrier is put before the second access of each that is kept."""
    kept: list[Hazard] = []
    barriers: list[int] = []
    for hazard in found:
        if hazard.warp or any(hazard.steps[0] < step <= hazard.steps[1] for step in barriers):
            continue
        if all(hazard.second.place != other.second.place for other in kept):
            kept.append(hazard)
        barriers += steps[_line(hazard.second)]
    rest = [one for one in found if one.warp and not any(one.steps[0] < step <= one.steps[1] for step in barriers)]
    return kept + _regions(rest, {id(one.second) for one in found if not one.warp})


def _regions(found: list[Hazard], elsewhere: set[int]) -> list[Hazard]:
    """The first hazard of each stretch of warp-synchronous code."""
    kept: list[Hazard] = []
    phases: set[int] = set()
    for hazard in found:
        if id(hazard.second) in elsewhere:
            continue
        if hazard.phase not in phases:
            kept.append(hazard)
            phases |= {one.phase for one in found if one.second is hazard.second or one.phase == hazard.phase}
    return kept
