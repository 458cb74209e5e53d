"""Which names the scopes of a file bind, and to what."""

import ast
from collections.abc import Callable, Iterator
from dataclasses import field
from typing import Any

from cudalint.frontends.python_syntax.imports import Imports
from cudalint.record import mutable_record

AnyFunction = ast.FunctionDef | ast.AsyncFunctionDef
_BLOCKS = ("body", "orelse", "finalbody")


@mutable_record
class Scope:
    """The names of a module, a class or a function. `name` qualifies what is defined in it ("" for the module).

    `bound` are the values each name is given, None where it is something else than one expression (a loop, an update);
    `inner` the scopes in it, by their node; `foreign` the names that mean those of another scope.
    """

    kind: str
    name: str
    node: ast.AST | None
    outer: "Scope | None"
    bound: dict[str, list[ast.expr | None]] = field(default_factory=dict)
    functions: dict[str, list[AnyFunction]] = field(default_factory=dict)
    classes: dict[str, ast.ClassDef] = field(default_factory=dict)
    inner: dict[int, "Scope"] = field(default_factory=dict)
    foreign: set[str] = field(default_factory=set)
    parameters: frozenset[str] = frozenset()

    def holds(self, name: str) -> bool:
        """Whether a name belongs to this scope."""
        if name in self.foreign:
            return False
        return name in self.bound or name in self.functions or name in self.parameters or name in self.classes

    def only_value(self, name: str) -> ast.expr | None:
        """The one expression a name of this scope is bound to, None where there is none or several."""
        if name in self.parameters or name in self.functions or name in self.classes:
            return None
        values = self.bound.get(name, [])
        return values[0] if len(values) == 1 else None

    def owner_of(self, name: str) -> "Scope | None":
        """The scope that a name read here belongs to; classes are only seen from their own body."""
        scope: Scope | None = self
        while scope is not None:
            if scope.holds(name) and (scope is self or scope.kind != "class"):
                return scope
            scope = scope.outer
        return None

    def method_owner(self) -> "Scope | None":
        """The class whose method this is or stands in."""
        scope: Scope | None = self
        while scope is not None and scope.kind != "class":
            scope = scope.outer
        return scope


class Scopes:
    """Reads the scopes of a whole file, and its imports on the way."""

    def __init__(self, tree: ast.Module, imports: Imports) -> None:
        self._imports = imports
        self.module = Scope("module", "", tree, None)
        self._names: set[str] = set()
        self._body(tree.body, self.module)

    def _body(self, body: list[ast.stmt], scope: Scope) -> None:
        for statement in body:
            handler = _HANDLERS.get(type(statement))
            if handler is not None:
                handler(self, statement, scope)
            else:
                self._nested(statement, scope)

    def _nested(self, statement: ast.stmt, scope: Scope) -> None:
        for name in _BLOCKS:
            inner = getattr(statement, name, None)
            if inner:
                self._body(inner, scope)
        for handler in getattr(statement, "handlers", ()):
            if handler.name:
                scope.bound.setdefault(handler.name, []).append(None)
            self._body(handler.body, scope)
        for case in getattr(statement, "cases", ()):
            for name in _captured(case.pattern):
                scope.bound.setdefault(name, []).append(None)
            self._body(case.body, scope)

    def function(self, node: AnyFunction, scope: Scope) -> None:
        scope.functions.setdefault(node.name, []).append(node)
        inner = Scope("function", self._unique(scope, node.name), node, scope)
        inner.parameters = frozenset(argument.arg for argument in _arguments(node.args))
        scope.inner[id(node)] = inner
        self._body(node.body, inner)

    def class_(self, node: ast.ClassDef, scope: Scope) -> None:
        scope.classes[node.name] = node
        inner = Scope("class", self._unique(scope, node.name), node, scope)
        scope.inner[id(node)] = inner
        self._body(node.body, inner)

    def _unique(self, scope: Scope, name: str) -> str:
        """The qualified name of something defined in a scope, numbered where another has it already."""
        whole = f"{scope.name}::{name}" if scope.name else name
        number, unique = 1, whole
        while unique in self._names:
            number += 1
            unique = f"{whole}#{number}"
        self._names.add(unique)
        return unique

    def import_(self, node: ast.Import | ast.ImportFrom, _: Scope) -> None:
        self._imports.add(node)

    def assign(self, node: ast.Assign, scope: Scope) -> None:
        for target in node.targets:
            bind(scope, target, node.value)

    def annotated(self, node: ast.AnnAssign, scope: Scope) -> None:
        if node.value is not None:
            bind(scope, node.target, node.value)

    def updated(self, node: ast.AugAssign, scope: Scope) -> None:
        bind(scope, node.target, None)

    def loop(self, node: ast.For | ast.AsyncFor, scope: Scope) -> None:
        bind(scope, node.target, None)
        self._nested(node, scope)

    def with_(self, node: ast.With | ast.AsyncWith, scope: Scope) -> None:
        for item in node.items:
            if item.optional_vars is not None:
                bind(scope, item.optional_vars, None)
        self._nested(node, scope)

    def elsewhere(self, node: ast.Global | ast.Nonlocal, scope: Scope) -> None:
        scope.foreign.update(node.names)
        for name in node.names:
            owner = scope.outer
            while owner is not None and not (
                owner.kind == "module" if isinstance(node, ast.Global) else owner.holds(name)
            ):
                owner = owner.outer
            if owner is not None:
                owner.bound.setdefault(name, []).append(None)


def bind(scope: Scope, target: ast.expr, value: ast.expr | None) -> None:
    """Note that a target is given a value; tuples are taken apart where both sides are written out."""
    if isinstance(target, ast.Name):
        scope.bound.setdefault(target.id, []).append(value)
    elif isinstance(target, ast.Starred):
        bind(scope, target.value, None)
    elif isinstance(target, ast.Tuple | ast.List):
        values: list[ast.expr | None] = [None] * len(target.elts)
        if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts):
            values = list(value.elts)
        for part, given in zip(target.elts, values, strict=True):
            bind(scope, part, given)


def _arguments(arguments: ast.arguments) -> Iterator[ast.arg]:
    yield from (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    yield from (one for one in (arguments.vararg, arguments.kwarg) if one is not None)


def _captured(pattern: ast.AST) -> Iterator[str]:
    for node in ast.walk(pattern):
        name = getattr(node, "name", None)
        if isinstance(name, str):
            yield name


_HANDLERS: dict[type, Callable[[Scopes, Any, Scope], None]] = {
    ast.FunctionDef: Scopes.function,
    ast.AsyncFunctionDef: Scopes.function,
    ast.ClassDef: Scopes.class_,
    ast.Import: Scopes.import_,
    ast.ImportFrom: Scopes.import_,
    ast.Assign: Scopes.assign,
    ast.AnnAssign: Scopes.annotated,
    ast.AugAssign: Scopes.updated,
    ast.For: Scopes.loop,
    ast.AsyncFor: Scopes.loop,
    ast.With: Scopes.with_,
    ast.AsyncWith: Scopes.with_,
    ast.Global: Scopes.elsewhere,
    ast.Nonlocal: Scopes.elsewhere,
}
