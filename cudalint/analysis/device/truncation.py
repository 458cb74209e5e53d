"""Grids that are rounded down, so that what is left of the data over whole blocks is never touched."""

from collections.abc import Iterator

from cudalint.analysis.device.coverage import AXES, accesses, spread, strided
from cudalint.analysis.device.launched import Launched, Share
from cudalint.analysis.device.overrun import checked, same_size
from cudalint.ir import Instance, Program
from cudalint.ir import symbol as sym
from cudalint.ir.expr import Name
from cudalint.ir.stmt import expressions


def truncated(run: Launched, instance: Instance, program: Program) -> Iterator[Share]:
    """The axes along which a remainder of the count has no thread."""
    kernel = instance.kernel
    if not run.trace.complete or kernel.grid_stride or strided(run.trace) or _knows_grid(instance):
        return
    for share in run.shares.values():
        if share.total is not None and share.step is not None and share.total < share.step:
            continue  # a grid of no blocks is another defect
        if share.up or share.divides or _whole(share) or checked(run, share) or not _by_blocks(run, share):
            continue
        if _one_each(run, share) and not _rest_launched(run, program):
            yield share


def _one_each(run: Launched, share: Share) -> bool:
    """Whether each thread along the axis has an element of its own in global memory."""
    for access in accesses(run.trace):
        found = spread(access.index.form, run.trace, share.axis) if access.index and access.index.form else None
        if found is not None and same_size(run, found.size, share) and found.size != sym.ONE:
            return True
    return False


def _whole(share: Share) -> bool:
    """Whether a count is made by rounding, or has slack for it, so that it may be a multiple by construction."""
    if any(not isinstance(part, sym.Symbol) or part.version < 0 or not _plain(part) for part in share.count.atoms()):
        return True
    return len(share.count.terms) > 1 and any(k > 0 for _, k in share.count.terms[1:])


def _plain(part: sym.Symbol) -> bool:
    """Whether a symbol is a variable or a member, and not the text of something else."""
    return part.name.replace("_", "").replace(".", "").replace("->", "").replace("::", "").isalnum()


def _by_blocks(run: Launched, share: Share) -> bool:
    """Whether it is the threads of a block that the grid divides by, and not a tile that is as large by chance."""
    if run.setup is None:
        return run.launch.block.axes[AXES.index(share.axis)].exact == share.step
    own = run.setup.block[AXES.index(share.axis)]
    return run.setup.settled(own) == run.setup.settled(share.size)


def _knows_grid(instance: Instance) -> bool:
    """Whether the kernel asks for the size of its grid: it may share out the rest itself."""
    body = instance.kernel.function.body or ()
    return any(isinstance(node, Name) and node.name in {"gridDim", "hipGridDim_x"} for node in expressions(body))


def _rest_launched(run: Launched, program: Program) -> bool:
    """Whether the same function launches the kernel again on another grid."""
    own = run.launch
    return any(
        other.function is own.function and other.kernel_name == own.kernel_name and other.grid.text != own.grid.text
        for other in program.launches
        if (other.site or other.span) != (own.site or own.span)
    )
