"""Statements: the structured body of a host function, a device function or a kernel."""

from collections.abc import Iterator
from dataclasses import field
from typing import Any

from cudalint.ir.expr import LEAVES, Expr, Lambda, Name, Type
from cudalint.record import record


@record
class Stmt:
    """Base of all statements; `extent` as for expressions."""

    extent: int = field(compare=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, name) for name in self.__match_args__)

    def expressions(self) -> tuple[Expr, ...]:
        """The expressions that stand directly in this statement."""
        return ()

    def blocks(self) -> Iterator[tuple["Stmt", ...]]:
        """The statement lists nested directly in this statement."""
        return iter(())

    def walk(self) -> Iterator["Stmt"]:
        """The statement and all nested in it, in source order, without the bodies of lambdas."""
        yield self
        for block in self.blocks():
            for inner in block:
                yield from inner.walk()


def _present(*parts: Expr | None) -> tuple[Expr, ...]:
    return tuple(part for part in parts if part is not None)


@record
class Declare(Stmt):
    """One declared variable. `extents` are the array dimensions (None where left open, as in `extern __shared__ T s[]`).

    `storage` holds the specifiers that matter: const, constexpr, static, extern, shared, constant, device, managed,
    volatile, register. An enumerator is a constexpr int.
    """

    name: str
    type: Type
    init: Expr | None = None
    extents: tuple[Expr | None, ...] = ()
    storage: frozenset[str] = frozenset()
    alignment: Expr | None = None

    def expressions(self) -> tuple[Expr, ...]:
        if not self.extents and self.alignment is None:
            return () if self.init is None else (self.init,)
        return _present(self.init, *self.extents, self.alignment)


@record
class Evaluate(Stmt):
    """An expression statement."""

    value: Expr

    def expressions(self) -> tuple[Expr, ...]:
        return (self.value,)


@record
class If(Stmt):
    condition: Expr
    then: tuple[Stmt, ...]
    other: tuple[Stmt, ...] = ()
    constexpr: bool = False

    def blocks(self) -> Iterator[tuple[Stmt, ...]]:
        return iter((self.then, self.other))

    def expressions(self) -> tuple[Expr, ...]:
        return (self.condition,)


@record
class Loop(Stmt):
    """`kind` is for, while, do or each. `init` runs once before; `step` after each turn. For `each`, `init` declares the
    loop variable without a value and `condition` is the range.
    """

    kind: str
    init: tuple[Stmt, ...]
    condition: Expr | None
    step: Expr | None
    body: tuple[Stmt, ...]

    def blocks(self) -> Iterator[tuple[Stmt, ...]]:
        return iter((self.init, self.body))

    def expressions(self) -> tuple[Expr, ...]:
        return _present(self.condition, self.step)


@record
class Case(Stmt):
    """One labelled stretch of a switch; `values` is empty for the default. It falls through unless it ends in a jump."""

    values: tuple[Expr, ...]
    body: tuple[Stmt, ...]

    def blocks(self) -> Iterator[tuple[Stmt, ...]]:
        return iter((self.body,))

    def expressions(self) -> tuple[Expr, ...]:
        return self.values


@record
class Switch(Stmt):
    subject: Expr
    cases: tuple[Case, ...]

    def blocks(self) -> Iterator[tuple[Stmt, ...]]:
        return iter((self.cases,))

    def expressions(self) -> tuple[Expr, ...]:
        return (self.subject,)


@record
class Block(Stmt):
    body: tuple[Stmt, ...]

    def blocks(self) -> Iterator[tuple[Stmt, ...]]:
        return iter((self.body,))


@record
class Return(Stmt):
    value: Expr | None = None

    def expressions(self) -> tuple[Expr, ...]:
        return _present(self.value)


@record
class Throw(Stmt):
    value: Expr | None = None

    def expressions(self) -> tuple[Expr, ...]:
        return _present(self.value)


@record
class Break(Stmt):
    pass


@record
class Continue(Stmt):
    pass


@record
class Goto(Stmt):
    label: str


@record
class Label(Stmt):
    label: str


@record
class Unreadable(Stmt):
    """A statement that could not be parsed; it may do anything."""

    text: str


def expressions(body: tuple[Stmt, ...]) -> Iterator[Expr]:
    """Every expression of a body, in source order, those inside lambdas included."""
    stack: list[Stmt | Expr] = [*body[::-1]]
    while stack:
        node = stack.pop()
        if isinstance(node, Stmt):
            for block in reversed([*node.blocks()]):
                stack.extend(block[::-1])
            stack.extend(node.expressions()[::-1])
            continue
        yield node
        if type(node) is Lambda:
            stack.extend(node.body[::-1])
        elif type(node) not in LEAVES and (type(node) is not Name or node.arguments):
            stack.extend(node.children()[::-1])
