"""The linked program: every kernel and every launch, with what is known of each."""

from collections.abc import Iterator
from dataclasses import field

from cudalint.ir.expr import Expr
from cudalint.ir.quantity import Dim3, Quantity
from cudalint.ir.unit import Function, Problem, Unit
from cudalint.record import record
from cudalint.source import Span

_LAUNCH_COST = 400
"""Statements that take as long as launching the kernel: a few microseconds at some tens of cycles each."""


@record
class SharedArray:
    """A `__shared__` array. `size` is in bytes; for a dynamic one (`extern __shared__`) it is 0 and `dynamic` is set."""

    name: str
    element: str
    size: Quantity
    dynamic: bool
    span: Span


@record
class Kernel:
    """A kernel and what its definition says about its launches.

    `max_threads` is the most threads a block may have (from launch bounds), `required_block` the exact shape demanded.
    `static_shared` is the bytes of all its static shared arrays, `dynamic_arrays` the `extern` ones it can reach.
    `max_registers` is a cap written in the code (`__maxnreg__`). `grid_stride` says that its work loops over the grid,
    `grid_sync` where it waits for the whole grid, `statements` how many statements it runs, callees included.
    `min_blocks` is the second argument of `__launch_bounds__`: blocks per SM on CUDA, waves per SIMD on HIP.
    `work` is about how many statements one thread runs, loops unrolled; None where a loop goes on as the data says.
    `reader` is the `analysis.evaluate.Evaluator` that knows the constants its body names.
    """

    name: str
    function: Function
    max_threads: Quantity | None
    required_block: Dim3 | None
    static_shared: Quantity
    shared_arrays: tuple[SharedArray, ...]
    dynamic_arrays: tuple[SharedArray, ...]
    max_registers: Quantity | None
    grid_stride: bool
    grid_sync: Span | None
    statements: int
    min_blocks: Quantity | None = None
    work: int | None = None
    reader: object = field(default=None, compare=False, repr=False)

    @property
    def span(self) -> Span:
        return self.function.name_span

    @property
    def substantial(self) -> bool:
        """Whether a thread can run longer than a launch takes."""
        return self.work is None or self.work > _LAUNCH_COST


@record
class Launch:
    """One launch site, or one way to reach it.

    `kernel_name` is as written; `kernel` is None where no visible kernel has that name. `block`, `grid` and
    `cluster` are in threads, blocks and blocks; `dynamic_shared` in bytes; `registers` per thread.
    `shared_limit` is the dynamic shared memory the kernel was opted in to by code that reaches the launch (bytes;
    None: no opt-in seen; an unknown Quantity: opted in to an unknown size).
    `variants` are the launches that single callers of the enclosing function make of it, where its shape depends on
    what they pass: `span` is then the call, and so is the place of each shape that depends on it; `site` is the launch. `reachable` is false where constants keep
    control from it. `one_of_several` says that other arms of a choice launch the kernel with other blocks.
    `passed` is what is known of the arguments, in the order of the kernel's parameters: unknown Quantities for what is no
    integer; nothing from a parameter pack on, nor where the arguments are packed in an array. `counted` as for `Launching`.
    """

    kernel_name: str
    kernel: Kernel | None
    form: str
    grid: Dim3
    block: Dim3
    cluster: Dim3 | None
    dynamic_shared: Quantity
    registers: Quantity
    static_shared: Quantity
    shared_limit: Quantity | None
    stream: str
    cooperative: bool
    arguments: tuple[Expr, ...] | None
    function: Function
    span: Span
    configuration: Span
    in_loop: bool
    macro: str = ""
    variants: tuple["Launch", ...] = ()
    site: Span | None = None
    reachable: bool = True
    one_of_several: bool = False
    passed: tuple[Quantity, ...] = ()
    counted: bool = False

    @property
    def chosen(self) -> bool:
        """Whether the host chooses its block size at run time, among values that a reader sees."""
        return self.one_of_several or self.block.volume.branched

    @property
    def ways(self) -> tuple["Launch", ...]:
        """The ways to reach it, judged one by one: by its callers where they shape it, else itself; none if it never is."""
        return tuple(way for way in self.variants or (self,) if way.reachable)

    @property
    def least_registers(self) -> int | None:
        """The fewest registers per thread the kernel can have, None where nothing is known."""
        cap = self.kernel.max_registers if self.kernel else None
        lo = self.registers.lo
        return lo if lo is None or cap is None or cap.hi is None else min(lo, cap.hi)

    @property
    def sort_key(self) -> tuple[str, int, int, str]:
        return self.span.file, self.span.line, self.span.column, self.kernel_name


@record
class Instance:
    """A kernel as one launch runs it; `launch` is None for a kernel that nothing visible launches."""

    kernel: Kernel
    launch: Launch | None = None

    @property
    def span(self) -> Span:
        return self.launch.span if self.launch is not None else self.kernel.span

    @property
    def files(self) -> tuple[str, ...]:
        """The files it stands in."""
        return self.kernel.span.file, self.span.file


@record
class Program:
    """All units linked. `requested` are the files findings may be reported in; the others are context."""

    units: dict[str, Unit]
    kernels: tuple[Kernel, ...]
    launches: tuple[Launch, ...]
    requested: frozenset[str] = field(default_factory=frozenset)

    def instances(self) -> Iterator[Instance]:
        """Every kernel as each way of launching it runs it, those nothing launches included."""
        launched = set()
        for launch in self.launches:
            for way in launch.ways:
                if way.kernel is not None:
                    launched.add(id(way.kernel.function))
                    yield Instance(way.kernel, way)
        yield from (Instance(kernel) for kernel in self.kernels if id(kernel.function) not in launched)

    def problems(self) -> list[tuple[Span, Problem]]:
        """What could not be read, in order of place."""
        return sorted(
            (
                (Span.unpack(unit.path, problem.extent), problem)
                for unit in self.units.values()
                for problem in unit.problems
            ),
            key=lambda pair: pair[0],
        )
