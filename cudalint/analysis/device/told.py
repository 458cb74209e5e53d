"""How hazards are told to people: elements, threads and lines."""

from cudalint.analysis.device.events import Access
from cudalint.analysis.device.explain import span_of
from cudalint.analysis.device.hazards import Hazard
from cudalint.analysis.device.lanes import Key
from cudalint.analysis.device.values import Buffer


def element_of(hazard: Hazard) -> str:
    """The element as it would be written: `s[1][3]`; without its number where it depends on unknown values."""
    return element_at(hazard.second.buffer, hazard.element)


def element_at(buffer: Buffer, key: Key) -> str:
    """An element of a buffer, as `element_of`."""
    if not isinstance(key, int):
        return f"an element of {buffer.name}"
    if not buffer.extents:
        return buffer.name if buffer.length is None and key == 0 else f"{buffer.name}[{key}]"
    indices = []
    for extent in reversed(buffer.extents[1:]):
        if extent is None:
            return f"an element of {buffer.name}"
        indices.append(key % extent)
        key //= extent
    return buffer.name + "".join(f"[{index}]" for index in (key, *reversed(indices)))


def thread_name(number: int, block: tuple[int, int, int]) -> str:
    """A thread by its index: "thread 5", or "thread (5, 0)" in a block of two dimensions."""
    x, y, z = block
    if y == z == 1:
        return f"thread {number}"
    indices = [number % x, number // x % y, *([number // (x * y)] if z > 1 else [])]
    return f"thread ({', '.join(map(str, indices))})"


def block_name(at: tuple[int, int, int], beside: tuple[int, int, int]) -> str:
    """A block by its index, told from another: "block 1", or "block (0, 1)" where the two lie in a plane."""
    dimensions = 3 if at[2] or beside[2] else 2 if at[1] or beside[1] else 1
    return f"block {at[0]}" if dimensions == 1 else f"block ({', '.join(map(str, at[:dimensions]))})"


def happening(hazard: Hazard) -> str:
    """What the two threads do: "thread 1 reads s[0], which thread 0 writes at line 12"."""
    late, early = (thread_name(number, hazard.block) for number in (hazard.late, hazard.early))
    element, where = element_of(hazard), _where(hazard)
    first, second = hazard.first, hazard.second
    if first is second and hazard.steps[0] == hazard.steps[1]:
        return f"{early} and {late} both write {element}, each its own value"
    if first.kind == "load":
        return f"{late} {_VERB[second.kind]} {element}, which {early} may still have to read {where}"
    return f"{late} {_VERB[second.kind]} {element}, which {early} {_VERB[first.kind]} {where}"


_VERB = {"load": "reads", "store": "writes", "atomic": "updates"}


def _where(hazard: Hazard) -> str:
    turn = " in the turn before" if hazard.next_turn else ""
    return f"at line {_line(hazard.first)}{turn}"


def _line(access: Access) -> int:
    return span_of(access.place).line
