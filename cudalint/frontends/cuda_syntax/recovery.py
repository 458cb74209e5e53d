"""Reads a text into the best tree that can be had: as it stands, or with what the grammar does not know taken out."""

import re
from collections.abc import Sequence

from tree_sitter import Node, Tree

from cudalint.frontends.cuda_syntax.branches import Range, one_branch
from cudalint.frontends.cuda_syntax.edits import overlay, rewrite
from cudalint.frontends.cuda_syntax.masks import masks, separations, substitutions
from cudalint.frontends.cuda_syntax.parse import faults, parse
from cudalint.frontends.cuda_syntax.preprocessor import MacroTable
from cudalint.frontends.cuda_syntax.text import Text
from cudalint.record import record

_DEVICE = re.compile(rb"<<<|__(?:global|device|shared|launch_bounds)__|LaunchKernel|cudalint:")
_CODE = re.compile(rb"\S")
_COST_OF_A_FAULT = 8
_COST_OF_A_LAUNCH = 200


@record
class Reading:
    """A tree and the text it is of. `dropped` are stretches of the text that the tree leaves out."""

    tree: Tree
    text: Text
    faults: tuple[Node, ...] = ()
    dropped: tuple[Range, ...] = ()

    @property
    def cost(self) -> int:
        """How much the tree leaves unread; a launch or a kernel that lies in a fault weighs as much as many bytes."""
        total = 0
        for fault in self.faults:
            inside = self.text.data[fault.start_byte : fault.end_byte]
            lost = inside.count(b"<<<") + inside.count(b"__global__")
            total += _COST_OF_A_FAULT + len(inside) + lost * _COST_OF_A_LAUNCH
        return total


def read_text(text: Text, macros: MacroTable, *, hip: bool) -> Reading:
    """The tree of `text`. Macros that make kernels' headings are always replaced; the rest is tried only where the parser
    stumbles over a file with device code, and kept only where it helps.
    """
    plain = rewrite(text, substitutions(text.data, macros.heading, macros))
    reading = _reading(plain)
    if not reading.faults or not _DEVICE.search(text.data):
        return reading
    reading = _better(reading, _masked(text, reading, macros))
    return _better(reading, _with_one_branch(reading, hip=hip)) if reading.faults else reading


def _masked(text: Text, reading: Reading, macros: MacroTable) -> Reading:
    stumbled = b" ".join(_lines_of(reading.text.data, fault) for fault in reading.faults)
    names = macros.heading | macros.attributes | macros.statements(stumbled)
    edits = sorted([*substitutions(text.data, names, macros), *separations(text.data)])
    rewritten = rewrite(text, edits)
    return _reading(rewritten, overlay(rewritten.data, list(masks(rewritten.data))))


def _lines_of(data: bytes, fault: Node) -> bytes:
    """The whole lines that a fault touches."""
    end = data.find(b"\n", fault.end_byte)
    return data[data.rfind(b"\n", 0, fault.start_byte) + 1 : end if end >= 0 else len(data)]


def _with_one_branch(reading: Reading, *, hip: bool) -> Reading:
    written = reading.text.data
    faulty = [Range(fault.start_byte, _next_code(written, fault.end_byte)) for fault in reading.faults]
    data, dropped = one_branch(written, faulty, hip=hip)
    return reading if data == reading.text.data else _reading(reading.text, data, dropped)


def _next_code(data: bytes, offset: int) -> int:
    found = _CODE.search(data, offset)
    return found.start() if found else len(data)


def _better(old: Reading, new: Reading) -> Reading:
    return new if new.cost < old.cost else old


def _reading(text: Text, data: bytes | None = None, dropped: Sequence[Range] = ()) -> Reading:
    """The tree of `text`, or of `data` in its place."""
    shown = text if data is None or data == text.data else text.masked(data)
    tree = parse(shown.data)
    found = tuple(faults(tree.root_node)) if tree.root_node.has_error else ()
    return Reading(tree, shown, found, tuple(dropped))
