"""Launch attributes of kernels, in every spelling, under one name each."""

import re

from tree_sitter import Node

from cudalint.frontends.cuda_syntax.lowering import Lowering, inside
from cudalint.frontends.cuda_syntax.parse import parse
from cudalint.frontends.cuda_syntax.text import ExpandedText
from cudalint.ir.expr import Expr
from cudalint.ir.unit import Attribute

NORMAL_NAMES = {
    "launch_bounds": "launch_bounds",
    "flat_work_group_size": "flat_work_group_size",
    "amdgpu_flat_work_group_size": "flat_work_group_size",
    "reqd_work_group_size": "reqd_work_group_size",
    "waves_per_eu": "waves_per_eu",
    "amdgpu_waves_per_eu": "waves_per_eu",
    "maxnreg": "maxnreg",
    "cluster_dims": "cluster_dims",
    "block_size": "block_size",
}
_SPELLED = re.compile(rf"(?<!\w)_{{0,2}}({'|'.join(sorted(NORMAL_NAMES, key=len, reverse=True))})(?:__)?\s*\(".encode())
_BRACKETS = {"(": 1, ")": -1}
_CALLS = frozenset({"call_expression"})


def attributes_of(low: Lowering, node: Node, shape: Node) -> tuple[Attribute, ...]:
    """The attributes in a function's heading; also those the parser never saw, because they were blanked for it."""
    end = shape.end_byte
    body = shape.next_named_sibling
    if body is not None and body.type == "attribute_specifier":
        end = body.end_byte
    source = low.text.source
    found = []
    for match in _SPELLED.finditer(source, node.start_byte, end):
        start = match.end()
        close = _closing(source, start)
        place = low.text.place(match.start(), close + 1)
        inner = low.text.written(start, close)
        found.append(Attribute(NORMAL_NAMES[match[1].decode()], _arguments(low, inner, place), place))
    return tuple(found)


def _closing(source: bytes, start: int) -> int:
    """The offset of the parenthesis that closes the one before `start`."""
    depth = 1
    for offset in range(start, len(source)):
        depth += _BRACKETS.get(chr(source[offset]), 0)
        if not depth:
            return offset
    return len(source)


def _arguments(low: Lowering, text: str, place: int) -> tuple[Expr, ...]:
    code = f"auto x = x({text});\n".encode()
    calls = inside(parse(code).root_node, _CALLS)
    if not calls:
        return ()
    return low.within(ExpandedText(code, place), "").expressions(calls[0].children[-1].named_children)
