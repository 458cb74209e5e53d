"""The text of a Python file, and the places of what the parser found in it."""

import ast

from cudalint.source import pack

_BOM = b"\xef\xbb\xbf"
_LONGEST = 200


class Text:
    """`data` is the file as UTF-8, `code` as characters. Lines count from 1, columns from 1 in characters."""

    def __init__(self, raw: bytes) -> None:
        raw = raw.removeprefix(_BOM)
        try:
            self.code = raw.decode("utf-8")
        except UnicodeDecodeError:
            self.code = raw.decode("latin-1")
        self.code = self.code.replace("\r\n", "\n").replace("\r", "\n")
        self.plain = self.code.isascii()
        self.rows = self.code.split("\n")
        self.lines = len(self.rows) - (not self.rows[-1])

    def extent(self, node: ast.AST) -> int:
        """The packed place of a node."""
        line, end_line = node.lineno, node.end_lineno  # type: ignore[attr-defined]
        start, end = node.col_offset, node.end_col_offset  # type: ignore[attr-defined]
        if self.plain:
            return pack(line, start + 1, end_line, end + 1)
        return pack(line, self.column(line, start), end_line, self.column(end_line, end))

    def column(self, line: int, offset: int) -> int:
        """The column of a byte offset into a line."""
        row = self.rows[line - 1]
        return offset + 1 if row.isascii() else len(row.encode()[:offset].decode(errors="ignore")) + 1

    def excerpt(self, node: ast.AST) -> str:
        """The text of a node on one line, cut off where it is long."""
        line: int = node.lineno  # type: ignore[attr-defined]
        end_line: int = node.end_lineno  # type: ignore[attr-defined]
        start = self.column(line, node.col_offset) - 1  # type: ignore[attr-defined]
        end = self.column(end_line, node.end_col_offset) - 1  # type: ignore[attr-defined]
        if line == end_line:
            return self.rows[line - 1][start:end][:_LONGEST]
        whole = [self.rows[line - 1][start:], *self.rows[line : end_line - 1], self.rows[end_line - 1][:end]]
        return " ".join(" ".join(whole).split())[:_LONGEST]
