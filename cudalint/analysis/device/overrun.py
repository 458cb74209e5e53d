"""Threads of a grid that access memory past the data they were launched for."""

from collections.abc import Iterator

from cudalint.analysis.device.coverage import (
    AXES,
    Spread,
    accesses,
    block,
    guarded,
    spread,
    thread,
)
from cudalint.analysis.device.events import Access
from cudalint.analysis.device.launched import Launched, Share
from cudalint.analysis.setup import divided
from cudalint.ir import symbol as sym
from cudalint.record import record


@record
class Unguarded:
    """An access by the global id of a grid that is rounded up, with no condition on that id."""

    access: Access
    share: Share
    proven: bool


def unguarded(run: Launched) -> Iterator[Unguarded]:
    """The accesses that the threads past the end make too."""
    if not run.trace.complete:
        return
    for access in accesses(run.trace):
        for share in run.shares.values():
            found = _along(run, access, share)
            if (
                found is None
                or not share.up
                or share.divides
                or checked(run, share)
                or guarded(access, run.trace, share.axis)
            ):
                continue
            fits = _fits(run, access, share, found)
            if not fits:
                yield Unguarded(access, share, share.divides is False)


def _along(run: Launched, access: Access, share: Share) -> Spread | None:
    """The index along the axis of a share, where its blocks are as large as what the grid divides by."""
    found = spread(access.index.form, run.trace, share.axis) if access.index is not None and access.index.form else None
    return found if found is not None and same_size(run, found.size, share) else None


def same_size(run: Launched, size: sym.Form, share: Share) -> bool:
    """Whether blocks of a size are what the grid counts."""
    if size.constant is not None:
        return size.constant == share.step
    if run.setup is None:
        return False
    own = run.setup.block[AXES.index(share.axis)]
    if size == sym.atom(sym.Symbol(f"blockDim.{share.axis}")):
        return run.setup.settled(own) == run.setup.settled(share.size)
    return run.same(size, share.size) == 0


def checked(run: Launched, share: Share) -> bool:
    """Whether the host looks at what is left of the count when it is divided, or the build decides about the count."""
    parts = set(share.count.leaves())
    if run.setup is not None and not run.setup.configured.isdisjoint(parts):
        return True
    names = {part for leaf in parts for part in (str(leaf), str(leaf).rpartition(".")[2].rpartition(">")[2])}
    return not names.isdisjoint(divided(run.hosts, run.session))


def _fits(run: Launched, access: Access, share: Share, found: Spread) -> bool:
    """Whether the memory is known to be other than what the count alone needs: then it may be large enough."""
    length = run.length(access.buffer)
    if length is None or run.setup is None:
        return False
    count, whole = run.setup.settled(share.count), run.setup.settled(length)
    if not _alone(found, share.axis):
        product = sym.ONE
        for other in run.shares.values():
            product = sym.multiply(product, run.setup.settled(other.count)) or product
        return product != whole
    stride, rest = run.on_host(found.stride), run.on_host(found.rest)
    if stride is None or rest is None:
        return True
    if (
        share.total is not None
        and share.step
        and whole.constant is not None
        and stride.constant
        and rest.constant is not None
    ):
        covered = -(-share.total // share.step) * share.step
        return (covered - 1) * stride.constant + rest.constant < whole.constant
    return sym.multiply(count, stride) != whole


def _alone(found: Spread, axis: str) -> bool:
    """Whether no other axis has a part in an index."""
    named = {part(other) for other in AXES if other != axis for part in (thread, block)}
    return all(leaf not in named for form in (found.stride, found.rest) for leaf in form.leaves())
