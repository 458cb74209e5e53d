"""Elements of global memory that one block reads and another stores in the same launch, nothing ordering the two."""

from collections.abc import Callable, Iterator
from itertools import combinations

from cudalint.analysis.device.coverage import AXES, block
from cudalint.analysis.device.events import Access, Barrier, Control, Trace, Unknown
from cudalint.analysis.device.lanes import Key, Valuation
from cudalint.analysis.device.origins import Origins, origins
from cudalint.analysis.device.replay import Reached, Replay, Touch
from cudalint.analysis.device.values import BLOCK, Num
from cudalint.analysis.device.waiting import one_block, polls
from cudalint.ir import symbol as sym
from cudalint.record import mutable_record

Position = tuple[int, int, int]
_ORDERING = ("sync", "barrier", "wait", "lock", "grid", "asm", "semaphore")
_MOST_THREADS = 1024
_MOST_ACCESSES = 40
_USUAL = ((256, 1, 1), (16, 16, 1), (8, 8, 4))


@mutable_record
class Meeting:
    """`reader` reads in one `load` what `writer` puts there by `store`. `certain` is false where the grid may be one block."""

    load: Access
    store: Access
    element: Key
    reader: Position
    writer: Position
    certain: bool


def meetings(trace: Trace, same: dict[str, str]) -> list[Meeting]:
    """The first meeting of blocks in each buffer. `same` names the buffer that another is the same memory as."""
    if not trace.complete or all(size == 1 for size in trace.shape.grid):
        return []
    shared = _both_ways(trace, same)
    if not shared or _orders(trace) or _many(trace, shared, same):
        return []
    threads = _block(trace)
    runs = [_run(trace, threads, at, same, shared) for at in _positions(trace)] if threads else []
    order = {id(event): position for position, event in enumerate(trace.walk())}
    found: dict[str, Meeting] = {}
    for first, second in combinations(runs, 2):
        for one, other in ((first, second), (second, first)):
            for name, meeting in _meet(one, other, order):
                found.setdefault(name, meeting)
    return list(found.values())


def _name(access: Access, same: dict[str, str]) -> str:
    return same.get(access.buffer.key, access.buffer.key)


# what is worth looking at


def _both_ways(trace: Trace, same: dict[str, str]) -> set[str]:
    """The buffers that are both read and stored to, at places known well enough, and not just each thread at its own."""
    loads: dict[str, list[Access]] = {}
    stores: dict[str, list[Access]] = {}
    for event in trace.walk():
        if not isinstance(event, Access) or event.buffer.space != "global" or event.volatile:
            continue
        if event.index is not None and event.index.form is not None and _measured(event.index, trace):
            kind = stores if event.kind == "store" else loads
            kind.setdefault(_name(event, same), []).append(event)
    return {name for name in loads.keys() & stores.keys() if not _own(loads[name] + stores[name], trace)}


def _many(trace: Trace, shared: set[str], same: dict[str, str]) -> bool:
    """Whether there is more to run than is worth it."""
    accesses = (event for event in trace.walk() if isinstance(event, Access))
    return sum(_name(access, same) in shared for access in accesses) > _MOST_ACCESSES


def _measured(index: Num, trace: Trace) -> bool:
    """Whether the block size that an index supposes is that of the launch."""
    if index.form is None:
        return False
    used = set(index.form.leaves())
    return all(
        size is not None or sym.Symbol(f"threadIdx.{axis}") not in used or sym.Symbol(f"blockDim.{axis}") in used
        for axis, size in zip(AXES, trace.shape.block, strict=True)
    )


def _own(accesses: list[Access], trace: Trace) -> bool:
    """Whether all are of one element, another one in every block."""
    first = accesses[0].index
    if (
        first is None
        or first.form is None
        or any(one.index is None or one.index.form != first.form for one in accesses)
    ):
        return False
    used = set(first.form.leaves())
    return all(
        size == 1 or block(axis) in used or (size is None and block(axis) not in trace.atoms)
        for axis, size in zip(AXES, trace.shape.grid, strict=True)
    ) and bool(first.varies & BLOCK)


def _orders(trace: Trace) -> bool:
    """Whether anything may make one block wait for another."""
    if polls(trace):
        return True
    for event in trace.walk():
        if isinstance(event, Barrier) and event.scope in {"grid", "unknown", "cluster"}:
            return True
        if isinstance(event, Unknown) and any(word in event.name.lower() for word in _ORDERING):
            return True
    return False


def _block(trace: Trace) -> Position | None:
    used = {str(atom) for atom in trace.atoms}
    usual = _USUAL[2 if "threadIdx.z" in used else 1 if "threadIdx.y" in used else 0]
    x, y, z = (own or other for own, other in zip(trace.shape.block, usual, strict=True))
    return (x, y, z) if x * y * z <= _MOST_THREADS else None


def _positions(trace: Trace) -> list[Position]:
    """A block and those next to it along every axis of the grid."""
    used = {
        axis
        for axis, size in enumerate(trace.shape.grid)
        if size != 1 and (size is not None or block(AXES[axis]) in trace.atoms or axis == 0)
    }
    x, y, z = (
        range(min(most, size or most) if axis in used else 1)
        for axis, (size, most) in enumerate(zip(trace.shape.grid, (3 if used == {0} else 2, 2, 2), strict=True))
    )
    return [(a, b, c) for c in z for b in y for a in x if (a > 0) + (b > 0) + (c > 0) < 2]


# running it


_LAUNCHED = frozenset({"blockDim", "gridDim"})


class _GridValuation(Valuation):
    """Values that blocks can be compared by: the index of the block is a number, and unknown symbols must be the same for
    all blocks.
    """

    source: Origins

    def token(self, atom: sym.Atom) -> object | None:
        for leaf in sym.atom(atom).leaves():
            made = self.source.trace.made.get(leaf)
            known = (
                isinstance(leaf, sym.Symbol)
                and not leaf.version
                and leaf.name.partition(".")[0] in _LAUNCHED | self.source.trace.parameters
            )
            if not known and (made is None or made.buffer.space != "constant"):
                return None
        return super().token(atom)


class _GridReplay(Replay):
    """A run that keeps accesses to global memory. What is done on a condition that may be another in each block is left out."""

    space = "global"
    most_work = 60

    def __init__(self, trace: Trace, threads: Position, at: Position, wanted: Callable[[Access], bool]) -> None:
        super().__init__(trace, threads, at, trace.shape.warp)
        self.wanted = wanted
        self.values = _GridValuation(threads, at, trace.atoms)
        self.values.source = self.source = origins(trace)
        self.values.place = set()

    def keeps(self, access: Access) -> bool:
        return access.buffer.space == self.space and self.wanted(access)

    def narrowed(self, outer: Reached, control: Control) -> Reached:
        condition = control.condition
        holds, _ = self.values.truth(condition)
        if holds is None and (
            condition.varies & BLOCK
            or any(access.buffer.space == "shared" or access.kind == "atomic" for access in self.source.of(condition))
        ):
            return Reached(None)
        return super().narrowed(outer, control)


@mutable_record
class _Block:
    """What one block does with the buffers that are both read and stored to."""

    trace: Trace
    at: Position
    touches: list[Touch]
    same: dict[str, str]

    def name(self, touch: Touch) -> str:
        return _name(touch.access, self.same)


def _run(trace: Trace, threads: Position, at: Position, same: dict[str, str], shared: set[str]) -> _Block:
    replay = _GridReplay(trace, threads, at, lambda access: not access.volatile and _name(access, same) in shared)
    return _Block(trace, at, [touch for touches in replay.phases() for touch in touches], same)


# comparing


def _meet(one: _Block, other: _Block, order: dict[int, int]) -> Iterator[tuple[str, Meeting]]:
    """What one block reads of what the other stores, with the buffer's name. Of structures that are read as a whole it is
    not known which part is meant.
    """
    for store in other.touches:
        if store.access.kind != "store":
            continue
        changed = store.elements.keys() - _put_back(store, other.touches)
        for load in one.touches:
            if load.access.kind == "store" or other.name(load) != other.name(store):
                continue
            if load.access.size != store.access.size or _excluded(load.access, store.access, order):
                continue
            if load.access.size is None and load.access.buffer.element:
                continue
            elements = load.elements.keys() & changed
            if elements and _compatible(load, store) and not _everyone(store.access, elements, one.touches):
                element = min(elements, key=str)
                certain = bool(_block_in(load.access) or _block_in(store.access)) or _several(one.trace)
                yield other.name(store), Meeting(load.access, store.access, element, one.at, other.at, certain)


def _put_back(store: Touch, touches: list[Touch]) -> set[Key]:
    """The elements that only get what they hold: the thread that stores one has just read it there."""
    value = store.access.value
    load = value.read if value is not None else None
    if value is None or not isinstance(load, Access) or not _same(value, load.given):
        return set()
    read = next((touch for touch in touches if touch.access is load and touch.turns == store.turns), None)
    if read is None or load.buffer is not store.access.buffer:
        return set()
    return {key for key, threads in store.elements.items() if set(threads) <= set(read.elements.get(key, ()))}


def _same(value: Num, given: Num | None) -> bool:
    """Whether a value is what a load gave, with nothing done to it."""
    return value is given or (given is not None and value.form is not None and value.form == given.form)


def _excluded(load: Access, store: Access, order: dict[int, int]) -> bool:
    """Flags that are only ever set, and atomics, mean nothing, unless one block sets them up for all that come later."""
    first = any(one_block(control.condition) and control.holds for control in store.controls())
    if first and order[id(store)] < order[id(load)]:
        return False
    return load.kind == "atomic" or (store.value is not None and store.value.exact is not None)


def _compatible(load: Touch, store: Touch) -> bool:
    return load.decisions <= store.decisions or store.decisions <= load.decisions


def _everyone(store: Access, elements: set[Key], reads: list[Touch]) -> bool:
    """Whether every block stores the same there: a value that is made of nothing that differs between blocks."""
    value = store.value
    if value is None or value.varies & BLOCK or (isinstance(value.read, Access) and value.read.buffer is store.buffer):
        return False
    own = [touch for touch in reads if touch.access is store]
    return any(elements <= touch.elements.keys() for touch in own)


def _block_in(access: Access) -> bool:
    used = set(access.index.form.leaves()) if access.index is not None and access.index.form is not None else set()
    return any(block(axis) in used for axis in AXES) or any(control.varies & BLOCK for control in access.controls())


def _several(trace: Trace) -> bool:
    return any(size is not None and size > 1 for size in trace.shape.grid)
