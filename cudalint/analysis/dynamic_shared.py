"""How much of its dynamic shared memory a kernel is sure to touch, read off its own body."""

from dataclasses import field

from cudalint.analysis.types import scalar_size
from cudalint.ir import (
    Assign,
    Call,
    Conditional,
    Declare,
    Expr,
    If,
    Index,
    Kernel,
    Loop,
    Member,
    Name,
    Return,
    Stmt,
    Switch,
    Unary,
)
from cudalint.ir.stmt import expressions
from cudalint.record import mutable_record

_INDICES = frozenset({"threadIdx", "blockIdx", "hipThreadIdx_x", "hipBlockIdx_x"})


def least_bytes(kernel: Kernel, threads: int) -> int:
    """Bytes of `extern __shared__` memory that a launch of the kernel with `threads` along x is sure to touch.

    0 where it may touch none: the host may have decided against an access under a condition that is not made of thread
    and block indices. An array of unknown element type counts one byte.
    """
    body = kernel.function.body or ()
    assigned = {str(node.target) for node in expressions(body) if isinstance(node, Assign)}
    reader = _Reader(threads, frozenset(assigned))
    for array in kernel.dynamic_arrays:
        reader.arrays[array.name] = scalar_size(array.element)
    reader.read(body, all_threads=True)
    return reader.bytes


@mutable_record
class _Reader:
    """`arrays` holds the bytes of an element by the names the memory goes by, `ids` the names of `threadIdx.x`,
    `varying` those of values made of thread or block indices.
    """

    threads: int
    assigned: frozenset[str]
    arrays: dict[str, int | None] = field(default_factory=dict)
    ids: set[str] = field(default_factory=set)
    varying: set[str] = field(default_factory=lambda: set(_INDICES))
    bytes: int = 0

    def read(self, statements: tuple[Stmt, ...], *, all_threads: bool) -> None:
        """Read statements that are surely run, up to where a condition of the host's may end them."""
        for statement in statements:
            for expr in statement.expressions():
                self._touch(expr, all_threads=all_threads)
            match statement:
                case Declare():
                    self._declare(statement)
                case If(condition=condition):
                    if self._varies(condition):
                        self.read(statement.then, all_threads=False)
                        self.read(statement.other, all_threads=False)
                    elif any(isinstance(inner, Return) for inner in statement.walk()):
                        return
                case Loop(init=init, body=body):
                    self.read(init, all_threads=all_threads)
                    self.read(body, all_threads=all_threads)
                case Switch():
                    continue
                case _:
                    for block in statement.blocks():
                        self.read(block, all_threads=all_threads)

    def _declare(self, statement: Declare) -> None:
        init = statement.init
        if init is None or statement.extents:
            return
        if statement.type.pointer and self._names_array(init):
            self.arrays[statement.name] = scalar_size(statement.type.name) if statement.type.pointer == 1 else None
        if self._varies(init):
            self.varying.add(statement.name)
        if statement.name not in self.assigned and self._is_thread(init):
            self.ids.add(statement.name)

    def _touch(self, expr: Expr, *, all_threads: bool) -> None:
        if isinstance(expr, Conditional):
            return
        if isinstance(expr, Index) and isinstance(expr.base, Name) and expr.base.name in self.arrays:
            size = self.arrays[expr.base.name]
            each = all_threads and size is not None and self._is_thread(expr.indices[0])
            self.bytes = max(self.bytes, (size or 1) * (self.threads if each else 1))
        elif isinstance(expr, Unary) and expr.op == "*" and self._names_array(expr.operand):
            self.bytes = max(self.bytes, 1)
        handed = expr.arguments if isinstance(expr, Call) else ()
        for child in expr.children():
            if not (child in handed and isinstance(child, Unary) and child.op == "*"):
                self._touch(child, all_threads=all_threads)

    def _names_array(self, expr: Expr) -> bool:
        return any(isinstance(node, Name) and node.name in self.arrays for node in expr.walk())

    def _varies(self, expr: Expr) -> bool:
        """Whether a value is made of indices and parameters, memory aside."""
        nodes = list(expr.walk())
        made_of_indices = any(isinstance(node, Name) and node.name in self.varying for node in nodes)
        return made_of_indices and not any(isinstance(node, Index | Call) for node in nodes)

    def _is_thread(self, expr: Expr) -> bool:
        if isinstance(expr, Member):
            return str(expr) == "threadIdx.x"
        return isinstance(expr, Name) and expr.name in self.ids | {"hipThreadIdx_x"}
