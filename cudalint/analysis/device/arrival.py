"""Which lanes the mask of a warp's exchange names that do not come to it, or come to it unnamed."""

from collections.abc import Iterator

from cudalint.analysis.device.divergence import unsettled
from cudalint.analysis.device.events import Barrier, Control, Exchange, Trace
from cudalint.analysis.device.lanes import Truth, Valuation, both, negated
from cudalint.analysis.device.values import LANE, Num, guessed
from cudalint.ir import symbol as sym
from cudalint.record import record

_SIZES = frozenset(sym.Symbol(f"{part}Dim.{axis}") for part in ("block", "grid") for axis in "xyz")
_FROM_HIGHER_LANES = ("down", "xor")
"""Shuffles that read lanes behind a thread's own, which are those that leave where a bound on the index decides."""


@record
class Mismatch:
    """`control` keeps lanes away that the mask names; `thread` is one of them where the block is known. Where it is not `named`,
    that thread comes although the mask leaves it out. `mask` is its value, None where a vote made it.
    """

    event: Exchange | Barrier
    control: Control
    mask: int | None
    thread: int | None = None
    named: bool = True


def mismatches(trace: Trace) -> Iterator[Mismatch]:
    """The exchanges of a warp whose mask does not fit, the first in each arm of a condition."""
    seen = set()
    for event in trace.walk():
        if isinstance(event, Exchange) or (isinstance(event, Barrier) and event.scope == "warp"):
            found = _mismatch(trace, event)
            arm = (found.control.place, found.control.holds) if found is not None else None
            if found is not None and arm not in seen:
                seen.add(arm)
                yield found


def _mismatch(trace: Trace, event: Exchange | Barrier) -> Mismatch | None:
    mask = _mask(trace, event)
    apart = [control for control in event.controls() if _keeps_away(trace, event, control)]
    if mask is None or not apart:
        return None
    if isinstance(mask, Exchange):
        return _against_vote(trace, event, mask, apart)
    values = _valuation(trace)
    known = [_holds(values, control) for control in apart]
    unknown = next((control for control, holds in zip(apart, known, strict=True) if holds is None), None)
    if unknown is not None:
        return Mismatch(event, unknown, mask) if mask == _full(trace) else None
    come: Truth = True
    for holds in known:
        come = both(come, holds)
    named: Truth = [bool(mask >> thread % trace.shape.warp & 1) for thread in range(trace.shape.threads or 0)]
    return _compared(trace, Mismatch(event, apart[0], mask), named, come)


def _full(trace: Trace) -> int:
    return (1 << trace.shape.warp) - 1


def _mask(trace: Trace, event: Exchange | Barrier) -> int | Exchange | None:
    """The mask: its value, or the vote that made it; None where it is not known or there is none."""
    mask = event.mask
    if mask is None:
        return _full(trace) if isinstance(event, Barrier) and event.name == "__syncwarp" else None
    if mask.exact is not None:
        return mask.exact & _full(trace)
    vote = mask.read
    return vote if isinstance(vote, Exchange) and vote.name == "__ballot_sync" and vote.arguments else None


def _keeps_away(trace: Trace, event: Exchange | Barrier, control: Control) -> bool:
    """Whether a condition may keep some lanes of a warp away. Those that left the kernel are waited for by nobody: they
    are missed only where their values are read, and hardly within small groups of lanes, which leave together.
    """
    if not control.varies & LANE or guessed(control.cause) or unsettled(trace, control.condition, LANE):
        return False
    if _by_launch(control.condition):
        return False
    if control.kind != "return":
        return True
    reach = event.arguments[1].hi if isinstance(event, Exchange) and len(event.arguments) > 1 else None
    if reach is not None and reach < trace.shape.warp // 2:
        return False
    return (
        isinstance(event, Exchange)
        and event.kind == "shuffle"
        and any(word in event.name for word in _FROM_HIGHER_LANES)
    )


def _by_launch(condition: Num) -> bool:
    """Whether sizes decide that the launch does not tell: of the block or grid, or of groups that threads are parted in."""
    test = condition.test
    if test is None or test.op in {"&&", "||", "!"} or not condition.varies & LANE:
        return False
    forms = [side.form for side in (test.left, test.right) if side.form is not None]
    return any(leaf in _SIZES for form in forms for leaf in form.leaves()) or any(
        _parts(atom) for form in forms for atom in form.all_atoms()
    )


def _parts(atom: sym.Atom) -> bool:
    """Whether an atom parts a number by a size that is not known."""
    if isinstance(atom, sym.Quotient | sym.Remainder):
        return atom.divisor.constant is None
    return isinstance(atom, sym.Bitwise) and atom.right.constant is None


def _valuation(trace: Trace) -> Valuation | None:
    x, y, z = trace.shape.block
    return None if x is None or y is None or z is None else Valuation((x, y, z), (0, 0, 0), trace.atoms)


def _holds(values: Valuation | None, control: Control) -> list[bool | None] | None:
    """For each thread whether it passes a condition, None where that depends on what is not known."""
    if values is None or control.loop is not None:
        return None
    return _listed(values, control.condition, holds=control.holds)


def _listed(values: Valuation, condition: Num, *, holds: bool = True) -> list[bool | None] | None:
    found, assumed = values.truth(condition)
    if isinstance(found, bool):
        found = [found] * values.threads
    if assumed or found is None or None in found:
        return None
    result = found if holds else negated(found)
    return result if isinstance(result, list) else None


def _compared(trace: Trace, found: Mismatch, named: Truth, come: Truth) -> Mismatch | None:
    """A warp to which some lanes come, but not just those that are named."""
    warp = trace.shape.warp
    if not isinstance(named, list) or not isinstance(come, list):
        return None
    for first in range(0, len(come), warp):
        lanes = range(first, min(first + warp, len(come)))
        if any(come[lane] for lane in lanes):
            for lane in lanes:
                if bool(named[lane]) is not bool(come[lane]):
                    return Mismatch(found.event, found.control, found.mask, lane, bool(named[lane]))
    return None


def _against_vote(trace: Trace, event: Exchange | Barrier, vote: Exchange, apart: list[Control]) -> Mismatch | None:
    """Where the mask is what a vote gave, those are named who voted for it."""
    values = _valuation(trace)
    if values is None or any(control.varies & LANE for control in vote.controls()):
        return None
    named = _listed(values, vote.arguments[0])
    come: Truth = True
    for control in apart:
        come = both(come, _holds(values, control))
    return _compared(trace, Mismatch(event, apart[0], None), named, come)
