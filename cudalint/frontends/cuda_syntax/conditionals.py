"""Whether the condition of an `#if` is known: a literal, or a macro that the same file always defines before."""

from tree_sitter import Node

from cudalint.frontends.cuda_syntax import grammar
from cudalint.frontends.cuda_syntax.literals import number
from cudalint.frontends.cuda_syntax.lowering import Lowering

_TRUTH = {"0": False, "1": True, "false": False, "true": True}


def holds(low: Lowering, node: Node) -> bool | None:
    """Whether the first branch of a preprocessor condition is the one compiled; None where nobody can tell."""
    if node.type in {"preproc_ifdef", "preproc_elifdef"}:
        name = node.child_by_field_id(grammar.NAME)
        known = name is not None and _always_defined(low, low.name(name))
        return node.children[0].type in {"#ifdef", "#elifdef"} if known else None
    condition = node.child_by_field_id(grammar.CONDITION)
    if condition is None:
        return None
    text = low.slice(condition).strip()
    if text in _TRUTH:
        return _TRUTH[text]
    return _value(low, text) if text.isidentifier() else None


def _always_defined(low: Lowering, name: str) -> bool:
    return any(not definition.conditional for definition in low.macros.get(name))


def _value(low: Lowering, name: str) -> bool | None:
    """Whether a macro with the one definition of a number is not zero."""
    definitions = low.macros.get(name)
    if len(definitions) != 1 or definitions[0].conditional:
        return None
    value = number(definitions[0].body.strip())
    return bool(value[0]) if isinstance(value, tuple) else None
