"""What each statement of a host function reads, writes, calls and launches, and the slice of it that bears on launches.

Most of a host function fills arrays, prints and checks results. Interpreting only what the launches depend on gives the
same values for a fraction of the time.
"""

from collections.abc import Callable, Iterable
from dataclasses import field
from typing import Any

from cudalint.analysis import apis
from cudalint.ir import (
    Assign,
    Binary,
    Block,
    Break,
    Call,
    Case,
    Cast,
    Conditional,
    Construct,
    Continue,
    Declare,
    Expr,
    Function,
    Goto,
    If,
    Index,
    Label,
    Lambda,
    Launching,
    Loop,
    Member,
    Name,
    Return,
    SizeOf,
    Stmt,
    Switch,
    Throw,
    Unary,
    Unreadable,
)
from cudalint.record import mutable_record

_STEPS = frozenset({"++", "--", "p++", "p--", "&"})
_LEAVES = (Return, Throw, Goto)


@mutable_record
class Uses:
    """What an expression, or all of a statement, does."""

    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)
    calls: set[str] = field(default_factory=set)
    launches: bool = False

    def add(self, other: "Uses") -> None:
        self.reads |= other.reads
        self.writes |= other.writes
        self.calls |= other.calls
        self.launches = self.launches or other.launches


@mutable_record
class Outline:
    """A statement, what it does itself (its condition included), and the outlines of the statements in it."""

    statement: Stmt
    own: Uses
    total: Uses
    blocks: list[list["Outline"]]
    leaves: bool


References = Callable[[Call], Iterable[str]]


def outline(body: tuple[Stmt, ...], references: References) -> list[Outline]:
    """The outlines of a body's statements. `references` names what a call may write through its reference parameters."""
    return [_outline(statement, references) for statement in body]


def uses_of(body: list[Outline]) -> Uses:
    total = Uses()
    for entry in body:
        total.add(entry.total)
    return total


def _outline(statement: Stmt, references: References) -> Outline:
    own = Uses()
    for expr in statement.expressions():
        _scan(expr, own, references)
    if isinstance(statement, Declare):
        own.writes.add(statement.name)
    blocks = [outline(block, references) for block in statement.blocks()]
    total = Uses(set(own.reads), set(own.writes), set(own.calls), own.launches)
    leaves = isinstance(statement, _LEAVES) or not own.calls.isdisjoint(apis.NO_RETURN)
    for block in blocks:
        for inner in block:
            total.add(inner.total)
            leaves = leaves or inner.leaves
    return Outline(statement, own, total, blocks, leaves)


def _scan(top: Expr, uses: Uses, references: References) -> None:
    """Collect what an expression does, without recursion."""
    stack: list[Any] = [top]
    while stack:
        node = stack.pop()
        visit = _VISITS.get(type(node))
        if visit is not None:
            visit(node, uses, stack)
            if type(node) is Call:
                uses.writes.update(references(node))


def _root(expr: Expr) -> str:
    """The variable an assignable expression belongs to; for a member of `this` the member."""
    while True:
        if isinstance(expr, Name):
            return expr.name
        if isinstance(expr, Member):
            if isinstance(expr.base, Name) and expr.base.name == "this":
                return expr.name
            expr = expr.base
        elif isinstance(expr, Index):
            expr = expr.base
        elif isinstance(expr, Unary | Cast):
            expr = expr.operand
        else:
            return ""


def _name(node: Name, uses: Uses, stack: list[Any]) -> None:
    uses.reads.add(node.name)
    stack.extend(node.arguments)


def _member(node: Member, uses: Uses, stack: list[Any]) -> None:
    uses.reads.add(node.name)
    stack.append(node.base)


def _unary(node: Unary, uses: Uses, stack: list[Any]) -> None:
    if node.op in _STEPS:
        uses.writes.add(_root(node.operand))
    stack.append(node.operand)


def _binary(node: Binary, uses: Uses, stack: list[Any]) -> None:
    if node.op == ">>" and isinstance(node.right, Name | Member | Index):
        uses.writes.add(_root(node.right))
    stack += (node.left, node.right)


def _assign(node: Assign, uses: Uses, stack: list[Any]) -> None:
    uses.writes.add(_root(node.target))
    stack += (node.target, node.value)


def _call(node: Call, uses: Uses, stack: list[Any]) -> None:
    uses.calls.add(node.name)
    stack.append(node.callee)
    stack.extend(node.arguments)
    if any(type(argument) is Name and argument.name in ("argv", "argc") for argument in node.arguments):
        uses.writes.update(_root(argument) for argument in node.arguments)


def _lambda(node: Lambda, uses: Uses, _: list[Any]) -> None:
    inner = uses_of(outline(node.body, lambda __: ()))
    inner.reads -= set(node.parameters)
    uses.add(inner)


def _launching(node: Launching, uses: Uses, stack: list[Any]) -> None:
    uses.launches = True
    stack.extend(part for part in node.children())


def _size_of(node: SizeOf, _: Uses, stack: list[Any]) -> None:
    if isinstance(node.of, Expr):
        stack.append(node.of)


_VISITS: dict[type, Callable[[Any, Uses, list[Any]], None]] = {
    Name: _name,
    Member: _member,
    Index: lambda node, _, stack: stack.extend((node.base, *node.indices)),
    Unary: _unary,
    Binary: _binary,
    Assign: _assign,
    Conditional: lambda node, _, stack: stack.extend((node.condition, node.then, node.other)),
    Cast: lambda node, _, stack: stack.append(node.operand),
    Call: _call,
    Construct: lambda node, _, stack: stack.extend(node.arguments),
    Lambda: _lambda,
    Launching: _launching,
    SizeOf: _size_of,
}


class Slicer:
    """Cuts a body down to what bears on the names in `relevant` and on the calls in `watched`."""

    def __init__(
        self, body: list[Outline], watched: frozenset[str], relevant: Iterable[str] = (), *, results: bool = False
    ) -> None:
        self._body = body
        self._watched = watched | apis.SHARED_OPT_IN.keys() | frozenset(_launchers(body))
        self._results = results
        self.relevant = set(relevant)

    def body(self) -> tuple[Stmt, ...]:
        """The statements that matter, in order."""
        size = -1
        while size != len(self.relevant):
            size = len(self.relevant)
            for entry in self._body:
                self._spread(entry)
        return self._cut(self._body)

    def _acts(self, entry: Outline) -> bool:
        """Whether the statement launches, calls what is watched, or writes what is relevant."""
        total = entry.total
        return total.launches or not self._watched.isdisjoint(total.calls) or not self.relevant.isdisjoint(total.writes)

    def _matters(self, entry: Outline) -> bool:
        """Whether the statement itself is kept, for what it does or contains."""
        if self._acts(entry):
            return True
        if isinstance(entry.statement, Label | Unreadable):
            return True
        if not apis.ASSERTIONS.isdisjoint(entry.own.calls) and not self.relevant.isdisjoint(entry.own.reads):
            return True
        return entry.leaves and (not entry.blocks or not self.relevant.isdisjoint(entry.own.reads))

    def _spread(self, entry: Outline) -> None:
        """What a statement that is kept reads is relevant too."""
        if not self._matters(entry):
            return
        works = entry.own.launches or not self._watched.isdisjoint(entry.own.calls)
        if self._results or works or not isinstance(entry.statement, Return):
            self.relevant |= entry.own.reads
        for block in entry.blocks:
            for inner in block:
                self._spread(inner)

    def _cut(self, body: list[Outline]) -> tuple[Stmt, ...]:
        return tuple(self._rebuilt(entry) for entry in body if self._kept(entry))

    def _kept(self, entry: Outline) -> bool:
        return isinstance(entry.statement, Break | Continue) or self._matters(entry)

    def _rebuilt(self, entry: Outline) -> Stmt:
        statement = entry.statement
        if isinstance(statement, Return) and not self._results and not self._acts(entry):
            return Return(statement.extent)
        if not entry.blocks:
            return statement
        inner = [self._cut(block) for block in entry.blocks]
        match statement:
            case If():
                return If(statement.extent, statement.condition, inner[0], inner[1], statement.constexpr)
            case Loop():
                return Loop(
                    statement.extent, statement.kind, statement.init, statement.condition, statement.step, inner[1]
                )
            case Case():
                return Case(statement.extent, statement.values, inner[0])
            case Switch():
                cases = [self._rebuilt(case) for case in entry.blocks[0]]
                return Switch(
                    statement.extent, statement.subject, tuple(case for case in cases if isinstance(case, Case))
                )
        return Block(statement.extent, inner[0])


def _launchers(body: list[Outline]) -> Iterable[str]:
    """Variables that hold lambdas with launches in them."""
    for entry in body:
        if isinstance(entry.statement, Declare) and entry.own.launches:
            yield entry.statement.name
        for block in entry.blocks:
            yield from _launchers(block)


def slice_for_launches(body: list[Outline], watched: frozenset[str]) -> tuple[Stmt, ...]:
    """The part of a function that its launches, and the calls of functions that launch, depend on."""
    return Slicer(body, watched).body()


def slice_for_result(function: Function, body: list[Outline]) -> tuple[Stmt, ...]:
    """The part of a function that its result, what it writes through its parameters, and its class depend on."""
    outside = {
        parameter.name for parameter in function.parameters if parameter.type.reference or parameter.type.pointer
    }
    if function.owner:
        local = {entry.statement.name for entry in body if isinstance(entry.statement, Declare)}
        outside |= uses_of(body).writes - local - {parameter.name for parameter in function.parameters}
    return Slicer(body, frozenset(), outside, results=True).body()
