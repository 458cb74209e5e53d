"""What lowering one tree carries along, and the tables of which function lowers which kind of node.

The modules above fill `EXPRESSIONS` and `STATEMENTS`; everything recurses through `Lowering`, which is why they need
not import each other. A handler of a statement appends what the node stands for, nothing or several statements included.
"""

from collections.abc import Callable, Iterable
from sys import intern

from tree_sitter import Node

from cudalint.frontends.cuda_syntax.preprocessor import MacroTable
from cudalint.frontends.cuda_syntax.text import Text
from cudalint.ir.expr import Call, Expr, Name, Opaque
from cudalint.ir.stmt import Stmt
from cudalint.ir.unit import Alias, Global, Struct

_DEEPEST = 200
_LONGEST_TEXT = 200


class TooDeepError(Exception):
    """The source nests deeper than the representation is walked."""


class Lowering:
    """The state of lowering one text. `macro` names the macro whose expansion the text is, "" for a file.

    `scope` is what encloses the function being lowered, its own name included; `records` collects the classes defined in
    function bodies, each with its scope. `launch_offsets` are the byte offsets of the chevrons that became launches,
    `launched` the extents of all launches, those of expansions included.
    """

    __slots__ = (
        "aliases", "between", "data", "depth", "expanding", "extent", "globals", "launch_macros", "launch_offsets",
        "launched", "macro", "macros", "place", "records", "scope", "slice", "structs", "text", "word_kinds",
    )  # fmt: skip

    def __init__(self, text: Text, macros: MacroTable, macro: str = "") -> None:
        self.text = text
        self.data = text.data
        self.slice = text.slice
        self.between = text.between
        self.extent = text.extent
        self.place = text.place
        self.macros = macros
        self.macro = macro
        self.depth = 0
        self.expanding: frozenset[str] = frozenset()
        self.scope = ""
        self.globals: list[Global] = []
        self.aliases: list[Alias] = []
        self.structs: list[Struct] = []
        self.records: list[tuple[Node, str]] = []
        self.launch_offsets: list[int] = []
        self.launched: list[int] = []
        self.launch_macros: dict[str, bool] = {}
        self.word_kinds: dict[str, frozenset[str]] = {}

    def within(self, text: Text, macro: str) -> "Lowering":
        """The same lowering over the text of a macro's expansion."""
        inner = Lowering(text, self.macros, self.macro or macro)
        inner.depth = self.depth
        inner.scope = self.scope
        inner.launched = self.launched
        inner.expanding = self.expanding | {macro}
        inner.aliases, inner.structs, inner.launch_macros = self.aliases, self.structs, self.launch_macros
        return inner

    def expression(self, node: Node) -> Expr:
        """The expression a node stands for; Opaque, around the launches in it, where nothing understands it."""
        kind = node.type
        if kind == "identifier":
            start, end = node.start_byte, node.end_byte
            return Name(self.place(start, end), intern(self.between(start, end)))
        handler = EXPRESSIONS.get(kind)
        if handler is None:
            return self.opaque(node)
        if self.depth > _DEEPEST:
            raise TooDeepError
        self.depth += 1
        result = handler(self, node)
        self.depth -= 1
        return result

    def statement(self, node: Node, into: list[Stmt]) -> None:
        """Append the statements a node stands for."""
        handler = STATEMENTS.get(node.type)
        if handler is None:
            handler = STATEMENTS["ERROR"]
        if self.depth > _DEEPEST:
            raise TooDeepError
        self.depth += 1
        handler(self, node, into)
        self.depth -= 1

    def body(self, node: Node | None) -> tuple[Stmt, ...]:
        """The statements of a block, or the one statement that stands in its place."""
        into: list[Stmt] = []
        if node is not None:
            for child in node.named_children if node.type == "compound_statement" else (node,):
                self.statement(child, into)
        return tuple(into)

    def expressions(self, nodes: Iterable[Node]) -> tuple[Expr, ...]:
        return tuple([self.expression(node) for node in nodes if node.type != "comment"])

    def name(self, node: Node) -> str:
        """The text of a node, as one shared string."""
        return intern(self.between(node.start_byte, node.end_byte))

    def spelling(self, node: Node) -> str:
        """The text of a node with its white space made plain."""
        return intern(" ".join(self.slice(node).split()))

    def opaque(self, node: Node) -> Expr:
        """A node nothing understands, as a call of it on the launches and lambdas found inside."""
        extent = self.extent(node)
        unknown = Opaque(extent, self.excerpt(node))
        found = tuple(self.expression(inner) for inner in inside(node, _WORTH_SAVING)) if node.child_count else ()
        return Call(extent, unknown, found) if found else unknown

    def excerpt(self, node: Node) -> str:
        """The text of a node, cut off where it is long."""
        start = node.start_byte
        end = node.end_byte
        if end - start <= _LONGEST_TEXT:
            return self.spelling(node)
        return " ".join(self.text.between(start, start + _LONGEST_TEXT).split()) + "…"

    def launches(self, macro: str) -> bool:
        """Whether a use of this name is a use of a macro that launches a kernel."""
        if macro in self.expanding:
            return False
        known = self.launch_macros.get(macro)
        if known is None:
            known = self.launch_macros[macro] = self.macros.expands_to_launch(macro)
        return known


_WORTH_SAVING = frozenset({"call_expression", "lambda_expression"})


def inside(node: Node, kinds: frozenset[str]) -> list[Node]:
    """The outermost nodes of these kinds below `node`, in source order."""
    found: list[Node] = []
    pending = node.named_children[::-1]
    while pending:
        inner = pending.pop()
        if inner.type in kinds:
            found.append(inner)
        elif inner.named_child_count:
            pending.extend(inner.named_children[::-1])
    return found


def chevron_offsets(data: bytes, start: int, end: int) -> list[int]:
    """The offsets of every `<<<` in a range of bytes."""
    offsets = []
    found = data.find(b"<<<", start, end)
    while found >= 0:
        offsets.append(found)
        found = data.find(b"<<<", found + 3, end)
    return offsets


Handler = Callable[[Lowering, Node], Expr]
StatementHandler = Callable[[Lowering, Node, list[Stmt]], None]

EXPRESSIONS: dict[str, Handler] = {}
STATEMENTS: dict[str, StatementHandler] = {}


def expression(*kinds: str) -> Callable[[Handler], Handler]:
    """Register a function as what lowers expressions of these kinds."""

    def register(handler: Handler) -> Handler:
        EXPRESSIONS.update(dict.fromkeys(kinds, handler))
        return handler

    return register


def statement(*kinds: str) -> Callable[[StatementHandler], StatementHandler]:
    """Register a function as what lowers statements of these kinds."""

    def register(handler: StatementHandler) -> StatementHandler:
        STATEMENTS.update(dict.fromkeys(kinds, handler))
        return handler

    return register
