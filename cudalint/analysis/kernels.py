"""What a kernel's definition says about its launches: bounds, shared arrays, loops over the grid, grid-wide waits."""

from collections.abc import Iterator
from dataclasses import field

from cudalint.analysis.domain import Sequence, Value, dim3_of
from cudalint.analysis.evaluate import Evaluator, shape
from cudalint.analysis.names import Scope
from cudalint.analysis.session import Session
from cudalint.analysis.work import most_statements
from cudalint.ir import (
    Assign,
    Attribute,
    Call,
    Declare,
    Dim3,
    Expr,
    Function,
    Kernel,
    Loop,
    Member,
    Name,
    Quantity,
    SharedArray,
    Stmt,
    Type,
)
from cudalint.ir.stmt import expressions
from cudalint.record import mutable_record
from cudalint.source import Span

_GRID_EXTENTS = frozenset({"gridDim", "hipGridDim_x", "hipGridDim_y", "hipGridDim_z"})
_GRID_SIZES = frozenset({"size", "num_threads", "num_blocks"})
_MOST_CALLEES = 64


@mutable_record
class Body:
    """What one function's body holds, bindings aside."""

    statements: int = 0
    shared: list[Declare] = field(default_factory=list)
    names: frozenset[str] = frozenset()
    local: frozenset[str] = frozenset()
    calls: frozenset[str] = frozenset()
    grid_sync: int | None = None
    grid_stride: bool = False


class Kernels:
    """Facts of kernels, computed once per kernel and binding of its template parameters."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._bodies: dict[int, Body] = {}
        self._made: dict[tuple[int, str], Kernel] = {}

    def kernel(self, function: Function, bound_types: dict[str, Type], bound_values: dict[str, Value]) -> Kernel:
        """The kernel as instantiated with these template arguments."""
        key = id(function), f"{bound_types}{[str(value) for value in bound_values.values()]}"
        if key not in self._made:
            self._made[key] = self._make(function, bound_types, bound_values)
        return self._made[key]

    def _make(self, function: Function, bound_types: dict[str, Type], bound_values: dict[str, Value]) -> Kernel:
        scope = Scope(
            self.session.index, self.session.assume, function.file, function.owner, function, bound_types, bound_values
        )
        evaluator = Evaluator(scope, self.session)
        reached = list(self._reached(function))
        arrays = [array for body, file in reached for array in self._arrays(body, evaluator, file)]
        dynamic = [array for array in arrays if array.dynamic]
        dynamic += self._file_level(function, evaluator, [body for body, _ in reached])
        fixed = tuple(array for array in arrays if not array.dynamic)
        total = Quantity.exactly(0)
        for array in fixed:
            total = total.plus(array.size)
        sync = next(((body.grid_sync, file) for body, file in reached if body.grid_sync is not None), None)
        return Kernel(
            function.name,
            function,
            self._max_threads(evaluator, function),
            self._required(evaluator, function),
            total,
            fixed,
            tuple(dynamic),
            self._amount(evaluator, function, "maxnreg", 0),
            any(body.grid_stride for body, _ in reached),
            Span.unpack(sync[1], sync[0]) if sync is not None and sync[0] is not None else None,
            sum(body.statements for body, _ in reached),
            self._amount(evaluator, function, "launch_bounds", 1),
            self._work(function, evaluator),
            evaluator,
        )

    def _work(self, function: Function, evaluator: Evaluator) -> int | None:
        """The most statements a thread runs, callees included."""
        total = 0
        for callee in self._reached_functions(function):
            part = most_statements(callee.body or (), evaluator)
            if part is None:
                return None
            total += part
        return total

    def _reached(self, function: Function) -> Iterator[tuple[Body, str]]:
        """The bodies of the kernel and of the device functions it calls, itself first."""
        for current in self._reached_functions(function):
            yield self._body(current), current.file

    def _reached_functions(self, function: Function) -> Iterator[Function]:
        """The kernel and the device functions it calls, itself first."""
        seen, queue = {id(function)}, [function]
        for current in queue:
            yield current
            for name in sorted(self._body(current).calls):
                for callee in self.session.index.functions(name, current.file):
                    if "device" in callee.kinds and id(callee) not in seen and len(queue) < _MOST_CALLEES:
                        seen.add(id(callee))
                        queue.append(callee)

    def _body(self, function: Function) -> Body:
        if id(function) not in self._bodies:
            body = self._bodies[id(function)] = _read(function.body or ())
            body.local |= {parameter.name for parameter in function.parameters}
        return self._bodies[id(function)]

    @staticmethod
    def _arrays(body: Body, evaluator: Evaluator, file: str) -> Iterator[SharedArray]:
        for declare in body.shared:
            yield shared_array(declare, evaluator, file)

    def _file_level(self, function: Function, evaluator: Evaluator, bodies: list[Body]) -> Iterator[SharedArray]:
        """`extern __shared__` arrays declared outside functions that the kernel names."""
        used = frozenset().union(*(body.names - body.local for body in bodies))
        for table in self.session.index.visible(function.file):
            for item in table.unit.globals:
                storage = item.declare.storage
                if "shared" in storage and "extern" in storage and item.declare.name in used:
                    yield shared_array(item.declare, evaluator, table.unit.path)

    def _attribute(self, function: Function, name: str) -> Attribute | None:
        """An attribute of the kernel, on its definition or on a declaration of it that the file sees."""
        for attribute in function.attributes:
            if attribute.name == name:
                return attribute
        for table in self.session.index.visible(function.file):
            for other in table.functions.get(function.name, ()):
                if other.is_kernel and other.body is None and len(other.parameters) == len(function.parameters):
                    for attribute in other.attributes:
                        if attribute.name == name:
                            return attribute
        return None

    def _amount(self, evaluator: Evaluator, function: Function, name: str, position: int) -> Quantity | None:
        attribute = self._attribute(function, name)
        if attribute is None or len(attribute.arguments) <= position:
            return None
        argument = attribute.arguments[position]
        span = Span.unpack(function.file, attribute.extent)
        return evaluator.quantity(argument).at(str(argument), span)

    def _max_threads(self, evaluator: Evaluator, function: Function) -> Quantity | None:
        for name, position in (("launch_bounds", 0), ("flat_work_group_size", 1)):
            amount = self._amount(evaluator, function, name, position)
            if amount is not None:
                return amount
        return None

    def _required(self, evaluator: Evaluator, function: Function) -> Dim3 | None:
        for name in ("reqd_work_group_size", "block_size"):
            attribute = self._attribute(function, name)
            if attribute is not None:
                items = tuple(evaluator.quantity(argument) for argument in attribute.arguments[:3])
                return dim3_of(shape(Sequence(items)))
        return None


def shared_array(declare: Declare, evaluator: Evaluator, file: str) -> SharedArray:
    """A `__shared__` declaration with its size in bytes, as far as it is known."""
    span = Span.unpack(file, declare.extent)
    element = str(declare.type)
    if "extern" in declare.storage:
        return SharedArray(declare.name, element, Quantity.exactly(0), dynamic=True, span=span)
    size = evaluator.session.declared.size_of(declare.type, evaluator.scope)
    for extent in declare.extents:
        size = size.times(evaluator.quantity(extent)) if extent is not None else Quantity(0)
    return SharedArray(declare.name, element, size, dynamic=False, span=span)


def _read(statements: tuple[Stmt, ...]) -> Body:
    """Everything about a body that does not depend on template arguments."""
    body = Body()
    names: set[str] = set()
    called: list[Call] = []
    for node in expressions(statements):
        if type(node) is Name:
            names.add(node.last)
        elif type(node) is Call:
            called.append(node)
    declared, loops = _declarations(statements, body)
    body.names, body.local = frozenset(names), frozenset(declare.name for declare in declared)
    body.calls = frozenset(call.name for call in called) | body.names
    grids = {declare.name for declare in declared if _is_grid(declare)}
    syncs = (call.extent for call in called if _is_grid_sync(call, grids))
    body.grid_sync = next(syncs, None) if grids or "this_grid" in body.calls else None
    if grids or not _GRID_EXTENTS.isdisjoint(names):
        strides = set(_GRID_EXTENTS)
        for declare in declared:
            if declare.init is not None and _mentions(declare.init, strides, grids):
                strides.add(declare.name)
        body.grid_stride = any(_strides(loop, strides, grids) for loop in loops)
    return body


def _declarations(statements: tuple[Stmt, ...], body: Body) -> tuple[list[Declare], list[Loop]]:
    """The variables and the loops of a body; its statements are counted and its shared arrays noted on the way."""
    declared: list[Declare] = []
    loops: list[Loop] = []
    for statement in (inner for top in statements for inner in top.walk()):
        body.statements += 1
        if isinstance(statement, Declare):
            declared.append(statement)
            if "shared" in statement.storage:
                body.shared.append(statement)
        elif isinstance(statement, Loop):
            loops.append(statement)
    return declared, loops


def _is_grid(declare: Declare) -> bool:
    """Whether a variable holds the group of the whole grid."""
    if declare.type.name.rpartition("::")[2] == "grid_group":
        return True
    return isinstance(declare.init, Call) and declare.init.name == "this_grid"


def _is_grid_sync(call: Call, grids: set[str]) -> bool:
    if isinstance(call.callee, Member) and call.name in ("sync", "barrier_wait"):
        return _names_grid(call.callee.base, grids)
    return call.name == "sync" and len(call.arguments) == 1 and _names_grid(call.arguments[0], grids)


def _names_grid(expr: Expr, grids: set[str]) -> bool:
    return (isinstance(expr, Name) and expr.name in grids) or (isinstance(expr, Call) and expr.name == "this_grid")


def _mentions(expr: Expr, strides: set[str], grids: set[str]) -> bool:
    """Whether the value is made of the size of the grid."""
    for node in expr.walk():
        if isinstance(node, Name) and node.name in strides:
            return True
        method = node.callee if isinstance(node, Call) else None
        if isinstance(method, Member) and method.name in _GRID_SIZES and _names_grid(method.base, grids):
            return True
    return False


def _strides(loop: Loop, strides: set[str], grids: set[str]) -> bool:
    """Whether a loop goes on by the size of the grid, in its step or in an assignment of its body."""
    if loop.step is not None and _mentions(loop.step, strides, grids):
        return True
    advances = [node for node in expressions(loop.body) if isinstance(node, Assign) and node.op == "+"]
    return any(_mentions(node.value, strides, grids) for node in advances)
