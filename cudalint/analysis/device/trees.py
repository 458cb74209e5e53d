"""Reductions and scans over shared memory that go up or down a tree, with a barrier of the block at every step."""

from collections.abc import Iterator

from cudalint.analysis.device.events import Access, Barrier, Carry, Event, Loop, Trace
from cudalint.analysis.device.values import THREAD, Buffer, Num
from cudalint.ir import symbol as sym
from cudalint.record import mutable_record

_MOST_STORES = 2
_LONGEST = 64


@mutable_record
class Tree:
    """A loop whose stride over `buffer` doubles or halves, down to single elements; `steps` its turns, where known."""

    loop: Loop
    barrier: Barrier
    buffer: Buffer
    steps: int | None


def trees(trace: Trace) -> Iterator[Tree]:
    """Each such loop once; not where an outer loop has a stride of its own, as in a sort."""
    threads = trace.shape.threads
    if not trace.complete or (threads is not None and threads <= trace.shape.warp):
        return
    seen = set()
    for loop in trace.walk():
        if isinstance(loop, Loop) and loop.place not in seen and not _strided_around(loop):
            found = _tree(loop, trace.shape.warp)
            if found is not None:
                seen.add(loop.place)
                yield found


def _strided_around(loop: Loop) -> bool:
    return any(
        control.loop is not None and any(_stride(carry) for carry in control.loop.carries)
        for control in loop.controls()
    )


def _tree(loop: Loop, warp: int) -> Tree | None:
    events = [*_inside(loop)]
    barriers = [event for event in events if isinstance(event, Barrier) and event.scope == "block"]
    accesses = [event for event in events if isinstance(event, Access) and event.buffer.space == "shared"]
    stores = [access for access in accesses if access.kind != "load"]
    if not barriers or not 0 < len(stores) <= _MOST_STORES or len({one.buffer.key for one in stores}) < len(stores):
        return None
    if any(access.kind == "atomic" for access in stores) or any(isinstance(event, Loop) for event in events):
        return None
    for carry in loop.carries:
        if _stride(carry) and _to_single(loop, carry, warp):
            for store in stores:
                if any(_apart(load, store, carry.atom) for load in accesses if load.kind == "load"):
                    return Tree(loop, barriers[-1], store.buffer, _steps(loop, carry))
    return None


def _inside(loop: Loop) -> Iterator[Event]:
    stack: list[Event] = [*loop.body]
    while stack:
        event = stack.pop(0)
        yield event
        for part in event.parts():
            stack[:0] = part


def _stride(carry: Carry) -> str:
    """Whether a variable doubles or halves from turn to turn: "*", "/" or ""."""
    form = carry.end.form
    if form is None or carry.start.varies & THREAD:
        return ""
    if form.factor(carry.atom) == 2:
        return "*"
    half = form.atom
    own = sym.atom(carry.atom)
    if isinstance(half, sym.Quotient) and half.dividend == own and half.divisor == sym.number(2):
        return "/"
    return ""


def _to_single(loop: Loop, carry: Carry, warp: int) -> bool:
    """Whether the stride comes to be smaller than a warp."""
    if _stride(carry) == "*":
        return carry.start.exact is not None and 0 < carry.start.exact < warp
    return _bound_below(loop.condition, carry.atom) < warp


def _bound_below(condition: Num, atom: sym.Atom) -> int:
    """The least value of the symbol for which a loop goes on; a warp or more where it is not known."""
    test = condition.test
    own = sym.atom(atom)
    if test is None:
        return 1 if condition.form == own else _LONGEST
    if test.op == "&&":
        return min(_bound_below(test.left, atom), _bound_below(test.right, atom))
    if test.left.form != own or test.right.exact is None:
        return _LONGEST
    return test.right.exact + {">": 1, ">=": 0, "!=": 1}.get(test.op, _LONGEST)


def _apart(load: Access, store: Access, atom: sym.Atom) -> bool:
    """Whether the two are a multiple of the stride apart, in elements that differ between threads."""
    if load.index is None or store.index is None or load.index.form is None or store.index.form is None:
        return False
    if not store.index.varies & THREAD or load.buffer.key != store.buffer.key:
        return False
    return atom in sym.add(load.index.form, store.index.form, -1).all_atoms()


def _steps(loop: Loop, carry: Carry) -> int | None:
    """How many turns a halving loop makes."""
    start = carry.start.exact
    if start is None or _stride(carry) != "/" or start <= 0:
        return None
    return (start // max(1, _bound_below(loop.condition, carry.atom))).bit_length()
