"""Loops in which a block waits for what another block of the grid writes to global memory."""

from collections.abc import Iterable, Iterator

from cudalint.analysis.device import arithmetic
from cudalint.analysis.device.coverage import AXES, block, linear, thread
from cudalint.analysis.device.events import (
    Access,
    Barrier,
    Branch,
    Control,
    Event,
    Exchange,
    Exit,
    Fence,
    Loop,
    Trace,
    Unknown,
)
from cudalint.analysis.device.origins import Origins, leaves, origins
from cudalint.analysis.device.values import BLOCK, UNKNOWN, Num
from cudalint.ir import symbol as sym
from cudalint.record import mutable_record

_ADDS = ("Add", "add", "Sub", "sub", "Or", "_or", "Inc", "Dec")
_TAKES = ("CAS", "compare_exchange", "Exch", "exchange")


@mutable_record
class Wait:
    """A loop that does nothing until the memory that `poll` reads changes, and a store of another block that changes it.

    `steps` is how many blocks further on the one that is waited for stands (negative: before), None where it is not known.
    """

    loop: Loop
    poll: Access
    writer: Access
    steps: int | None = None


def waits(trace: Trace) -> list[Wait]:
    """The loops that wait for another block, those left out whose blocks take a number first and wait for lower ones."""
    known: list[Wait] | None = trace.memo.get("waits")
    if known is None:
        known = trace.memo["waits"] = [*_waits(trace)] if trace.complete else []
    return known


def polls(trace: Trace) -> list[tuple[Loop, Access]]:
    """Every loop that waits for a change in global memory, whoever makes it."""
    known: list[tuple[Loop, Access]] | None = trace.memo.get("polls")
    if known is None:
        found = ((event, _polled(event, origins(trace))) for event in trace.walk() if isinstance(event, Loop))
        known = trace.memo["polls"] = [(loop, poll) for loop, poll in found if poll is not None]
    return known


def _waits(trace: Trace) -> Iterator[Wait]:
    if all(size == 1 for size in trace.shape.grid):
        return
    source = origins(trace)
    events = [*trace.walk()]
    for loop, poll in polls(trace):
        writers = [event for event in events if isinstance(event, Access) and _changes(event, poll)]
        if (_takes(poll) and any(_released(event, loop) for event in writers)) or _by_number(poll, loop, source):
            continue
        for writer in writers:
            steps = _distance(poll, writer)
            if steps != 0 and not _same_block(poll, writer):
                yield Wait(loop, poll, writer, steps)
                break


def _changes(event: Access, poll: Access) -> bool:
    if event.buffer.key != poll.buffer.key or event is poll:
        return False
    return event.kind == "store" or (event.kind == "atomic" and not _reads_only(event))


def _reads_only(access: Access) -> bool:
    return access.value is not None and access.value.exact == 0 and any(word in access.name for word in _ADDS)


def _takes(access: Access) -> bool:
    """Whether an atomic may itself change what it waits for, as one that takes a lock does."""
    return access.kind == "atomic" and any(word in access.name for word in _TAKES)


def _released(event: Event, loop: Loop) -> bool:
    """Whether the thread that leaves a loop comes to a store: it releases what it took."""
    if any(control.loop is loop for control in event.controls()):
        return True
    later = event.place[1] > loop.place[1] or event.path != loop.path
    there = [*event.controls()]
    return later and all(any(_alike(own, other) for other in there) for own in loop.controls())


def _alike(own: Control, other: Control) -> bool:
    """Whether two conditions are one, or say the same."""
    if own is other:
        return True
    a, b = own.condition.test, other.condition.test
    if a is None or b is None or own.holds is not other.holds or own.loop is not None or other.loop is not None:
        return False
    sides = ((a.left, b.left), (a.right, b.right))
    return a.op == b.op and all(x.form is not None and x.form == y.form for x, y in sides)


# the loop


def _polled(loop: Loop, source: Origins) -> Access | None:
    """What a loop waits for, None where it does anything else or ends for another reason too."""
    if not _idle(loop.body):
        return None
    found: Access | None = None
    for way in _ways_out(loop):
        poll = _poll_of(way, loop, source)
        if poll is None:
            return None
        found = found or poll
    return found


def _idle(body: list[Event]) -> bool:
    """Whether a loop does nothing that others can see but reading, waiting, and handing what it read to its block."""
    for event in body:
        if isinstance(event, Access):
            if event.kind == "store" and event.buffer.space != "shared":
                return False
            if event.kind == "atomic" and not (_reads_only(event) or _takes(event)):
                return False
        elif isinstance(event, Unknown):
            if not any(word in event.name for word in ("sleep", "asm", "yield", "pause", "clock")):
                return False
        elif not isinstance(event, Barrier | Branch | Exchange | Exit | Fence | Loop):
            return False
        if not all(_idle(part) for part in event.parts()):
            return False
    return True


def _ways_out(loop: Loop) -> Iterator[Num]:
    """The conditions any one of which ends a loop."""
    if arithmetic.known(loop.condition) is not True and (
        loop.condition.test is not None or loop.condition.form is not None
    ):
        yield from _parts(loop.condition, "&&")
    for leaving in loop.exits:
        if leaving.kind != "continue":
            yield from _parts(leaving.condition, "||" if leaving.holds else "&&")


def _parts(condition: Num, op: str) -> Iterator[Num]:
    test = condition.test
    if test is not None and test.op == op:
        yield from _parts(test.left, op)
        yield from _parts(test.right, op)
    else:
        yield condition


def _poll_of(condition: Num, loop: Loop, source: Origins) -> Access | None:
    """The read of global memory in every turn on which a condition depends, and on nothing else that changes in the loop."""
    own = {carry.atom for carry in loop.carries}
    if loop.induction is not None:
        own.add(loop.induction.atom)
    reads = [
        access for access in source.of(condition) if access.buffer.space == "global" and _in_loop(access, loop, source)
    ]
    if len(reads) != 1:
        return None
    poll = reads[0]
    if any(atom in own and not _handed_on(atom, poll, source) for atom in leaves(condition)):
        return None
    if _takes(poll) and (poll.value is None or poll.value.exact is None):
        return None
    return None if _moves(poll.index, loop) else poll


def _handed_on(atom: sym.Atom, poll: Access, source: Origins) -> bool:
    """Whether a loop variable holds at the end of a turn just what was read in it."""
    carry = source.carried.get(atom)
    if carry is None:
        return False
    end = carry.end
    return end.read is poll or (end.form is not None and source.trace.made.get(end.form.atom or sym.Symbol("")) is poll)


def _in_loop(access: Access, loop: Loop, source: Origins) -> bool:
    first, behind = loop.versions
    made = [atom for atom, event in source.trace.made.items() if event is access]
    if made:
        return any(isinstance(atom, sym.Symbol) and first <= atom.version < behind for atom in made)
    return any(control.loop is loop for control in access.controls())


def _moves(index: Num | None, loop: Loop) -> bool:
    """Whether another element is read in every turn."""
    if index is None or index.form is None:
        return True
    first, behind = loop.versions
    changing = {carry.atom for carry in loop.carries} | {loop.induction.atom if loop.induction is not None else None}
    return any(
        leaf in changing or (isinstance(leaf, sym.Symbol) and first <= leaf.version < behind)
        for leaf in index.form.leaves()
    )


# who is waited for


def _by_number(poll: Access, loop: Loop, source: Origins) -> bool:
    """Whether the block took a number from a counter and waits by that, or may have done so."""
    values = [poll.index, *(side for way in _ways_out(loop) if way.test for side in (way.test.left, way.test.right))]
    for value in values:
        for access in source.of(value):
            if access.kind == "atomic" and access is not poll and access.buffer.key != poll.buffer.key:
                return True
    unknown = [leaf for leaf in leaves(poll.index or UNKNOWN) if isinstance(leaf, sym.Symbol) and leaf.version]
    if _unseen(unknown, source, set()):
        return True
    return bool(unknown) and any(
        event.kind == "atomic"
        and event.value is not None
        and event.value.exact == 1
        and event.buffer.key != poll.buffer.key
        for event in source.trace.walk()
        if isinstance(event, Access)
    )


def _unseen(symbols: Iterable[sym.Atom], source: Origins, seen: set[sym.Atom]) -> bool:
    """Whether any of the symbols stands for a value whose origin is not seen, at the start or in later turns of a loop."""
    counted = {event.induction.atom for event in source.trace.walk() if isinstance(event, Loop) and event.induction}
    for symbol in symbols:
        if not isinstance(symbol, sym.Symbol) or not symbol.version or symbol in seen:
            continue
        seen.add(symbol)
        carry = source.carried.get(symbol)
        if carry is not None:
            if any(end.form is None or _unseen(end.form.leaves(), source, seen) for end in (carry.start, carry.end)):
                return True
        elif symbol not in source.trace.made and symbol not in counted:
            return True
    return False


def _distance(poll: Access, writer: Access) -> int | None:
    """How many blocks behind the one that waits the one stands that writes, where both indices tell."""
    if poll.index is None or writer.index is None or poll.index.form is None or writer.index.form is None:
        return None
    own, other = poll.index.form, writer.index.form
    rest = sym.add(own, other, -1)
    if any(leaf in _NAMED for leaf in rest.leaves()):
        same = [_factor(own, axis) for axis in AXES] == [_factor(other, axis) for axis in AXES]
        return 0 if same and any(_factor(own, axis) for axis in AXES) and not _blocks(rest) else None
    for axis in AXES:
        step = _factor(own, axis)
        if step is None or step != _factor(other, axis) or step == sym.ZERO:
            continue
        count = sym.divide(rest, step).constant
        return count if count is not None else None
    return None


_NAMED = frozenset(part(axis) for axis in AXES for part in (thread, block))


def _blocks(form: sym.Form) -> bool:
    return any(leaf in {block(axis) for axis in AXES} for leaf in form.leaves())


def _factor(form: sym.Form, axis: str) -> sym.Form | None:
    found = linear(form, block(axis))
    return found[0] if found is not None else None


def _same_block(poll: Access, writer: Access) -> bool:
    """Whether one and the same block does both: under a condition that one block alone fulfils."""
    own = {id(control) for control in writer.controls() if one_block(control.condition) and control.holds}
    if any(id(control) in own for control in poll.controls()):
        return True
    named = {_which(control.condition) for control in writer.controls() if control.holds} - {None}
    return any(control.holds and _which(control.condition) in named for control in poll.controls())


def one_block(condition: Num) -> bool:
    return _which(condition) is not None


def _which(condition: Num) -> tuple[sym.Form, int] | None:
    """The block index and the number it is compared with, where a condition holds for one block."""
    for part in _parts(condition, "&&"):
        test = part.test
        if test is not None and test.op == "==":
            for side, other in ((test.left, test.right), (test.right, test.left)):
                if side.form is not None and side.varies & BLOCK and other.exact is not None:
                    return side.form, other.exact
    return None


__all__ = ["Wait", "one_block", "polls", "waits"]
