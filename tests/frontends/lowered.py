"""Lowers a piece of code for the tests of this package: no file, no includes, its own macros only."""

from pathlib import Path

from cudalint.frontends.cuda_syntax.includes import Project
from cudalint.frontends.cuda_syntax.unit import read_unit
from cudalint.ir import Declare, Evaluate, Expr, Function, Launching, Stmt, Unit
from cudalint.ir.stmt import expressions


def unit_of(code: str, *, wanted: frozenset[str] = frozenset()) -> Unit:
    """The unit of a file with this text."""
    return read_unit(f"{code}\n".encode(), Path("a.cu"), "a.cu", "cuda", Project(), wanted=wanted)


def function_of(code: str, name: str) -> Function:
    """The one function of that name."""
    (found,) = (function for function in unit_of(code, wanted=frozenset({name})).functions if function.name == name)
    return found


def body_of(code: str) -> tuple[Stmt, ...]:
    """The statements of a kernel with this body."""
    (kernel,) = unit_of(f"__global__ void kernel(int n) {{\n{code}\n}}").kernels
    assert kernel.body is not None
    return kernel.body


def value_of(code: str) -> Expr:
    """The expression that an expression statement holds."""
    (statement,) = body_of(f"{code};")
    assert isinstance(statement, Evaluate)
    return statement.value


def variable_of(code: str) -> Declare:
    """The variable that a statement declares."""
    (statement,) = body_of(code)
    assert isinstance(statement, Declare)
    return statement


def launches_of(code: str) -> list[Launching]:
    """The launches in a file, in the order of its functions."""
    return [
        node
        for function in unit_of(code).functions
        for node in expressions(function.body or ())
        if isinstance(node, Launching)
    ]


def launch_of(statement: str) -> Launching:
    """The one launch that a host function with this statement makes."""
    (launch,) = launches_of(f"void host(int n) {{\n{statement}\n}}")
    return launch
