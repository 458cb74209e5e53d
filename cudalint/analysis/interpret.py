"""Statements: one pass over a function's body that keeps what is known of its variables at every launch."""

import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cudalint.analysis import arithmetic, types
from cudalint.analysis.domain import UNKNOWN, Closure, Record, Sequence, Value, join, placed
from cudalint.analysis.evaluate import HANDLERS, Evaluator, is_constant
from cudalint.analysis.names import Scope, believed, symbol
from cudalint.analysis.refine import narrow, refine
from cudalint.analysis.state import State, fresh, merge, named
from cudalint.ir import (
    Assign,
    Binary,
    Block,
    Break,
    Case,
    Continue,
    Declare,
    Evaluate,
    Expr,
    Goto,
    If,
    Int,
    Label,
    Lambda,
    Launching,
    Loop,
    Member,
    Name,
    Origin,
    Quantity,
    Return,
    Stmt,
    Switch,
    Throw,
    Type,
    Unary,
    Unreadable,
)
from cudalint.ir import Index as Element
from cudalint.ir.stmt import expressions
from cudalint.source import Span

if TYPE_CHECKING:
    from cudalint.analysis.session import Session


Path = tuple[tuple[int, int], ...]
"""The choices on the way to a place: which `if` or `switch`, and which of its arms."""


class Interpreter(Evaluator):
    """Runs one function body. `recording` says whether the launches met are the function's own."""

    def __init__(self, scope: Scope, session: "Session", depth: int = 0, *, recording: bool = False) -> None:
        super().__init__(scope, session, depth)
        self.recording = recording
        self.returned: Value | None = None
        self.exits: list[State] = []
        self.breaks: list[list[State]] = []
        self.loops = 0
        self.unreached = 0
        self.path: Path = ()
        self.pending: dict[int, Closure] = {}

    def run(self, body: tuple[Stmt, ...]) -> State:
        """Run the body; the state at its exits, joined."""
        self.block(body)
        for closure in list(self.pending.values()):
            self.session.maybe_run(self, closure)
        return merge([*self.exits, self.state])

    def block(self, body: Iterable[Stmt]) -> None:
        """Statements with a scope of their own: what they declare is gone after them."""
        shadowed: dict[str, tuple[Value | None, Type | None]] = {}
        for statement in body:
            if isinstance(statement, Label):
                self._land()
            if not self.state.alive:
                continue
            if isinstance(statement, Declare) and statement.name not in shadowed:
                old = self.state.variables.get(statement.name), self.declared.get(statement.name)
                shadowed[statement.name] = old
            self.statement(statement)
        for name, (value, type_) in shadowed.items():
            self.arrays.pop(name, None)
            _restore(self.state.variables, name, value)
            _restore(self.declared, name, type_)

    def statement(self, statement: Stmt) -> None:
        handler = _STATEMENTS.get(type(statement))
        if handler is not None:
            handler(self, statement)

    def _land(self) -> None:
        """After a label anything that the function assigns may have any value."""
        function = self.scope.function
        if function is not None and function.body:
            self.state.alive = True
            self.state.forget(self.session.slices.assigned_in(function.body, self.scope))

    def declare(self, statement: Declare) -> None:
        resolved = self.scope.resolve(statement.type)
        self.declared[statement.name] = resolved or statement.type
        value = placed(self._initial(statement, resolved), Span.unpack(self.scope.file, statement.extent))
        self.arrays.pop(statement.name, None)
        if statement.extents:
            self.arrays[statement.name] = self._elements(statement, value)
        if is_constant(statement):
            value = believed(value, Origin.CONSTEXPR)
        self.state.variables[statement.name] = value

    def _initial(self, statement: Declare, resolved: Type | None) -> Value:
        if statement.init is None:
            if resolved is not None and types.is_shape(resolved) and not statement.extents:
                return Record(resolved, {axis: Quantity.exactly(1) for axis in "xyz"})
            if resolved is not None and self.scope.struct(resolved) is not None and not resolved.pointer:
                return Record(resolved, {})
            return replace(types.bounds(resolved), form=fresh(statement.name))
        value = self.value(statement.init)
        if statement.extents:
            return value if isinstance(value, Sequence) else UNKNOWN
        value = named(self.convert(value, resolved), statement.name)
        unnamed = isinstance(value, Quantity) and value.exact is None and value.form is None
        return replace(value, form=fresh(statement.name)) if unnamed and isinstance(value, Quantity) else value

    def _elements(self, statement: Declare, value: Value) -> Quantity:
        """How many elements an array has; an open first extent is that of its initial value."""
        total = Quantity.exactly(1)
        for extent in statement.extents:
            if extent is not None:
                total = total.times(self.quantity(extent))
            elif isinstance(value, Sequence):
                total = total.times(Quantity.exactly(len(value.items)))
            else:
                return Quantity(1)
        return total

    def evaluate(self, statement: Evaluate) -> None:
        self.value(statement.value)

    def lambda_(self, expr: Lambda) -> Value:
        closure = Closure(expr, self.state.variables)
        if self.recording and any(isinstance(node, Launching) for node in expressions(expr.body)):
            self.pending[id(expr)] = closure
        return closure

    def launching(self, expr: Launching) -> Value:
        if self.recording:
            self.session.record(self, expr)
        else:
            for argument in expr.arguments or ():
                self.value(argument)
        return UNKNOWN

    def branch(self, statement: If) -> None:
        condition = self.value(statement.condition)
        known = arithmetic.truth(condition)
        if known is not None:
            self._never(statement.other if known else statement.then)
            refine(self, statement.condition, holds=known)
            self.block(statement.then if known else statement.other)
            return
        before, path = self.state, self.path
        ends = []
        for body, holds in ((statement.then, True), (statement.other, False)):
            self.state, self.path = before.copy(), (*path, (id(statement), int(holds)))
            refine(self, statement.condition, holds=holds)
            self.block(body)
            ends.append(self.state)
        self.state, self.path = merge(ends), path

    def _never(self, body: tuple[Stmt, ...]) -> None:
        """A branch that is not taken: its launches are met, but never happen."""
        if not self.recording or not body:
            return
        before, returned, exits, breaks = self.state, self.returned, self.exits, self.breaks
        self.state, self.exits, self.breaks = before.copy(), [], [[]]
        self.unreached += 1
        self.block(body)
        self.unreached -= 1
        self.state, self.returned, self.exits, self.breaks = before, returned, exits, breaks

    def loop(self, statement: Loop) -> None:
        if statement.kind == "do" and statement.condition is not None:
            condition = Evaluator(self.scope, self.session, self.depth).value(statement.condition)
            if arithmetic.truth(condition) is False:
                self._once(statement)
                return
        names = {item.name for item in statement.init if isinstance(item, Declare)}
        shadowed = {name: (self.state.variables.get(name), self.declared.get(name)) for name in names}
        for item in statement.init:
            self.statement(item)
        assigned = self.session.slices.assigned_in((statement,), self.scope)
        start = self.state.copy()
        self.state.forget(assigned)
        self._induction(statement, start)
        if statement.kind in ("for", "while") and statement.condition is not None:
            refine(self, statement.condition, holds=True)
        self._turn(statement)
        self.state = start
        self.state.forget(assigned)
        if statement.condition is not None and statement.kind != "each":
            refine(self, statement.condition, holds=False)
        for name, (value, type_) in shadowed.items():
            _restore(self.state.variables, name, value)
            _restore(self.declared, name, type_)

    def _once(self, statement: Loop) -> None:
        """`do { … } while (0)` is a block that may be left early."""
        self.breaks.append([])
        self.block(statement.body)
        self.state = merge([*self.breaks.pop(), self.state])

    def _turn(self, statement: Loop) -> None:
        """One turn of the body, under all that holds in every turn."""
        self.breaks.append([])
        self.loops += 1
        self.block(statement.body)
        self.state.alive = True
        if statement.step is not None:
            self.value(statement.step)
        self.loops -= 1
        self.breaks.pop()

    def _induction(self, statement: Loop, start: State) -> None:
        """The range of a `for` loop's variable: from where it starts, in steps of a multiple."""
        step = statement.step
        name, change = _step(step)
        first = start.variables.get(name)
        if not name or not isinstance(first, Quantity) or _assigns(statement.body, name):
            return
        amount = self.quantity(change).exact if change is not None else 1
        grows = (isinstance(step, Assign) and step.op in ("+", "*", "<<")) or (
            isinstance(step, Unary) and "+" in step.op
        )
        multiple = 1
        if first.exact is not None and amount and isinstance(step, Assign):
            factor = first.exact if step.op in ("*", "<<") else math.gcd(first.exact, amount)
            multiple = abs(factor) if step.op in ("+", "-", "*", "<<") and factor else 1
        bound = Quantity(first.lo if grows else None, None if grows else first.hi, multiple, fresh(name), first.origin)
        self.state.variables[name] = bound

    def switch(self, statement: Switch) -> None:
        self.value(statement.subject)
        before = self.state
        self.breaks.append([])
        falling: State | None = None
        default = False
        path = self.path
        for arm, case in enumerate(statement.cases):
            self.path = (*path, (id(statement), arm))
            default = default or not case.values
            entry = before.copy()
            self.state = entry
            self._select(statement.subject, case)
            entries = [entry, falling] if falling is not None and falling.alive else [entry]
            self.state = merge([state for state in entries if state is not None])
            self.block(case.body)
            falling = self.state
        self.path = path
        ends = self.breaks.pop()
        if falling is not None:
            ends.append(falling)
        if not default:
            ends.append(before)
        self.state = merge(ends)

    def _select(self, subject: Expr, case: Case) -> None:
        if len(case.values) == 1:
            refine(self, Binary(case.extent, "==", subject, case.values[0]), holds=True)
        elif case.values and isinstance(subject, Name):
            choices = [self.quantity(value) for value in case.values]
            joined: Value = choices[0]
            for choice in choices[1:]:
                joined = join(joined, choice, fresh(subject.name))
            if isinstance(joined, Quantity):
                known = arithmetic.integer(self.value(subject))
                self.state.variables[subject.name] = narrow(known, "==", joined)

    def give_back(self, statement: Return) -> None:
        if statement.value is not None:
            value = self.value(statement.value)
            function = self.scope.function
            if function is not None:
                value = self.convert(value, function.returns)
            value = named(self.state.narrow(value) if isinstance(value, Quantity) else value, "result")
            self.returned = value if self.returned is None else join(self.returned, value, fresh("result"))
        self.exits.append(self.state.copy())
        self.state.alive = False

    def leave(self, _: Stmt) -> None:
        self.state.alive = False

    def break_(self, _: Break) -> None:
        if self.breaks:
            self.breaks[-1].append(self.state.copy())
        self.state.alive = False


def _restore(table: dict[str, Any], name: str, value: object) -> None:
    if value is None:
        table.pop(name, None)
    else:
        table[name] = value


def _step(step: Expr | None) -> tuple[str, Expr | None]:
    """The variable a loop's step changes, and by what."""
    if isinstance(step, Unary) and step.op in ("++", "--", "p++", "p--") and isinstance(step.operand, Name):
        return step.operand.name, Int(step.extent, 1)
    if isinstance(step, Assign) and isinstance(step.target, Name):
        value = step.value
        if step.op:
            return step.target.name, value
    return "", None


def _assigns(body: tuple[Stmt, ...], name: str) -> bool:
    return name in assigned_names(expressions(body))


def assigned_names(nodes: Iterable[Expr]) -> set[str]:
    """The variables that expressions assign to, count up or down, or hand out the address of."""
    names: set[str] = set()
    for node in nodes:
        place: Expr | None = None
        if isinstance(node, Assign):
            place = node.target
        elif isinstance(node, Unary) and node.op in ("++", "--", "p++", "p--", "&"):
            place = node.operand
        while isinstance(place, Member | Element):
            if isinstance(place, Member) and isinstance(place.base, Name) and place.base.name == "this":
                names.add(f"this.{place.name}")
            place = place.base
        if isinstance(place, Name):
            names |= {place.name, f"this.{place.name}"}
    return names


_STATEMENTS: dict[type, Callable[[Any, Any], None]] = {
    Declare: Interpreter.declare,
    Evaluate: Interpreter.evaluate,
    If: Interpreter.branch,
    Loop: Interpreter.loop,
    Switch: Interpreter.switch,
    Block: lambda interpreter, statement: interpreter.block(statement.body),
    Return: Interpreter.give_back,
    Throw: Interpreter.leave,
    Goto: Interpreter.leave,
    Continue: Interpreter.leave,
    Break: Interpreter.break_,
    Unreadable: lambda interpreter, _: interpreter.state.forget(list(interpreter.state.variables)),
}

HANDLERS[Lambda] = lambda evaluator, expr: (
    evaluator.lambda_(expr) if isinstance(evaluator, Interpreter) else Closure(expr, evaluator.state.variables)
)
HANDLERS[Launching] = lambda evaluator, expr: (
    evaluator.launching(expr) if isinstance(evaluator, Interpreter) else UNKNOWN
)


def parameters(interpreter: Interpreter, names: Iterable[tuple[str, Type]], values: dict[str, Value]) -> None:
    """Bind parameters to values, each as one of its type; those without a value are symbols of their name."""
    for name, type_ in names:
        resolved = interpreter.scope.resolve(type_) or type_
        interpreter.declared[name] = resolved
        value = values.get(name)
        interpreter.state.variables[name] = (
            symbol(name, resolved) if value is None else interpreter.convert(value, resolved)
        )
