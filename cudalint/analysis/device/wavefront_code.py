"""What of a kernel's code supposes warps of 32 lanes before anything is run: ballots in 32 bits, `warpSize` as a constant."""

from collections.abc import Callable, Iterator

from cudalint.analysis import types
from cudalint.analysis.device.wavefront import Assumption, for_architecture
from cudalint.analysis.evaluate import Evaluator
from cudalint.analysis.names import Scope
from cudalint.ir import Assign, Call, Declare, Expr, Function, If, Instance, Member, Name, Type
from cudalint.ir.stmt import Stmt, expressions

_BALLOTS = frozenset({"__ballot", "__ballot_sync", "__match_any", "__match_any_sync"})
_MOST_FUNCTIONS = 32
_HALF = 4
"""Bytes of the variables that hold half a ballot."""


def in_code(instance: Instance) -> Iterator[Assumption]:
    """The places in a kernel and the device functions it calls, as far as they are visible."""
    reader = instance.kernel.reader
    if not isinstance(reader, Evaluator):
        return
    for function in _functions(instance.kernel.function, reader.scope):
        statements = [*_compiled(function.body or ())]
        yield from _ballots(function, statements, reader.scope)
        if not _redefined(function, statements, reader.scope):
            yield from _constants(function, statements)
            yield from _outside(function, reader.scope)
    if instance.launch is not None and not _redefined(instance.launch.function, [], reader.scope):
        yield from _outside(instance.launch.function, reader.scope)


def replacing(instance: Instance) -> Callable[[str], bool]:
    """What says of the name of a function whether the program defines a macro for it."""
    reader, file = instance.kernel.reader, instance.kernel.function.file

    def replaced(name: str) -> bool:
        return isinstance(reader, Evaluator) and bool(reader.scope.index.macros(name, file))

    return replaced


def _functions(kernel: Function, scope: Scope) -> list[Function]:
    """A kernel and what it calls, callees of callees included."""
    found = [kernel]
    for function in found:
        called = (node.name for node in expressions(function.body or ()) if isinstance(node, Call))
        for name in dict.fromkeys(called):
            for callee in scope.index.functions(name, function.file):
                if callee not in found and callee.body is not None and "device" in callee.kinds:
                    found.append(callee)
        if len(found) > _MOST_FUNCTIONS:
            break
    return found


def _compiled(body: tuple[Stmt, ...]) -> Iterator[Stmt]:
    """Every statement of a body, without what is compiled for some architectures only."""
    for statement in body:
        if isinstance(statement, If) and for_architecture(statement.condition):
            continue
        yield statement
        for block in statement.blocks():
            yield from _compiled(block)


# ballots


def _ballots(function: Function, statements: list[Stmt], scope: Scope) -> Iterator[Assumption]:
    declared = dict(function.typed_parameters)
    for statement in statements:
        if isinstance(statement, Declare):
            declared[statement.name] = statement.type
            if statement.init is not None and _ballot(statement.init) and _narrow(statement.type, scope):
                yield _kept(statement.name, statement.init, function)
        for expression in statement.expressions():
            for node in expression.walk():
                if isinstance(node, Assign) and isinstance(node.target, Name) and _ballot(node.value):
                    type_ = declared.get(node.target.name)
                    if type_ is not None and not node.op and _narrow(type_, scope):
                        yield _kept(node.target.name, node.value, function)


def _ballot(expression: Expr) -> bool:
    return isinstance(expression, Call) and isinstance(expression.callee, Name) and expression.name in _BALLOTS


def _narrow(type_: Type, scope: Scope) -> bool:
    plain = scope.resolve(type_) or type_
    return not plain.pointer and plain.name != "bool" and types.scalar_size(plain.name) == _HALF


def _kept(name: str, ballot: Expr, function: Function) -> Assumption:
    call = ballot.name if isinstance(ballot, Call) else ""
    return Assumption(f"'{name}' keeps 32 of the 64 bits of {call}", (function.file, ballot.extent), True)


# warpSize


def _redefined(function: Function, statements: list[Stmt], scope: Scope) -> bool:
    """Whether the program gives warpSize a meaning of its own."""
    names = {item.name for item in function.template} | {item.name for item in function.parameters}
    names |= {statement.name for statement in statements if isinstance(statement, Declare)}
    return (
        "warpSize" in names
        or bool(scope.index.macros("warpSize", function.file))
        or bool(scope.index.global_("warpSize", function.file))
    )


def _constants(function: Function, statements: list[Stmt]) -> Iterator[Assumption]:
    if any(_names(parameter.type) for parameter in function.parameters):
        yield _constant("as a template argument", (function.file, function.heading))
    for statement in statements:
        if isinstance(statement, Declare):
            sized = any(extent is not None and _mentions(extent) for extent in statement.extents)
            fixed = "constexpr" in statement.storage and statement.init is not None and _mentions(statement.init)
            if sized or fixed or _names(statement.type):
                text = "as the size of an array" if sized else "in a constant" if fixed else "as a template argument"
                yield _constant(text, (function.file, statement.extent))
    for expression in expressions(tuple(statements)):
        if isinstance(expression, Name | Member) and any(_argues(argument) for argument in expression.arguments):
            yield _constant("as a template argument", (function.file, expression.extent))


def _outside(function: Function, scope: Scope) -> Iterator[Assumption]:
    """Constants of file scope that a function names, and those they are made of."""
    named = [node.last for node in expressions(function.body or ()) if isinstance(node, Name)]
    seen: set[str] = set()
    for name in named:
        if name in seen or name == "warpSize":
            continue
        seen.add(name)
        for item in scope.index.global_(name, function.file):
            init = item.declare.init
            if init is not None and not item.declare.storage.isdisjoint({"const", "constexpr"}):
                if _mentions(init):
                    yield _constant(f"in the constant '{name}'", (item.file or function.file, item.declare.extent))
                named += [node.last for node in init.walk() if isinstance(node, Name)]


def _constant(text: str, place: tuple[str, int]) -> Assumption:
    return Assumption(f"warpSize stands {text}, and HIP knows it only at run time", place, True)


def _argues(argument: Type | Expr) -> bool:
    return _mentions(argument) if isinstance(argument, Expr) else argument.name == "warpSize" or _names(argument)


def _names(type_: Type) -> bool:
    return any(_argues(argument) for argument in type_.arguments)


def _mentions(expression: Expr) -> bool:
    return any(isinstance(node, Name) and node.name == "warpSize" for node in expression.walk())


__all__ = ["in_code", "replacing"]
