"""Calls: device queries, arithmetic functions, macros, lambdas, and functions whose body is visible."""

from collections.abc import Callable

from cudalint.analysis import apis, arithmetic, types
from cudalint.analysis.domain import UNKNOWN, Closure, FunctionRef, Record, Sequence, Value
from cudalint.analysis.evaluate import HANDLERS, Evaluator, device_value, shape
from cudalint.analysis.names import MOST_DEPTH, believed, symbol
from cudalint.analysis.state import fresh
from cudalint.ir import Call, Cast, Expr, Function, Macro, Member, Name, Origin, Quantity, Type, Unary
from cudalint.ir import symbol as sym
from cudalint.record import record


@record
class Argument:
    """One argument of a call: where it came from and what it is worth."""

    expr: Expr
    value: Value


def call(evaluator: Evaluator, expr: Call) -> Value:
    """The value of a call, its effects on the caller's variables done."""
    name = expr.name
    query = _QUERIES.get(name)
    if query is not None:
        query(evaluator, expr)
        return UNKNOWN
    function_like = _macro(evaluator, expr) if isinstance(expr.callee, Name) else None
    if function_like is not None:
        return function_like
    arguments = tuple(Argument(argument, evaluator.value(argument)) for argument in expr.arguments)
    made = name.removeprefix("make_") if name.startswith("make_") else ""
    if made and types.fields(made) and not types.is_shape(Type(made)):
        return evaluator.convert(Sequence(tuple(argument.value for argument in arguments)), Type(made))
    if name in _ARITHMETIC and arguments:
        return _ARITHMETIC[name]([argument.value for argument in arguments])
    if name in apis.ASSERTIONS and expr.arguments:
        evaluator.session.refine(evaluator, expr.arguments[0], holds=True)
        return UNKNOWN
    if name in apis.NO_RETURN and isinstance(expr.callee, Name):
        evaluator.state.alive = False
        return UNKNOWN
    return _visible(evaluator, expr, arguments)


def _visible(evaluator: Evaluator, expr: Call, arguments: tuple[Argument, ...]) -> Value:
    """The result of a lambda or of a function with a visible body; of any other, a value with a name."""
    local = evaluator.state.variables.get(expr.name) if isinstance(expr.callee, Name) else None
    if isinstance(local, Closure):
        return evaluator.session.run_closure(evaluator, local, arguments)
    evaluator.session.note_call(evaluator, expr, arguments)
    function = evaluator.session.callee(evaluator, expr)
    if function is not None and evaluator.session.can_inline(evaluator, function):
        return evaluator.session.inline(evaluator, function, expr, arguments)
    _escape(evaluator, expr, function)
    for argument in arguments:
        if isinstance(argument.value, Closure):
            evaluator.session.maybe_run(evaluator, argument.value)
    if isinstance(expr.callee, Member) and not expr.arguments:
        return symbol(str(expr))
    return Quantity(form=fresh(str(expr)))


def _escape(evaluator: Evaluator, expr: Call, function: Function | None) -> None:
    """Forget what the callee may write: what it gets the address of, what it takes by reference, and, where it reads
    the command line, all it is given.
    """
    reads_arguments = any(
        isinstance(argument, Name) and argument.name in ("argv", "argc") for argument in expr.arguments
    )
    parameters = function.parameters if function is not None else ()
    for position, argument in enumerate(expr.arguments):
        parameter = parameters[position] if position < len(parameters) else None
        by_reference = parameter is not None and parameter.type.reference and not parameter.type.const
        if by_reference or reads_arguments or (isinstance(_bare(argument), Unary) and _is_address(_bare(argument))):
            evaluator.forget(_bare(argument))


def _bare(expr: Expr) -> Expr:
    while isinstance(expr, Cast):
        expr = expr.operand
    return expr


def _is_address(expr: Expr) -> bool:
    return isinstance(expr, Unary) and expr.op == "&"


def target(expr: Expr) -> Expr:
    """The variable behind `&x` and casts of it."""
    bare = _bare(expr)
    return bare.operand if isinstance(bare, Unary) and bare.op == "&" else bare


def _macro(evaluator: Evaluator, expr: Call) -> Value | None:
    """A function-like macro whose replacement is an expression; None where the call is none."""
    found = [m for m in evaluator.scope.index.macros(expr.name, evaluator.scope.file) if m.parameters is not None]
    if not found or evaluator.depth > MOST_DEPTH:
        return None
    arguments = [evaluator.value(argument) for argument in expr.arguments]
    macro = found[-1]
    if macro.body is None or len(arguments) != len(macro.parameters or ()):
        _opaque_macro(evaluator, expr, macro, arguments)
        return UNKNOWN
    variables = evaluator.state.variables
    evaluator.state.variables = {**variables, **dict(zip(macro.parameters or (), arguments, strict=True))}
    evaluator.depth += 1
    value = evaluator.value(macro.body)
    evaluator.depth -= 1
    evaluator.state.variables = variables
    return value


def _opaque_macro(evaluator: Evaluator, expr: Call, macro: Macro, arguments: list[Value]) -> None:
    """A macro that expands to statements: it may write what it gets the address of, and opt kernels in."""
    _escape(evaluator, expr, None)
    for value in arguments:
        if isinstance(value, Closure):
            evaluator.session.maybe_run(evaluator, value)
    if any(name in macro.text for name in apis.SHARED_OPT_IN_ATTRIBUTES):
        for value in arguments:
            evaluator.session.opt_in(evaluator, value, UNKNOWN)


def _shared_opt_in(evaluator: Evaluator, expr: Call) -> None:
    kernel, attribute, size = apis.SHARED_OPT_IN[expr.name]
    if len(expr.arguments) <= size:
        return
    what = expr.arguments[attribute]
    if isinstance(what, Name) and what.last in apis.SHARED_OPT_IN_ATTRIBUTES:
        of = evaluator.value(target(expr.arguments[kernel]))
        evaluator.session.opt_in(evaluator, of, evaluator.quantity(expr.arguments[size]))


def _device_attribute(evaluator: Evaluator, expr: Call) -> None:
    if len(expr.arguments) < 2:
        return
    attribute = expr.arguments[1]
    kind = apis.DEVICE_ATTRIBUTES.get(attribute.last) if isinstance(attribute, Name) else None
    if kind is None:
        evaluator.forget(target(expr.arguments[0]))
    else:
        evaluator.store(target(expr.arguments[0]), device_value(kind))


def _residency(evaluator: Evaluator, expr: Call) -> None:
    where, kernel, block, shared = apis.RESIDENCY_QUERIES[expr.name]
    if len(expr.arguments) <= block:
        return
    of = evaluator.value(target(expr.arguments[kernel]))
    name = of.name.last if isinstance(of, FunctionRef) else str(target(expr.arguments[kernel]))
    threads = evaluator.quantity(expr.arguments[block]).form
    dynamic = evaluator.quantity(expr.arguments[shared]).form if len(expr.arguments) > shared else sym.ZERO
    answer = Quantity(1, None, 1, sym.atom(sym.Residency(name, threads, dynamic)), Origin.DEVICE)
    evaluator.store(target(expr.arguments[where]), answer)


def _potential_block(evaluator: Evaluator, expr: Call) -> None:
    grid, block = apis.POTENTIAL_BLOCK_QUERIES[expr.name]
    if len(expr.arguments) <= block:
        return
    evaluator.store(target(expr.arguments[grid]), Quantity(1, form=fresh("least full grid"), origin=Origin.DEVICE))
    best = Quantity(1, None, 1, fresh("best block"), Origin.DEVICE)
    evaluator.store(target(expr.arguments[block]), best)


_QUERIES: dict[str, Callable[[Evaluator, Call], None]] = {
    **dict.fromkeys(apis.GET_ATTRIBUTE, _device_attribute),
    **dict.fromkeys(apis.RESIDENCY_QUERIES, _residency),
    **dict.fromkeys(apis.POTENTIAL_BLOCK_QUERIES, _potential_block),
    **dict.fromkeys(apis.SHARED_OPT_IN, _shared_opt_in),
}


def _extremum(kind: str) -> Callable[[list[Value]], Value]:
    def apply(values: list[Value]) -> Value:
        if len(values) < 2:
            return UNKNOWN
        result = arithmetic.integer(values[0])
        for value in values[1:]:
            result = arithmetic.extremum(kind, result, arithmetic.integer(value))
        return result

    return apply


def _bit_ceil(values: list[Value]) -> Value:
    value = arithmetic.integer(values[0])
    if value.exact is None or value.exact < 0:
        return Quantity(1, origin=value.origin)
    return Quantity.exactly(1 << max(0, value.exact - 1).bit_length(), value.origin)


_ARITHMETIC: dict[str, Callable[[list[Value]], Value]] = {
    **dict.fromkeys(apis.MINIMA, _extremum("min")),
    **dict.fromkeys(apis.MAXIMA, _extremum("max")),
    **dict.fromkeys(apis.CEILINGS, lambda values: _keep_real(arithmetic.ceiling(values[0]))),
    **dict.fromkeys(apis.FLOORS, lambda values: _keep_real(arithmetic.floor(values[0]))),
    **dict.fromkeys(apis.NEXT_POWERS, _bit_ceil),
    **dict.fromkeys(apis.SHAPE_MAKERS, lambda values: shape(Sequence(tuple(values)))),
}


def _keep_real(value: Quantity) -> Value:
    """A rounded real stays a real in C; its integer is what it is made of."""
    return arithmetic.real(value)


def bind(evaluator: Evaluator, function: Function, arguments: tuple[Argument, ...]) -> dict[str, Value]:
    """The values of a function's parameters at a call, defaults filled in."""
    values: dict[str, Value] = {}
    for position, parameter in enumerate(function.parameters):
        if position < len(arguments):
            values[parameter.name] = arguments[position].value
        elif parameter.default is not None:
            values[parameter.name] = evaluator.value(parameter.default)
        else:
            values[parameter.name] = symbol(parameter.name, parameter.type)
    return values


def template_bindings(
    evaluator: Evaluator, function: Function, callee: Expr
) -> tuple[dict[str, Type], dict[str, Value]]:
    """What a call binds the function's template parameters to: explicit arguments, then defaults."""
    bound_types: dict[str, Type] = {}
    bound_values: dict[str, Value] = {}
    given = callee.arguments if isinstance(callee, Name | Member) else ()
    for position, parameter in enumerate(function.template):
        if parameter.pack:
            break
        argument = given[position] if position < len(given) else parameter.default
        if argument is None:
            if parameter.type is not None:
                bound_values[parameter.name] = symbol(parameter.name, parameter.type)
        elif parameter.type is None:
            type_ = _as_type(argument)
            if type_ is not None:
                bound_types[parameter.name] = evaluator.scope.resolve(type_) or type_
        elif isinstance(argument, Expr):
            origin = Origin.TEMPLATE
            bound_values[parameter.name] = believed(evaluator.value(argument), origin)
    return bound_types, bound_values


def _as_type(argument: Type | Expr) -> Type | None:
    if isinstance(argument, Type):
        return argument
    return Type(argument.name, argument.arguments) if isinstance(argument, Name) else None


def copy_back(
    evaluator: Evaluator, function: Function, arguments: tuple[Argument, ...], after: dict[str, Value]
) -> None:
    """What the callee wrote through its references and pointers becomes the caller's."""
    for parameter, argument in zip(function.parameters, arguments, strict=False):
        where = _bare(argument.expr)
        if parameter.type.reference and not parameter.type.const and isinstance(where, Name | Member):
            evaluator.store(where, after.get(parameter.name, UNKNOWN))
        elif _is_address(where) or (parameter.type.pointer and isinstance(argument.value, Record)):
            evaluator.forget(where)


HANDLERS[Call] = call
