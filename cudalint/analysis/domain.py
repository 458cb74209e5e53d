"""The values of the interpreter: integers as far as known, reals, records, functions and lambdas."""

from dataclasses import field
from typing import TYPE_CHECKING

from cudalint.ir import Dim3, Lambda, Name, Origin, Quantity, Type
from cudalint.ir import symbol as sym
from cudalint.ir.quantity import weakest
from cudalint.record import record
from cudalint.source import Span

if TYPE_CHECKING:
    from fractions import Fraction

UNKNOWN = Quantity()


@record
class Real:
    """A real number: `exact`, or the quotient of two integers not rounded yet, or nothing known."""

    exact: "Fraction | None" = None
    dividend: Quantity | None = None
    divisor: Quantity | None = None
    origin: Origin = Origin.UNKNOWN

    @classmethod
    def exactly(cls, number: float, origin: Origin) -> "Real":
        """The real number that a finite Python number is."""
        from fractions import Fraction  # noqa: PLC0415 - slow to import, and many programs have no reals

        return cls(Fraction(number), origin=origin)


@record
class Record:
    """A struct or a dim3. A field that is absent is unknown."""

    type: Type
    fields: dict[str, "Value"] = field(hash=False)

    def get(self, name: str) -> "Value":
        return self.fields.get(name, UNKNOWN)


@record
class FunctionRef:
    """A function named in an expression, kernels above all. `file` is where the name was written."""

    name: Name
    file: str


@record
class Closure:
    """A lambda bound to a variable."""

    function: Lambda
    captured: dict[str, "Value"] = field(hash=False, compare=False)


@record
class Sequence:
    """An array or a braced list whose elements are known one by one."""

    items: tuple["Value", ...]


Value = Quantity | Real | Record | FunctionRef | Closure | Sequence

DIM3 = Type("dim3")


def dim3_of(value: "Value") -> Dim3:
    """The shape that a launch argument of this value has; an integer is its x."""
    one = Quantity.exactly(1)
    if isinstance(value, Quantity):
        return Dim3(value, one, one)
    if isinstance(value, Record):
        axes = [value.get(name) for name in ("x", "y", "z")]
        x, y, z = (axis if isinstance(axis, Quantity) else UNKNOWN for axis in axes)
        return Dim3(x, y, z)
    return Dim3(UNKNOWN, UNKNOWN, UNKNOWN)


def placed(value: "Value", place: Span) -> "Value":
    """The value with the place that gave it, for itself or for the fields it consists of."""
    if isinstance(value, Quantity):
        return value.made_at(place)
    if isinstance(value, Record):
        return Record(value.type, {name: placed(item, place) for name, item in value.fields.items()})
    return value


def join(left: "Value", right: "Value", fresh: sym.Form | None = None) -> "Value":
    """What is known of a value that is one of the two; `fresh` names it where their formulas differ."""
    if left is right or left == right:
        return left
    if isinstance(left, Quantity) and isinstance(right, Quantity):
        joined = left.join(right)
        if joined.form is None and fresh is not None:
            return Quantity(joined.lo, joined.hi, joined.multiple_of, fresh, joined.origin, joined.text, joined.span)
        return joined
    if isinstance(left, Record) and isinstance(right, Record) and left.type.name == right.type.name:
        names = left.fields.keys() & right.fields.keys()
        return Record(left.type, {name: join(left.fields[name], right.fields[name]) for name in names})
    if isinstance(left, Real) and isinstance(right, Real):
        return Real(origin=weakest(left.origin, right.origin))
    return UNKNOWN
