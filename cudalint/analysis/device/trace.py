"""The trace of a kernel for one launch."""

from collections.abc import Sequence
from weakref import WeakKeyDictionary

from cudalint.analysis import types
from cudalint.analysis.device import calls as _calls  # noqa: F401 - fills the table of handlers
from cudalint.analysis.device.conversions import from_host
from cudalint.analysis.device.events import Shape, Trace
from cudalint.analysis.device.jumps import settle
from cudalint.analysis.device.pure import Pure
from cudalint.analysis.device.values import Buffer, Num, Pointer, Value, kind_of, number
from cudalint.analysis.device.walk import Frame, Walk
from cudalint.analysis.evaluate import Evaluator
from cudalint.analysis.session import Session
from cudalint.ir import Function, Parameter, Quantity, Type
from cudalint.ir import symbol as sym


def trace(
    function: Function,
    evaluator: Evaluator,
    shape: Shape,
    passed: Sequence[Quantity] = (),
    walker: type[Walk] = Walk,
) -> Trace:
    """What a thread of the kernel does. `evaluator` knows the constants its body names, `passed` what the launch hands
    to its parameters, as far as that is known; `walker` writes it down.
    """
    walk = walker(shape, Frame(function, evaluator, "", (), None, [], {}), _pure(evaluator))
    walk.trace.parameters = frozenset(parameter.name for parameter in function.parameters)
    for position, parameter in enumerate(function.parameters):
        if parameter.name:
            value = passed[position] if position < len(passed) else None
            walk.state[parameter.name] = _argument(walk, parameter, value)
    try:
        walk.body(function.body or ())
        settle(walk)
    except RecursionError:
        walk.trace.complete = False
    return walk.trace


def _pure(evaluator: Evaluator) -> Pure:
    """What is known of the program's functions, kept with its session."""
    session = evaluator.session
    known = _PURE.get(session)
    if known is None:
        known = _PURE[session] = Pure(session.index)
    return known


_SIZES = frozenset(sym.Symbol(f"blockDim.{axis}") for axis in "xyz")
_PURE: "WeakKeyDictionary[Session, Pure]" = WeakKeyDictionary()


def _argument(walk: Walk, parameter: Parameter, passed: Quantity | None) -> Value:
    resolved = walk.frame.evaluator.scope.resolve(parameter.type) or parameter.type
    walk.types[parameter.name] = resolved
    if resolved.pointer:
        return _pointer(walk, parameter, resolved)
    kind = kind_of(resolved) or (
        "struct" if resolved.name != "auto" and types.scalar_size(resolved.name) is None else ""
    )
    if kind in {"float", "struct"}:
        return Num(kind=kind)
    own = sym.Symbol(parameter.name)
    if passed is not None and passed.exact is None and passed.form is not None and passed.form.atom in _SIZES:
        return Num(0, passed.form, 1, None, kind)
    lo, hi = (0 if types.is_unsigned(resolved) else None), None
    if passed is not None:
        value = from_host(passed, parameter.name)
        if value.exact is not None:
            return number(value.exact, kind or "int")
        lo = value.lo if value.lo is not None else lo
        hi = value.hi
    walk.ranges[own] = lo, hi
    return Num(0, sym.atom(own), lo, hi, kind)


def _pointer(walk: Walk, parameter: Parameter, type_: Type) -> Pointer:
    size = types.scalar_size(type_.name) if type_.pointer == 1 else 8
    space = "constant" if "constant" in type_.name else "global"
    buffer = Buffer(parameter.name, parameter.name, space, type_.name if type_.pointer == 1 else "", size)
    walk.trace.buffers[parameter.name] = buffer
    return Pointer(buffer, number(0), size, 0, parameter.type.volatile)
