"""Device functions that only compute a real number of what they are given: there is nothing to see in their bodies."""

from cudalint.analysis.device import intrinsics
from cudalint.analysis.device.values import kind_of
from cudalint.analysis.index import Index
from cudalint.ir import Call, Declare, Function, Name, Unary
from cudalint.ir.stmt import expressions

_BUILT_INS = frozenset({"threadIdx", "blockIdx", "blockDim", "gridDim", "this", *intrinsics.HIP_NAMES})
_MOST_DEPTH = 6


class Pure:
    """Which functions of a program are so, each looked at once."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._known: dict[int, bool] = {}

    def holds(self, function: Function, depth: int = 0) -> bool:
        key = id(function)
        if key not in self._known:
            self._known[key] = False  # recursion
            self._known[key] = (
                depth < _MOST_DEPTH and kind_of(function.returns) == "float" and self._look(function, depth)
            )
        return self._known[key]

    def _look(self, function: Function, depth: int) -> bool:
        if any(parameter.type.pointer or parameter.type.reference for parameter in function.parameters):
            return False
        body = function.body or ()
        if any(
            isinstance(inner, Declare) and inner.storage & {"shared", "static"} for top in body for inner in top.walk()
        ):
            return False
        for node in expressions(body):
            if isinstance(node, Name) and node.name in _BUILT_INS:
                return False
            if isinstance(node, Unary) and node.op in {"&", "*"}:
                return False
            if isinstance(node, Call) and not self._calls_pure(node, function, depth):
                return False
        return True

    def _calls_pure(self, call: Call, function: Function, depth: int) -> bool:
        if not isinstance(call.callee, Name):
            return False
        if call.name in intrinsics.PURE or call.name in intrinsics.MINIMA | intrinsics.MAXIMA:
            return True
        found = self._index.functions(call.name, function.file)
        return bool(found) and all(self.holds(callee, depth + 1) for callee in found)
