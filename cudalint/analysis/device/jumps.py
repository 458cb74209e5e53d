"""`goto` to a label further on in a statement list around it: what stands between is left out, as by a return that ends there.

A jump back, or into a block, is not followed: nothing may be concluded of such a kernel from what is absent.
"""

from dataclasses import field
from typing import TYPE_CHECKING

from cudalint.analysis.device.events import Control, Exit
from cudalint.analysis.device.values import Num, Place, Value
from cudalint.record import mutable_record, record

if TYPE_CHECKING:
    from cudalint.analysis.device.walk import Walk
    from cudalint.ir import Goto


@record
class Jump:
    """A `goto`: where it stands, the statement lists around it, outermost first, and what was held there."""

    place: Place
    lists: tuple[int, ...]
    state: dict[str, Value]


@mutable_record
class Labels:
    """The labels of one function: the jumps whose label is still to come, and the labels gone past."""

    pending: dict[str, list[Jump]] = field(default_factory=dict)
    passed: set[str] = field(default_factory=set)


def jump(walk: "Walk", statement: "Goto") -> None:
    labels = walk.frame.labels
    if not statement.label or statement.label in labels.passed:
        walk.trace.complete = False
        return
    place = walk.place(statement.extent)
    made = Jump(place, tuple(key for key, _ in walk.lists), walk.state)
    labels.pending.setdefault(statement.label, []).append(made)
    walk.jump = Exit(place, walk.frame.path, walk.control, "return")
    walk.events.append(walk.jump)
    walk.alive = False


def arrive(walk: "Walk", label: str) -> None:
    """Those who jumped to a label are back."""
    labels = walk.frame.labels
    labels.passed.add(label)
    jumps = labels.pending.pop(label, [])
    here = tuple(key for key, _ in walk.lists)
    if label == "default" or label.startswith("case ") or any(one.lists[: len(here)] != here for one in jumps):
        walk.trace.complete = False
        return
    if not jumps:
        return
    places = {one.place for one in jumps}
    chain = [*walk.control.chain()] if walk.control is not None else []
    ours = [one for one in chain if one.exit in places]
    varies = 0
    for control in ours:
        varies |= control.varies
    condition = Num(varies, cause=next((one.cause for one in ours if one.varies), None))
    walk.control = _reunited(walk.control, walk.lists[-1][1], places, stayed=walk.alive)
    states = [walk.state] if walk.alive else []
    states += [one.state for one in jumps]
    state = states[0]
    for other in states[1:]:
        state = walk.merged(state, other, condition, state)
    walk.state, walk.alive, walk.jump = state, True, None


def _reunited(control: Control | None, base: Control | None, places: set[Place], *, stayed: bool) -> Control | None:
    """The conditions without those of the jumps; where nobody else came, with theirs the other way round."""
    if control is None or control is base:
        return control
    outer = _reunited(control.outer, base, places, stayed=stayed)
    if control.exit not in places:
        return Control(
            control.kind, control.condition, control.holds, control.place, outer, control.exit, control.loop, control.source
        )  # fmt: skip
    if stayed:
        return outer
    return Control(control.kind, control.condition, not control.holds, control.place, outer, None, None, control.source)


def settle(walk: "Walk") -> None:
    """A function is over: a label that was not found stands before its jump, or in a block of its own."""
    if walk.frame.labels.pending:
        walk.trace.complete = False
        walk.alive = True
