# ruff: noqa: ARG002 - what is handed over is for those that override
"""What recognises code for a GPU in Python: one object per library, loaded where a file mentions the library."""

import ast
from importlib import import_module
from typing import TYPE_CHECKING

from cudalint.ir.expr import Expr, Type
from cudalint.ir.stmt import Stmt
from cudalint.ir.unit import Attribute
from cudalint.record import record

if TYPE_CHECKING:
    from cudalint.frontends.python_syntax.lowering import Lowering

AnyFunction = ast.FunctionDef | ast.AsyncFunctionDef


@record
class Definition:
    """What a `def` is to the GPU: its kinds (`global` or `device`), attributes of its launch, and types of parameters."""

    kinds: frozenset[str]
    attributes: tuple[Attribute, ...] = ()
    types: tuple[Type | None, ...] = ()


@record
class Assignment:
    """One name given a value by the statement `node`."""

    node: ast.stmt
    name: str
    value: ast.expr


class Recogniser:
    """Recognises nothing; each library's own overrides what it needs. The package's docstring says when each is asked."""

    def prepare(self, low: "Lowering") -> None:
        """Look over a file before it is lowered."""

    def define(self, low: "Lowering", node: AnyFunction) -> Definition | None:
        """What a function is, None for one of the host."""
        return None

    def call(self, low: "Lowering", node: ast.Call, path: str) -> Expr | None:
        """What a call stands for, None where it is nothing special."""
        return None

    def attribute(self, low: "Lowering", node: ast.expr, path: str) -> Expr | None:
        """What an attribute or an imported name stands for, None where it is nothing special."""
        return None

    def assign(self, low: "Lowering", given: Assignment, into: list[Stmt]) -> bool:
        """Whether an assignment of one name was taken care of."""
        return False

    def finish(self, low: "Lowering") -> None:
        """Add what a whole file holds besides its functions."""


PACKAGES: tuple[tuple[bytes, str], ...] = ((b"numba", "cudalint.frontends.python_numba"),)
"""Words that a file must hold for a package to be asked; the package's `recogniser()` makes what is asked."""


def recognisers(data: bytes) -> list[Recogniser]:
    """New recognisers for a file of these bytes."""
    named = dict.fromkeys(package for word, package in PACKAGES if word in data)
    return [import_module(package).recogniser() for package in named]
