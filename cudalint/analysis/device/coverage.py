"""How the threads of a grid cover their data: indices made of the global thread id, and the bounds they stand under."""

from collections.abc import Iterator

from cudalint.analysis.device import arithmetic
from cudalint.analysis.device.events import Access, Control, Event, Loop, Trace
from cudalint.analysis.device.values import BLOCK, EVERY, THREAD, Num
from cudalint.ir import symbol as sym
from cudalint.record import record

AXES = "xyz"
_PARTS = ("threadIdx", "blockIdx")


@record
class Spread:
    """A formula as `stride` × (blockIdx × `size` + threadIdx) + `rest` along one axis."""

    stride: sym.Form
    size: sym.Form
    rest: sym.Form


@record
class Bound:
    """A condition that holds where a thread comes: `id < limit` where `upper`, else `id >= limit`, for the global id of one
    axis, counted in steps of `size` per block. `control` is where it stands.
    """

    upper: bool
    limit: sym.Form
    size: sym.Form
    control: Control
    left: Num


def thread(axis: str) -> sym.Symbol:
    return sym.Symbol(f"threadIdx.{axis}")


def block(axis: str) -> sym.Symbol:
    return sym.Symbol(f"blockIdx.{axis}")


def linear(form: sym.Form, atom: sym.Atom) -> tuple[sym.Form, sym.Form] | None:
    """The factor of an atom and what is left, None where the atom stands anywhere but as a factor of whole terms."""
    factor: list[tuple[sym.Monomial, int]] = []
    rest: list[tuple[sym.Monomial, int]] = []
    for atoms, k in form.terms:
        count = atoms.count(atom)
        if count > 1 or any(type(part) is not sym.Symbol and atom in _leaves(part) for part in atoms):
            return None
        if count:
            factor.append((tuple(part for part in atoms if part != atom), k))
        else:
            rest.append((atoms, k))
    return (sym.total(factor), sym.total(rest)) if factor else (sym.ZERO, form)


def _leaves(part: sym.Atom) -> frozenset[sym.Atom]:
    if isinstance(part, sym.Symbol):
        return frozenset({part})
    return frozenset(sym.atom(part).leaves())


def spread(form: sym.Form, trace: Trace, axis: str) -> Spread | None:
    """A formula along an axis, None where it is not made of the global thread id of that axis alone."""
    known: dict[tuple[sym.Form, str], Spread | None] = trace.memo.setdefault("spread", {})
    key = form, axis
    if key not in known:
        known[key] = _spread(form, trace, axis)
    return known[key]


def _spread(form: sym.Form, trace: Trace, axis: str) -> Spread | None:
    position = AXES.index(axis)
    threads, blocks = trace.shape.block[position], trace.shape.grid[position]
    split = linear(form, thread(axis))
    outer = linear(split[1], block(axis)) if split is not None else None
    if split is None or outer is None:
        return None
    own, (step, rest) = split[0], outer
    if own == sym.ZERO:
        if threads != 1 or step == sym.ZERO:
            return None
        return Spread(step, sym.ONE, rest)
    if step == sym.ZERO:
        return Spread(own, sym.number(threads), rest) if blocks == 1 and threads is not None else None
    size = sym.divide(step, own)
    if sym.multiply(size, own) != step or any(part in {thread(a), block(a)} for part in size.leaves() for a in AXES):
        return None
    return Spread(own, size, rest)


def touches(num: Num, axis: str) -> bool | None:
    """Whether a value is made of a thread's place along an axis; None where that cannot be told."""
    if not num.varies & EVERY:
        return False
    if num.form is None:
        return None
    leaves = set(num.form.leaves())
    if thread(axis) in leaves or block(axis) in leaves:
        return True
    named = {part(other) for other in AXES for part in (thread, block)}
    return (
        None if any(isinstance(leaf, sym.Symbol) and leaf.version and leaf not in named for leaf in leaves) else False
    )


@record
class Leaf:
    """One comparison among the conditions of an event, with the operator that holds there; `op` is "" for anything else."""

    op: str
    left: Num
    right: Num
    control: Control

    def touches(self, axis: str) -> bool | None:
        answers = {touches(self.left, axis), touches(self.right, axis)}
        return True if True in answers else None if None in answers else False


def leaves(event: Event) -> Iterator[Leaf]:
    """The comparisons an event stands under, those joined so that all of them hold apart."""
    for control in event.controls():
        yield from _split(control.condition, control.holds, control)


def _split(condition: Num, holds: bool, control: Control) -> Iterator[Leaf]:
    test = condition.test
    if test is not None and test.op == ("&&" if holds else "||"):
        yield from _split(test.left, holds, control)
        yield from _split(test.right, holds, control)
    elif test is not None and test.op in {"<", "<=", ">", ">=", "==", "!="}:
        yield Leaf(test.op if holds else arithmetic.opposite(test.op), test.left, test.right, control)
    elif test is not None and test.op in {"&&", "||"}:
        yield from (Leaf("", side, side, control) for side in _sides(condition))
    else:
        yield Leaf("", condition, condition, control)


def _sides(condition: Num) -> Iterator[Num]:
    test = condition.test
    if test is None or test.op == "!":
        yield condition
        return
    yield from _sides(test.left)
    yield from _sides(test.right)


def bound(leaf: Leaf, trace: Trace, axis: str) -> Bound | None:
    """What a comparison says of the global id of an axis, None where it says something else."""
    if leaf.op not in {"<", "<=", ">", ">="} or leaf.left.form is None or leaf.right.form is None:
        return None
    op, left, right = leaf.op, leaf.left, leaf.right
    if op in {">", ">="}:
        op, left, right = arithmetic.mirrored(op), right, left
    if left.form is None or right.form is None:
        return None
    found = spread(sym.add(left.form, right.form, -1), trace, axis)
    if found is None or found.stride.constant not in {1, -1} or _others(found.rest):
        return None
    edge = sym.ONE if op == "<=" else sym.ZERO
    if found.stride.constant == 1:
        return Bound(
            True, sym.add(sym.multiply(found.rest, sym.number(-1)) or sym.ZERO, edge), found.size, leaf.control, left
        )
    return Bound(False, sym.add(sym.add(found.rest, sym.ONE), edge, -1), found.size, leaf.control, left)


def _others(form: sym.Form) -> bool:
    """Whether thread or block indices stand in a formula."""
    named = {part(other) for other in AXES for part in (thread, block)}
    return any(leaf in named for leaf in form.leaves())


def guarded(event: Event, trace: Trace, axis: str) -> bool:
    """Whether any condition on the way to an event may bound a thread's place along an axis."""
    for leaf in leaves(event):
        answer = leaf.touches(axis)
        if answer is None:
            return True
        if answer and (trace.shape.grid[AXES.index(axis)] == 1 or not _only_threads(leaf, axis)):
            return True
    return False


def _only_threads(leaf: Leaf, axis: str) -> bool:
    """Whether a comparison is of a thread's place in its block with a constant: it bounds nothing of the grid."""
    both = [leaf.left, leaf.right]
    if leaf.op == "":
        return False
    known = [side for side in both if side.form is not None and block(axis) not in set(side.form.leaves())]
    return len(known) == 2 and any(side.exact is not None for side in both)


def accesses(trace: Trace) -> list[Access]:
    """The accesses to global memory whose index is known as a formula, and differs between threads."""
    if "accesses" not in trace.memo:
        trace.memo["accesses"] = [
            event
            for event in trace.walk()
            if isinstance(event, Access)
            and event.buffer.space == "global"
            and event.index is not None
            and event.index.form is not None
            and event.index.varies & (THREAD | BLOCK)
        ]
    found: list[Access] = trace.memo["accesses"]
    return found


def strided(trace: Trace) -> bool:
    """Whether a loop of the kernel takes the threads on from their global id: one thread does several elements."""
    return any(
        isinstance(event, Loop) and event.induction is not None and event.induction.start.varies & BLOCK
        for event in trace.walk()
    )
