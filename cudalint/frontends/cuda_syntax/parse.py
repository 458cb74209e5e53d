"""Runs the parser, and says which stretches of a tree it could not make sense of."""

from collections.abc import Iterator
from functools import cache

from tree_sitter import Node, Parser, Tree

from cudalint.frontends.cuda_syntax.grammar import LANGUAGE


@cache
def _parser() -> Parser:
    return Parser(LANGUAGE)


def parse(data: bytes) -> Tree:
    """The tree of `data`, which must end in a newline (a directive on an unfinished last line is no directive)."""
    return _parser().parse(data)


def faults(root: Node) -> Iterator[Node]:
    """The outermost ERROR nodes and the MISSING tokens, in source order. `has_error` alone says less: it may hold
    where there is neither.
    """
    pending = [root]
    while pending:
        node = pending.pop()
        if node.is_missing or node.is_error:
            yield node
        elif node.has_error:
            pending.extend(reversed([child for child in node.children if child.has_error or child.is_missing]))
