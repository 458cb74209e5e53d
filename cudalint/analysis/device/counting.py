"""A trace that counts: what is computed stands in it beside what is loaded, stored and waited for."""

from collections.abc import Sequence

from cudalint.analysis.device import intrinsics
from cudalint.analysis.device.events import Event, Shape, Trace
from cudalint.analysis.device.pure import Pure
from cudalint.analysis.device.trace import trace
from cudalint.analysis.device.values import Num, Value
from cudalint.analysis.device.walk import Frame, Walk
from cudalint.analysis.evaluate import Evaluator
from cudalint.ir import Assign, Binary, Call, Conditional, Expr, Function, Int, Quantity, Stmt, Unary
from cudalint.ir import Loop as LoopStatement
from cudalint.ir import symbol as sym
from cudalint.record import mutable_record, record

_FUNCTION = 8
"""Instructions of a division, or of a square root or another function that is no instruction of its own."""
_SINGLE = intrinsics.MINIMA | intrinsics.MAXIMA | {
    "abs", "fabs", "fabsf", "fma", "fmaf", "__fmaf_rn", "__mul24", "__umul24", "__popc", "__clz", "__ffs", "__brev", "__mulhi",
    "__umulhi", "__dp4a", "__byte_perm", "__float_as_int", "__int_as_float", "clamp", "saturate", "move", "forward", "assert",
}  # fmt: skip


@mutable_record
class Compute(Event):
    """Arithmetic: `count` instructions, `depth` of them one after another."""

    depth: int
    count: int


@record
class Choice:
    """A value that is one of two, as a condition decides."""

    condition: Num
    then: Num
    other: Num


class Counted(Pure):
    """Takes no function for one that there is nothing to see in."""

    def __init__(self) -> None:
        pass

    def holds(self, function: Function, depth: int = 0) -> bool:  # noqa: ARG002 - as its base
        return False


class CountingWalk(Walk):
    """Writes down what statements compute, and which values a condition chose."""

    def __init__(self, shape: Shape, frame: Frame, pure: Pure) -> None:  # noqa: ARG002 - as its base
        super().__init__(shape, frame, Counted())
        self._sizes: dict[int, tuple[Stmt, int, int]] = {}

    def statement(self, statement: Stmt) -> None:
        if not isinstance(statement, LoopStatement):
            _, depth, count = self._sizes.get(id(statement)) or self._measured(statement)
            if count:
                last = self.events[-1] if self.events else None
                if isinstance(last, Compute) and last.control is self.control:
                    last.depth, last.count = last.depth + depth, last.count + count
                else:
                    place = self.place(statement.extent)
                    self.events.append(Compute(place, self.frame.path, self.control, depth, count))
        super().statement(statement)

    def _measured(self, statement: Stmt) -> tuple[Stmt, int, int]:
        sizes = [size(part) for part in statement.expressions()]
        made = statement, sum(depth for depth, _ in sizes), sum(count for _, count in sizes)
        self._sizes[id(statement)] = made
        return made

    def joined(self, name: str, left: Value, right: Value, condition: Num) -> Value:
        result = super().joined(name, left, right, condition)
        atom = result.form.atom if isinstance(result, Num) and result.form is not None else None
        if atom is not None and condition.test is not None and isinstance(left, Num) and isinstance(right, Num):
            choices(self.trace)[atom] = Choice(condition, left, right)
        return result


def choices(of: Trace) -> dict[sym.Atom, Choice]:
    """The values of a trace that a condition chose."""
    found: dict[sym.Atom, Choice] = of.memo.setdefault("choices", {})
    return found


def counted(function: Function, evaluator: Evaluator, shape: Shape, passed: Sequence[Quantity] = ()) -> Trace:
    """As `trace`, with what is computed."""
    return trace(function, evaluator, shape, passed, CountingWalk)


def size(expr: Expr) -> tuple[int, int]:
    """The instructions of an expression that follow on each other, and all of them; no loads and stores."""
    parts = [size(part) for part in expr.children()]
    depth, count = max((part[0] for part in parts), default=0), sum(part[1] for part in parts)
    own = _own(expr)
    if own and _fused(expr):
        own = 0 if count else own
    return depth + min(own, 1 if own < _FUNCTION else own), count + own


def _fused(expr: Expr) -> bool:
    """Whether it is a sum with a product in it: one instruction does both."""
    if isinstance(expr, Assign):
        return expr.op in {"+", "-"} and _product(expr.value)
    return isinstance(expr, Binary) and expr.op in {"+", "-"} and (_product(expr.left) or _product(expr.right))


def _product(expr: Expr) -> bool:
    return isinstance(expr, Binary) and expr.op == "*"


def _own(expr: Expr) -> int:
    """The instructions of an expression itself, without those of its parts."""
    if isinstance(expr, Binary | Assign):
        if expr.op in {"/", "%"}:
            divisor = expr.right if isinstance(expr, Binary) else expr.value
            return 1 if isinstance(divisor, Int) else _FUNCTION
        return int(expr.op not in {"", ","})
    if isinstance(expr, Unary):
        return int(expr.op not in {"*", "&", "+"})
    if isinstance(expr, Call):
        return 1 if expr.name in _SINGLE or expr.name not in intrinsics.PURE else _FUNCTION
    return int(isinstance(expr, Conditional))
