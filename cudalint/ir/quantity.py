"""Integers as far as they are known."""

import enum
import math
from dataclasses import replace

from cudalint.ir.symbol import DeviceValue, Form, add, multiply, number
from cudalint.record import record
from cudalint.source import Span


class Origin(enum.StrEnum):
    """Where a value comes from, weakest belief last. A value made of several has the weakest of theirs."""

    LITERAL = "literal"
    CONSTEXPR = "constexpr"
    MACRO = "macro"
    TEMPLATE = "template"
    LAUNCH_BOUNDS = "launch-bounds"
    BINARY = "binary"
    PROFILE = "profile"
    ASSUMED = "assumed"
    DEVICE = "device"
    ESTIMATE = "estimate"
    UNKNOWN = "unknown"


_RANK = {origin: rank for rank, origin in enumerate(Origin)}


def weakest(*origins: Origin) -> Origin:
    """The origin that a value made of values of these origins has."""
    return max(origins, key=_RANK.__getitem__)


@record
class Quantity:
    """An integer in [lo, hi] (None: unbounded), divisible by `multiple_of`.

    `form` is its formula over what it was computed from, None where there is none worth keeping. `text` is the
    expression as written, `span` its place, `made` the place of the declaration or assignment that gave the value. The
    `nonzero` says that it was compared with 0 before. The interval is sound: the true value lies in it, as far as the code is
    what was read.
    """

    lo: int | None = None
    hi: int | None = None
    multiple_of: int = 1
    form: Form | None = None
    origin: Origin = Origin.UNKNOWN
    text: str = ""
    span: Span | None = None
    made: Span | None = None
    nonzero: bool = False

    @classmethod
    def exactly(
        cls, value: int, origin: Origin = Origin.LITERAL, text: str = "", span: Span | None = None
    ) -> "Quantity":
        return cls(value, value, abs(value) or 1, number(value), origin, text or str(value), span)

    @property
    def exact(self) -> int | None:
        """The value where it is known, else None."""
        return self.lo if self.lo == self.hi else None

    @property
    def branched(self) -> bool:
        """Whether the value is known only because a test on the way here left no other: one case of several."""
        return self.exact is not None and self.origin is Origin.UNKNOWN

    @property
    def per_multiprocessor(self) -> int | None:
        """The k where the value is k × the number of SMs asked for at run time, else None."""
        return self.form.factor(DeviceValue("sm_count")) if self.form is not None else None

    def made_at(self, place: Span) -> "Quantity":
        """The same value, given at a place, unless it is known to have been given elsewhere before."""
        if self.made is not None:
            return self
        return Quantity(
            self.lo, self.hi, self.multiple_of, self.form, self.origin, self.text, self.span, place, self.nonzero
        )

    def at(self, text: str, span: Span | None) -> "Quantity":
        """The same value, as written elsewhere."""
        return Quantity(self.lo, self.hi, self.multiple_of, self.form, self.origin, text, span, self.made, self.nonzero)

    def plus(self, other: "Quantity") -> "Quantity":
        return Quantity(
            None if self.lo is None or other.lo is None else self.lo + other.lo,
            None if self.hi is None or other.hi is None else self.hi + other.hi,
            math.gcd(self.multiple_of, other.multiple_of),
            None if self.form is None or other.form is None else add(self.form, other.form),
            weakest(self.origin, other.origin),
        )

    def times(self, other: "Quantity") -> "Quantity":
        ends = [self.lo, self.hi], [other.lo, other.hi]
        lo, hi = _product_bounds(*ends)
        return Quantity(
            lo,
            hi,
            self.multiple_of * other.multiple_of,
            None if self.form is None or other.form is None else multiply(self.form, other.form),
            weakest(self.origin, other.origin),
        )

    def join(self, other: "Quantity") -> "Quantity":
        """What is known of a value that is one of the two."""
        return Quantity(
            None if self.lo is None or other.lo is None else min(self.lo, other.lo),
            None if self.hi is None or other.hi is None else max(self.hi, other.hi),
            math.gcd(self.multiple_of, other.multiple_of),
            self.form if self.form == other.form else None,
            weakest(self.origin, other.origin),
            self.text if self.text == other.text else "",
            self.span if self.span == other.span else None,
        )

    def __str__(self) -> str:
        if self.exact is not None:
            return str(self.exact)
        lo = "" if self.lo is None else str(self.lo)
        hi = "" if self.hi is None else str(self.hi)
        parts = [f"{lo}..{hi}" if lo or hi else "?"]
        if self.multiple_of > 1:
            parts.append(f"multiple of {self.multiple_of}")
        if self.form is not None:
            parts.append(f"= {self.form}")
        return " ".join(parts)


def _product_bounds(left: list[int | None], right: list[int | None]) -> tuple[int | None, int | None]:
    if None not in left and None not in right:
        corners = [a * b for a in left for b in right if a is not None and b is not None]
        return min(corners), max(corners)
    lo = left[0] * right[0] if left[0] is not None and right[0] is not None and left[0] >= 0 and right[0] >= 0 else None
    return lo, None


UNKNOWN = Quantity()
ONE = Quantity.exactly(1)


@record
class Dim3:
    """A grid, block or cluster shape. `span` and `text` are the whole argument's."""

    x: Quantity
    y: Quantity
    z: Quantity
    text: str = ""
    span: Span | None = None

    @property
    def axes(self) -> tuple[Quantity, Quantity, Quantity]:
        return self.x, self.y, self.z

    @property
    def volume(self) -> Quantity:
        """The number of threads of a block, or of blocks of a grid."""
        if self.y.exact == 1 and self.z.exact == 1:
            origin = weakest(self.x.origin, self.y.origin, self.z.origin)
            alone = self.x.at(self.text or self.x.text, self.span)
            return alone if origin is self.x.origin else replace(alone, origin=origin)
        product = self.x.times(self.y).times(self.z).at(self.text, self.span)
        made = self.x.made or self.y.made or self.z.made
        return product if made is None else product.made_at(made)

    @property
    def exact(self) -> tuple[int, int, int] | None:
        x, y, z = self.x.exact, self.y.exact, self.z.exact
        return None if x is None or y is None or z is None else (x, y, z)

    def __str__(self) -> str:
        if self.y.exact == 1 and self.z.exact == 1:
            return str(self.x)
        return f"({self.x}, {self.y}, {self.z})"
