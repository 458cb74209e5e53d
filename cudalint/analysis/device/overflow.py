"""Indices that need more than the 32 bits that hold them, for the sizes a launch is known to have."""

from collections.abc import Iterator

from cudalint.analysis.device.coverage import AXES, accesses, bound, leaves, spread
from cudalint.analysis.device.events import Access, Overflow
from cudalint.analysis.device.launched import Launched
from cudalint.analysis.device.walk import LARGEST
from cudalint.ir import symbol as sym
from cudalint.record import record


@record
class Wrapped:
    """An index that wraps: `most` is the largest value it should have, `access` one made with it."""

    overflow: Overflow
    most: int
    access: Access


def wrapped(run: Launched) -> Iterator[Wrapped]:
    """The indices of global memory that do not fit."""
    if not run.trace.overflows:
        return
    reads = list(accesses(run.trace))
    for overflow in run.trace.overflows:
        for access in reads:
            if access.index is None or access.index.form is None or overflow.value.form is None:
                continue
            if _part_of(overflow.value.form, access.index.form):
                most = _most(run, overflow, access)
                if most is not None and most > LARGEST[overflow.kind]:
                    yield Wrapped(overflow, most, access)
                    break


def _part_of(form: sym.Form, index: sym.Form) -> bool:
    """Whether an index is a formula with something added, or a quotient or remainder of it."""
    terms = dict(index.terms)
    if all(terms.get(monomial) == k for monomial, k in form.terms if monomial):
        return True
    return any(
        isinstance(atom, sym.Quotient | sym.Remainder) and _part_of(form, atom.dividend) for atom in index.atoms()
    )


def _most(run: Launched, overflow: Overflow, access: Access) -> int | None:
    """The largest value among the threads that make an access; None where that is not known."""
    total, form = 0, overflow.value.form
    for axis in AXES:
        found = spread(form, run.trace, axis) if form is not None else None
        if found is None:
            continue
        size, blocks = found.size.constant, run.trace.shape.grid[AXES.index(axis)]
        stride = run.on_host(found.stride)
        if size is None or blocks is None or stride is None or stride.constant is None or stride.constant < 0:
            return None
        total += stride.constant * (min([size * blocks, *_limits(run, overflow, access, axis)]) - 1)
        form = found.rest
    rest = run.on_host(form) if form is not None else None
    return None if rest is None or rest.constant is None else total + rest.constant


def _limits(run: Launched, overflow: Overflow, access: Access, axis: str) -> Iterator[int]:
    """The upper bounds on the id along an axis that do not compare the value that wraps itself."""
    for leaf in leaves(access):
        edge = bound(leaf, run.trace, axis)
        if edge is not None and edge.upper and edge.left.form != overflow.value.form:
            limit = run.on_host(edge.limit)
            if limit is not None and limit.constant is not None:
                yield limit.constant
