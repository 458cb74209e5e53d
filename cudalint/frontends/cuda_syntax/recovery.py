"""Reads a text into the best tree that can be had: as it stands, or with what the grammar does not know taken out."""

from collections.abc import Sequence
from dataclasses import dataclass

from tree_sitter import Node, Tree

from cudalint.frontends.cuda_syntax.branches import Range, one_branch
from cudalint.frontends.cuda_syntax.edits import rewrite
from cudalint.frontends.cuda_syntax.masks import Blank, mask, separations, substitutions
from cudalint.frontends.cuda_syntax.parse import faults, parse
from cudalint.frontends.cuda_syntax.preprocessor import MacroTable
from cudalint.frontends.cuda_syntax.text import Text

_COST_OF_A_FAULT = 8
_COST_OF_A_LAUNCH = 200


@dataclass(frozen=True, slots=True)
class Reading:
    """`blanks` are launch attributes that the tree does not show; `dropped` stretches of `text` that it leaves out."""

    tree: Tree
    text: Text
    faults: tuple[Node, ...] = ()
    blanks: tuple[Blank, ...] = ()
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
    stumbles, and kept only where it helps.
    """
    plain = rewrite(text, substitutions(text.data, macros.heading, macros))
    reading = _reading(plain)
    if not reading.faults:
        return reading
    names = macros.heading | macros.attributes
    edits = sorted([*substitutions(text.data, names, macros), *separations(text.data)])
    rewritten = rewrite(text, edits)
    data, blanks = mask(rewritten.data)
    reading = min(reading, _reading(rewritten, data, blanks), key=_cost)
    if not reading.faults:
        return reading
    faulty = [Range(fault.start_byte, fault.end_byte) for fault in reading.faults]
    data, dropped = one_branch(reading.text.data, faulty, hip=hip)
    return min(reading, _reading(reading.text, data, reading.blanks, dropped), key=_cost)


def _cost(reading: Reading) -> int:
    return reading.cost


def _reading(
    text: Text, data: bytes | None = None, blanks: Sequence[Blank] = (), dropped: Sequence[Range] = ()
) -> Reading:
    """The tree of `text`, or of `data` in its place."""
    shown = text if data is None or data == text.data else text.masked(data)
    tree = parse(shown.data)
    found = tuple(faults(tree.root_node)) if tree.root_node.has_error else ()
    return Reading(tree, shown, found, tuple(blanks), tuple(dropped))
