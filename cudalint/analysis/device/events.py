"""What a thread of a kernel does, in order: the trace of a kernel for one launch, device functions written out in it."""

from collections.abc import Iterator
from dataclasses import field
from typing import Any

from cudalint.analysis.device.values import Buffer, Cause, Num, Place
from cudalint.ir import Expr
from cudalint.ir import symbol as sym
from cudalint.record import mutable_record, record


@mutable_record
class Control:
    """One condition that decides whether a thread comes here.

    `kind` is branch (an arm of it, `holds` says which), loop (its body), or what some threads did before: return, break,
    continue; then the threads here are those for which `condition` is `holds`. `place` is the condition's, `exit` that of
    the jump, `source` the condition as written. `outer` is the next condition outwards.
    """

    kind: str
    condition: Num
    holds: bool
    place: Place
    outer: "Control | None" = None
    exit: Place | None = None
    loop: "Loop | None" = None
    source: Expr | None = None

    @property
    def varies(self) -> int:
        """Between which threads it differs whether they come here."""
        return self.loop.varies if self.loop is not None else self.condition.varies

    @property
    def cause(self) -> Cause | None:
        return self.condition.cause or (self.loop.cause if self.loop is not None else None)

    def chain(self) -> Iterator["Control"]:
        """The condition and all around it, innermost first."""
        control: Control | None = self
        while control is not None:
            yield control
            control = control.outer


@mutable_record
class Event:
    """Base of all events. `place` is where it stands, `path` the calls that lead into the function it stands in."""

    place: Place
    path: tuple[Place, ...]
    control: Control | None

    def controls(self) -> Iterator[Control]:
        """The conditions it stands under, innermost first."""
        return self.control.chain() if self.control is not None else iter(())

    def parts(self) -> Iterator["list[Event]"]:
        """The lists of events nested in this one."""
        return iter(())


@mutable_record
class Access(Event):
    """`kind` is load, store or atomic (`name` the function). `index` is in elements of the buffer, None where it is not
    known; `indices` as written, outermost dimension first. `value` is what is stored, `given` what a load gives, `used` whether
    the result of an atomic is. `size` is the bytes of an element as it is accessed here, None where that is not known.
    """

    kind: str
    buffer: Buffer
    index: Num | None
    indices: tuple[Num, ...] = ()
    value: Num | None = None
    name: str = ""
    volatile: bool = False
    used: bool = True
    size: int | None = None
    given: Num | None = None


@mutable_record
class Barrier(Event):
    """`scope` is block, warp, tile, grid, cluster or named. `mask` is that of a warp barrier, `size` a tile's threads."""

    scope: str
    name: str
    mask: Num | None = None
    size: int | None = None


@mutable_record
class Fence(Event):
    """A memory fence for a `scope`: block, device or system."""

    scope: str


@mutable_record
class Exchange(Event):
    """A shuffle, vote, match or reduction of a warp. `mask` is None where the function takes none."""

    kind: str
    name: str
    mask: Num | None
    arguments: tuple[Num, ...] = ()


@mutable_record
class Branch(Event):
    """`arms` are what each way holds: then and else, or the cases of a switch."""

    condition: Num
    arms: list[list[Event]] = field(default_factory=list)

    def parts(self) -> Iterator[list[Event]]:
        return iter(self.arms)


@mutable_record
class Induction:
    """A loop variable: `atom` stands for its value in a turn, from `start` in steps of `step`, up to `bound`."""

    atom: sym.Atom
    name: str
    start: Num
    step: Num | None
    bound: Num | None = None
    op: str = ""


@mutable_record
class Carry:
    """What a variable holds in a loop: `atom` in a turn, `start` in the first, `end` at the end of a turn, so in the next;
    `after` once the loop is over.
    """

    atom: sym.Atom
    start: Num
    end: Num
    after: sym.Atom | None = None


@mutable_record
class Loop(Event):
    """`varies` says between which threads the number of turns differs, `exits` by which jumps threads leave the body.

    `carries` are the variables it hands from turn to turn, `swapped` the keys of the buffers that pointers change between.
    Symbols whose version is in `versions` (first, behind the last) have another value in every turn.
    """

    kind: str
    condition: Num
    body: list[Event] = field(default_factory=list)
    varies: int = 0
    cause: Cause | None = None
    induction: Induction | None = None
    exits: list[Control] = field(default_factory=list)
    carries: list[Carry] = field(default_factory=list)
    swapped: set[str] = field(default_factory=set)
    versions: tuple[int, int] = (0, 0)

    def parts(self) -> Iterator[list[Event]]:
        return iter((self.body,))


@mutable_record
class Exit(Event):
    """`kind` is return, break, continue or trap."""

    kind: str


@mutable_record
class Unknown(Event):
    """A call of something that is not seen: it may do anything. `arguments` are what it gets."""

    name: str
    arguments: tuple[object, ...] = ()


@record
class Overflow:
    """An integer operation or conversion whose result may not fit: `value` is the true result, `kind` what has to hold it."""

    place: Place
    control: Control | None
    value: Num
    kind: str


@record
class Shape:
    """The launch a kernel is traced for, as far as it is known: threads of a block, blocks of the grid, lanes of a warp."""

    block: tuple[int | None, int | None, int | None] = (None, None, None)
    grid: tuple[int | None, int | None, int | None] = (None, None, None)
    warp: int = 32

    @property
    def threads(self) -> int | None:
        x, y, z = self.block
        return None if x is None or y is None or z is None else x * y * z


@mutable_record
class Trace:
    """`events` in order; `complete` is false where the kernel was too large, or jumps about, and nothing may be concluded
    from what is absent. `unseen` are the functions called that are not visible. `atoms` says of each symbol made for an
    unknown value between which threads it differs, `made` by which access those were read that come from memory. `dubious`
    are those of values whose origin is not seen: nothing says that they are the same for all threads. `unsettled` are the
    constants, macros and template arguments whose values are not seen. `parameters` are the names of the kernel's.
    `overflows` are the integers that do not fit their type. `memo` keeps what analyses found, by their names.
    """

    shape: Shape
    events: list[Event] = field(default_factory=list)
    complete: bool = True
    unseen: set[str] = field(default_factory=set)
    buffers: dict[str, Buffer] = field(default_factory=dict)
    atoms: dict[sym.Atom, int] = field(default_factory=dict)
    unsettled: set[sym.Atom] = field(default_factory=set)
    made: dict[sym.Atom, Access] = field(default_factory=dict)
    parameters: frozenset[str] = frozenset()
    dubious: set[sym.Atom] = field(default_factory=set)
    overflows: list[Overflow] = field(default_factory=list)
    memo: dict[str, Any] = field(default_factory=dict)

    def walk(self) -> Iterator[Event]:
        """Every event, outermost first, in source order."""
        known: list[Event] | None = self.memo.get("events")
        if known is None:
            known = self.memo["events"] = [*self._all()]
        return iter(known)

    def _all(self) -> Iterator[Event]:
        stack = [*self.events[::-1]]
        while stack:
            event = stack.pop()
            yield event
            for part in reversed([*event.parts()]):
                stack.extend(part[::-1])


__all__ = [
    "Access", "Barrier", "Branch", "Carry", "Control", "Event", "Exchange", "Exit", "Fence", "Induction", "Loop", "Overflow", "Shape", "Trace",
    "Unknown",
]  # fmt: skip
