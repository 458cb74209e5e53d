"""Comments addressed to the linter, and the statement each belongs to."""

import ast
import io
from collections.abc import Iterator

from cudalint.frontends.python_syntax.text import Text
from cudalint.ir.unit import Comment
from cudalint.source import pack

_WORD = "cudalint:"


def read_comments(text: Text, tree: ast.Module) -> Iterator[Comment]:
    """The comments with `cudalint:` in them, in order of place."""
    if _WORD not in text.code:
        return
    import tokenize  # noqa: PLC0415 - few files have such comments

    statements = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
    try:
        for token in tokenize.generate_tokens(io.StringIO(text.code).readline):
            if token.type == tokenize.COMMENT and _WORD in token.string:
                line, column = token.start
                at = token.string.index(_WORD)
                alone = not text.rows[line - 1][:column].strip()
                covered = _next(statements, line) if alone else _on(statements, line)
                extent = pack(line, column + 1, line, column + 1 + len(token.string))
                yield Comment(token.string[at:].strip(), extent, None if covered is None else _extent(text, covered))
    except (tokenize.TokenError, IndentationError):
        return


def _begin(node: ast.stmt) -> int:
    """The first line of a statement, its decorators included."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(part.lineno for part in decorators)])


def _extent(text: Text, node: ast.stmt) -> int:
    end = node.end_lineno or node.lineno
    return pack(_begin(node), 1, end, text.column(end, node.end_col_offset or 0))


def _next(statements: list[ast.stmt], line: int) -> ast.stmt | None:
    """The outermost statement that begins next after a line."""
    after = [node for node in statements if _begin(node) > line]
    return min(after, key=lambda node: (_begin(node), node.col_offset), default=None)


def _on(statements: list[ast.stmt], line: int) -> ast.stmt | None:
    """The outermost statement that begins on a line, else the innermost around it."""
    begun = [node for node in statements if _begin(node) == line]
    if begun:
        return min(begun, key=lambda node: node.col_offset)
    around = [node for node in statements if _begin(node) <= line <= (node.end_lineno or node.lineno)]
    return max(around, key=_begin, default=None)
