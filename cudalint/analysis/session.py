"""One analysis of a whole program: functions are interpreted once, callers before callees."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from cudalint.analysis import apis, arithmetic, calls, refine
from cudalint.analysis.calls import Argument
from cudalint.analysis.declared import Declared
from cudalint.analysis.domain import DIM3, UNKNOWN, Closure, FunctionRef, Real, Record, Value, dim3_of
from cudalint.analysis.evaluate import Evaluator
from cudalint.analysis.index import Index
from cudalint.analysis.interpret import Interpreter, assigned_names, parameters
from cudalint.analysis.names import MOST_DEPTH, Scope, symbol
from cudalint.analysis.outline import outline, uses_of
from cudalint.analysis.sites import (
    Bindings,
    CallSite,
    Met,
    OptIn,
    Site,
    SiteKey,
    depends,
    joined_bindings,
    joined_values,
    place_of_pack,
    quantity_of,
)
from cudalint.analysis.slices import Slices
from cudalint.analysis.state import State
from cudalint.ir import (
    Call,
    Dim3,
    Expr,
    Function,
    Lambda,
    Launching,
    Member,
    Name,
    Origin,
    Quantity,
    Stmt,
    Type,
)
from cudalint.ir.stmt import expressions
from cudalint.source import Span

_MOST_INLINED = 5
_MOST_VARIANTS = 12
_BUDGET = 1000


@dataclass(eq=False)
class Session:
    """State shared by all interpreters of one program. `memo` keeps what was found out about a function, by a name."""

    index: Index
    assume: dict[str, int] = field(default_factory=dict)
    sites: dict[SiteKey, Site] = field(default_factory=dict)
    opt_ins: list[OptIn] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.slices = Slices(self.index)
        self.memo: dict[tuple[str, int], Any] = {}
        self.declared = Declared(self)
        self._bearing: dict[int, tuple[Lambda, bool]] = {}
        self._calls: dict[int, list[CallSite]] = {}
        self._done: set[int] = set()
        self._inlining: list[int] = []
        self._budget = _BUDGET
        self._current = Met()

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
        body = self.slices.for_launches(function)
        alone = self._met(function, body, {}, joined_bindings(function, []))
        sites = self._calls_of(function) if depends(function, alone) else []
        if not sites:
            self.sites |= alone.sites
            self._note(alone)
        elif len(sites) > _MOST_VARIANTS:
            met = self._met(function, body, joined_values(function, sites), joined_bindings(function, sites))
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
        parameters(interpreter, function.typed_parameters, values)
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
        for expr in self.slices.launchings(function):
            if (function.file, expr.extent, id(expr)) not in self._current.sites:
                self.record(interpreter, expr)

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
                known.variants.append((call.span, site.blamed(alone, call.span, call.path)))

    def can_inline(self, evaluator: Evaluator, function: Function) -> bool:
        if not function.body or function.is_kernel or id(function) in self._inlining:
            return False
        if function.name in self.slices.watched and function.calls.isdisjoint(apis.SHARED_OPT_IN):
            return False
        return len(self._inlining) < _MOST_INLINED and self._budget > 0 and evaluator.depth < MOST_DEPTH

    def inline(self, evaluator: Evaluator, function: Function, call: Call, arguments: tuple[Argument, ...]) -> Value:
        """The value of a call of a visible function; what it writes through references becomes the caller's."""
        body = self.slices.for_result(function)
        self._budget -= 1 + len(body)
        self._inlining.append(id(function))
        scope = Scope(
            self.index, self.assume, function.file, function.owner, function,
            *calls.template_bindings(evaluator, function, call.callee),
        )  # fmt: skip
        interpreter = Interpreter(scope, self, evaluator.depth + 1)
        parameters(interpreter, function.typed_parameters, calls.bind(evaluator, function, arguments))
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
        if call.name not in self.slices.watched:
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
        self._current.calls.append(
            (function, CallSite(values, *bound, span, id(evaluator.scope.function), evaluator.path))
        )

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
            evaluator.state.forget(self.slices.assigned_in(body, evaluator.scope))

    def _bears(self, function: Lambda) -> bool:
        """Whether a lambda launches, or calls something that does."""
        key = id(function)
        if key not in self._bearing:
            uses = uses_of(outline(function.body, lambda _: ()))
            self._bearing[key] = function, uses.launches or not self.slices.watched.isdisjoint(uses.calls)
        return self._bearing[key][1]

    def refine(self, evaluator: Evaluator, condition: Expr, *, holds: bool) -> None:
        refine.refine(evaluator, condition, holds=holds)

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
            self._passed(interpreter, expr),
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
    def _passed(interpreter: Interpreter, expr: Launching) -> tuple[Quantity, ...]:
        """What a launch gives its kernel, up to a pack; it is computed after the configuration, as nvcc does."""
        values = [quantity_of(interpreter.value(argument)) for argument in expr.arguments or ()]
        function = interpreter.scope.function
        known = place_of_pack(function, expr.arguments or ()) if function is not None else None
        return tuple(interpreter.state.narrow(value) for value in values[:known])

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
        self.opt_ins.append(OptIn(kernel, quantity_of(size), evaluator.scope.file))

    def kernel_function(self, ref: FunctionRef) -> Function | None:
        """The kernel a name means: a definition, the nearest one."""
        found = [f for f in self.index.functions(ref.name.last, ref.file) if f.is_kernel]
        return found[0] if found else None


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
