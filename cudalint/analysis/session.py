"""One analysis of a whole program: functions are interpreted once, callers before callees."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from cudalint.analysis import apis, arithmetic, calls, refine, types
from cudalint.analysis.calls import Argument
from cudalint.analysis.domain import DIM3, UNKNOWN, Closure, FunctionRef, Real, Record, Value, dim3_of, join, placed
from cudalint.analysis.evaluate import Evaluator, is_constant
from cudalint.analysis.index import Index
from cudalint.analysis.interpret import Interpreter, Path, assigned_names, parameters
from cudalint.analysis.names import MOST_DEPTH, Scope, believed, symbol
from cudalint.analysis.outline import Outline, launches, outline, slice_for_launches, slice_for_result, uses_of
from cudalint.analysis.state import State, fresh
from cudalint.ir import (
    Call,
    Declare,
    Dim3,
    Expr,
    Function,
    Global,
    Lambda,
    Launching,
    Member,
    Name,
    Origin,
    Quantity,
    Stmt,
    Struct,
    Type,
)
from cudalint.ir import symbol as sym
from cudalint.ir.stmt import expressions
from cudalint.source import Span

_MOST_INLINED = 5
_MOST_VARIANTS = 12
_BUDGET = 4000

SiteKey = tuple[str, int, int]
Bindings = tuple[dict[str, Type], dict[str, Value]]


@dataclass(slots=True)
class Site:
    """What is known of one launch expression, over all the ways the interpreter met it."""

    function: Function
    expr: Launching
    grid: Dim3
    block: Dim3
    cluster: Dim3 | None
    shared: Quantity
    kernel: FunctionRef | None
    bound_types: dict[str, Type]
    bound_values: dict[str, Value]
    stream: str
    cooperative: bool
    in_loop: bool
    path: Path
    reachable: bool = True
    variants: list[tuple[Span, "Site"]] = field(default_factory=list)

    def same_shape(self, other: "Site") -> bool:
        """Whether grid, block, shared memory and kernel are the same."""
        return (self.grid, self.block, self.shared, self.kernel) == (
            other.grid,
            other.block,
            other.shared,
            other.kernel,
        )

    def blamed(self, alone: "Site | None", call: Span) -> "Site":
        """The site with the parts that are not as they are without the call placed at the call."""
        grid = self.grid if alone is not None and alone.grid == self.grid else replace(self.grid, span=call)
        block = self.block if alone is not None and alone.block == self.block else replace(self.block, span=call)
        return replace(self, grid=grid, block=block)

    def excludes(self, other: "Site") -> bool:
        """Whether the two stand in different arms of one choice, so that a run comes to one of them only."""
        arms = dict(self.path)
        return any(arms.get(choice, arm) != arm for choice, arm in other.path)

    def met_again(self, other: "Site") -> None:
        """Join what is known of another way to reach the launch; a way that is never taken counts for nothing."""
        if self.reachable and not other.reachable:
            return
        if other.reachable and not self.reachable:
            for name in ("grid", "block", "shared", "kernel", "bound_types", "bound_values", "in_loop", "reachable"):
                setattr(self, name, getattr(other, name))
            return
        self.grid = _join_shapes(self.grid, other.grid)
        self.block = _join_shapes(self.block, other.block)
        self.shared = _quantity(join(self.shared, other.shared))
        if self.kernel != other.kernel:
            self.kernel = None
        self.in_loop = self.in_loop or other.in_loop
        self.bound_values = {
            name: join(value, other.bound_values[name])
            for name, value in self.bound_values.items()
            if name in other.bound_values
        }


def _join_shapes(left: Dim3, right: Dim3) -> Dim3:
    x, y, z = (_quantity(join(a, b, fresh("size"))) for a, b in zip(left.axes, right.axes, strict=True))
    return Dim3(x, y, z, left.text, left.span)


def _quantity(value: Value) -> Quantity:
    return value if isinstance(value, Quantity) else UNKNOWN


@dataclass(slots=True)
class CallSite:
    """One call of a function that launches: the values of its parameters there."""

    values: dict[str, Value]
    bound_types: dict[str, Type]
    bound_values: dict[str, Value]
    span: Span
    caller: int


@dataclass(slots=True)
class Met:
    """What one interpretation of a function met: launches, and calls of functions that launch."""

    sites: dict[SiteKey, Site] = field(default_factory=dict)
    calls: list[tuple[Function, CallSite]] = field(default_factory=list)


@dataclass(slots=True)
class OptIn:
    """A kernel's limit of dynamic shared memory raised somewhere; `kernel` None means any of the file's."""

    kernel: FunctionRef | None
    size: Quantity
    file: str


@dataclass
class Session:
    """State shared by all interpreters of one program."""

    index: Index
    assume: dict[str, int] = field(default_factory=dict)
    sites: dict[SiteKey, Site] = field(default_factory=dict)
    opt_ins: list[OptIn] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._constants: dict[tuple[str, str], Value | None] = {}
        self._fields: dict[tuple[str, str, str], Value | None] = {}
        self._assigned: dict[tuple[int, int], tuple[tuple[Stmt, ...], set[str]]] = {}
        self._bearing: dict[int, tuple[Lambda, bool]] = {}
        self._launches: dict[int, list[Launching]] = {}
        self._sliced: dict[int, tuple[Stmt, ...]] = {}
        self._calls: dict[int, list[CallSite]] = {}
        self._done: set[int] = set()
        self._inlining: list[int] = []
        self._budget = _BUDGET
        self._current = Met()
        self.watched: frozenset[str] = frozenset()

    def merge(self, sites: dict[SiteKey, Site], opt_ins: Iterable[OptIn]) -> None:
        """Take over what another session found out about the same program."""
        for key, site in sites.items():
            self.sites.setdefault(key, site)
        self.opt_ins += opt_ins

    # interpreting functions

    def analyse(self, function: Function) -> None:
        """Interpret a function once and record its launches; its callers are asked first where it depends on them."""
        if id(function) in self._done or not function.body:
            return
        self._done.add(id(function))
        body = self._for_launches(function)
        alone = self._met(function, body, {}, _joined_bindings(function, []))
        sites = self._calls_of(function) if _depends(function, alone) else []
        if not sites:
            self.sites |= alone.sites
            self._note(alone)
        elif len(sites) > _MOST_VARIANTS:
            met = self._met(function, body, _joined_values(function, sites), _joined_bindings(function, sites))
            self.sites |= met.sites
            self._note(met)
        else:
            for site in sites:
                met = self._met(function, body, site.values, (site.bound_types, site.bound_values))
                self._add_variants(alone.sites, site, met.sites)
                self._note(met)
        if sites and self._has_other_callers(function, sites):
            for key, unknown in alone.sites.items():
                self.sites.setdefault(key, unknown).met_again(unknown)

    def _calls_of(self, function: Function) -> list[CallSite]:
        """The calls of a function, its callers analysed."""
        for caller in self.index.callers.get(function.name, ()):
            if caller.body and not caller.is_kernel and function in self.index.functions(function.name, caller.file):
                self.analyse(caller)
        return list(self._calls.get(id(function), ()))

    def _has_other_callers(self, function: Function, sites: list[CallSite]) -> bool:
        """Whether code that names the function may call it in a way that was not followed: through a pointer, from a
        body that was not read, or from text that the parser could not read as a call.
        """
        if self.index.named_outside(function.name, function.file):
            return True
        followed = {site.caller for site in sites}
        for caller in self.index.callers.get(function.name, ()):
            if function not in self.index.functions(function.name, caller.file):
                continue
            if caller is function or id(caller) not in followed or self._hands_out(caller, function.name):
                return True
        return False

    @staticmethod
    def _hands_out(caller: Function, name: str) -> bool:
        """Whether a function's name stands in a body other than as what is called."""
        named = called = 0
        for node in expressions(caller.body or ()):
            if isinstance(node, Name) and node.last == name:
                named += 1
            elif isinstance(node, Call) and isinstance(node.callee, Name) and node.callee.last == name:
                called += 1
        return named > called

    def _note(self, met: "Met") -> None:
        for callee, site in met.calls:
            self._calls.setdefault(id(callee), []).append(site)

    def _met(self, function: Function, body: tuple[Stmt, ...], values: dict[str, Value], bindings: Bindings) -> "Met":
        """The launches and calls of a function, interpreted with these values of its parameters."""
        self._budget = _BUDGET
        self._current = Met()
        scope = Scope(self.index, self.assume, function.file, function.owner, function, *bindings)
        interpreter = Interpreter(scope, self, recording=True)
        parameters(interpreter, _parameter_types(function), values)
        try:
            interpreter.run(body)
        except RecursionError:
            self._current = Met()
        self._add_unmet(interpreter, function)
        return self._current

    def _add_unmet(self, interpreter: Interpreter, function: Function) -> None:
        """Launches in code that the interpreter never came to, after an exit: of those only what is constant is known."""
        interpreter.state = State()
        interpreter.unreached = 1
        for expr in self.launchings(function):
            if (function.file, expr.extent, id(expr)) not in self._current.sites:
                self.record(interpreter, expr)

    def launchings(self, function: Function) -> list[Launching]:
        """The launch expressions of a function, lambdas included."""
        key = id(function)
        if key not in self._launches:
            body = function.body or ()
            found = [node for node in expressions(body) if isinstance(node, Launching)] if launches(body) else []
            self._launches[key] = found
        return self._launches[key]

    def _add_variants(self, base: dict[SiteKey, Site], call: CallSite, met: dict[SiteKey, Site]) -> None:
        """Join what one call makes of the launches to what others make of them; keep it apart where it depends on it."""
        for key, site in met.items():
            known = self.sites.get(key)
            if known is None:
                known = self.sites[key] = replace(site, variants=[])
            else:
                known.met_again(site)
            alone = base.get(key)
            if alone is None or not alone.same_shape(site):
                known.variants.append((call.span, site.blamed(alone, call.span)))

    def can_inline(self, evaluator: Evaluator, function: Function) -> bool:
        if not function.body or function.is_kernel or id(function) in self._inlining:
            return False
        if function.name in self.watched and function.calls.isdisjoint(apis.SHARED_OPT_IN):
            return False
        return len(self._inlining) < _MOST_INLINED and self._budget > 0 and evaluator.depth < MOST_DEPTH

    def inline(self, evaluator: Evaluator, function: Function, call: Call, arguments: tuple[Argument, ...]) -> Value:
        """The value of a call of a visible function; what it writes through references becomes the caller's."""
        body = self._for_result(function)
        self._budget -= 1 + len(body)
        self._inlining.append(id(function))
        scope = Scope(
            self.index, self.assume, function.file, function.owner, function,
            *calls.template_bindings(evaluator, function, call.callee),
        )  # fmt: skip
        interpreter = Interpreter(scope, self, evaluator.depth + 1)
        parameters(interpreter, _parameter_types(function), calls.bind(evaluator, function, arguments))
        interpreter.state.symbols = dict(evaluator.state.symbols)
        if function.owner:
            interpreter.state.variables.update(_own_fields(evaluator, call))
        after = interpreter.run(body)
        self._inlining.pop()
        calls.copy_back(evaluator, function, arguments, after.variables)
        return interpreter.returned if interpreter.returned is not None else UNKNOWN

    def callee(self, evaluator: Evaluator, call: Call) -> Function | None:
        """The one function a call can mean, by name, class and number of arguments."""
        name = call.name
        candidates = [
            function
            for function in self.index.functions(name, evaluator.scope.file)
            if not function.is_kernel and not function.specialises and _takes(function, len(call.arguments))
        ]
        if not candidates:
            return None
        owner = self._owner(evaluator, call)
        if owner is not None:
            candidates = [function for function in candidates if function.owner == owner]
        elif isinstance(call.callee, Name):
            candidates = [function for function in candidates if function.owner in ("", evaluator.scope.owner)]
        else:
            candidates = [function for function in candidates if function.owner]
        return candidates[0] if len(candidates) == 1 else None

    @staticmethod
    def _owner(evaluator: Evaluator, call: Call) -> str | None:
        if isinstance(call.callee, Member):
            if isinstance(call.callee.base, Name) and call.callee.base.name == "this":
                return evaluator.scope.owner
            found = evaluator.scope.struct(evaluator.type_of(call.callee.base))
            return found[0].name if found is not None else None
        prefix = call.callee.name.rpartition("::")[0] if isinstance(call.callee, Name) else ""
        if prefix:
            found = evaluator.scope.struct(Type(prefix))
            return found[0].name if found is not None else ""
        return None

    def note_call(self, evaluator: Evaluator, call: Call, arguments: tuple[Argument, ...]) -> None:
        """Remember with what a function that launches is called."""
        if call.name not in self.watched:
            return
        if not isinstance(evaluator, Interpreter) or not evaluator.recording or evaluator.unreached:
            return
        function = self.callee(evaluator, call)
        if function is None:
            return
        values = calls.bind(evaluator, function, arguments)
        values = {name: evaluator.state.narrow(v) if isinstance(v, Quantity) else v for name, v in values.items()}
        bound = calls.template_bindings(evaluator, function, call.callee)
        span = Span.unpack(evaluator.scope.file, call.extent)
        self._current.calls.append((function, CallSite(values, *bound, span, id(evaluator.scope.function))))

    def run_closure(self, evaluator: Evaluator, closure: Closure, arguments: Iterable[Argument]) -> Value:
        """Call a lambda: what it assigns of its surroundings is forgotten afterwards."""
        if not isinstance(evaluator, Interpreter) or evaluator.depth > MOST_DEPTH or self._budget <= 0:
            return UNKNOWN
        self._budget -= 1 + len(closure.function.body)
        evaluator.pending.pop(id(closure.function), None)
        inner = Interpreter(evaluator.scope, self, evaluator.depth + 1, recording=evaluator.recording)
        inner.declared = dict(evaluator.declared)
        inner.loops, inner.unreached, inner.path = evaluator.loops, evaluator.unreached, evaluator.path
        inner.state = evaluator.state.copy()
        for name in closure.function.parameters:
            inner.state.variables[name] = symbol(name)
        for name, argument in zip(closure.function.parameters, arguments, strict=False):
            inner.state.variables[name] = argument.value
        inner.run(closure.function.body)
        evaluator.state.forget(assigned_names(expressions(closure.function.body)))
        return inner.returned if inner.returned is not None else UNKNOWN

    def maybe_run(self, evaluator: Evaluator, closure: Closure) -> None:
        """A lambda handed to something unknown: its launches count, its parameters are unknown."""
        body = closure.function.body
        if self._bears(closure.function):
            self.run_closure(evaluator, closure, ())
        else:
            evaluator.state.forget(self.assigned_in(body, evaluator.scope))

    def _bears(self, function: Lambda) -> bool:
        """Whether a lambda launches, or calls something that does."""
        key = id(function)
        if key not in self._bearing:
            uses = uses_of(outline(function.body, lambda _: ()))
            self._bearing[key] = function, uses.launches or not self.watched.isdisjoint(uses.calls)
        return self._bearing[key][1]

    def refine(self, evaluator: Evaluator, condition: Expr, *, holds: bool) -> None:
        refine.refine(evaluator, condition, holds=holds)

    def assigned_in(self, body: tuple[Stmt, ...], scope: Scope) -> set[str]:
        """Variables and members the statements may assign, through reference parameters of visible functions too."""
        if not body:
            return set()
        key = id(body[0]), len(body)
        if key not in self._assigned:
            writes = uses_of(outline(body, lambda call: self._references(call, scope.file))).writes
            self._assigned[key] = body, writes | {f"this.{name}" for name in writes}
        return self._assigned[key][1]

    def _references(self, call: Call, file: str) -> Iterable[str]:
        """The variables a call may write through reference parameters of the functions its name may mean."""
        if call.name not in self.index.referencing:
            return
        for function in self.index.functions(call.name, file):
            for parameter, argument in zip(function.parameters, call.arguments, strict=False):
                if parameter.type.reference and not parameter.type.const and isinstance(argument, Name):
                    yield argument.name

    def _outline(self, function: Function) -> list[Outline]:
        return outline(function.body or (), lambda call: self._references(call, function.file))

    def _for_launches(self, function: Function) -> tuple[Stmt, ...]:
        """The function's body as far as its launches depend on it."""
        return slice_for_launches(self._outline(function), self.watched)

    def _for_result(self, function: Function) -> tuple[Stmt, ...]:
        """The function's body as far as its callers depend on it."""
        key = id(function)
        if key not in self._sliced:
            self._sliced[key] = slice_for_result(function, self._outline(function))
        return self._sliced[key]

    # launches and opt-ins

    def record(self, interpreter: Interpreter, expr: Launching) -> None:
        """Note a launch, with all that is known where it stands."""
        function = interpreter.scope.function
        if function is None:
            return
        of = interpreter.value(expr.kernel)
        kernel = of if isinstance(of, FunctionRef) else None
        bound: tuple[dict[str, Type], dict[str, Value]] = ({}, {})
        target = self.kernel_function(kernel) if kernel is not None else None
        if target is not None and kernel is not None:
            bound = calls.template_bindings(interpreter, target, kernel.name)
        site = Site(
            function,
            expr,
            self._shape(interpreter, expr.grid, expr),
            self._shape(interpreter, expr.block, expr),
            self._shape(interpreter, expr.cluster, expr) if expr.cluster is not None else None,
            self._amount(interpreter, expr.shared),
            kernel,
            *bound,
            str(expr.stream) if expr.stream is not None else "",
            expr.cooperative,
            interpreter.loops > 0,
            interpreter.path,
            interpreter.unreached == 0,
        )
        key = function.file, expr.extent, id(expr)
        known = self._current.sites.get(key)
        if known is None:
            self._current.sites[key] = site
        else:
            known.met_again(site)

    @staticmethod
    def _shape(interpreter: Interpreter, expr: Expr | None, launch: Launching) -> Dim3:
        file = interpreter.scope.file
        span = Span.unpack(file, expr.extent if expr is not None else launch.configuration)
        if expr is None:
            return Dim3(UNKNOWN, UNKNOWN, UNKNOWN, "", span)
        value = interpreter.value(expr)
        if isinstance(value, Record) and not value.fields:
            value = Record(DIM3, {axis: symbol(f"{expr}.{axis}") for axis in "xyz"})
        shape = dim3_of(arithmetic.integer(value) if isinstance(value, Real) else value)
        text = str(expr).removeprefix("(").removesuffix(")") if str(expr).startswith("(") else str(expr)
        x, y, z = (interpreter.state.narrow(axis).at(text, span) for axis in shape.axes)
        return Dim3(x, y, z, text, span)

    @staticmethod
    def _amount(interpreter: Interpreter, expr: Expr | None) -> Quantity:
        if expr is None:
            return Quantity.exactly(0, Origin.LITERAL)
        return interpreter.quantity(expr).at(str(expr), Span.unpack(interpreter.scope.file, expr.extent))

    def opt_in(self, evaluator: Evaluator, of: Value, size: Value) -> None:
        """Note that a kernel's limit of dynamic shared memory is raised; which kernel's, its callers tell where it is given."""
        kernel = of if isinstance(of, FunctionRef) else None
        function = evaluator.scope.function
        alone = isinstance(evaluator, Interpreter) and evaluator.recording
        if kernel is None and alone and function is not None and self.index.callers.get(function.name):
            return
        self.opt_ins.append(OptIn(kernel, _quantity(size), evaluator.scope.file))

    def kernel_function(self, ref: FunctionRef) -> Function | None:
        """The kernel a name means: a definition, the nearest one."""
        found = [f for f in self.index.functions(ref.name.last, ref.file) if f.is_kernel]
        return found[0] if found else None

    # constants, fields, sizes

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
        evaluator = Evaluator(Scope(scope.index, scope.assume, scope.file), self, MOST_DEPTH // 2)
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
        evaluator = Evaluator(scope, self, MOST_DEPTH // 2)
        initial: Value | None = None
        if declare.init is not None:
            initial = evaluator.convert(evaluator.value(declare.init), declare.type)
            if is_constant(declare):
                return believed(initial, Origin.CONSTEXPR)
        if scope.index.assigned_outside(declare.name, struct.name, scope.file):
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
        methods = self.index.methods.get(owner, ())
        return [function for function in methods if self.index.sees(file, function.file)] if methods else []

    def _member_after(self, scope: Scope, function: Function, declare: Declare) -> Value | None:
        stored = f"this.{declare.name}"
        initialisers = dict(function.initialisers)
        if declare.name not in initialisers and stored not in self.assigned_in(function.body or (), scope):
            return None
        own = replace(scope, function=function, file=function.file)
        interpreter = Interpreter(own, self, MOST_DEPTH // 2)
        parameters(interpreter, _parameter_types(function), {})
        if declare.name in initialisers:
            interpreter.store(Name(0, declare.name), interpreter.value(initialisers[declare.name]))
        after = interpreter.run(self._for_result(function))
        return after.variables.get(stored, symbol(declare.name, declare.type))

    def has_constructor(self, type_: Type, scope: Scope) -> bool:
        name = type_.name.rpartition("::")[2]
        return any("constructor" in function.kinds for function in self.index.functions(name, scope.file))

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
        evaluator = Evaluator(scope, self, depth)
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


def _depends(function: Function, met: Met) -> bool:
    """Whether a launch, or a call of a function that launches, is shaped by a parameter of the function."""
    names = {parameter.name for parameter in function.parameters} | {item.name for item in function.template}
    if not names:
        return False
    for site in met.sites.values():
        shapes = (*site.grid.axes, *site.block.axes, site.shared, *site.bound_values.values())
        written = {node.name for node in site.expr.kernel.walk() if isinstance(node, Name)}
        if any(_mentions(value, names) for value in shapes) or (site.kernel is None and written & names):
            return True
    return any(
        _mentions(value, names)
        for _, site in met.calls
        for value in (*site.values.values(), *site.bound_values.values())
    )


def _mentions(value: Value, names: set[str]) -> bool:
    """Whether a value is made of a parameter of one of these names."""
    if isinstance(value, Quantity):
        return value.form is not None and any(
            isinstance(symbol_, sym.Symbol) and not symbol_.version and symbol_.name.partition(".")[0] in names
            for symbol_ in value.form.leaves()
        )
    if isinstance(value, Record):
        return any(_mentions(item, names) for item in value.fields.values())
    return False


def _parameter_types(function: Function) -> list[tuple[str, Type]]:
    return [(parameter.name, parameter.type) for parameter in function.parameters if parameter.name]


def _takes(function: Function, count: int) -> bool:
    needed = sum(1 for parameter in function.parameters if parameter.default is None)
    return needed <= count <= len(function.parameters)


def _own_fields(evaluator: Evaluator, call: Call) -> dict[str, Value]:
    """The members of the object a method is called on, as far as they are known."""
    if isinstance(call.callee, Member):
        base = evaluator.value(call.callee.base)
        if isinstance(base, Record):
            return {f"this.{name}": value for name, value in base.fields.items()}
        if not (isinstance(call.callee.base, Name) and call.callee.base.name == "this"):
            return {}
    return {name: value for name, value in evaluator.state.variables.items() if name.startswith("this.")}


def _joined_values(function: Function, sites: list[CallSite]) -> dict[str, Value]:
    values: dict[str, Value] = {}
    for parameter in function.parameters:
        given = [site.values[parameter.name] for site in sites if parameter.name in site.values]
        if given and len(given) == len(sites):
            joined = given[0]
            for value in given[1:]:
                joined = join(joined, value, fresh(parameter.name))
            values[parameter.name] = joined
    return values


def _joined_bindings(function: Function, sites: list[CallSite]) -> tuple[dict[str, Type], dict[str, Value]]:
    """What all callers bind the template parameters to; a parameter nobody binds is a symbol."""
    bound_types: dict[str, Type] = {}
    bound_values: dict[str, Value] = {}
    for parameter in function.template:
        if parameter.type is None:
            seen = {site.bound_types.get(parameter.name) for site in sites}
            only = seen.pop() if len(seen) == 1 else None
            if only is not None:
                bound_types[parameter.name] = only
            continue
        given = [site.bound_values.get(parameter.name) for site in sites]
        value: Value = symbol(parameter.name, parameter.type)
        known = [one for one in given if one is not None]
        if known and len(known) == len(given):
            value = known[0]
            for other in known[1:]:
                value = join(value, other, fresh(parameter.name))
        bound_values[parameter.name] = value
    return bound_types, bound_values
