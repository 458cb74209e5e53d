"""What lowering one file carries along, and the tables of which function lowers which kind of node."""

import ast
from collections.abc import Callable, Iterable, Sequence
from sys import intern
from typing import Any

from cudalint.frontends.python_syntax.constants import integer
from cudalint.frontends.python_syntax.imports import Imports
from cudalint.frontends.python_syntax.placement import Placement
from cudalint.frontends.python_syntax.recognisers import Recogniser
from cudalint.frontends.python_syntax.scopes import AnyFunction, Scope, Scopes
from cudalint.frontends.python_syntax.text import Text
from cudalint.frontends.python_syntax.types import AUTO
from cudalint.ir.expr import Call, Expr, Name, Opaque
from cudalint.ir.stmt import Declare, Stmt
from cudalint.ir.unit import Function, Global, Macro, Problem, Struct

_MOST_STEPS = 8
NO_PLACEMENT = Placement(frozenset(), frozenset(), {})


class Lowering:
    """The state of lowering one file. `scope` is where the code being lowered stands; `device` says that it runs on the GPU.

    `functions`, `globals`, `structs`, `macros` and `problems` are the unit's, in the making. `called` collects what the
    function at hand calls and hands on, `launches` whether it launches.
    """

    def __init__(self, source: Text, tree: ast.Module, asked: Sequence[Recogniser], display: str) -> None:
        self.source = source
        self.tree = tree
        self.display = display
        self.extent = source.extent
        self.imports = Imports()
        self.scopes = Scopes(tree, self.imports)
        self.scope: Scope = self.scopes.module
        self.recognisers = asked
        self.state: dict[str, Any] = {}
        self.device = False
        self.placement: Placement = NO_PLACEMENT
        self.this = ""
        self.called: set[str] = set()
        self.launches = False
        self.functions: list[Function] = []
        self.globals: list[Global] = []
        self.structs: list[Struct] = []
        self.macros: list[Macro] = []
        self.problems: list[Problem] = []

    # lowering

    def expression(self, node: ast.expr) -> Expr:
        """The expression a node stands for; Opaque where nothing understands it."""
        handler = EXPRESSIONS.get(type(node))
        return handler(self, node) if handler is not None else self.opaque(node)

    def expressions(self, nodes: Iterable[ast.expr]) -> tuple[Expr, ...]:
        return tuple([self.expression(node) for node in nodes])

    def statement(self, node: ast.stmt, into: list[Stmt]) -> None:
        """Append the statements a node stands for, and the declarations of variables that begin here."""
        into.extend(Declare(self.extent(node), name, AUTO) for name in self.placement.ahead.get(id(node), ()))
        handler = STATEMENTS.get(type(node))
        if handler is not None:
            handler(self, node, into)

    def body(self, nodes: Iterable[ast.stmt]) -> tuple[Stmt, ...]:
        into: list[Stmt] = []
        for node in nodes:
            self.statement(node, into)
        return tuple(into)

    def opaque(self, node: ast.expr) -> Expr:
        """A node nothing understands, as a call of it on the expressions found inside that may do something."""
        extent = self.extent(node)
        unknown = Opaque(extent, self.source.excerpt(node))
        parts = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
        found = tuple(self.expression(part) for part in parts if any(isinstance(n, ast.Call) for n in ast.walk(part)))
        return Call(extent, unknown, found) if found else unknown

    # what recognisers ask

    def path(self, node: ast.expr) -> str:
        """The name of a node as imports spell it: `numba.cuda.jit`; "" where it does not come from an import."""
        root = node
        while isinstance(root, ast.Attribute):
            root = root.value
        if not isinstance(root, ast.Name) or root.id not in self.imports.names:
            return ""
        owner = self.scope.owner_of(root.id)
        return "" if owner is not None and owner.kind == "function" else self.imports.path(node)

    def origin(self, node: ast.expr) -> ast.expr:
        """The expression behind a name that is bound once, as far back as that goes."""
        return self.origin_in(node, self.scope)[0]

    def origin_in(self, node: ast.expr, scope: Scope) -> tuple[ast.expr, Scope]:
        """The expression behind a name read in a scope, and the scope it stands in."""
        for _ in range(_MOST_STEPS):
            owner = scope.owner_of(node.id) if isinstance(node, ast.Name) else None
            if owner is None or not isinstance(node, ast.Name):
                break
            value = owner.only_value(node.id)
            if value is None:
                break
            node, scope = value, owner
        return node, scope

    def function_of(self, node: ast.expr) -> AnyFunction | None:
        """The `def` that a name means; of several, the one before it that is nearest."""
        if isinstance(node, ast.Attribute):
            return self._method(node)
        if not isinstance(node, ast.Name):
            return None
        owner = self.scope.owner_of(node.id)
        found = owner.functions.get(node.id, []) if owner is not None else []
        before = [one for one in found if one.lineno <= node.lineno]
        return (before or found)[-1] if found else None

    def _method(self, node: ast.Attribute) -> AnyFunction | None:
        """The method that `self.name` or `Class.name` means."""
        if not isinstance(node.value, ast.Name):
            return None
        scope = self.scope.method_owner() if node.value.id in {self.this, "cls"} and node.value.id else None
        if scope is None:
            owner = self.scope.owner_of(node.value.id)
            class_ = owner.classes.get(node.value.id) if owner is not None else None
            scope = owner.inner.get(id(class_)) if owner is not None and class_ is not None else None
        found = scope.functions.get(node.attr, []) if scope is not None else []
        return found[-1] if found else None

    def class_of(self, node: ast.expr) -> str:
        """The qualified name of the class of this file that a name means, "" where it means none."""
        owner = self.scope.owner_of(node.id) if isinstance(node, ast.Name) else None
        class_ = owner.classes.get(node.id) if owner is not None and isinstance(node, ast.Name) else None
        return owner.inner[id(class_)].name if owner is not None and class_ is not None else ""

    def scope_of(self, node: AnyFunction) -> Scope | None:
        """The scope of a function's own names."""
        known: dict[int, Scope] = self.state.get("scopes", {})
        if not known:
            pending = [self.scopes.module]
            while pending:
                scope = pending.pop()
                known |= scope.inner
                pending.extend(scope.inner.values())
            self.state["scopes"] = known
        return known.get(id(node))

    def qualified(self, node: AnyFunction) -> str:
        """The name by which a function of this file is known: its own, behind those of the scopes around it."""
        scope = self.scope_of(node)
        return scope.name if scope is not None else node.name

    def is_method(self, node: AnyFunction) -> bool:
        """Whether a function takes the object it is called on (or its class) as its first parameter."""
        scope = self.scope_of(node)
        if scope is None or scope.outer is None or scope.outer.kind != "class":
            return False
        return not any(isinstance(part, ast.Name) and part.id == "staticmethod" for part in node.decorator_list)

    @staticmethod
    def defaults(node: AnyFunction) -> dict[str, ast.expr]:
        """The default values of a function's parameters."""
        taken = [*node.args.posonlyargs, *node.args.args]
        given = node.args.defaults
        found = {parameter.arg: value for parameter, value in zip(taken[len(taken) - len(given) :], given, strict=True)}
        named = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
        return found | {parameter.arg: value for parameter, value in named if value is not None}

    def integer(self, node: ast.expr) -> int | None:
        """The integer that a node is by constants of this file, None where it is none."""
        return integer(self.origin_in, node, self.scope)

    def text(self, node: ast.expr) -> str | None:
        """The string that a node is, None where it is none."""
        found = self.origin(node)
        return found.value if isinstance(found, ast.Constant) and isinstance(found.value, str) else None

    def name(self, node: ast.AST, text: str) -> Name:
        return Name(self.extent(node), intern(text))


Handler = Callable[[Lowering, Any], Expr]
StatementHandler = Callable[[Lowering, Any, list[Stmt]], None]

EXPRESSIONS: dict[type, Handler] = {}
STATEMENTS: dict[type, StatementHandler] = {}


def expression(*kinds: type) -> Callable[[Handler], Handler]:
    """Register a function as what lowers expressions of these kinds."""

    def register(handler: Handler) -> Handler:
        EXPRESSIONS.update(dict.fromkeys(kinds, handler))
        return handler

    return register


def statement(*kinds: type) -> Callable[[StatementHandler], StatementHandler]:
    """Register a function as what lowers statements of these kinds."""

    def register(handler: StatementHandler) -> StatementHandler:
        STATEMENTS.update(dict.fromkeys(kinds, handler))
        return handler

    return register
