"""Whether the condition of an `#if` is known: a literal, or a macro whose one definition no build can override."""

import re

from tree_sitter import Node

from cudalint.frontends.cuda_syntax import grammar
from cudalint.frontends.cuda_syntax.literals import number
from cudalint.frontends.cuda_syntax.lowering import Lowering, chevron_offsets

_TRUTH = {"0": False, "1": True, "false": False, "true": True}


def branches(low: Lowering, node: Node) -> tuple[bool | None, list[Node], Node | None]:
    """Whether the first branch is known to hold, its nodes, and the alternative; the branch not compiled is left out."""
    subject = node.child_by_field_id(grammar.CONDITION) or node.child_by_field_id(grammar.NAME)
    alternative = node.child_by_field_id(grammar.ALTERNATIVE)
    first = [child for child in node.named_children if child not in {subject, alternative}]
    known = _holds(low, node)
    if known is False:
        _leave_out(low, first)
        return known, [], alternative
    if known is True and alternative is not None:
        _leave_out(low, [alternative])
        return known, first, None
    return known, first, alternative


def _leave_out(low: Lowering, nodes: list[Node]) -> None:
    """Launches that are never compiled are not lost."""
    if nodes and not low.macro:
        low.launch_offsets.extend(chevron_offsets(low.data, nodes[0].start_byte, nodes[-1].end_byte))


def _holds(low: Lowering, node: Node) -> bool | None:
    directive = node.children[0].type
    if directive == "#ifdef":
        name = node.child_by_field_id(grammar.NAME)
        return True if name is not None and _fixed(low, low.name(name)) is not None else None
    condition = node.child_by_field_id(grammar.CONDITION)
    if condition is None:
        return None
    text = low.slice(condition).strip()
    if text in _TRUTH:
        return _TRUTH[text]
    body = _fixed(low, text) if text.isidentifier() else None
    value = number(body) if body else None
    return bool(value[0]) if isinstance(value, tuple) else None


def _fixed(low: Lowering, name: str) -> str | None:
    """The replacement of a macro with one definition; one that stands under its own `#ifndef` may be another's."""
    definitions = low.macros.get(name)
    if len(definitions) != 1 or definitions[0].conditional:
        return None
    if re.search(rb"#\s*(ifndef|undef)\s+" + name.encode() + rb"\b", low.text.source):
        return None
    return definitions[0].body.strip()
