"""Values as variables of other types hold them, and values of the host's interpreter as the device sees them."""

from cudalint.analysis import types
from cudalint.analysis.device import arithmetic
from cudalint.analysis.device.values import UNKNOWN, Num, Pointer, Value, kind_of, number
from cudalint.ir import Quantity, Type
from cudalint.ir import symbol as sym


def from_host(value: object, label: str) -> Num:
    """A value of the host's interpreter, the same for all threads."""
    if isinstance(value, Quantity):
        form = value.form if value.form is not None or not label else sym.atom(sym.Symbol(label))
        if value.exact is not None:
            return number(value.exact)
        return Num(0, form, value.lo, value.hi, "int" if value.lo is None else "")
    return UNKNOWN


def converted(value: Value, type_: Type | None) -> Value:
    """A value as a variable of a type holds it."""
    if isinstance(value, Pointer):
        if type_ is None or not type_.pointer:
            return value
        size = types.scalar_size(type_.name) if type_.pointer == 1 else 8
        if size is None or size == value.size:
            return value
        offset = value.offset
        if value.offset.exact != 0:
            offset = _rescaled(value.offset, value.size, size)
        return Pointer(value.buffer, offset, size, 0, value.volatile, flat=True)
    if not isinstance(value, Num) or type_ is None or type_.pointer:
        return value
    kind = kind_of(type_)
    if not kind or kind == value.kind:
        return value
    if kind == "float" and value.kind != "float":
        return Num(value.varies, None, value.lo, value.hi, "float", value.cause, None, value.read)
    if kind == "bool":
        if value.kind == "bool":
            return value
        return arithmetic.binary("!=", value, number(0), lambda _: (None, None))
    if value.kind == "float":
        return Num(value.varies, None, None, None, kind, value.cause, None, value.read)
    return Num(value.varies, value.form, value.lo, value.hi, kind, value.cause, value.test, value.read)


def _rescaled(offset: Num, old: int | None, new: int) -> Num:
    """An offset counted in elements of another size."""
    if old and new and old % new == 0:
        return arithmetic.binary("*", offset, number(old // new), lambda _: (None, None))
    if old and new and new % old == 0 and offset.exact is not None and offset.exact % (new // old) == 0:
        return number(offset.exact // (new // old))
    return Num(offset.varies, None, None, None, "", offset.cause)
