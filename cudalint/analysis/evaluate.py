"""Values of expressions: names, members, operators, constructions. Calls are in `calls`, statements in `interpret`."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cudalint.analysis import apis, arithmetic, types
from cudalint.analysis.domain import DIM3, UNKNOWN, Closure, FunctionRef, Real, Record, Sequence, Value, join, placed
from cudalint.analysis.names import MOST_DEPTH, Scope, assumed, believed, function_named, symbol
from cudalint.analysis.state import State, fresh, named
from cudalint.ir import (
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    Construct,
    Declare,
    Expr,
    Float,
    Index,
    Int,
    KernelIn,
    Lambda,
    Member,
    Name,
    Origin,
    Quantity,
    SizeOf,
    Struct,
    Text,
    Type,
    Unary,
)
from cudalint.ir import symbol as sym
from cudalint.source import Span

if TYPE_CHECKING:
    from cudalint.analysis.session import Session


class Evaluator:
    """Evaluates expressions at one point of one function. `declared` holds the types of its variables."""

    def __init__(self, scope: Scope, session: "Session", depth: int = 0) -> None:
        self.scope = scope
        self.session = session
        self.depth = depth
        self.state = State()
        self.declared: dict[str, Type] = {}
        self.arrays: dict[str, Quantity] = {}

    def value(self, expr: Expr | None) -> Value:
        """The value of an expression; its side effects happen to `state`."""
        handler = HANDLERS.get(type(expr))
        return handler(self, expr) if handler is not None else UNKNOWN

    def quantity(self, expr: Expr | None) -> Quantity:
        """The value as an integer, narrowed by the conditions passed."""
        return self.state.narrow(arithmetic.integer(self.value(expr)))

    # names

    def name(self, expr: Name) -> Value:
        known = assumed(self.scope, expr.name)
        if known is not None:
            return known
        local = self.state.variables.get(expr.name)
        if local is not None:
            return local
        for look in (self._template_argument, self._own_field, self._macro, self._qualified, self._global):
            found = look(expr)
            if found is not None:
                return found
        function = function_named(expr, self.scope)
        return function if isinstance(function, FunctionRef) else symbol(expr.name)

    def _template_argument(self, expr: Name) -> Value | None:
        return self.scope.values.get(expr.name)

    def _own_field(self, expr: Name) -> Value | None:
        if not self.scope.owner or "::" in expr.name:
            return None
        stored = self.state.variables.get(f"this.{expr.name}")
        return stored if stored is not None else self.session.declared.field(self.scope, expr.name)

    def _macro(self, expr: Name) -> Value | None:
        found = self.scope.index.macros(expr.name, self.scope.file)
        bodies = [macro for macro in found if macro.parameters is None]
        if not bodies or self.depth > MOST_DEPTH:
            return None if not bodies else UNKNOWN
        if not bodies[-1].conditional:
            bodies = bodies[-1:]
        bodies = [macro for macro in bodies if self._defined(macro.body)] or bodies
        self.depth += 1
        values = [self.value(macro.body) if macro.body is not None else UNKNOWN for macro in bodies]
        self.depth -= 1
        joined = values[0]
        for value in values[1:]:
            joined = join(joined, value, fresh(expr.name))
        return believed(joined, Origin.MACRO)

    def _defined(self, body: Expr | None) -> bool:
        """Whether a replacement can compile here: one that is a bare name nobody defines stands in a branch not taken."""
        if not isinstance(body, Name) or "::" in body.name or body.name in self.state.variables:
            return True
        index, file = self.scope.index, self.scope.file
        return bool(index.macros(body.name, file) or index.global_(body.name, file) or body.name in index.definitions)

    def _qualified(self, expr: Name) -> Value | None:
        prefix, _, last = expr.name.rpartition("::")
        if not prefix:
            return None
        found = self.scope.struct(Type(prefix, expr.arguments))
        if found is None:
            return None
        struct, inside = found
        return self.static_field(struct, inside, last)

    def _global(self, expr: Name) -> Value | None:
        return self.session.declared.constant(self.scope, expr)

    def static_field(self, struct: Struct, inside: Scope, name: str) -> Value | None:
        """The value of a constant member, read where its class stands."""
        for declare in struct.fields:
            if declare.name == name and declare.init is not None and is_constant(declare):
                reader = Evaluator(inside, self.session, self.depth + 1)
                value = reader.value(declare.init) if self.depth < MOST_DEPTH else UNKNOWN
                return believed(reader.convert(value, declare.type), Origin.CONSTEXPR)
        return None

    # members and elements

    def member(self, expr: Member) -> Value:
        if isinstance(expr.base, Name) and expr.base.name == "this":
            return self.name(Name(expr.extent, expr.name))
        base = self.value(expr.base)
        known = assumed(self.scope, expr.name) if self.scope.assume else None
        if known is not None:
            return known
        if isinstance(base, Record):
            if expr.name in base.fields:
                return base.fields[expr.name]
            if types.is_shape(base.type):
                return UNKNOWN
        if expr.name in apis.DEVICE_FIELDS:
            return device_value(apis.DEVICE_FIELDS[expr.name])
        found = self.scope.struct(self.type_of(expr.base))
        if found is not None:
            struct, inside = found
            constant = self.static_field(struct, inside, expr.name)
            if constant is None:
                constant = self.session.declared.field(inside, expr.name)
            if constant is not None:
                return constant
        return symbol(str(expr), self.type_of(expr))

    def type_of(self, expr: Expr) -> Type | None:
        """The declared type of a variable or member, None where it is not visible."""
        if isinstance(expr, Name):
            declared = self.declared.get(expr.name)
            if declared is None and self.scope.owner:
                return self.session.declared.field_type(self.scope, expr.name)
            return declared
        if isinstance(expr, Member):
            found = self.scope.struct(self.type_of(expr.base))
            if found is not None:
                return next((item.type for item in found[0].fields if item.name == expr.name), None)
        if isinstance(expr, Index) and isinstance(expr.base, Name):
            declared = self.declared.get(expr.base.name)
            if declared is not None and declared.pointer and expr.base.name not in self.arrays:
                return replace(declared, pointer=declared.pointer - 1)
            return declared
        return expr.type if isinstance(expr, Cast | Construct) else None

    def element(self, expr: Index) -> Value:
        base = self.value(expr.base)
        index = self.quantity(expr.indices[0]).exact if len(expr.indices) == 1 else None
        if isinstance(base, Sequence) and index is not None and 0 <= index < len(base.items):
            return base.items[index]
        if isinstance(base, Sequence) and base.items and len(expr.indices) == 1:
            return _any_of(base.items, str(expr))
        return symbol(str(expr))

    # operators

    def unary(self, expr: Unary) -> Value:
        if expr.op in ("++", "--", "p++", "p--"):
            old = self.value(expr.operand)
            new = arithmetic.binary("+" if "+" in expr.op else "-", old, Quantity.exactly(1))
            self.store(expr.operand, new)
            return old if expr.op[0] == "p" else new
        if expr.op == "&":
            return self.value(expr.operand) if isinstance(expr.operand, Name) else UNKNOWN
        operand = self.value(expr.operand)
        match expr.op:
            case "-":
                return arithmetic.negate(operand)
            case "+":
                return operand
            case "!":
                return arithmetic.logical_not(operand)
            case "~":
                return arithmetic.invert(operand)
        return operand if expr.op == "*" and isinstance(operand, Record | FunctionRef) else symbol(str(expr))

    def binary(self, expr: Binary) -> Value:
        if expr.op in ("&&", "||", "and", "or"):
            return self._logical(expr)
        chain = [expr]
        while isinstance(chain[-1].left, Binary) and chain[-1].left.op not in ("&&", "||", "and", "or"):
            chain.append(chain[-1].left)
        result = self.value(chain[-1].left)
        for link in reversed(chain):
            if link.op == ">>" and not self._shifts(chain[-1].left):
                self.forget(link.right)
            right = self.value(link.right)
            result = right if link.op == "," else arithmetic.binary(link.op, result, right)
        return result

    def _shifts(self, left: Expr) -> bool:
        """Whether `left >> x` shifts an integer: otherwise it reads x from a stream."""
        if isinstance(left, Int | Call | Cast | Binary | Unary | SizeOf):
            return True
        declared = self.scope.resolve(self.type_of(left))
        return declared is None or declared.name == "auto" or types.is_integer(declared)

    def _logical(self, expr: Binary) -> Value:
        left, right = arithmetic.truth(self.value(expr.left)), arithmetic.truth(self.value(expr.right))
        if expr.op in ("&&", "and"):
            known = False if False in (left, right) else True if left and right else None
        else:
            known = True if True in (left, right) else False if left is False and right is False else None
        return arithmetic.boolean(known)

    def conditional(self, expr: Conditional) -> Value:
        condition = self.value(expr.condition)
        known = arithmetic.truth(condition)
        if known is not None:
            return self.value(expr.then if known else expr.other)
        before = self.state
        then, other = self._under(expr, before, holds=True), self._under(expr, before, holds=False)
        self.state = before
        rounded = _round_up_choice(condition, then, other)
        if rounded is not None:
            return rounded
        return join(then, other, fresh(str(expr)))

    def _under(self, expr: Conditional, before: State, *, holds: bool) -> Value:
        self.state = before.copy()
        self.session.refine(self, expr.condition, holds=holds)
        value = self.value(expr.then if holds else expr.other)
        return self.state.narrow(value) if isinstance(value, Quantity) else value

    def cast(self, expr: Cast) -> Value:
        return self.convert(self.value(expr.operand), expr.type)

    def convert(self, value: Value, type_: Type | None) -> Value:
        """The value as one of the type: cut to an integer, widened to a real, a list made a record."""
        resolved = self.scope.resolve(type_)
        if resolved is None or resolved.pointer:
            return value
        if types.is_shape(resolved):
            return shape(value)
        if types.is_real(resolved):
            return arithmetic.real(value) if isinstance(value, Quantity) else value
        if types.is_integer(resolved):
            return self._as_integer(value, resolved)
        if isinstance(value, Sequence):
            known = types.fields(resolved.name)
            if known:
                return Record(resolved, dict(zip(known, value.items, strict=False)))
            found = self.scope.struct(resolved)
            if found is not None:
                names = [item.name for item in found[0].fields if "static" not in item.storage]
                return Record(resolved, dict(zip(names, value.items, strict=False)))
        return value

    @staticmethod
    def _as_integer(value: Value, type_: Type) -> Value:
        if isinstance(value, Sequence):
            value = value.items[0] if len(value.items) == 1 else UNKNOWN
        whole = arithmetic.integer(value)
        if not types.is_unsigned(type_) or (whole.lo is not None and whole.lo >= 0):
            return whole
        if whole.lo is None and whole.exact is None:
            return replace(whole, lo=0 if whole.hi is None or whole.hi >= 0 else None)
        return whole

    def construct(self, expr: Construct) -> Value:
        items = tuple(self.value(argument) for argument in expr.arguments)
        if expr.type is None or not expr.type.name:
            return Record(Type(""), dict(zip(expr.fields, items, strict=False))) if expr.fields else Sequence(items)
        type_ = self.scope.resolve(expr.type) or expr.type
        if types.is_shape(type_):
            return shape(Sequence(items))
        if expr.fields:
            return Record(type_, dict(zip(expr.fields, items, strict=False)))
        if types.is_integer(type_) or types.is_real(type_):
            return self.convert(items[0], type_) if len(items) == 1 else Quantity.exactly(0) if not items else UNKNOWN
        if self.session.declared.has_constructor(type_, self.scope):
            return Record(type_, {})
        converted = self.convert(Sequence(items), type_)
        return converted if isinstance(converted, Record) else Record(type_, {})

    def size_of(self, expr: SizeOf) -> Value:
        of = expr.of
        if isinstance(of, Name) and of.name in self.arrays and of.name in self.declared:
            return self.session.declared.size_of(self.declared[of.name], self.scope).times(self.arrays[of.name])
        if isinstance(of, Name) and self._is_global_array(of):
            return Quantity(1)
        if isinstance(of, Name):
            declared = self.type_of(of)
            of = declared if declared is not None else Type(of.name, of.arguments)
        if isinstance(of, Expr):
            declared = self.type_of(of)
            if declared is None:
                return Quantity(1)
            of = declared
        return self.session.declared.size_of(of, self.scope)

    def _is_global_array(self, name: Name) -> bool:
        found = self.scope.index.global_(name.last, self.scope.file) if name.name not in self.declared else []
        return any(item.declare.extents for item in found)

    # assignment

    def assign(self, expr: Assign) -> Value:
        value = self.value(expr.value)
        if expr.op:
            value = arithmetic.binary(expr.op, self.value(expr.target), value)
        return self.store(expr.target, placed(value, Span.unpack(self.scope.file, expr.extent)))

    def store(self, target: Expr, value: Value) -> Value:
        """Give a variable, a field or an element a new value."""
        value = self.convert(value, self.type_of(target))
        if isinstance(target, Name):
            inside = target.name in self.state.variables or not self.scope.owner
            own = inside or self.session.declared.field_type(self.scope, target.name) is None
            value = named(value, target.name)
            self.state.variables[target.name if own else f"this.{target.name}"] = value
        elif isinstance(target, Member):
            self._store_member(target, value)
        elif isinstance(target, Index):
            self.forget(target.base)
        return value

    def _store_member(self, target: Member, value: Value) -> None:
        value = named(value, target.name)
        if isinstance(target.base, Name) and target.base.name == "this":
            self.state.variables[f"this.{target.name}"] = value
            return
        if not isinstance(target.base, Name | Member):
            return
        base = self.value(target.base)
        if isinstance(base, Record):
            updated = Record(base.type, {**base.fields, target.name: value})
        else:
            declared = self.type_of(target.base)
            updated = Record(declared or Type(""), {target.name: value})
        if isinstance(target.base, Name):
            self.state.variables[target.base.name] = updated
        else:
            self._store_member(target.base, updated)

    def forget(self, target: Expr) -> None:
        """A variable may have any value from now on."""
        while isinstance(target, Index | Member | Unary | Cast):
            target = target.base if isinstance(target, Index | Member) else target.operand
        if isinstance(target, Name):
            name = target.name
            if name not in self.state.variables and f"this.{name}" in self.state.variables:
                name = f"this.{name}"
            known = self.state.variables.get(name)
            if isinstance(known, Record):
                self.state.variables[name] = Record(known.type, {})
            else:
                bound = types.bounds(self.scope.resolve(self.declared.get(name)))
                self.state.variables[name] = replace(bound, form=fresh(target.name))


def is_constant(declare: Declare) -> bool:
    return bool(declare.storage & {"const", "constexpr"}) or declare.type.const


def device_value(kind: str) -> Quantity:
    """A property of the GPU, known only per GPU."""
    return Quantity(1, None, 1, sym.atom(sym.DeviceValue(kind)), Origin.DEVICE)


def shape(value: Value) -> Value:
    """A dim3 made of a number, a list of up to three, or a dim3."""
    if isinstance(value, Record):
        fields = {axis: value.get(axis) for axis in "xyz"}
        return Record(DIM3, fields) if "x" in value.fields or not value.fields else Record(DIM3, {})
    if isinstance(value, Quantity | Real):
        value = Sequence((value,))
    if isinstance(value, Sequence) and len(value.items) <= 3:
        if len(value.items) == 1 and isinstance(value.items[0], Record):
            return shape(value.items[0])
        axes = [arithmetic.integer(item) for item in value.items]
        axes += [Quantity.exactly(1)] * (3 - len(axes))
        return Record(DIM3, dict(zip("xyz", axes, strict=True)))
    return Record(DIM3, {})


def _any_of(items: tuple[Value, ...], name: str) -> Value:
    joined = items[0]
    for item in items[1:]:
        joined = join(joined, item, fresh(name))
    return joined


def _round_up_choice(condition: Value, then: Value, other: Value) -> Quantity | None:
    """`n % b ? n / b + 1 : n / b`, either way round, and `r ? 1 : 0` for a remainder r."""
    if not (isinstance(condition, Quantity) and isinstance(then, Quantity) and isinstance(other, Quantity)):
        return None
    if then.exact == 1 and other.exact == 0 and condition.form is not None:
        rest = condition.form.atom
        if isinstance(rest, sym.Remainder):
            return Quantity(0, 1, 1, sym.atom(sym.Extremum("min", (sym.ONE, condition.form))), condition.origin)
        return Quantity(0, 1, 1, condition.form, condition.origin)
    for more, less in ((then, other), (other, then)):
        if more.form is None or less.form is None or sym.add(more.form, less.form, -1) != sym.ONE:
            continue
        quotient = less.form.atom
        if isinstance(quotient, sym.Quotient) and not quotient.up:
            form = sym.divide_up(quotient.dividend, quotient.divisor)
            return Quantity(less.lo, more.hi, 1, form, more.origin)
    return None


def _integer(_: Evaluator, expr: Int) -> Value:
    return Quantity.exactly(expr.value)


def _float(_: Evaluator, expr: Float) -> Value:
    finite = expr.value == expr.value and abs(expr.value) != float("inf")
    return Real.exactly(expr.value, Origin.LITERAL) if finite else Real(origin=Origin.LITERAL)


def _closure(evaluator: Evaluator, expr: Lambda) -> Value:
    return Closure(expr, evaluator.state.variables)


def _kernel_in(_: Evaluator, expr: KernelIn) -> Value:
    return FunctionRef(expr.kernel, expr.unit)


def _text(_: Evaluator, __: Text) -> Value:
    return UNKNOWN


HANDLERS: dict[type, Callable[[Any, Any], Value]] = {
    Int: _integer,
    Float: _float,
    Text: _text,
    KernelIn: _kernel_in,
    Lambda: _closure,
    Name: Evaluator.name,
    Member: Evaluator.member,
    Index: Evaluator.element,
    Unary: Evaluator.unary,
    Binary: Evaluator.binary,
    Conditional: Evaluator.conditional,
    Cast: Evaluator.cast,
    Construct: Evaluator.construct,
    SizeOf: Evaluator.size_of,
    Assign: Evaluator.assign,
}
