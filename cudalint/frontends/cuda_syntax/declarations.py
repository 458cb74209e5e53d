"""A whole tree as functions, variables, types and classes; every function has a heading, and a body where it matters."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from tree_sitter import Node

from cudalint.frontends.cuda_syntax import expressions as _expressions  # noqa: F401 - fills the table of handlers
from cudalint.frontends.cuda_syntax import grammar, structs
from cudalint.frontends.cuda_syntax.conditionals import branches
from cudalint.frontends.cuda_syntax.headings import Context, function, template_parameters
from cudalint.frontends.cuda_syntax.lowering import Lowering, TooDeepError
from cudalint.frontends.cuda_syntax.preprocessor import MacroTable
from cudalint.frontends.cuda_syntax.selection import MARKS, Pending, chosen, touched
from cudalint.frontends.cuda_syntax.statements import function_body
from cudalint.frontends.cuda_syntax.text import Text
from cudalint.frontends.cuda_syntax.types import Declarator, declarator
from cudalint.frontends.cuda_syntax.variables import declares
from cudalint.ir.stmt import Unreadable
from cudalint.ir.unit import Alias, Function, Global, Problem, Struct
from cudalint.record import record
from cudalint.source import Span

_PLAIN_NAMES = frozenset({"identifier", "qualified_identifier", "template_function"})


@record
class Lowered:
    """What a tree holds. `launch_offsets` are the byte offsets of every `<<<` that is a launch in it."""

    globals: tuple[Global, ...]
    aliases: tuple[Alias, ...]
    structs: tuple[Struct, ...]
    functions: tuple[Function, ...]
    problems: tuple[Problem, ...]
    launch_offsets: frozenset[int]


def lower_unit(
    root: Node,
    text: Text,
    macros: MacroTable,
    wanted: frozenset[str] = frozenset(),
    callees: frozenset[str] = frozenset(),
) -> Lowered:
    """Lower the tree `root` of `text`. Functions named in `wanted`, and those that call one of `callees`, get their bodies
    whatever they do.

    Launch attributes are read from `text.source`, so those blanked before parsing are there too.
    """
    walker = _Walker(Lowering(text, macros))
    walker.walk(root.named_children, Context())
    low = walker.low
    functions: list[Function] = []
    problems = walker.problems
    done = 0
    while done < len(walker.pending):
        batch = walker.pending[done:]
        keep = chosen(batch, low.data, low.launches, wanted, callees)
        for index, item in enumerate(batch):
            functions.append(_finished(low, item, problems) if index in keep else _skipped(low.data, item))
        done += len(batch)
        while low.records:
            node, scope = low.records.pop()
            walker.record(node, Context(scope), "")
    return Lowered(
        tuple(low.globals), tuple(low.aliases), tuple(low.structs), (*walker.declared, *functions), tuple(problems),
        frozenset(low.launch_offsets),
    )  # fmt: skip


def _skipped(data: bytes, item: Pending) -> Function:
    kinds = item.heading.kinds | {"skipped"}
    return replace(item.heading, body=(), kinds=kinds, calls=item.calls, touches=touched(data, item))


def _finished(low: Lowering, item: Pending, problems: list[Problem]) -> Function:
    """The function with its body; one that nests too deeply is lost as a whole."""
    heading = item.heading
    low.scope = heading.qualified
    low.depth = 0
    before = len(low.launched)
    try:
        body = function_body(low, item.nodes)
    except (TooDeepError, RecursionError):
        body = (Unreadable(heading.extent, f"{heading.name} nests too deeply"),)
        problem = _too_deep(low, heading.name or "code", heading.extent, item.start, item.end)
        problems.append(replace(problem, holds="kernel") if heading.is_kernel else problem)
    return replace(heading, body=body, calls=item.calls, launches=len(low.launched) > before)


def _too_deep(low: Lowering, what: str, extent: int, start: int, end: int) -> Problem:
    span = Span.unpack("", extent)
    holds = "launch" if MARKS.search(low.data, start, end) else ""
    message = f"{what} (lines {span.line} to {span.end_line}) nests too deeply to be read"
    return Problem(message, extent, holds)


class _Walker:
    """Visits everything outside function bodies, once."""

    def __init__(self, low: Lowering) -> None:
        self.low = low
        self.pending: list[Pending] = []
        self.declared: list[Function] = []
        self.problems: list[Problem] = []
        self.namespaces: set[str] = set()

    def walk(self, nodes: Iterable[Node], where: Context) -> None:
        for node in nodes:
            handler = _HANDLERS.get(node.type)
            if handler is not None:
                self.visit(handler, node, where)
            elif MARKS.search(self.low.data, node.start_byte, node.end_byte):
                self.nameless([node], where)

    def visit(self, handler: "_Visit", node: Node, where: Context) -> None:
        depth = self.low.depth
        try:
            handler(self, node, where)
        except (TooDeepError, RecursionError):
            self.low.depth = depth
            self.problems.append(_too_deep(self.low, "code", self.low.extent(node), node.start_byte, node.end_byte))

    def inner(self, node: Node, where: Context) -> None:
        self.walk(node.named_children, where)

    def condition(self, node: Node, where: Context) -> None:
        """`#if` around declarations: the branch known to hold, or both."""
        rest: Node | None = node
        while rest is not None:
            _, first, rest = branches(self.low, rest)
            self.walk(first, where)

    def namespace(self, node: Node, where: Context) -> None:
        name = node.child_by_field_id(grammar.NAME)
        body = node.child_by_field_id(grammar.BODY)
        scope = self.low.spelling(name).replace(" ", "") if name is not None else ""
        self.namespaces.update(scope.split("::"))
        if body is not None:
            self.walk(body.named_children, Context(structs.joined(where.scope, scope), where.owner))

    def linkage(self, node: Node, where: Context) -> None:
        body = node.child_by_field_id(grammar.BODY)
        if body is not None:
            self.walk(body.named_children if body.type == "declaration_list" else [body], where)

    def template(self, node: Node, where: Context) -> None:
        parameters = where.template + template_parameters(self.low, node)
        inner = Context(where.scope, where.owner, parameters, where.whole or node)
        listed = node.child_by_field_id(grammar.PARAMETERS)
        self.walk([child for child in node.named_children if child != listed], inner)

    def definition(self, node: Node, where: Context) -> None:
        """A function with its body; one whose heading cannot be read has no name."""
        shape = node.child_by_field_id(grammar.DECLARATOR)
        heading = function(self.low, node, where, shape, self.namespaces) if shape is not None else None
        body = node.child_by_field_id(grammar.BODY)
        if body is None:
            body = next((child for child in node.named_children if child.type == "try_statement"), None)
        specifier = node.child_by_field_id(grammar.TYPE)
        if specifier is not None and specifier.type in structs.TAGGED:
            self.tagged(specifier, where)
        if heading is None:
            if MARKS.search(self.low.data, node.start_byte, node.end_byte):
                self.nameless([body or node], where)
        elif body is None:
            self.declared.append(heading)
        else:
            self.pending.append(Pending(heading, [body], body.start_byte, body.end_byte))

    def declaration(self, node: Node, where: Context) -> None:
        """Variables and functions without bodies."""
        low = self.low
        specifier = node.child_by_field_id(grammar.TYPE)
        if specifier is not None and specifier.type in structs.TAGGED:
            self.tagged(specifier, where)
        shapes = node.children_by_field_name("declarator")
        for shape in shapes:
            if declarator(low, shape).direct:
                heading = function(low, node, where, shape, self.namespaces)
                if heading is not None:
                    self.declared.append(heading)
        if node.type == "declaration" and shapes:
            low.globals.extend(Global(where.scope, declare) for declare in declares(low, node, inside=False))
        self.lost(node, where)

    def lost(self, node: Node, where: Context) -> None:
        """What stands in errors inside a declaration."""
        if node.has_error:
            self.walk([child for child in node.named_children if child.type == "ERROR"], where)

    def tagged(self, node: Node, where: Context) -> None:
        """A class or enumeration, where it is defined and not only named."""
        if node.child_by_field_id(grammar.BODY) is None:
            return
        if node.type == "enum_specifier":
            scope = structs.enum_scope(self.low, node, where.scope)
            self.low.globals.extend(Global(scope, declare) for declare in structs.enumerators(self.low, node))
        else:
            self.record(node, where, "")

    def record(self, node: Node, where: Context, fallback: str) -> None:
        name = structs.struct(self.low, node, where.template, where.scope, fallback)
        body = node.child_by_field_id(grammar.BODY)
        if body is not None:
            scope = structs.joined(where.scope, name)
            self.walk(body.named_children, Context(scope, name or where.owner, where.template))

    def typedef(self, node: Node, where: Context) -> None:
        specifier = node.child_by_field_id(grammar.TYPE)
        if specifier is not None and specifier.type in structs.TAGGED:
            named = specifier.child_by_field_id(grammar.NAME) is not None
            shape = node.child_by_field_id(grammar.DECLARATOR)
            if named or specifier.type == "enum_specifier" or shape is None:
                self.tagged(specifier, where)
            elif specifier.child_by_field_id(grammar.BODY) is not None:
                self.record(specifier, where, self.low.spelling(shape))
        structs.alias(self.low, node, where.template, where.scope)

    def nothing(self, node: Node, where: Context) -> None:
        """What declares nothing."""

    def nameless(self, nodes: list[Node], where: Context) -> None:
        """Statements outside any function that could be read, as a function without a name."""
        low = self.low
        extent = low.text.place(nodes[0].start_byte, nodes[-1].end_byte)
        heading = Function(
            "", where.scope, where.owner, frozenset({"host"}), None, (), (), (), None, (), (), extent, extent
        )
        self.pending.append(Pending(heading, nodes, nodes[0].start_byte, nodes[-1].end_byte))

    def error(self, node: Node, where: Context) -> None:
        """What could not be parsed: functions whose brace was never closed, declarations, and statements."""
        heading: Function | None = None
        loose: list[Node] = []
        for child in node.children:
            if child.type == "{" and heading is None:
                heading = self.opened(child, node, where)
                if heading is not None:
                    self.salvaged(None, loose, where)
                    loose = []
            elif heading is None and child.type in _HANDLERS:
                _HANDLERS[child.type](self, child, where)
            elif child.is_named and (opened := self.opened_next(child, node, where)) is not None:
                self.salvaged(heading, loose, where)
                heading, loose = opened, []
            elif child.is_named:
                loose.append(child)
        self.salvaged(heading, loose, where)

    def opened(self, brace: Node, node: Node, where: Context) -> Function | None:
        """The function whose body a brace inside an error opens."""
        before = brace.prev_named_sibling
        return self.heading_in_error(before, node, where) if before is not None else None

    def opened_next(self, shape: Node, node: Node, where: Context) -> Function | None:
        following = shape.next_sibling
        return self.heading_in_error(shape, node, where) if following is not None and following.type == "{" else None

    def heading_in_error(self, shape: Node, node: Node, where: Context) -> Function | None:
        parts: Declarator = declarator(self.low, shape)
        if not parts.direct or parts.name is None or parts.name.type not in _PLAIN_NAMES:
            return None
        return function(self.low, node, where, shape, self.namespaces)

    def salvaged(self, heading: Function | None, nodes: list[Node], where: Context) -> None:
        """Loose nodes as the body of the function they seem to belong to; without one only launches matter."""
        if heading is not None:
            start, end = (nodes[0].start_byte, nodes[-1].end_byte) if nodes else (0, 0)
            self.pending.append(Pending(heading, nodes, start, end))
            return
        kept = [node for node in nodes if MARKS.search(self.low.data, node.start_byte, node.end_byte)]
        if kept:
            self.nameless(kept, where)


_Visit = Callable[[_Walker, Node, Context], None]

_HANDLERS: dict[str, _Visit] = {
    "function_definition": _Walker.definition,
    "declaration": _Walker.declaration,
    "field_declaration": _Walker.declaration,
    "template_instantiation": _Walker.declaration,
    "template_declaration": _Walker.template,
    "namespace_definition": _Walker.namespace,
    "linkage_specification": _Walker.linkage,
    "alias_declaration": _Walker.typedef,
    "type_definition": _Walker.typedef,
    "ERROR": _Walker.error,
    **dict.fromkeys(structs.TAGGED, _Walker.tagged),
    **dict.fromkeys(
        ("preproc_if", "preproc_ifdef", "preproc_elif", "preproc_elifdef", "preproc_else"), _Walker.condition
    ),
    **dict.fromkeys(("friend_declaration", "declaration_list"), _Walker.inner),
    **dict.fromkeys(
        ("comment", "preproc_include", "preproc_def", "preproc_function_def", "preproc_call", "using_declaration"),
        _Walker.nothing,
    ),
}
