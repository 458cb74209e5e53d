"""Conditions that let one element too many through."""

from collections.abc import Iterator

from cudalint.analysis.device.coverage import (
    AXES,
    Bound,
    Leaf,
    accesses,
    bound,
    leaves,
    linear,
    spread,
    touches,
)
from cudalint.analysis.device.events import Access, Control
from cudalint.analysis.device.intrinsics import ATOMICS
from cudalint.analysis.device.launched import Launched
from cudalint.analysis.device.values import EVERY, Place
from cudalint.ir import symbol as sym
from cudalint.record import record


@record
class OffByOne:
    """A condition that lets one element too many through, and the first access it lets through."""

    control: Control
    access: Access
    count: sym.Form


def off_by_one(run: Launched) -> Iterator[OffByOne]:
    """The upper bounds that reach the element count itself: that of the grid, or that of the memory."""
    seen: set[Place] = set()
    for access in accesses(run.trace):
        yield from _of_queue(run, access, seen)
        for axis in AXES:
            edge = _only_bound(access, run, axis) if _made_of(access, axis) else None
            if edge is None or edge.control.place in seen:
                continue
            count = _passed_by_one(run, edge, access, axis)
            if count is not None:
                seen.add(edge.control.place)
                yield OffByOne(edge.control, access, count)


def _made_of(access: Access, axis: str) -> bool:
    """Whether a thread's place along an axis has a part in an index."""
    return access.index is not None and touches(access.index, axis) is True


def _only_bound(access: Access, run: Launched, axis: str) -> Bound | None:
    """The one upper bound of an access along an axis, None where other conditions may keep threads out too."""
    found = None
    for leaf in leaves(access):
        edge = bound(leaf, run.trace, axis)
        if edge is None and leaf.touches(axis) is not False:
            return None
        if edge is not None and edge.upper:
            if found is not None:
                return None
            found = edge
    return found


def _passed_by_one(run: Launched, edge: Bound, access: Access, axis: str) -> sym.Form | None:
    """The element count that a bound lets one more than through to an access."""
    form = access.index.form if access.index is not None else None
    found = spread(form, run.trace, axis) if form is not None else None
    if found is not None:
        if found.size != edge.size or any(k < 0 for _, k in found.rest.terms):
            return None
        length = run.length(access.buffer)
        if length is not None and found.stride == sym.ONE and found.rest.constant is not None:
            return length if run.same(edge.limit, length) == 1 else None
    share = run.shares.get(axis)
    return share.count if share is not None and run.same(edge.limit, share.count) == 1 else None


def _of_queue(run: Launched, access: Access, seen: set[Place]) -> Iterator[OffByOne]:
    """The same where the element comes from a counter that all threads count up."""
    form = access.index.form if access.index is not None else None
    taken = [atom for atom in form.atoms() if _is_ticket(atom, run)] if form is not None else []
    if form is None or len(taken) != 1:
        return
    reached = linear(form, taken[0])
    length = run.length(access.buffer)
    if (
        reached is None
        or (reached[0].constant or 0) < 1
        or (reached[1].constant is not None and reached[1].constant < 0)
    ):
        return
    for leaf in leaves(access):
        count = _tickets(leaf, taken[0])
        given = sym.substitute(count, run.arguments) if count is not None else None
        if given is None or count is None or leaf.control.place in seen or any(k < 0 for _, k in given.terms):
            continue
        if length is None or run.same(count, length) == 0:
            seen.add(leaf.control.place)
            yield OffByOne(leaf.control, access, given)


def _is_ticket(atom: sym.Atom, run: Launched) -> bool:
    return isinstance(atom, sym.Symbol) and atom.name in ATOMICS and run.trace.atoms.get(atom) == EVERY


def _tickets(leaf: Leaf, ticket: sym.Atom) -> sym.Form | None:
    """The n of a condition that a ticket is at most n."""
    left, right = (leaf.left, leaf.right) if leaf.op == "<=" else (leaf.right, leaf.left)
    if leaf.op not in {"<=", ">="} or left.form is None or right.form is None or right.varies:
        return None
    plain = left.form == sym.atom(ticket) and right.form.constant is None
    return right.form if plain and not any(k < 0 for _, k in right.form.terms) else None
