"""Comments addressed to the linter, and the statement each belongs to."""

import re
from bisect import bisect_right
from collections.abc import Iterator

from tree_sitter import Node

from cudalint.frontends.cuda_syntax.text import Text
from cudalint.ir.unit import Comment

_ADDRESS = re.compile(rb"\bcudalint:")
_IN_MACRO = re.compile(rb"/\*.*?\*/|//[^\n]*", re.DOTALL)
_MOST_COMMENTS = 100
_SKIPPED = frozenset({"comment", "preproc_call"})
_CONDITIONALS = frozenset({"#if", "#ifdef", "#ifndef", "#elif", "#else", "#endif"})
_STATEMENTS = frozenset({
    "declaration", "field_declaration", "function_definition", "template_declaration", "template_instantiation",
    "alias_declaration", "using_declaration", "type_definition", "struct_specifier", "class_specifier", "union_specifier",
    "enum_specifier", "namespace_definition", "linkage_specification", "preproc_def", "preproc_function_def",
    "preproc_include", "preproc_call",
})  # fmt: skip


def read_comments(root: Node, text: Text) -> Iterator[Comment]:
    """The comments with `cudalint:` in them, in order of place."""
    if b"cudalint:" not in text.source:
        return
    end = 0
    for found in _ADDRESS.finditer(text.source):
        if found.start() < end:
            continue
        leaf = root.descendant_for_byte_range(found.start(), found.end())
        if leaf is None:
            continue
        if leaf.type == "comment":
            start, end = leaf.start_byte, leaf.end_byte
            covers = _covered(root, text, start, end)
        elif leaf.type == "preproc_arg" and (inner := _in_macro(text.source, leaf, found.start())):
            start, end = inner
            covers = leaf.parent
        else:
            continue
        words = text.written(found.start(), end).removesuffix("*/").strip()
        yield Comment(words, text.place(start, end), None if covers is None else text.extent(covers))


def _in_macro(data: bytes, body: Node, offset: int) -> tuple[int, int] | None:
    """The comment around `offset` in the body of a macro."""
    for found in _IN_MACRO.finditer(data, body.start_byte, body.end_byte):
        if found.start() <= offset < found.end():
            return found.span()
    return None


def _covered(root: Node, text: Text, start: int, end: int) -> Node | None:
    """The statement that the comment from `start` to `end` belongs to."""
    line = text.data.rfind(b"\n", 0, start) + 1
    while start > line:
        before = len(text.data[line:start].rstrip())
        leaf = root.descendant_for_byte_range(line + before - 1, line + before) if before else None
        if leaf is None:
            break
        if leaf.type != "comment":
            return _at(leaf, line)
        start = leaf.start_byte
    return _following(root, text.data, end)


def _is_statement(node: Node) -> bool:
    kind = node.type
    return kind in _STATEMENTS or (kind.endswith("_statement") and kind != "compound_statement")


def _at(leaf: Node, line: int) -> Node | None:
    """The statement that ends at `leaf`: the outermost one that begins on its line, else the innermost around it."""
    inner: Node | None = None
    node: Node | None = leaf
    while node is not None:
        if _is_statement(node):
            if inner is not None and node.start_byte < line:
                break
            inner = node
            if node.start_byte < line:
                break
        node = node.parent
    return inner


def _following(root: Node, data: bytes, offset: int) -> Node | None:
    """The outermost statement that begins next after `offset`; the one around it where none begins there."""
    leaf = _next_leaf(root, data, offset)
    if leaf is None or leaf.type == "}":
        return None
    best: Node | None = None
    node: Node | None = leaf
    while node is not None and node.parent is not None:
        if _is_statement(node):
            if node.start_byte < leaf.start_byte:
                return best or node
            best = node
        node = node.parent
    return best


def _next_leaf(root: Node, data: bytes, offset: int) -> Node | None:
    """The first token after `offset` that is no comment, pragma or line of a conditional."""
    node: Node | None = root
    while node is not None and node.child_count:
        children = node.children
        first = bisect_right(children, offset, key=_end)
        near = children[first : first + _MOST_COMMENTS]
        node = next((child for child in near if child.type not in _SKIPPED), None)
        if node is not None and node.start_byte >= offset and node.type in _CONDITIONALS:
            offset = data.find(b"\n", node.end_byte)
            node = root if offset >= 0 else None
    return node


def _end(node: Node) -> int:
    return node.end_byte
