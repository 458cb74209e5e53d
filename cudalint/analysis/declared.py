"""What is declared outside functions: constants, members of classes, and the sizes of types."""

from dataclasses import replace
from typing import TYPE_CHECKING

from cudalint.analysis import types
from cudalint.analysis.domain import Value, join, placed
from cudalint.analysis.evaluate import Evaluator, is_constant
from cudalint.analysis.interpret import Interpreter, parameters
from cudalint.analysis.names import MOST_DEPTH, Scope, believed, symbol
from cudalint.analysis.state import fresh
from cudalint.ir import Declare, Function, Global, Name, Origin, Quantity, Struct, Type
from cudalint.source import Span

if TYPE_CHECKING:
    from cudalint.analysis.session import Session


class Declared:
    """Answers, each found once, about declarations that a scope sees."""

    def __init__(self, session: "Session") -> None:
        self.session = session
        self._constants: dict[tuple[str, str], Value | None] = {}
        self._fields: dict[tuple[str, str, str], Value | None] = {}

    def constant(self, scope: Scope, name: Name) -> Value | None:
        """A variable outside functions: its value where it is constant, or where no code that sees it changes it."""
        last = name.last
        key = scope.file, name.name
        if key in self._constants:
            return self._constants[key]
        self._constants[key] = None
        found = scope.index.global_(last, scope.file)
        prefix = name.name.rpartition("::")[0]
        close = [item for item in found if prefix and item.scope.endswith(prefix)]
        value: Value | None = None
        for item in close or found:
            one = self._global_value(scope, item)
            value = one if value is None else join(value, one, fresh(last))
        self._constants[key] = value
        return value

    def _global_value(self, scope: Scope, item: Global) -> Value:
        declare = item.declare
        constant = is_constant(declare)
        if declare.init is None or (not constant and scope.index.assigned(declare.name, scope.file)):
            return symbol(declare.name, scope.resolve(declare.type))
        evaluator = Evaluator(Scope(scope.index, scope.assume, scope.file), self.session, MOST_DEPTH // 2)
        value = evaluator.convert(evaluator.value(declare.init), declare.type)
        value = placed(value, Span.unpack(item.file, declare.extent))
        return believed(value, Origin.CONSTEXPR) if constant else value

    def field_type(self, scope: Scope, name: str) -> Type | None:
        found = scope.struct(Type(scope.owner)) if scope.owner else None
        return next((item.type for item in found[0].fields if item.name == name), None) if found else None

    def field(self, scope: Scope, name: str) -> Value | None:
        """A data member read in its class: a constant, what its methods give it, or its initial value if none does."""
        found = scope.struct(Type(scope.owner))
        if found is None:
            return None
        struct, inside = found
        declare = next((item for item in struct.fields if item.name == name), None)
        if declare is None:
            return self._inherited(scope, struct, name)
        key = scope.file, struct.name, name
        if key not in self._fields:
            self._fields[key] = symbol(name, declare.type)
            self._fields[key] = self._field_value(
                replace(inside, types=scope.types, values=scope.values), struct, declare
            )
        return self._fields[key]

    def _inherited(self, scope: Scope, struct: Struct, name: str) -> Value | None:
        for base in struct.bases:
            if base.rpartition("::")[2] != struct.name:
                value = self.field(replace(scope, owner=base.rpartition("::")[2]), name)
                if value is not None:
                    return value
        return None

    def _field_value(self, scope: Scope, struct: Struct, declare: Declare) -> Value:
        evaluator = Evaluator(scope, self.session, MOST_DEPTH // 2)
        initial: Value | None = None
        if declare.init is not None:
            initial = evaluator.convert(evaluator.value(declare.init), declare.type)
            if is_constant(declare):
                return believed(initial, Origin.CONSTEXPR)
        home = scope.index.struct_file(struct.name, scope.file)
        if scope.index.assigned_outside(declare.name, struct.name, home):
            return symbol(declare.name, declare.type)
        given = self._given(scope, struct, declare)
        if given is not None:
            return given
        if initial is None or scope.index.assigned(declare.name, scope.file):
            return symbol(declare.name, declare.type)
        return initial

    def _given(self, scope: Scope, struct: Struct, declare: Declare) -> Value | None:
        """What constructors and methods assign to a member, None where none does."""
        given: Value | None = None
        for function in self._methods(struct.name, scope.file):
            value = self._member_after(scope, function, declare)
            if value is not None:
                given = value if given is None else join(given, value, fresh(declare.name))
        return given

    def _methods(self, owner: str, file: str) -> list[Function]:
        methods = self.session.index.methods.get(owner, ())
        return [function for function in methods if self.session.index.sees(file, function.file)] if methods else []

    def _member_after(self, scope: Scope, function: Function, declare: Declare) -> Value | None:
        stored = f"this.{declare.name}"
        initialisers = dict(function.initialisers)
        if declare.name not in initialisers and stored not in self.session.slices.assigned_in(
            function.body or (), scope
        ):
            return None
        own = replace(scope, function=function, file=function.file)
        interpreter = Interpreter(own, self.session, MOST_DEPTH // 2)
        parameters(interpreter, function.typed_parameters, {})
        if declare.name in initialisers:
            interpreter.store(Name(0, declare.name), interpreter.value(initialisers[declare.name]))
        after = interpreter.run(self.session.slices.for_result(function))
        return after.variables.get(stored, symbol(declare.name, declare.type))

    def has_constructor(self, type_: Type, scope: Scope) -> bool:
        name = type_.name.rpartition("::")[2]
        return any("constructor" in function.kinds for function in self.session.index.functions(name, scope.file))

    def size_of(self, type_: Type, scope: Scope) -> Quantity:
        """sizeof: bytes of a type, at least 1 where it is not visible."""
        size, _ = self._layout(type_, scope, 0)
        origin = Origin.TEMPLATE if type_.name in scope.types else Origin.CONSTEXPR
        return Quantity(1, form=symbol(f"sizeof({type_})").form) if size is None else Quantity.exactly(size, origin)

    def _layout(self, type_: Type, scope: Scope, depth: int) -> tuple[int | None, int]:
        """Size and alignment of a type; the size None where some part of it is not visible."""
        resolved = scope.resolve(type_) or type_
        if resolved.pointer or resolved.reference:
            return 8, 8
        size = types.scalar_size(resolved.name)
        if size is not None:
            return size, types.alignment(resolved.name) or 1
        found = scope.struct(resolved)
        if found is None or depth > MOST_DEPTH or found[0].bases:
            return None, 1
        return self._struct_layout(found[0], found[1], depth)

    def _struct_layout(self, struct: Struct, scope: Scope, depth: int) -> tuple[int | None, int]:
        evaluator = Evaluator(scope, self.session, depth)
        offset, widest = 0, 1
        for item in struct.fields:
            if "static" in item.storage:
                continue
            size, align = self._layout(item.type, scope, depth + 1)
            for extent in item.extents:
                count = evaluator.quantity(extent).exact
                size = None if size is None or count is None else size * count
            if size is None:
                return None, 1
            widest = max(widest, align)
            offset = max(offset, size) if struct.union else -(-offset // align) * align + size
        forced = evaluator.quantity(struct.alignment).exact if struct.alignment is not None else None
        widest = max(widest, forced or 1)
        return max(1, -(-offset // widest) * widest), widest
