"""Where a kernel supposes another block than its launch gives it."""

from collections.abc import Callable, Iterator

from cudalint.analysis.device.coverage import AXES, accesses, block, leaves, spread, thread
from cudalint.analysis.device.events import Access, Barrier, Control, Event, Loop, Trace
from cudalint.analysis.device.lanes import Truth
from cudalint.analysis.device.replay import Reached, Replay
from cudalint.analysis.device.values import EVERY, THREAD, Num, Place
from cudalint.ir import symbol as sym
from cudalint.record import record

_MOST_THREADS = 1024


@record
class Misfit:
    """What is wrong, in one clause, and the place in the kernel. `wrong` is false where work is only done twice."""

    text: str
    place: Place
    wrong: bool = True


def misfits(trace: Trace, written: Callable[[], Trace]) -> Iterator[Misfit]:
    """What goes wrong in a launch. `trace` is that of the launch, `written` gives that of the kernel with a block of any
    size.
    """
    x, y, z = trace.shape.block
    if x is None or y is None or z is None or x * y * z > _MOST_THREADS or not trace.complete:
        return
    threads = (x, y, z)
    past = [*_past_the_end(trace, threads)]
    found = past or [*_rows(trace, threads)] or [*_halvings(trace, threads)]
    yield from found[:1]
    if not found and (_one_row(trace, threads) or any(_strides(trace, threads)) or any(_gaps(trace, threads))):
        yield from [*_strides(written(), threads), *_gaps(written(), threads)][:1]


def _one_row(trace: Trace, threads: tuple[int, int, int]) -> bool:
    """Whether blocks with one row of threads lie beside each other along another axis than x."""
    return any(size == 1 and block(axis) in trace.atoms for axis, size in zip("yz", threads[1:], strict=True))


# shared arrays


class _Certain(Replay):
    """A run in which threads come only to what they come to whatever the parameters are."""

    def narrowed(self, outer: Reached, control: Control) -> Reached:
        holds, assumed = self.values.truth(control.condition)
        if assumed or (holds is None and control.condition.varies & THREAD):
            return Reached(outer.lanes if not control.condition.varies & THREAD else None)
        return super().narrowed(outer, control)

    def _entered(self, loop: Loop, alive: Truth, most: int) -> tuple[Truth, int]:
        holds, assumed = self.values.truth(loop.condition)
        if assumed or holds is None:
            return (None, 1) if loop.condition.varies & THREAD else (alive, 1)
        return super()._entered(loop, alive, most)

    def _touch(self, access: Access) -> None:
        super()._touch(access)
        lanes = self._reach(access.control).lanes
        found = self.over.get(access.place)
        if found is None and lanes is not None and lanes is not False and access.index is not None:
            self.over[access.place] = self._over(access, lanes)

    def __init__(self, trace: Trace, threads: tuple[int, int, int]) -> None:
        super().__init__(trace, threads, (0, 0, 0), trace.shape.warp)
        self.over: dict[Place, tuple[Access, int, int] | None] = {}

    def _over(self, access: Access, lanes: Truth) -> tuple[Access, int, int] | None:
        """The first thread that is past the end of an array, and its element."""
        length = access.buffer.length
        if length is None or access.buffer.dynamic or access.size != access.buffer.size or access.index is None:
            return None
        keys = self.values.keys(access.index.form) if access.index.varies & THREAD else None
        for number, key in enumerate(keys or ()):
            if (
                isinstance(key, int)
                and key >= length
                and (lanes is True or (isinstance(lanes, list) and lanes[number]))
            ):
                return access, number, key
        return None


def _past_the_end(trace: Trace, threads: tuple[int, int, int]) -> Iterator[Misfit]:
    if not any(map(_may_run_over, trace.walk())):
        return
    run = _Certain(trace, threads)
    for _ in run.phases():
        pass
    for found in run.over.values():
        if found is not None:
            access, number, key = found
            name, length = access.buffer.name, access.buffer.length
            yield Misfit(f"thread {number} uses element {key} of '{name}', which has {length}", access.place)


def _may_run_over(event: Event) -> bool:
    """Whether nothing is known that keeps an access within its array."""
    if not isinstance(event, Access) or event.buffer.space != "shared" or event.index is None:
        return False
    length = event.buffer.length
    return length is not None and bool(event.index.varies & THREAD) and not 0 <= (event.index.hi or -1) < length


def _rows(trace: Trace, threads: tuple[int, int, int]) -> Iterator[Misfit]:
    """Indices of an inner dimension that run over into the next row."""
    for event in trace.walk():
        if not isinstance(event, Access) or event.buffer.space != "shared" or event.control is not None:
            continue
        extents = event.buffer.extents
        if len(event.indices) != len(extents):
            continue
        for index, extent in [*zip(event.indices, extents, strict=True)][1:]:
            axis = next((at for at, name in enumerate(AXES) if index.form == sym.atom(thread(name))), None)
            if axis is not None and extent is not None and threads[axis] > extent:
                yield Misfit(
                    f"threadIdx.{AXES[axis]} goes up to {threads[axis] - 1} in rows of {extent} elements of "
                    f"'{event.buffer.name}'",
                    event.place,
                )


# reductions by halves


def _halvings(trace: Trace, threads: tuple[int, int, int]) -> Iterator[Misfit]:
    """Trees in which an odd half leaves an element out."""
    for loop in trace.walk():
        if not isinstance(loop, Loop):
            continue
        found = _halved(loop)
        if found is None or not _tree(loop, found[0]):
            continue
        atom, start = found
        size = next(
            (whole for whole in (threads[0], threads[0] * threads[1] * threads[2]) if whole // 2 == start), None
        )
        odd = _odd(size, loop, atom) if size is not None and size > 1 else None
        if odd is not None:
            yield Misfit(
                f"the halving from {start} on meets {odd} elements, and one of an odd number is left out", loop.place
            )


def _halved(loop: Loop) -> tuple[sym.Atom, int] | None:
    """The variable a loop halves in every turn and what it starts from."""
    own = loop.induction
    if own is not None:
        halves = (own.op == "/" and own.step is not None and own.step.exact == 2) or (
            own.op == ">>" and own.step is not None and own.step.exact == 1
        )
        return (own.atom, own.start.exact) if halves and own.start.exact is not None else None
    for carry in loop.carries:
        if carry.start.exact is not None and carry.end.form == sym.divide(sym.atom(carry.atom), sym.number(2)):
            return carry.atom, carry.start.exact
    return None


def _tree(loop: Loop, atom: sym.Atom) -> bool:
    """Whether a loop does nothing but add the upper half of a shared array to its lower one."""
    stores = loads = waits = 0
    for event in _inside(loop):
        if isinstance(event, Barrier):
            waits += event.scope == "block"
        elif isinstance(event, Access) and event.buffer.space == "shared" and event.index is not None:
            over = event.index.form is not None and dict(event.index.form.terms).get((atom,)) == 1
            if event.kind == "store":
                stores += 1
                if over or _conditions(event, loop) != 1 or not _half(event, atom):
                    return False
            loads += over
    return stores >= 1 and loads >= 1 and waits >= 1


def _inside(loop: Loop) -> Iterator[Event]:
    stack = [*loop.body]
    while stack:
        event = stack.pop()
        yield event
        for part in event.parts():
            stack.extend(part)


def _conditions(event: Event, loop: Loop) -> int:
    """How many conditions in a loop an event stands under."""
    return next((count for count, control in enumerate(event.controls()) if control.loop is loop), 99)


def _half(event: Event, atom: sym.Atom) -> bool:
    """Whether a store is that of the threads below the half."""
    control = event.control
    test = control.condition.test if control is not None and control.kind == "branch" and control.holds else None
    return test is not None and test.op == "<" and test.right.form == sym.atom(atom)


def _odd(size: int, loop: Loop, atom: sym.Atom) -> int | None:
    """The first odd number of elements, more than one, that a tree over `size` halves."""
    test = loop.condition.test
    least = 0
    if test is not None and test.left.form == sym.atom(atom) and test.right.exact is not None:
        least = test.right.exact + (0 if test.op in {">=", "!="} else 1)
    half = size // 2
    while half >= max(least, 1):
        if size % 2:
            return size
        size, half = half, half // 2
    return None


# constants in the place of blockDim


def _strides(written: Trace, threads: tuple[int, int, int]) -> Iterator[Misfit]:
    """Loops whose threads step by a constant number of threads other than that of the block."""
    if not written.complete:
        return
    for loop in written.walk():
        own = loop.induction if isinstance(loop, Loop) else None
        if own is None or own.op != "+" or own.step is None or own.start.form is None or not isinstance(loop, Loop):
            continue
        count = _grid_step(own.start.form, own.step) or _block_step(own.start.form, own.step, loop, threads)
        if count is None or count == threads[0] or threads[1] * threads[2] != 1 or _limited(loop):
            continue
        if count > threads[0] and _beside(written, own.atom):
            continue
        name = own.name
        if count > threads[0]:
            yield Misfit(
                f"'{name}' goes on by {count} threads: what the threads {threads[0]} to {count - 1} would do is left out",
                loop.place,
            )
        else:
            sums = len(loop.carries) > 1
            yield Misfit(f"'{name}' goes on by {count} threads: some elements are done twice", loop.place, sums)


def _grid_step(start: sym.Form, step: Num) -> int | None:
    """C where a loop runs from C × blockIdx.x + threadIdx.x in steps of C × gridDim.x."""
    terms = dict(start.terms)
    count = terms.get((block("x"),))
    if terms.get((thread("x"),)) != 1 or count is None or len(terms) != 2 or step.form is None:
        return None
    return count if step.form.factor(sym.Symbol("gridDim.x")) == count else None


def _block_step(start: sym.Form, step: Num, loop: Loop, threads: tuple[int, int, int]) -> int | None:
    """C where a loop runs from k × threadIdx.x in steps of the constant k × C."""
    own, count = start.factor(thread("x")), step.exact
    if own is None or own <= 0 or count is None or count % own or count <= own:
        return None
    bound = loop.induction.bound if loop.induction is not None else None
    if bound is None or (bound.hi is not None and bound.hi <= max(threads[0], count // own) * own):
        return None
    return count // own


def _limited(event: Event) -> bool:
    """Whether only some threads of the block come here."""
    return any(control.kind != "loop" and control.varies & THREAD for control in event.controls())


def _beside(written: Trace, atom: sym.Atom) -> bool:
    """Whether a thread does more than the element a loop variable stands for."""
    for event in written.walk():
        form = event.index.form if isinstance(event, Access) and event.index is not None else None
        if form is not None and atom in set(form.leaves()) and not _plain(form, atom):
            return True
    return False


def _plain(form: sym.Form, atom: sym.Atom) -> bool:
    return all(
        not atoms or not isinstance(part, sym.Symbol) or part == atom or not part.version
        for atoms, _ in form.terms
        for part in atoms
    ) and not (dict(form.terms).get((), 0) and (atom,) in dict(form.terms))


def _gaps(written: Trace, threads: tuple[int, int, int]) -> Iterator[Misfit]:
    """Stores by a global id in which a block stands for more threads than it has."""
    stores = [event for event in accesses(written) if event.kind == "store" and event.index is not None]
    for axis, own in zip(AXES, threads, strict=True):
        sizes: set[int | None] = set()
        for store in stores:
            found = spread(store.index.form, written, axis) if store.index is not None and store.index.form else None
            loose = found is None or any(isinstance(leaf, sym.Symbol) and leaf.version for leaf in found.rest.leaves())
            sizes.add(None if found is None or loose or found.rest.constant not in {None, 0} else found.size.constant)
        count = next(iter(sizes)) if len(sizes) == 1 else None
        if count is None or count <= own or not written.complete:
            continue
        store = stores[0]
        if (own == 1 and axis != "x") or _bounded(store, axis, count):
            yield Misfit(
                f"a block stands for {count} threads along {axis} and has {own}: {count - own} of {count} elements are "
                "never written",
                store.place,
            )


def _bounded(store: Access, axis: str, count: int) -> bool:
    """Whether the id along an axis is compared with a count that is not known: then it goes over all elements."""
    terms = {(thread(axis),): 1, (block(axis),): count}
    return any(
        leaf.op in {"<", "<="} and leaf.left.form is not None and dict(leaf.left.form.terms) == terms
        and leaf.right.exact is None and not leaf.right.varies & EVERY
        for leaf in leaves(store)
    )  # fmt: skip


__all__ = ["Misfit", "misfits"]
