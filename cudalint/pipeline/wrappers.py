"""Host functions whose launches depend on what they are given: their callers matter, wherever they are."""

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from cudalint.ir import Assign, Declare, Expr, Function, Index, Launching, Member, Name, Unit
from cudalint.ir.stmt import expressions

_CALL = re.compile(rb"([A-Za-z_]\w*)\s*[(<]")
_DEVICE_SIDE = frozenset({"global", "device"})


def wrappers(unit: Unit) -> frozenset[str]:
    """The names of host functions whose parameters decide what their body launches, or how."""
    return frozenset(function.name for function in host_functions(unit) if function.launches and _configures(function))


def host_functions(unit: Unit) -> Iterator[Function]:
    """The host functions of a file that take parameters."""
    return (function for function in unit.functions if function.parameters and not function.kinds & _DEVICE_SIDE)


def callers(unit: Unit, callees: AbstractSet[str]) -> frozenset[str]:
    """The names of functions that call one of `callees`."""
    return frozenset(function.name for function in unit.functions if not function.calls.isdisjoint(callees))


def mentions_call(data: bytes, callees: frozenset[str]) -> bool:
    """Whether source text holds what may be a call of one of `callees`."""
    named = {name for name in map(str.encode, callees) if name in data}
    return bool(named) and any(found[1] in named for found in _CALL.finditer(data))


def _configures(function: Function) -> bool:
    launches = [node for node in expressions(function.body or ()) if isinstance(node, Launching)]
    parts = [(node.kernel, node.grid, node.block, node.shared, node.cluster) for node in launches]
    used = {name for launch in parts for part in launch if part is not None for name in _names(part)}
    return bool(used) and not used.isdisjoint(_derived(function))


def _derived(function: Function) -> set[str]:
    """The parameters, and the variables made of them as far as one look from top to bottom tells."""
    derived = {parameter.name for parameter in function.parameters}
    for statement in function.body or ():
        for inner in statement.walk():
            if isinstance(inner, Declare) and inner.init is not None and not derived.isdisjoint(_names(inner.init)):
                derived.add(inner.name)
            for top in inner.expressions():
                derived.update(_assigned(top, derived))
    return derived


def _assigned(expression: Expr, derived: set[str]) -> Iterator[str]:
    for node in expression.walk():
        if isinstance(node, Assign) and not derived.isdisjoint(_names(node.value)):
            target = node.target
            while isinstance(target, Member | Index):
                target = target.base
            if isinstance(target, Name):
                yield target.name


def _names(expression: Expr) -> Iterator[str]:
    return (node.name for node in expression.walk() if isinstance(node, Name))
