"""What of a kernel supposes warps of 32 lanes, on a target whose warps are wider."""

from collections.abc import Callable, Iterator
from itertools import islice

from cudalint.analysis.device.events import Access, Barrier, Branch, Control, Event, Exchange, Loop, Trace
from cudalint.analysis.device.values import Num, Place
from cudalint.ir import Opaque
from cudalint.ir import symbol as sym
from cudalint.record import record

_NARROW = 32
_FULL_MASK = 0xFFFFFFFF
_ARCHITECTURES = (
    "PLATFORM", "AMD", "NVIDIA", "NVCC", "CUDA", "ROCM", "GFX", "WAVE", "WARP_SIZE", "WARPSIZE", "USE_HIP", "__HIP__", "HIPCC",
    "__HIP_DEVICE", "ARCH",
)  # fmt: skip


@record
class Assumption:
    """What is supposed, in one clause, and where. `wrong` is false where the result is right all the same."""

    text: str
    place: Place
    wrong: bool


def assumptions(trace: Trace, replaced: Callable[[str], bool]) -> Iterator[Assumption]:
    """The places that suppose 32 lanes, those in code for a certain architecture left out. `replaced` says of a function
    whether the program has a macro in its place.
    """
    events = [event for event in trace.walk() if not chosen(event.control)]
    yield from islice(_masks(events, replaced), 1)
    yield from _shuffles(events, trace)


def chosen(control: Control | None) -> bool:
    """Whether the build decides by the architecture whether code is compiled."""
    return control is not None and any(for_architecture(around.source) for around in control.chain())


def for_architecture(condition: object) -> bool:
    if not isinstance(condition, Opaque) or not condition.text.startswith("#"):
        return False
    text = condition.text.upper()
    return any(word in text for word in _ARCHITECTURES)


def _masks(events: list[Event], replaced: Callable[[str], bool]) -> Iterator[Assumption]:
    for event in events:
        mask = event.mask if isinstance(event, Exchange | Barrier) else None
        if mask is not None and mask.exact == _FULL_MASK and not replaced(_name(event)):
            yield Assumption(f"the mask of {_name(event)} names the lower 32 lanes of 64", event.place, True)


def _name(event: Event) -> str:
    return event.name if isinstance(event, Exchange | Barrier) else "the call"


# shuffles


def _shuffles(events: list[Event], trace: Trace) -> Iterator[Assumption]:
    """Shuffles among 32 lanes without a width: wrong where the lanes are counted otherwise, else a note for each function."""
    if trace.shape.threads is not None and trace.shape.threads <= _NARROW:
        return
    counted = {size for event in events for size in _counted(event)}
    noted: set[object] = set()
    for event in events:
        if not isinstance(event, Exchange) or event.kind != "shuffle" or len(event.arguments) != 2:
            continue
        if event.mask is not None and event.mask.exact == _FULL_MASK:
            continue
        found = _judged(event, counted, trace.shape.warp)
        if found is not None and (found.wrong or event.path not in noted):
            noted.add(event.path)
            yield found


def _judged(event: Exchange, counted: set[int], warp: int) -> Assumption | None:
    lane = event.arguments[1]
    if event.name in {"__shfl", "__shfl_sync"}:
        if lane.exact is not None and lane.exact < _NARROW and counted == {_NARROW}:
            return Assumption(
                f"{event.name} hands on the value of lane {lane.exact} of {warp}, and lanes are counted by 32: the upper half "
                "gets what is not its own",
                event.place,
                True,
            )
        return None
    width = _width(event, lane)
    if width == _NARROW and counted == {warp}:
        return Assumption(
            f"{event.name} goes over 32 lanes, and lanes are counted by {warp}: half of them are lost",
            event.place,
            True,
        )
    if width == warp and counted == {_NARROW}:
        return Assumption(
            f"{event.name} goes over {warp} lanes, and lanes are counted by 32: the upper half counts twice",
            event.place,
            True,
        )
    if width == _NARROW:
        return Assumption(f"{event.name} goes over 32 lanes of {warp}, with no width that says so", event.place, False)
    return None


def _width(event: Exchange, lane: Num) -> int | None:
    """How many lanes a series of shuffles goes over, by the largest distance."""
    if lane.exact is not None:
        return 2 * lane.exact if lane.exact in {16, 32} else None
    atom = lane.form.atom if lane.form is not None else None
    for control in event.controls():
        loop = control.loop
        own = loop.induction if loop is not None else None
        if own is not None and own.atom == atom and loop is not None:
            return _reach(loop)
        for carry in loop.carries if loop is not None else ():
            if carry.atom == atom and carry.end.form == sym.divide(sym.atom(carry.atom), sym.number(2)):
                return 2 * carry.start.exact if carry.start.exact else None
    return None


def _reach(loop: Loop) -> int | None:
    own = loop.induction
    if own is None:
        return None
    if own.op in {"/", ">>"}:
        return 2 * own.start.exact if own.start.exact is not None else None
    if own.op in {"*", "<<"} and own.bound is not None and own.bound.exact is not None:
        test = loop.condition.test
        return 2 * own.bound.exact if test is not None and test.op == "<=" else own.bound.exact
    return None


def _counted(event: Event) -> Iterator[int]:
    """The numbers of lanes by which an event's values take threads to warps."""
    for value in _values(event):
        for part in _sides(value):
            for atom in part.form.all_atoms() if part.form is not None else ():
                size = atom.divisor.constant if isinstance(atom, sym.Remainder | sym.Quotient) else None
                if size in {_NARROW, 64} and _of_threads(atom):
                    yield size or 0


def _of_threads(atom: sym.Atom) -> bool:
    return any(str(leaf).startswith("threadIdx") for leaf in sym.atom(atom).leaves())


def _values(event: Event) -> Iterator[Num]:
    if isinstance(event, Access):
        yield from (value for value in (event.index, event.value) if value is not None)
    elif isinstance(event, Branch | Loop):
        yield event.condition
        if isinstance(event, Loop) and event.induction is not None:
            yield event.induction.start
    elif isinstance(event, Exchange):
        yield from event.arguments


def _sides(value: Num) -> Iterator[Num]:
    yield value
    if value.test is not None:
        for side in (value.test.left, value.test.right):
            if side is not value:
                yield from _sides(side)


__all__ = ["Assumption", "assumptions", "chosen", "for_architecture"]
