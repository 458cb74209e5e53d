"""Walks the statements of a kernel as one thread of many does, and writes down what it does."""

from collections.abc import Callable
from dataclasses import field
from typing import Any

from cudalint.analysis.device import arithmetic
from cudalint.analysis.device.carried import UNSURE, Carried, carried, differing, variables
from cudalint.analysis.device.events import (
    Branch,
    Carry,
    Control,
    Event,
    Exit,
    Induction,
    Loop,
    Overflow,
    Shape,
    Trace,
    Unknown,
)
from cudalint.analysis.device.jumps import Labels, arrive, jump
from cudalint.analysis.device.pure import Pure
from cudalint.analysis.device.values import (
    BLOCK,
    EVERY,
    UNKNOWN,
    Buffer,
    Cause,
    Num,
    Place,
    Pointer,
    Value,
    first_cause,
    number,
)
from cudalint.analysis.device.warps import Warps
from cudalint.analysis.evaluate import Evaluator
from cudalint.ir import Assign, Binary, Declare, Expr, Function, If, Name, Stmt, Switch, Type, Unary
from cudalint.ir import Loop as LoopStatement
from cudalint.ir import symbol as sym
from cudalint.ir.stmt import Block, Break, Case, Continue, Evaluate, Goto, Label, Return, Throw, Unreadable
from cudalint.record import mutable_record

LARGEST = {"int": 0x7FFFFFFF, "unsigned": 0xFFFFFFFF}
"""What 32 bits hold."""
MOST_STATEMENTS = 1000
_DIVERTING = frozenset({"return", "break", "continue", "trap"})


@mutable_record
class Frame:
    """One function being walked: `prefix` marks its variables, `evaluator` knows its constants, `constants` those it was
    asked for. `variant` tells apart the instances of a template, whose static variables are each its own.
    """

    function: Function
    evaluator: Evaluator
    prefix: str
    path: tuple[Place, ...]
    base: Control | None
    returned: list[tuple[Value, Control | None]]
    constants: dict[str, Value]
    this: str = ""
    variant: str = ""
    labels: Labels = field(default_factory=Labels)


class Walk:
    """One pass over a kernel. `state` maps variables, marked with the prefix of their function, to what they hold."""

    def __init__(self, shape: Shape, frame: Frame, pure: Pure) -> None:
        self.pure = pure
        self.shape = shape
        self.frame = frame
        self.trace = Trace(shape)
        self.events: list[Event] = self.trace.events
        self.state: dict[str, Value] = {}
        self.types: dict[str, Type] = {}
        self.control: Control | None = None
        self.alive = True
        self.lists: list[tuple[int, Control | None]] = []
        self.jump: Exit | None = None
        self.budget = MOST_STATEMENTS
        self.ranges: dict[sym.Atom, arithmetic.Bounds] = {}
        self.atoms = self.trace.atoms
        self.warps = Warps(shape.block, shape.grid, shape.warp, self.atoms)
        self.known: dict[int, tuple[Function, Evaluator, dict[str, Value]]] = {}
        self.structured: set[str] = set()
        self.built_ins: dict[tuple[str, str], Num] = {}
        self.versions = 0
        self.latest = sym.Symbol("")
        self.frames = 0

    # places and names

    def place(self, extent: int) -> Place:
        return self.frame.function.file, extent

    def fresh(self, name: str, varies: int, bounds: arithmetic.Bounds = (None, None)) -> sym.Form:
        """A symbol for a value of which only its name is known."""
        self.versions += 1
        atom = self.latest = sym.Symbol(name, self.versions)
        self.atoms[atom] = varies
        self.ranges[atom] = bounds
        return sym.atom(atom)

    def named(self, name: str, value: Num) -> sym.Form:
        """A symbol for what a variable is given and has no formula."""
        form = self.fresh(name, value.varies, (value.lo, value.hi))
        if not value.varies and self.doubted(value):
            self.trace.dubious.add(self.latest)
        return form

    def doubted(self, value: Num) -> bool:
        """Whether nothing seen says that a value is the same for all threads, although nothing seen makes it differ."""
        if value.form is not None:
            return not self.trace.dubious.isdisjoint(value.form.leaves())
        return value.read is None or isinstance(value.read, Unknown)

    def fitted(self, value: Value, kind: str, extent: int) -> None:
        """Note where a value that differs between blocks may be too large for what holds it."""
        if (
            isinstance(value, Num)
            and value.hi is not None
            and value.hi > LARGEST.get(kind, value.hi)
            and value.varies & BLOCK
            and value.lo is not None
            and value.form is not None
        ):
            self.trace.overflows.append(Overflow(self.place(extent), self.control, value, kind))

    def range_of(self, form: sym.Form) -> arithmetic.Bounds:
        """The bounds of a formula over atoms whose bounds are known."""
        lo: int | None = 0
        hi: int | None = 0
        terms = dict(form.terms)
        for axis in "xyz":
            own, size = (sym.Symbol(f"threadIdx.{axis}"),), (sym.Symbol(f"blockDim.{axis}"),)
            if size in terms and terms.get(own, 0) == -terms[size] > 0:
                hi = None if hi is None else hi - terms[own]
                lo = None
                del terms[own], terms[size]
        for atoms, coefficient in terms.items():
            low, high = self._product(atoms)
            if coefficient < 0:
                low, high = high, low
            lo = None if lo is None or low is None else lo + coefficient * low
            hi = None if hi is None or high is None else hi + coefficient * high
        return lo, hi

    def _product(self, atoms: sym.Monomial) -> arithmetic.Bounds:
        lo, hi = 1, 1
        top: int | None = hi
        for atom in atoms:
            low, high = self._atom(atom)
            if low is None or low < 0:
                if len(atoms) == 1:
                    return low, high
                return None, None
            lo *= low
            top = None if top is None or high is None else top * high
        return lo, top

    def _atom(self, atom: sym.Atom) -> arithmetic.Bounds:
        known = self.ranges.get(atom)
        if known is not None:
            return known
        if isinstance(atom, sym.Remainder):
            low, _ = self.range_of(atom.dividend)
            _, top = self.range_of(atom.divisor)
            return (0 if low is not None and low >= 0 else None), (None if top is None else top - 1)
        if isinstance(atom, sym.Quotient):
            low, high = self.range_of(atom.dividend)
            size = atom.divisor.constant
            if size is None or size <= 0 or low is None or low < 0:
                return (0 if low is not None and low >= 0 else None), None
            if atom.up:
                return -(-low // size), None if high is None else -(-high // size)
            return low // size, None if high is None else high // size
        return None, None

    # statements

    def body(self, statements: tuple[Stmt, ...]) -> None:
        """Statements with a scope of their own."""
        prefix = self.frame.prefix
        shadowed: dict[str, Value | None] = {}
        self.lists.append((id(statements), self.control))
        for statement in statements:
            if isinstance(statement, Label):
                arrive(self, statement.label)
            if not self.alive:
                if self.trace.complete and not self.frame.labels.pending:
                    break
                if self.trace.complete:
                    continue
                self.alive = True
            if isinstance(statement, Declare) and statement.name not in shadowed:
                shadowed[statement.name] = self.state.get(prefix + statement.name)
            self.statement(statement)
        self.lists.pop()
        for name, value in shadowed.items():
            if value is None:
                self.state.pop(prefix + name, None)
            else:
                self.state[prefix + name] = value

    def statement(self, statement: Stmt) -> None:
        self.budget -= 1
        if self.budget < 0:
            self.trace.complete = False
            return
        handler = _STATEMENTS.get(type(statement))
        if handler is not None:
            handler(self, statement)

    def value(self, expr: Expr | None) -> Value:
        handler = EXPRESSIONS.get(type(expr))
        return handler(self, expr) if handler is not None else UNKNOWN

    def number(self, expr: Expr | None) -> Num:
        value = self.value(expr)
        if isinstance(value, Num):
            return value
        if isinstance(value, Pointer):
            offset = value.offset
            return Num(offset.varies, None, None, None, "", offset.cause)
        return UNKNOWN

    def evaluate(self, statement: Evaluate) -> None:
        self.value(statement.value)
        value = statement.value
        if isinstance(value, Name) and self.frame.prefix + value.name not in self.state and "." not in value.name:
            self.unread(value)

    def unread(self, name: Name) -> None:
        """A name alone as a statement is a macro that is not visible, which may do anything."""
        scope = self.frame.evaluator.scope
        if not any(macro.body is not None for macro in scope.index.macros(name.name, scope.file)):
            place = self.place(name.extent)
            self.events.append(Unknown(place, self.frame.path, self.control, name.name, (UNKNOWN,)))
            self.trace.unseen.add(name.name)

    def declare(self, statement: Declare) -> None:
        DECLARE[0](self, statement)

    def block(self, statement: Block) -> None:
        self.body(statement.body)

    def leave(self, statement: Stmt) -> None:
        """A return, break or continue."""
        kind = _JUMPS[type(statement)]
        if isinstance(statement, Return):
            value = self.value(statement.value) if statement.value is not None else UNKNOWN
            if statement.value is not None:
                self.frame.returned.append((value, self.control))
        self.jump = Exit(self.place(statement.extent), self.frame.path, self.control, kind)
        self.events.append(self.jump)
        self.alive = False

    def give_up(self, statement: Stmt) -> None:  # noqa: ARG002 - a handler
        """Something that cannot be followed: nothing may be concluded from what is absent."""
        self.trace.complete = False

    # branches

    def branch(self, statement: If) -> None:
        condition = self.number(statement.condition)
        settled = arithmetic.known(condition)
        if settled is not None:
            self.body(statement.then if settled else statement.other)
            return
        node = Branch(self.place(statement.condition.extent), self.frame.path, self.control, condition)
        self.events.append(node)
        self._arms(node, condition, statement.condition, [(statement.then, True), (statement.other, False)])

    def _arms(self, node: Branch, condition: Num, source: Expr, arms: list[tuple[tuple[Stmt, ...], bool]]) -> None:
        """Walk the ways on from a condition, and go on with what is left of them."""
        events, before, outer = self.events, self.state, self.control
        ends: list[_End] = []
        for body, holds in arms:
            own = Control("branch", condition, holds, node.place, outer, source=source)
            self.control, self.alive, self.jump = own, True, None
            self.events = []
            node.arms.append(self.events)
            if body:
                self.state = before.copy()
                self.body(body)
            else:
                self.state = before
            ends.append(_End(self.state, self.control, own, self.alive, self.jump))
        self.events = events
        self._join(ends, condition, before, outer)

    def _join(self, ends: "list[_End]", condition: Num, before: dict[str, Value], outer: Control | None) -> None:
        living = [end for end in ends if end.alive]
        self.alive = bool(living)
        control = outer
        for end in ends:
            if end.alive:
                for inner in end.added():
                    control = _wrapped(inner, condition, control)
            elif living and end.jump is not None:
                holds = not end.own.holds
                control = Control(
                    end.jump.kind, condition, holds, end.own.place, control, end.jump.place, source=end.own.source
                )
        self.control = control
        if not living:
            self.jump = next(
                (end.jump for end in ends if end.jump is not None and end.jump.kind == "return"), ends[0].jump
            )
            self.state = ends[0].state
            return
        self.jump = None
        state = living[0].state
        for end in living[1:]:
            state = self.merged(state, end.state, condition, before)
        self.state = state

    def merged(
        self, left: dict[str, Value], right: dict[str, Value], condition: Num, before: dict[str, Value]
    ) -> dict[str, Value]:
        """What is held after one of two ways was taken, as `condition` decided."""
        if left is right:
            return left
        result = {}
        for name in before:
            a, b = left.get(name), right.get(name)
            if a is b and a is not None:
                result[name] = a
            elif a is not None and b is not None:
                result[name] = self.joined(name, a, b, condition)
        for name in left.keys() & right.keys() - before.keys():
            a, b = left[name], right[name]
            result[name] = a if a is b else self.joined(name, a, b, condition)
        return result

    def joined(self, name: str, left: Value, right: Value, condition: Num) -> Value:
        if isinstance(left, Num) and isinstance(right, Num):
            if left.form is not None and left.form == right.form:
                return left
            varies = left.varies | right.varies | condition.varies
            lo = None if left.lo is None or right.lo is None else min(left.lo, right.lo)
            hi = None if left.hi is None or right.hi is None else max(left.hi, right.hi)
            cause = first_cause(left, right, condition) if varies else None
            kind = left.kind if left.kind == right.kind else ""
            read = left.read if left.read is not None else right.read
            form = None if kind in {"float", "struct"} else self.fresh(name, varies, (lo, hi))
            if form is not None and (self.doubted(left) or self.doubted(right) or isinstance(condition.read, Unknown)):
                self.trace.dubious.add(self.latest)
            return Num(varies, form, lo, hi, kind, cause, None, read)
        if isinstance(left, Pointer) and isinstance(right, Pointer) and left.buffer is right.buffer:
            offset = self.joined(name, left.offset, right.offset, condition)
            return left.moved(offset if isinstance(offset, Num) else UNKNOWN)
        if left == right:
            return left
        if isinstance(left, Pointer) and isinstance(right, Pointer):
            varies = left.offset.varies | right.offset.varies | condition.varies
            space = left.buffer.space if left.buffer.space == right.buffer.space else "unknown"
            buffer = Buffer(f"{name}#{self.versions}", name, space, left.buffer.element, left.size)
            return Pointer(buffer, Num(varies), left.size)
        return UNKNOWN

    def switch(self, statement: Switch) -> None:
        subject = self.number(statement.subject)
        node = Branch(self.place(statement.subject.extent), self.frame.path, self.control, subject)
        events, before, outer = self.events, self.state, self.control
        self.events.append(node)
        settled = _arm_of(statement, subject, self)
        ends: list[_End] = []
        falling: dict[str, Value] | None = None
        cases = [settled] if settled is not None else list(statement.cases)
        for case in cases:
            chosen = self._chosen(subject, case, falls=falling is not None)
            own = (
                Control("branch", chosen, True, node.place, outer, source=statement.subject)
                if settled is None
                else outer
            )
            self.control, self.alive, self.jump = own, True, None
            self.events = []
            node.arms.append(self.events)
            self.state = before.copy() if falling is None else self.merged(before, falling, subject, before)
            self.body(case.body)
            falling = self.state if self.alive else None
            broke = self.jump is not None and self.jump.kind == "break" and not self.alive
            last = case is cases[-1]
            if own is not None and (not self.alive or last) and settled is None:
                ends.append(_End(self.state, self.control, own, self.alive or broke, None if broke else self.jump))
        self.events = events
        if settled is not None:
            broke = self.jump is not None and self.jump.kind == "break"
            self.alive = self.alive or broke
            self.control = _without(self.control, outer, "break")
            return
        if all(case.values for case in cases):
            skipped = Control("branch", subject, False, node.place, outer, source=statement.subject)
            ends.append(_End(before, skipped, skipped, True, None))
        self._join(ends, subject, before, outer)
        self.control = _without(self.control, outer, "break")

    def _chosen(self, subject: Num, case: Case, *, falls: bool) -> Num:
        """Whether a case of a switch is the one taken; not known of the default, and where the case before falls through."""
        value = self.number(case.values[0]) if len(case.values) == 1 and not falls else UNKNOWN
        if value.form is None:
            return Num(subject.varies, None, 0, 1, "bool", subject.cause, None, subject.read)
        return arithmetic.compare("==", subject, value, self.range_of)

    # loops

    def loop(self, statement: LoopStatement) -> None:
        prefix = self.frame.prefix
        names = [item.name for item in statement.init if isinstance(item, Declare)]
        shadowed = {name: self.state.get(prefix + name) for name in names}
        for item in statement.init:
            self.statement(item)
        self._turns(statement)
        for name, value in shadowed.items():
            if value is None:
                self.state.pop(prefix + name, None)
            else:
                self.state[prefix + name] = value

    def _turns(self, statement: LoopStatement) -> None:
        if statement.kind == "do" and statement.condition is not None:
            events, self.events = self.events, []
            state, self.state = self.state, self.state.copy()
            never = arithmetic.known(self.number(statement.condition)) is False
            self.events, self.state = events, state
            if never:
                self._once(statement)
                return
        before, outer, events = self.state, self.control, self.events
        first = self.versions + 1
        induction = self._induction(statement)
        forgotten = self._forget(statement, induction)
        checked = statement.condition if statement.kind in {"for", "while", "do"} else None
        if statement.kind == "each":
            self.number(statement.condition)
        condition = self.number(checked) if checked is not None and statement.kind != "do" else UNKNOWN
        if arithmetic.known(condition) is False:
            self.state = before
            return
        endless = checked is None or arithmetic.known(condition) is True
        node = Loop(self.place(statement.extent), self.frame.path, outer, statement.kind, condition)
        node.induction = induction
        _bound(node, condition)
        node.varies = condition.varies & ~self._same_turns(node)
        node.cause = condition.cause
        events.append(node)
        own = Control("loop", condition, True, self.place(statement.extent), outer, None, node, checked)
        self.control, self.events, self.jump, self.alive = own, node.body, None, True
        self.body(statement.body)
        leaves = self.jump if not self.alive else None
        self.alive = True
        if statement.step is not None:
            self.value(statement.step)
        if statement.kind == "do" and checked is not None:
            node.condition = own.condition = self.number(checked)
            node.varies |= node.condition.varies
            node.cause = node.cause or node.condition.cause
        self.events = events
        node.versions = first, self.versions + 1
        self._carry(node, before, forgotten)
        self._end_loop(node, own, outer, forgotten, leaves, endless=endless and statement.kind != "do")

    def _carry(self, node: Loop, before: dict[str, Value], forgotten: dict[str, Value]) -> None:
        """Note what the loop hands from turn to turn."""
        for name, held in forgotten.items():
            start, end = before.get(name), self.state.get(name)
            if isinstance(held, Pointer) and isinstance(start, Pointer):
                if not isinstance(end, Pointer) or end.buffer is not start.buffer:
                    node.swapped |= {one.buffer.key for one in (start, end) if isinstance(one, Pointer)}
                    continue
                start, end = start.offset, end.offset
            atom = _atom(held)
            if atom is not None and isinstance(start, Num):
                if self.doubted(start) or not isinstance(end, Num) or self.doubted(end):
                    self.trace.dubious.add(atom)
                node.carries.append(Carry(atom, start, end if isinstance(end, Num) else UNKNOWN))

    def _once(self, statement: LoopStatement) -> None:
        """`do { … } while (0)` is a block that may be left early."""
        outer = self.control
        self.body(statement.body)
        if not self.alive and self.jump is not None and self.jump.kind in {"break", "continue"}:
            self.alive = True
        self.control = _without(_without(self.control, outer, "break"), outer, "continue")

    def _end_loop(
        self,
        node: Loop,
        own: Control,
        outer: Control | None,
        forgotten: dict[str, Value],
        leaves: Exit | None,
        *,
        endless: bool,
    ) -> None:
        """What holds after a loop: the number of turns makes what it assigned differ, and returns in it stay."""
        added = list(_added(self.control, own))
        node.exits = [inner for inner in added if inner.kind in _DIVERTING]
        for inner in node.exits:
            if inner.kind == "break":
                node.varies |= inner.condition.varies
                node.cause = node.cause or inner.condition.cause
        control = outer
        for inner in added:
            if inner.kind == "return":
                control = _wrapped(inner, node.condition, control)
        self.control = control
        breaks = any(inner.kind == "break" for inner in added) or (leaves is not None and leaves.kind == "break")
        self.alive = not endless or breaks
        self.jump = None if self.alive else next((Exit(node.place, node.path, outer, "return") for _ in "1"), None)
        after = Num(node.varies, cause=node.cause)
        carries: dict[sym.Atom | None, Carry] = {carry.atom: carry for carry in node.carries}
        for name, start in forgotten.items():
            end = self.state.get(name)
            if end is not None and end is not start:
                self.state[name] = self.joined(name, start, end, after)
            elif node.varies and isinstance(start, Num):
                self.state[name] = self.joined(
                    name, start, Num(start.varies, None, start.lo, start.hi, start.kind), after
                )
            carry, left = carries.get(_atom(start)), _atom(self.state.get(name))
            if carry is not None and left is not carry.atom:
                carry.after = left

    def _forget(self, statement: LoopStatement, induction: Induction | None) -> dict[str, Value]:
        """Make what the loop assigns unknown, as it is in any turn; what that made of the variables."""
        assigned = self._carried(statement)
        prefix, state = self.frame.prefix, self.state.copy()
        differs = differing(assigned, self._varying(assigned), self._common(assigned))
        forgotten: dict[str, Value] = {}
        for name, varies in differs.items():
            key = self.alias(self._key(name))
            old = state.get(key)
            if old is not None:
                forgotten[key] = state[key] = self._forgotten(name, old, varies)
        if induction is not None:
            key = prefix + induction.name
            start = induction.start
            varies = start.varies | (induction.step.varies if induction.step is not None else 0)
            self.atoms[induction.atom] = varies
            self.warps.count(induction.atom, start, induction.step)
            bounds: arithmetic.Bounds = (None, None)
            up = induction.step is not None and (induction.step.lo or 0) > 0 and induction.op in {"+", "*", "<<"}
            if up:
                bounds = (start.lo, None)
            elif induction.op in {"-", "/", ">>"}:
                bounds = (None, start.hi)
            if not up and induction.op in {"/", ">>"} and start.lo is not None and start.lo >= 0:
                bounds = (0, start.hi)
            self.ranges[induction.atom] = bounds
            lo, hi = bounds
            value = Num(varies, sym.atom(induction.atom), lo, hi, start.kind, start.cause if varies else None)
            forgotten[key] = state[key] = value
        self.state = state
        return forgotten

    def _key(self, name: str) -> str:
        """Where the state holds a variable of the function, or in brackets what an array holds."""
        return f"[{self.frame.prefix}{name[1:]}" if name.startswith("[") else self.frame.prefix + name

    def alias(self, key: str) -> str:
        """The key of the variable that a name means: another one's where it is a reference to that."""
        held = self.state.get(key)
        if isinstance(held, Pointer) and held.cell and held.buffer.space == "local" and not held.buffer.extents:
            return held.buffer.key
        return key

    def _varying(self, assigned: Carried) -> dict[str, int]:
        names = variables(assigned)
        found = {name: _varies(self.state.get(self.alias(self._key(name)), self._written_out(name))) for name in names}
        return {name: varies for name, varies in found.items() if varies}

    def _written_out(self, name: str) -> Value | None:
        """What a macro without parameters is worth here."""
        scope = self.frame.evaluator.scope
        if not name.isidentifier() or self._key(name) in self.state:
            return None
        if not any(
            macro.parameters is None and macro.body is not None for macro in scope.index.macros(name, scope.file)
        ):
            return None
        events, self.events = self.events, []
        value = self.value(Name(self.frame.function.heading, name))
        self.events = events
        return value

    def _common(self, assigned: Carried) -> frozenset[str]:
        """The names that mean memory which threads share: in brackets what stands at a pointer, else a variable there."""
        found = set()
        for flow in assigned.flows:
            inside = flow.target.startswith("[")
            name = flow.target[1:-1] if inside else flow.target
            if name in assigned.local:
                continue
            held = self.state.get(self.frame.prefix + name)
            shared = isinstance(held, Pointer) and held.buffer.space not in {"local", "unknown"}
            if held is None or (isinstance(held, Pointer) and shared and (inside or held.cell)):
                found.add(flow.target)
        return frozenset(found)

    def _forgotten(self, name: str, old: Value, varies: int) -> Value:
        if isinstance(old, Num):
            every = old.varies | (varies | varies >> UNSURE) & EVERY
            unsure = not (old.varies | varies) & EVERY
            cause = old.cause or (
                Cause(name, self.place(self.frame.function.heading), guessed=unsure) if every else None
            )
            form = None if old.kind in {"float", "struct"} else self.fresh(name, every)
            return Num(every, form, None, None, old.kind, cause)
        if isinstance(old, Pointer) and not old.cell and (old.buffer.space != "local" or old.offset.exact != 0):
            offset = self._forgotten(name, old.offset, varies)
            return Pointer(
                old.buffer, offset if isinstance(offset, Num) else UNKNOWN, old.size, old.depth, old.volatile
            )
        return old

    def _carried(self, statement: LoopStatement) -> Carried:
        """The assignments of a loop, looked up once for all traces."""
        memo, key = self.frame.evaluator.session.memo, ("carried", id(statement))
        found: Carried | None = memo.get(key)
        if found is None:
            found = memo[key] = carried(statement)
        return found

    def _induction(self, statement: LoopStatement) -> Induction | None:
        """The variable a `for` loop counts with, where nothing else in the loop assigns it."""
        if statement.kind != "for" or statement.step is None:
            return None
        name, op, amount = _step(statement.step)
        start = self.state.get(self.frame.prefix + name) if name else None
        if not isinstance(start, Num) or start.kind == "float":
            return None
        assigned = self._carried(statement)
        if sum(flow.target == name for flow in assigned.flows) != 1:
            return None
        step = number(1) if amount is None else self.number(amount)
        self.versions += 1
        return Induction(sym.Symbol(name, self.versions), name, start, step, None, op)

    def _same_turns(self, node: Loop) -> int:
        """Between which threads the number of turns is the same although they count from different starts."""
        induction = node.induction
        if induction is None or induction.op != "+" or induction.bound is None or induction.step is None:
            return 0
        start, bound, step = induction.start, induction.bound, induction.step
        test = node.condition.test
        if (
            step.varies
            or step.form is None
            or test is None
            or start.form is None
            or bound.form is None
            or test.op in {"&&", "||"}
        ):
            return 0
        distance = sym.add(bound.form, start.form, -1)
        same = EVERY & ~self.warps.varies(distance)
        if test.op == "<" and sym.divides(step.form, bound.form) and self.warps.within(start.form, step.form):
            return EVERY & ~bound.varies
        if step.exact is None or step.exact <= 0 or test.op not in {"<", "<="}:
            return same
        low, high = self.range_of(distance)
        if low is None or high is None:
            return same
        extra = 1 if test.op == "<=" else 0
        turns = [-(-max(0, end + extra) // step.exact) for end in (low, high)]
        return EVERY if turns[0] == turns[1] else same


@mutable_record
class _End:
    """Where one arm of a branch ends."""

    state: dict[str, Value]
    control: Control | None
    own: Control
    alive: bool
    jump: Exit | None

    def added(self) -> list[Control]:
        """The conditions that jumps in the arm added, outermost first."""
        return list(_added(self.control, self.own))


def _added(control: Control | None, base: Control | None) -> list[Control]:
    found = []
    while control is not None and control is not base:
        found.append(control)
        control = control.outer
    return found[::-1]


def _without(control: Control | None, base: Control | None, kind: str) -> Control | None:
    """The conditions, those that jumps of a kind added since `base` left out."""
    kept = base
    for inner in _added(control, base):
        if inner.kind != kind:
            kept = Control(
                inner.kind, inner.condition, inner.holds, inner.place, kept, inner.exit, inner.loop, inner.source
            )
    return kept


def _wrapped(inner: Control, condition: Num, outer: Control | None) -> Control:
    """What a jump under a further condition leaves behind for those that come past that."""
    own = inner.condition
    if condition.varies & ~own.varies:
        varies = own.varies | condition.varies
        own = Num(varies, None, 0, 1, "bool", first_cause(own, condition), None, own.read)
    elif own.test is not None:
        own = Num(own.varies, None, 0, 1, "bool", own.cause, None, own.read)
    return Control(inner.kind, own, inner.holds, inner.place, outer, inner.exit, None, inner.source)


def _atom(value: Value | None) -> sym.Atom | None:
    """The symbol a value, or the offset of a pointer, is."""
    number = value.offset if isinstance(value, Pointer) else value
    return number.form.atom if isinstance(number, Num) and number.form is not None else None


def _varies(value: Value | None) -> int:
    if isinstance(value, Num):
        return value.varies
    return value.offset.varies if isinstance(value, Pointer) else 0


def _bound(node: Loop, condition: Num) -> None:
    """Note what a loop counts up or down to."""
    induction, test = node.induction, condition.test
    if induction is None or test is None:
        return
    while test.op == "&&" and test.left.test is not None:
        test = test.left.test
    own = sym.atom(induction.atom)
    if test.left.form == own:
        induction.bound = test.right
    elif test.right.form == own:
        induction.bound = test.left


def _step(step: Expr) -> tuple[str, str, Expr | None]:
    """The variable a loop's step changes, by which operation, and by how much (None: by one)."""
    if isinstance(step, Binary) and step.op == ",":
        return _step(step.left)
    if isinstance(step, Unary) and step.op in {"++", "p++", "--", "p--"} and isinstance(step.operand, Name):
        return step.operand.name, step.op[-1], None
    if isinstance(step, Assign) and isinstance(step.target, Name):
        if step.op:
            return step.target.name, step.op, step.value
        value = step.value
        if isinstance(value, Binary) and isinstance(value.left, Name) and value.left.name == step.target.name:
            return step.target.name, value.op, value.right
        if (
            isinstance(value, Binary)
            and value.op in "+*"
            and isinstance(value.right, Name)
            and value.right.name == step.target.name
        ):
            return step.target.name, value.op, value.left
    return "", "", None


def _arm_of(statement: Switch, subject: Num, walk: Walk) -> Case | None:
    """The case a known subject selects."""
    if subject.exact is None:
        return None
    for case in statement.cases:
        if any(walk.number(value).exact == subject.exact for value in case.values):
            return case
    return next((case for case in statement.cases if not case.values), None)


_JUMPS: dict[type, str] = {Return: "return", Break: "break", Continue: "continue", Throw: "trap"}
_STATEMENTS: dict[type, Callable[[Walk, Any], None]] = {
    Declare: Walk.declare,
    Evaluate: Walk.evaluate,
    If: Walk.branch,
    LoopStatement: Walk.loop,
    Switch: Walk.switch,
    Block: Walk.block,
    Return: Walk.leave,
    Break: Walk.leave,
    Continue: Walk.leave,
    Throw: Walk.leave,
    Goto: jump,
    Unreadable: Walk.give_up,
}
EXPRESSIONS: dict[type, Callable[[Walk, Any], Value]] = {}
"""What evaluates each kind of expression; the modules of expressions, memory and calls fill it."""
DECLARE: list[Callable[[Walk, Declare], None]] = []
