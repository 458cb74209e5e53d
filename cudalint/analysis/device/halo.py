"""Accesses to neighbours of a thread's element, under conditions that only keep the element itself in bounds."""

from collections.abc import Iterator

from cudalint.analysis.device.coverage import AXES, Bound, Leaf, Spread, accesses, block, bound, leaves, spread, thread
from cudalint.analysis.device.events import Access, Control
from cudalint.analysis.device.launched import Launched
from cudalint.ir import symbol as sym
from cudalint.record import record


@record
class Halo:
    """An access `offset` elements, or rows, from that of the thread along an axis; `guard` is the condition it stands under."""

    access: Access
    axis: str
    offset: int
    guard: Control


def halos(run: Launched) -> Iterator[Halo]:
    """The neighbours read or written past either end."""
    shifted = [(access, axis, shift) for access in accesses(run.trace) for axis, shift in _shifts(access, run)]
    behind = {(access.buffer.key, axis) for access, axis, shift in shifted if shift < 0}
    for access, axis, shift in shifted:
        bounds = _bounds(access, run, axis, behind=shift < 0)
        upper = next((edge for edge in bounds or () if edge.upper), None)
        if bounds is None or upper is None or not run.based.get(access.buffer.key, False):
            continue
        if shift < 0:
            outside = not any(_from(edge, -shift) for edge in bounds if not edge.upper)
        else:
            uppers = [edge for edge in bounds if edge.upper]
            outside = _reaches_end(run, access, axis, shift, uppers) or (
                (access.buffer.key, axis) in behind and _covers(run, axis, uppers)
            )
        if outside:
            yield Halo(access, axis, shift, upper.control)


def _shifts(access: Access, run: Launched) -> Iterator[tuple[str, int]]:
    """How far an index is from that of the thread along each axis."""
    form = access.index.form if access.index is not None else None
    if form is None:
        return
    spreads = {axis: found for axis in AXES if (found := spread(form, run.trace, axis)) is not None}
    strides = {axis: found.stride.terms[0] for axis, found in spreads.items() if len(found.stride.terms) == 1}
    if len(strides) < len(spreads):
        return
    if len(spreads) == 1 and (row := _row(next(iter(spreads.values())))):
        yield next(iter(spreads)), row
        return
    known = {monomial for monomial, _ in strides.values()}
    placed = {part(axis) for axis in AXES for part in (thread, block)}
    for found in spreads.values():
        for monomial, _ in found.rest.terms:
            if monomial not in known and monomial != () and not any(atom in placed for atom in monomial):
                return
    for monomial in dict.fromkeys(monomial for monomial, _ in strides.values()):
        rest = dict(next(iter(spreads.values())).rest.terms).get(monomial, 0)
        own = sorted(((step, axis) for axis, (m, step) in strides.items() if m == monomial and step > 0), reverse=True)
        for step, axis in own:
            shift = (2 * rest + step) // (2 * step)
            rest -= shift * step
            if shift:
                yield axis, shift


def _row(found: Spread) -> int:
    """-1 or 1 where an index is that of the thread and one parameter more or less: the row before it, or after it."""
    if found.stride != sym.ONE or len(found.rest.terms) != 1:
        return 0
    (monomial, sign) = found.rest.terms[0]
    plain = len(monomial) == 1 and isinstance(monomial[0], sym.Symbol) and not monomial[0].version
    return sign if plain and sign in {1, -1} else 0


def _bounds(access: Access, run: Launched, axis: str, *, behind: bool) -> list[Bound] | None:
    """The bounds of an access along an axis, None where conditions of another kind may keep threads out."""
    found = []
    for leaf in leaves(access):
        edge = bound(leaf, run.trace, axis)
        if edge is None and leaf.touches(axis) is not False and not (behind and _first_threads(leaf, axis)):
            return None
        if edge is not None:
            if edge.left.kind in {"unsigned", "ulong"} and _behind(edge):
                return None
            found.append(edge)
    return found


def _first_threads(leaf: Leaf, axis: str) -> bool:
    """Whether a comparison only picks threads of each block, the first among them: those of the first block are then too."""
    limit = leaf.right.exact
    if leaf.left.form != sym.atom(thread(axis)) or limit is None:
        return False
    return (leaf.op == "==" and limit == 0) or (leaf.op == "<" and limit > 0) or (leaf.op == "<=" and limit >= 0)


def _behind(edge: Bound) -> bool:
    """Whether an unsigned value that wraps below 0 is compared: that bounds both ends."""
    form = edge.left.form
    return form is not None and dict(form.terms).get((), 0) < 0


def _from(edge: Bound, least: int) -> bool:
    """Whether a lower bound keeps out all threads below `least`, as far as can be told."""
    limit = edge.limit.constant
    return limit is None or limit >= least


def _reaches_end(run: Launched, access: Access, axis: str, shift: int, uppers: list[Bound]) -> bool:
    """Whether the last thread goes past the end of the memory, as that is allocated."""
    length = run.length(access.buffer)
    found: Spread | None = spread(access.index.form, run.trace, axis) if access.index and access.index.form else None
    if length is None or found is None or found.stride != sym.ONE or found.rest.constant is None:
        return False
    gaps = [run.same(edge.limit, length) for edge in uppers]
    return all(gap is not None and gap + shift > 0 for gap in gaps)


def _covers(run: Launched, axis: str, uppers: list[Bound]) -> bool:
    """Whether bounds let all elements through that the grid was computed for."""
    share = run.shares.get(axis)
    return share is not None and all(run.same(edge.limit, share.count) == 0 for edge in uppers)
