"""What a name means where it stands: a template argument, a field, a macro, a constant, an assumption."""

from dataclasses import field, replace

from cudalint.analysis import types
from cudalint.analysis.domain import UNKNOWN, FunctionRef, Value
from cudalint.analysis.index import Index
from cudalint.ir import Alias, Expr, Function, Name, Origin, Quantity, Struct, Type
from cudalint.ir import symbol as sym
from cudalint.ir.quantity import weakest
from cudalint.record import record

MOST_DEPTH = 24


@record
class Scope:
    """Where a piece of code stands: its file, its class, and what its template parameters are bound to."""

    index: Index
    assume: dict[str, int]
    file: str
    owner: str = ""
    function: Function | None = None
    types: dict[str, Type] = field(default_factory=dict)
    values: dict[str, Value] = field(default_factory=dict)

    def resolve(self, type_: Type | None, depth: int = 0) -> Type | None:
        """The type behind template parameters, aliases and `auto` of known names."""
        if type_ is None or depth > MOST_DEPTH:
            return type_
        bound = self.types.get(type_.name)
        if bound is not None and bound != type_:
            return self.resolve(replace(bound, pointer=bound.pointer + type_.pointer), depth + 1)
        if types.scalar_size(type_.name) is not None:
            return type_
        alias = self.index.alias(type_.name, self.file)
        if alias is None or alias.type.name == type_.name:
            return type_
        target = _instantiate(alias, type_)
        return self.resolve(replace(target, pointer=target.pointer + type_.pointer), depth + 1)

    def struct(self, type_: Type | None) -> tuple[Struct, "Scope"] | None:
        """The struct a type names, with the scope in which its members are to be read."""
        resolved = self.resolve(type_)
        if resolved is None:
            return None
        found = self.index.struct(resolved.name, self.file)
        if found is None:
            return None
        return found, self.inside(found, resolved)

    def inside(self, struct: Struct, type_: Type) -> "Scope":
        bound_types, bound_values = dict(self.types), dict(self.values)
        for parameter, argument in zip(struct.template, type_.arguments, strict=False):
            if isinstance(argument, Type):
                bound_types[parameter.name] = argument
            elif parameter.type is None and isinstance(argument, Name):
                bound_types[parameter.name] = Type(argument.name, argument.arguments)
        return replace(self, owner=struct.name, types=bound_types, values=bound_values)


def _instantiate(alias: Alias, used: Type) -> Type:
    """The type an alias stands for, its own template parameters replaced by the arguments used."""
    bound = {parameter.name: argument for parameter, argument in zip(alias.template, used.arguments, strict=False)}
    if not bound:
        return alias.type
    direct = bound.get(alias.type.name)
    if isinstance(direct, Type):
        return direct
    arguments = tuple(_bound_argument(argument, bound) for argument in alias.type.arguments)
    return replace(alias.type, arguments=arguments)


def _bound_argument(argument: Type | Expr, bound: dict[str, Type | Expr]) -> Type | Expr:
    if isinstance(argument, Type | Name):
        return bound.get(argument.name, argument)
    return argument


def assumed(scope: Scope, name: str) -> Quantity | None:
    """The value the user told us to assume for a name."""
    if not scope.assume:
        return None
    last = name.rpartition("::")[2]
    function = scope.function.name if scope.function else ""
    for key in (f"{function}.{last}", f"{scope.owner}::{last}", name, last):
        if key in scope.assume:
            return Quantity.exactly(scope.assume[key], Origin.ASSUMED)
    return None


def believed(value: Value, origin: Origin) -> Value:
    """The value as something believed no more than `origin`."""
    if isinstance(value, Quantity):
        weaker = weakest(value.origin, origin)
        return value if weaker is value.origin else replace(value, origin=weaker)
    return value


def symbol(name: str, type_: Type | None = None) -> Quantity:
    """A value of which only its name and its type are known."""
    known = types.bounds(type_)
    return Quantity(known.lo, known.hi, 1, sym.atom(sym.Symbol(name)))


def function_named(name: Name, scope: Scope) -> Value:
    """A function used as a value, if the name is one's."""
    if any(function.name == name.last for function in scope.index.functions(name.last, scope.file)):
        return FunctionRef(name, scope.file)
    return UNKNOWN
