"""The parts of functions that bear on launches, and what their statements assign."""

from collections.abc import Iterable

from cudalint.analysis.index import Index
from cudalint.analysis.names import Scope
from cudalint.analysis.outline import Outline, outline, slice_for_launches, slice_for_result, uses_of
from cudalint.ir import Call, Function, Launching, Name, Stmt
from cudalint.ir.stmt import expressions


class Slices:
    """Cuts functions down, each once. `watched` are the names of functions that launch, directly or not."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self.watched: frozenset[str] = frozenset()
        self._assigned: dict[tuple[int, int], tuple[tuple[Stmt, ...], set[str]]] = {}
        self._launches: dict[int, list[Launching]] = {}
        self._sliced: dict[int, tuple[Stmt, ...]] = {}

    def launchings(self, function: Function) -> list[Launching]:
        """The launch expressions of a function, lambdas included."""
        key = id(function)
        if key not in self._launches:
            body = function.body or ()
            found = [node for node in expressions(body) if isinstance(node, Launching)] if function.launches else []
            self._launches[key] = found
        return self._launches[key]

    def assigned_in(self, body: tuple[Stmt, ...], scope: Scope) -> set[str]:
        """Variables and members the statements may assign, through reference parameters of visible functions too."""
        if not body:
            return set()
        key = id(body[0]), len(body)
        if key not in self._assigned:
            writes = uses_of(outline(body, lambda call: self._references(call, scope.file))).writes
            self._assigned[key] = body, writes | {f"this.{name}" for name in writes}
        return self._assigned[key][1]

    def _references(self, call: Call, file: str) -> Iterable[str]:
        """The variables a call may write through reference parameters of the functions its name may mean."""
        if call.name not in self.index.referencing:
            return
        for function in self.index.functions(call.name, file):
            for parameter, argument in zip(function.parameters, call.arguments, strict=False):
                if parameter.type.reference and not parameter.type.const and isinstance(argument, Name):
                    yield argument.name

    def _outline(self, function: Function) -> list[Outline]:
        return outline(function.body or (), lambda call: self._references(call, function.file))

    def for_launches(self, function: Function) -> tuple[Stmt, ...]:
        """The function's body as far as its launches depend on it."""
        return slice_for_launches(self._outline(function), self.watched)

    def for_result(self, function: Function) -> tuple[Stmt, ...]:
        """The function's body as far as its callers depend on it."""
        key = id(function)
        if key not in self._sliced:
            self._sliced[key] = slice_for_result(function, self._outline(function))
        return self._sliced[key]
