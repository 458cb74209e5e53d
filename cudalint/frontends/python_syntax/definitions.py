"""Functions, classes and the module itself, which is the function that an import or a script runs."""

import ast
from dataclasses import field

from cudalint.frontends.python_syntax.lowering import Lowering, statement
from cudalint.frontends.python_syntax.placement import Placement, place
from cudalint.frontends.python_syntax.recognisers import Definition
from cudalint.frontends.python_syntax.scopes import AnyFunction, Scope
from cudalint.frontends.python_syntax.types import AUTO, number_type
from cudalint.ir.expr import Call, Expr, Lambda, Launching, Type
from cudalint.ir.stmt import Declare, Stmt
from cudalint.ir.unit import Function, Global, Parameter, Struct
from cudalint.record import mutable_record
from cudalint.source import pack

MODULE = "<module>"
_HOST = Definition(frozenset({"host"}))
_HARMLESS = frozenset({
    "ceil", "floor", "pow", "min", "max", "round", "abs", "zeros", "ones", "empty", "full", "arange", "zeros_like",
    "empty_like", "ones_like", "to_device", "device_array", "device_array_like", "pinned_array", "array", "asarray",
})  # fmt: skip
_SCALARS = frozenset({"int", "float", "bool"})


@mutable_record
class Inside:
    """What the code of one function is lowered under."""

    scope: Scope
    placement: Placement
    device: bool = False
    this: str = ""
    called: set[str] = field(default_factory=set)
    launches: bool = False


def _enter(low: Lowering, inside: Inside) -> Inside:
    """Go on with another function; what was at hand before."""
    before = Inside(low.scope, low.placement, low.device, low.this, low.called, low.launches)
    low.scope, low.placement, low.device, low.this = inside.scope, inside.placement, inside.device, inside.this
    low.called, low.launches = inside.called, inside.launches
    return before


def lower_module(low: Lowering) -> None:
    """Everything in a file: its functions and classes, its constants, and what it does itself."""
    scope = low.scopes.module
    before = _enter(low, Inside(scope, place(low.tree.body, scope)))
    body = low.body(low.tree.body)
    called, launches = low.called, low.launches
    _enter(low, before)
    low.globals.extend(_constants(low, scope))
    if body:
        whole = pack(1, 1, max(low.source.lines, 1), 1)
        low.functions.append(
            Function(
                MODULE, "", "", frozenset({"host"}), None, (), (), (), body, (), (), whole, pack(1, 1, 1, 1), low.display,
                frozenset(called), frozenset(), launches,
            )
        )  # fmt: skip


def _constants(low: Lowering, scope: Scope) -> list[Global]:
    found = []
    for name in scope.bound:
        value = scope.only_value(name)
        if value is not None and name not in low.imports.names:
            init = low.expression(value)
            if all(_is_harmless(part) for part in init.walk()):
                declare = Declare(low.extent(value), name, AUTO, init, storage=frozenset({"const"}))
                found.append(Global("", declare, low.display))
    return found


def _is_harmless(part: Expr) -> bool:
    if isinstance(part, Call):
        return part.name in _HARMLESS
    return not isinstance(part, Lambda | Launching)


@statement(ast.FunctionDef, ast.AsyncFunctionDef)
def _define(low: Lowering, node: AnyFunction, into: list[Stmt]) -> None:  # noqa: ARG001 - it does nothing where it stands
    scope = low.scope.inner[id(node)]
    found = next((one for one in (asked.define(low, node) for asked in low.recognisers) if one is not None), _HOST)
    method = low.is_method(node)
    owner = _last(low.scope.name) if low.scope.kind == "class" else ""
    this = node.args.args[0].arg if method and node.args.args else ""
    device = not found.kinds.isdisjoint({"global", "device"})
    parameters = _parameters(low, node, found, skip=method)
    before = _enter(low, Inside(scope, place(node.body, scope), device, this if owner else low.this))
    body = low.body(node.body)
    called, launches = low.called, low.launches
    _enter(low, before)
    around, _, name = scope.name.rpartition("::")
    kinds = found.kinds
    if owner and node.name == "__init__":
        name, kinds = owner, kinds | {"constructor"}
    low.functions.append(
        Function(
            name, around, owner, kinds, None, parameters, (), found.attributes, body, (), (), low.extent(node),
            _heading(low, node), low.display, frozenset(called), frozenset(), launches,
        )
    )  # fmt: skip


def _last(qualified: str) -> str:
    return qualified.rpartition("::")[2]


def _heading(low: Lowering, node: AnyFunction) -> int:
    """The place of a function's name."""
    row = low.source.rows[node.lineno - 1]
    start = low.source.column(node.lineno, node.col_offset) - 1
    at = row.find(node.name, start + 3)
    return pack(node.lineno, at + 1, node.lineno, at + 1 + len(node.name))


def _parameters(low: Lowering, node: AnyFunction, found: Definition, *, skip: bool) -> tuple[Parameter, ...]:
    taken = [*node.args.posonlyargs, *node.args.args]
    taken = [*(taken[1:] if skip else taken), *node.args.kwonlyargs]
    defaults = low.defaults(node)
    made = []
    for at, argument in enumerate(taken):
        type_ = found.types[at] if at < len(found.types) else None
        default = defaults.get(argument.arg)
        value = low.expression(default) if default is not None else None
        made.append(Parameter(argument.arg, type_ or _annotation(argument.annotation), value))
    return tuple(made)


def _annotation(node: ast.expr | None) -> Type:
    """The type an annotation gives a parameter, where it is a plain number's."""
    name = node.id if isinstance(node, ast.Name) else node.value if isinstance(node, ast.Constant) else ""
    return (number_type(name) if isinstance(name, str) and name in _SCALARS else None) or AUTO


@statement(ast.ClassDef)
def _class(low: Lowering, node: ast.ClassDef, into: list[Stmt]) -> None:  # noqa: ARG001 - as for functions
    scope = low.scope.inner[id(node)]
    before = _enter(low, Inside(scope, Placement(frozenset(), frozenset(), {})))
    ignored: list[Stmt] = []
    for statement_ in node.body:
        if isinstance(statement_, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            low.statement(statement_, ignored)
    fields = _fields(low, scope)
    _enter(low, before)
    bases = tuple(part.id for part in node.bases if isinstance(part, ast.Name))
    around, _, name = scope.name.rpartition("::")
    low.structs.append(Struct(name, around, bases, (), fields))


def _fields(low: Lowering, scope: Scope) -> tuple[Declare, ...]:
    """The data of a class: what its body defines, then what its methods store in `self`."""
    stored: dict[str, ast.expr] = {}
    for method in (part for group in scope.functions.values() for part in group):
        this = method.args.args[0].arg if method.args.args else ""
        for part in ast.walk(method):
            if (
                isinstance(part, ast.Attribute)
                and isinstance(part.ctx, ast.Store)
                and isinstance(part.value, ast.Name)
                and part.value.id == this
            ):
                stored.setdefault(part.attr, part)
    found = []
    for name in scope.bound:
        value = scope.only_value(name)
        if value is not None and name not in stored:
            init = low.expression(value)
            if all(_is_harmless(part) for part in init.walk()):
                found.append(Declare(low.extent(value), name, AUTO, init, storage=frozenset({"static", "const"})))
    found += [Declare(low.extent(place_), name, AUTO) for name, place_ in stored.items()]
    return tuple(found)
