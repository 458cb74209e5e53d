"""Launches made by hand, for tests of rules that need no source."""

from collections.abc import Sequence

import cudalint.hw
from cudalint.ir import (
    Dim3,
    Evaluate,
    Function,
    Int,
    Kernel,
    Launch,
    Origin,
    Program,
    Quantity,
    SharedArray,
    Stmt,
)
from cudalint.ir import symbol as sym
from cudalint.rule import Context, Finding, Rule
from cudalint.source import pack

Size = int | Quantity


def exactly(value: Size) -> Quantity:
    return value if isinstance(value, Quantity) else Quantity.exactly(value)


def shape(size: Size | Sequence[Size]) -> Dim3:
    sizes = [size] if isinstance(size, int | Quantity) else list(size)
    x, y, z = (exactly(part) for part in [*sizes, 1, 1][:3])
    return Dim3(x, y, z, text=str(sizes))


def rounded_up(name: str, divisor: int, lo: int | None = None) -> Quantity:
    """ceil(name / divisor)."""
    return Quantity(lo, None, 1, sym.divide_up(sym.atom(sym.Symbol(name)), sym.number(divisor)))


def per_sm(count: int) -> Quantity:
    """Count × the number of SMs asked for at run time."""
    form = sym.multiply(sym.number(count), sym.atom(sym.DeviceValue("sm_count")))
    return Quantity(count, None, 1, form, Origin.DEVICE)


def kernel(
    *,
    loops: bool = True,
    statements: int = 4,
    grid_stride: bool = False,
    max_threads: int | None = None,
    required: Sequence[int] | None = None,
    max_registers: int | None = None,
    dynamic: bool = False,
) -> Kernel:
    body: tuple[Stmt, ...] = (Evaluate(0, Int(0, 1)),)
    function = Function(
        "work", "", "", frozenset({"global"}), None, (), (), (), body, (), (), pack(1, 1, 5, 2), pack(1, 17, 1, 21), "a.cu"
    )  # fmt: skip
    arrays = (SharedArray("buffer", "float", Quantity.exactly(0), True, function.name_span),) if dynamic else ()
    return Kernel(
        "work",
        function,
        None if max_threads is None else Quantity.exactly(max_threads, Origin.LAUNCH_BOUNDS),
        None if required is None else shape(required),
        Quantity.exactly(0),
        (),
        arrays,
        None if max_registers is None else Quantity.exactly(max_registers, Origin.LAUNCH_BOUNDS),
        grid_stride,
        None,
        statements,
        work=None if loops else statements,
    )


def launch(
    grid: Size | Sequence[Size],
    block: Size | Sequence[Size],
    *,
    of: Kernel | None = None,
    dynamic: Size = 0,
    static: Size = 0,
    registers: Size | None = None,
    opted: Size | None = None,
    cooperative: bool = False,
) -> Launch:
    runner = Function(
        "run", "", "", frozenset({"host"}), None, (), (), (), (), (), (), pack(7, 1, 11, 2), pack(7, 5, 7, 8), "a.cu"
    )  # fmt: skip
    return Launch(
        "work",
        of or kernel(),
        "chevrons",
        shape(grid),
        shape(block),
        None,
        exactly(dynamic),
        Quantity(1, 255, origin=Origin.ESTIMATE) if registers is None else exactly(registers),
        exactly(static),
        None if opted is None else exactly(opted),
        "",
        cooperative,
        (),
        runner,
        runner.span,
        runner.span,
        False,
    )


def findings(rule: Rule[Launch], subject: Launch, gpu: str = "h200") -> list[Finding]:
    """What a rule says of a launch on one GPU."""
    program = Program({}, (), (subject,))
    return list(rule.check(subject, Context(program, cudalint.hw.device(gpu))))


def messages(rule: Rule[Launch], subject: Launch, gpu: str = "h200") -> list[str]:
    return [finding.message for finding in findings(rule, subject, gpu)]
