"""Calls: of what recognisers know, of Python's own functions, and of any other."""

import ast

from cudalint.frontends.python_syntax.lowering import Lowering, expression
from cudalint.frontends.python_syntax.scopes import AnyFunction
from cudalint.frontends.python_syntax.types import INT, REAL, number_type
from cudalint.ir.expr import Binary, Call, Cast, Construct, Expr, Index, Int, Member, Name, Type

KEYWORD = Type("keyword")
"""The type of a structure with one member that stands for a keyword argument."""
_CEILING_QUOTIENTS = frozenset({"cdiv", "ceil_div", "ceildiv", "divup", "div_up", "div_round_up", "cld"})
_LIBRARIES = frozenset({"numpy", "cupy", "numba", "torch"})


@expression(ast.Call)
def _call(low: Lowering, node: ast.Call) -> Expr:
    path = low.path(node.func)
    for asked in low.recognisers:
        found = asked.call(low, node, path)
        if found is not None:
            return found
    own = _of_python(low, node, path)
    return own if own is not None else plain_call(low, node)


def plain_call(low: Lowering, node: ast.Call) -> Expr:
    """A call as it is written. Keywords are put in their places where the function is in sight."""
    class_ = low.class_of(node.func)
    if class_:
        values = [*node.args, *(keyword.value for keyword in node.keywords)]
        return Construct(low.extent(node), Type(class_), low.expressions(values))
    function = low.function_of(node.func)
    callee = low.expression(node.func)
    if isinstance(callee, Name | Member):
        low.called.add(callee.last if isinstance(callee, Name) else callee.name)
    arguments = low.expressions(node.args)
    low.called.update(argument.last for argument in arguments if isinstance(argument, Name))
    named = {keyword.arg: low.expression(keyword.value) for keyword in node.keywords if keyword.arg}
    if function is not None and named:
        placed = _in_place(low, function, arguments, named)
        if placed is not None:
            return Call(low.extent(node), callee, placed)
    given = [Construct(value.extent, KEYWORD, (value,), (name,)) for name, value in named.items()]
    return Call(low.extent(node), callee, (*arguments, *given))


def _in_place(
    low: Lowering, function: AnyFunction, arguments: tuple[Expr, ...], named: dict[str, Expr]
) -> tuple[Expr, ...] | None:
    """The arguments of a call in the order of the parameters, with the defaults between them; None where some are missing."""
    taken = [*function.args.posonlyargs, *function.args.args]
    if low.is_method(function):
        taken = taken[1:]
    taken += function.args.kwonlyargs
    defaults = low.defaults(function)
    placed = list(arguments)
    last = max((at for at, parameter in enumerate(taken) if parameter.arg in named), default=-1)
    for parameter in taken[len(arguments) : last + 1]:
        default = defaults.get(parameter.arg)
        value = named.get(parameter.arg) or (low.expression(default) if default is not None else None)
        if value is None:
            return None
        placed.append(value)
    return tuple(placed) if named.keys() <= {parameter.arg for parameter in taken} else None


def _of_python(low: Lowering, node: ast.Call, path: str) -> Expr | None:
    """A call of one of Python's own functions, or of a type of NumPy's."""
    if node.keywords or any(isinstance(argument, ast.Starred) for argument in node.args):
        return None
    extent = low.extent(node)
    if path.partition(".")[0] in _LIBRARIES and len(node.args) == 1:
        type_ = number_type(path)
        return None if type_ is None else Cast(extent, type_, low.expression(node.args[0]))
    if not isinstance(node.func, ast.Name) or path or low.scope.owner_of(node.func.id) is not None:
        return _ceiling(low, node)
    match node.func.id, len(node.args):
        case "int", 1:
            return Cast(extent, INT, low.expression(node.args[0]))
        case "float", 1:
            return Cast(extent, REAL, low.expression(node.args[0]))
        case "bool", 1:
            return Binary(extent, "!=", low.expression(node.args[0]), Int(extent, 0))
        case "len", 1:
            shape = Member(extent, low.expression(node.args[0]), "shape")
            return Index(extent, shape, (Int(extent, 0),))
        case "print", _:
            return Call(extent, Name(extent, "printf"), low.expressions(node.args))
    return _ceiling(low, node)


def _ceiling(low: Lowering, node: ast.Call) -> Expr | None:
    """`cdiv(n, b)` and its like, where their body is not in sight."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if name not in _CEILING_QUOTIENTS or len(node.args) != 2 or low.function_of(node.func) is not None:
        return None
    extent = low.extent(node)
    above, below = low.expressions(node.args)
    return Call(extent, Name(extent, "ceil"), (Binary(extent, "/", Cast(above.extent, REAL, above), below),))
