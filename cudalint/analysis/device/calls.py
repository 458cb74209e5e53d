"""Calls in device code: barriers, atomics, shuffles, cooperative groups, and device functions written out in place."""

from collections.abc import Callable

from cudalint.analysis import types
from cudalint.analysis.calls import template_bindings
from cudalint.analysis.device import arithmetic, intrinsics
from cudalint.analysis.device.conversions import converted
from cudalint.analysis.device.events import Access, Barrier, Exchange, Exit, Fence, Unknown
from cudalint.analysis.device.expressions import built_in
from cudalint.analysis.device.jumps import settle
from cudalint.analysis.device.memory import address, read, reference, store, whole, write
from cudalint.analysis.device.values import (
    BLOCK,
    EVERY,
    LANE,
    THREAD,
    UNKNOWN,
    WARP,
    Cause,
    Code,
    Group,
    Num,
    Pointer,
    Value,
    first_cause,
    number,
)
from cudalint.analysis.device.walk import EXPRESSIONS, Frame, Walk
from cudalint.analysis.domain import Value as HostValue
from cudalint.analysis.evaluate import Evaluator
from cudalint.analysis.names import Scope
from cudalint.ir import Call, Expr, Function, Member, Name, Quantity, Type, Unary
from cudalint.ir import symbol as sym

_MOST_DEPTH = 8
_LEAST_BUDGET = 50


def call(walk: Walk, expr: Call) -> Value:
    """The value of a call, what it does written down."""
    if isinstance(expr.callee, Member):
        return _method(walk, expr, expr.callee)
    name = expr.name
    known = _NAMED.get(name)
    if known is not None:
        return known(walk, expr)
    return _function(walk, expr, name)


def _numbers(walk: Walk, expr: Call) -> list[Num]:
    return [walk.number(argument) for argument in expr.arguments]


def _union(values: list[Num]) -> int:
    varies = 0
    for value in values:
        varies |= value.varies
    return varies


def _block_barrier(walk: Walk, expr: Call) -> Value:
    arguments = _numbers(walk, expr)
    scope = "named" if expr.name == "__barrier_sync" and not (arguments and arguments[0].exact == 0) else "block"
    walk.events.append(Barrier(walk.place(expr.extent), walk.frame.path, walk.control, scope, expr.name))
    if expr.name in intrinsics.BLOCK_VOTES:
        return Num(_union(arguments) & BLOCK, walk.fresh(expr.name, 0), 0, None, "int")
    return UNKNOWN


def _warp_barrier(walk: Walk, expr: Call) -> Value:
    arguments = _numbers(walk, expr)
    mask = arguments[0] if arguments else None
    walk.events.append(Barrier(walk.place(expr.extent), walk.frame.path, walk.control, "warp", expr.name, mask))
    return UNKNOWN


def _fence(walk: Walk, expr: Call) -> Value:
    arguments = [str(argument) for argument in expr.arguments]
    scope = intrinsics.FENCES[expr.name]
    if any("workgroup" in text or "block" in text or "BLOCK" in text for text in arguments):
        scope = "block"
    walk.events.append(Fence(walk.place(expr.extent), walk.frame.path, walk.control, scope))
    return UNKNOWN


def _exchange(kind: str, *, masked: bool) -> Callable[[Walk, Call], Value]:
    def handle(walk: Walk, expr: Call) -> Value:
        arguments = _numbers(walk, expr)
        mask = arguments[0] if masked and arguments else None
        rest = tuple(arguments[1:] if masked else arguments)
        event = Exchange(walk.place(expr.extent), walk.frame.path, walk.control, kind, expr.name, mask, rest)
        walk.events.append(event)
        result = _exchanged(walk, kind, rest, expr)
        if kind != "vote":
            return result
        return Num(result.varies, None, None, None, result.kind, result.cause, None, event)

    return handle


def _exchanged(walk: Walk, kind: str, arguments: tuple[Num, ...], expr: Call) -> Num:
    """What a warp's exchange gives: a vote is the same for the warp, and so is what one lane hands to all.

    What lanes have exchanged crosswise differs as long as they are not done with it, which is not followed.
    """
    value = arguments[0] if arguments else UNKNOWN
    varies = value.varies
    same_lane = kind == "shuffle" and len(arguments) > 1 and not arguments[1].varies and _from_one_lane(expr.name)
    if kind in {"vote", "reduce"} or same_lane:
        varies &= ~LANE
    cause = Cause(expr.name, walk.place(expr.extent), value.cause, guessed="xor" in expr.name) if varies else None
    return Num(varies, None, None, None, "unsigned" if kind == "vote" else value.kind, cause)


def _from_one_lane(name: str) -> bool:
    return name in {"__shfl_sync", "__shfl", "shfl"}


def _first_lane(walk: Walk, expr: Call) -> Value:
    return _exchanged(walk, "vote", tuple(_numbers(walk, expr)), expr)


def _active_mask(walk: Walk, expr: Call) -> Value:
    varies = 0
    for control in walk.control.chain() if walk.control is not None else ():
        varies |= control.varies
    return Num(varies & (WARP | BLOCK), walk.fresh("__activemask()", 0), 0, None, "unsigned", None, None, expr)


def _lane_id(walk: Walk, expr: Call) -> Value:
    _numbers(walk, expr)
    return Num(
        LANE,
        walk.fresh("lane", LANE, (0, walk.shape.warp - 1)),
        0,
        walk.shape.warp - 1,
        "int",
        Cause("lane id", walk.place(expr.extent)),
    )


def _clock(walk: Walk, expr: Call) -> Value:
    _numbers(walk, expr)
    return Num(EVERY, None, None, None, "long", Cause(f"{expr.name}()", walk.place(expr.extent)))


def _atomic(walk: Walk, expr: Call) -> Value:
    if not expr.arguments:
        return UNKNOWN
    pointer = walk.value(expr.arguments[0])
    values = [walk.number(argument) for argument in expr.arguments[1:]]
    return _atomic_on(walk, expr, pointer, values)


def _atomic_on(walk: Walk, expr: Call, pointer: Value, values: list[Num]) -> Value:
    """A read-modify-write: every thread gets a value of its own."""
    if not isinstance(pointer, Pointer):
        return Num(EVERY, None, None, None, "int", Cause(f"{expr.name}(…)", walk.place(expr.extent)))
    if pointer.buffer.space == "local":
        return UNKNOWN
    event = Access(
        walk.place(expr.extent), walk.frame.path, walk.control, "atomic", pointer.buffer, pointer.offset, (),
        values[0] if values else None, expr.name, used=True, size=pointer.size,
    )  # fmt: skip
    walk.events.append(event)
    reads_only = (
        bool(values) and values[0].exact == 0 and ("Add" in expr.name or "add" in expr.name or "Or" in expr.name)
    )
    same = reads_only and not pointer.offset.varies
    form = walk.fresh(pointer.buffer.name if same else expr.name, 0 if same else EVERY)
    walk.trace.made[walk.latest] = event
    if same:
        return Num(0, form, None, None, "int", None, None, event)
    cause = Cause(f"{expr.name}({pointer.buffer.name})", event.place)
    return Num(EVERY, form, None, None, "int", cause, None, event)


def _atomic_load(walk: Walk, expr: Call) -> Value:
    pointer = walk.value(expr.arguments[0]) if expr.arguments else UNKNOWN
    for argument in expr.arguments[1:]:
        walk.value(argument)
    if not isinstance(pointer, Pointer):
        return Num(pointer.varies, cause=pointer.cause) if isinstance(pointer, Num) else UNKNOWN
    strong = pointer.volatile or expr.name in intrinsics.STRONG_LOADS
    return read(walk, Pointer(pointer.buffer, pointer.offset, pointer.size, pointer.depth, strong), expr.extent)


def _atomic_store(walk: Walk, expr: Call) -> Value:
    pointer = walk.value(expr.arguments[0]) if expr.arguments else UNKNOWN
    values = [walk.number(argument) for argument in expr.arguments[1:]]
    if isinstance(pointer, Pointer):
        strong = Pointer(pointer.buffer, pointer.offset, pointer.size, pointer.depth, volatile=True)
        write(walk, strong, values[0] if values else UNKNOWN, expr.extent)
    return UNKNOWN


def _extremum(kind: str) -> Callable[[Walk, Call], Value]:
    def handle(walk: Walk, expr: Call) -> Value:
        values = _numbers(walk, expr)
        if len(values) != 2:
            return _pure(walk, expr)
        first, second = values
        varies = first.varies | second.varies
        los, his = [first.lo, second.lo], [first.hi, second.hi]
        if kind == "min":
            lo = None if None in los else min(v for v in los if v is not None)
            hi = min((v for v in his if v is not None), default=None)
        else:
            hi = None if None in his else max(v for v in his if v is not None)
            lo = max((v for v in los if v is not None), default=None)
        form = None
        if first.form is not None and second.form is not None:
            form = (
                first.form
                if first.form == second.form
                else sym.atom(sym.Extremum(kind, tuple(sorted((first.form, second.form), key=str))))
            )
        if "float" in (first.kind, second.kind):
            form = None
        kind_ = first.kind if first.kind == second.kind else ""
        return Num(varies, form, lo, hi, kind_, first_cause(*values) if varies else None)

    return handle


def _product(walk: Walk, expr: Call) -> Value:
    """`__mul24`, of numbers that fit."""
    values = _numbers(walk, expr)
    return arithmetic.binary("*", values[0], values[1], walk.range_of) if len(values) == 2 else UNKNOWN


def _swap(walk: Walk, expr: Call) -> Value:
    """`swap(a, b)`: each gets what the other held."""
    values = [walk.value(argument) for argument in expr.arguments]
    if len(values) == 2:
        for target, value in zip(expr.arguments, reversed(values), strict=True):
            store(walk, target, value, read_first=False)
    return UNKNOWN


def _pure(walk: Walk, expr: Call) -> Value:
    values = []
    for argument in expr.arguments:
        value = walk.value(argument)
        if isinstance(value, Pointer) and value.buffer.space == "local" and not value.buffer.extents:
            walk.state[value.buffer.key] = UNKNOWN
        values.append(value if isinstance(value, Num) else UNKNOWN)
    varies = _union(values)
    kind = "float" if any(value.kind == "float" for value in values) else ""
    read_by = next((value.read for value in values if value.read is not None), None)
    return Num(varies, None, None, None, kind, first_cause(*values) if varies else None, None, read_by)


def _group(walk: Walk, expr: Call) -> Value:
    size = None
    parent = walk.value(expr.arguments[0]) if expr.arguments else None
    for argument in expr.arguments[1:]:
        size = walk.number(argument).exact
    name = expr.callee
    template = name.arguments if isinstance(name, Name | Member) else ()
    if template and isinstance(template[0], Expr):
        size = walk.number(template[0]).exact
    kind = intrinsics.GROUPS[expr.name]
    if isinstance(parent, Group) and parent.kind == "thread":
        kind = "thread"
    return Group(kind, size)


def _group_sync(walk: Walk, expr: Call, group: Group) -> Value:
    scope = {"block": "block", "grid": "grid", "tile": "tile", "cluster": "cluster"}.get(group.kind, "unknown")
    if group.kind in {"thread", "coalesced"}:
        return UNKNOWN
    if scope == "unknown":
        scope = "named"
    walk.events.append(
        Barrier(walk.place(expr.extent), walk.frame.path, walk.control, scope, str(expr.callee), None, group.size)
    )
    return UNKNOWN


def _free_sync(walk: Walk, expr: Call) -> Value:
    """`cg::sync(group)`."""
    value = walk.value(expr.arguments[0]) if expr.arguments else UNKNOWN
    if isinstance(value, Group):
        return _group_sync(walk, expr, value)
    return _function(walk, expr, expr.name)


def _rank(walk: Walk, extent: int, group: Group, method: str) -> Value | None:
    """What a group tells of a thread's place in it."""
    axes = [built_in(walk, "threadIdx", axis, extent) for axis in "xyz"]
    sizes = [built_in(walk, "blockDim", axis, extent) for axis in "xyz"]
    linear = axes[2]
    for axis in (1, 0):
        linear = _plus(walk, arithmetic.binary("*", linear, sizes[axis], walk.range_of), axes[axis])
    if group.kind == "block":
        if method == "thread_rank":
            return linear
        if method in {"size", "num_threads"}:
            total = arithmetic.binary("*", sizes[0], sizes[1], walk.range_of)
            return arithmetic.binary("*", total, sizes[2], walk.range_of)
    if group.kind == "grid" and method == "thread_rank":
        block = built_in(walk, "blockIdx", "x", extent)
        size = _rank(walk, extent, Group("block"), "size")
        return _plus(
            walk, arithmetic.binary("*", block, size if isinstance(size, Num) else UNKNOWN, walk.range_of), linear
        )
    if group.kind == "tile":
        return _tile_rank(walk, group, method, linear)
    return None


def _tile_rank(walk: Walk, group: Group, method: str, linear: Num) -> Value | None:
    if group.size is None:
        varies = {"thread_rank": LANE, "meta_group_rank": THREAD}.get(method)
        return Num(varies, cause=linear.cause) if varies is not None else None
    size = number(group.size)
    if method == "thread_rank":
        rank = arithmetic.binary("%", linear, size, walk.range_of)
        return Num(
            rank.varies & ~WARP if group.size <= walk.shape.warp else rank.varies,
            rank.form,
            0,
            group.size - 1,
            "unsigned",
            rank.cause,
        )
    if method == "meta_group_rank":
        rank = arithmetic.binary("/", linear, size, walk.range_of)
        whole = group.size % walk.shape.warp == 0
        return Num(rank.varies & ~LANE if whole else rank.varies, rank.form, rank.lo, rank.hi, "unsigned", rank.cause)
    if method in {"size", "num_threads"}:
        return size
    return None


def _plus(walk: Walk, left: Num, right: Num) -> Num:
    return arithmetic.binary("+", left, right, walk.range_of)


def _method(walk: Walk, expr: Call, callee: Member) -> Value:
    base = walk.value(callee.base)
    method = callee.name
    if isinstance(base, Group):
        return _group_method(walk, expr, base, method)
    if isinstance(base, Code):
        return _closure(walk, expr, base)
    if method in intrinsics.REFERENCE_METHODS:
        pointer = address(walk, callee.base)
        return _atomic_on(walk, expr, pointer, _numbers(walk, expr))
    if method in {"arrive_and_wait", "wait", "arrive"}:
        _numbers(walk, expr)
        walk.events.append(Barrier(walk.place(expr.extent), walk.frame.path, walk.control, "named", str(expr.callee)))
        return UNKNOWN
    return _unseen(walk, expr, base)


def _group_method(walk: Walk, expr: Call, group: Group, method: str) -> Value:
    if method in {"sync", "barrier_wait", "barrier_arrive"}:
        return _group_sync(walk, expr, group)
    kind = intrinsics.GROUP_EXCHANGES.get(method)
    if kind is not None:
        arguments = tuple(_numbers(walk, expr))
        return _exchanged(walk, kind, arguments, expr)
    if group.kind == "coalesced" and method == "thread_rank":
        return Num(LANE, None, 0, walk.shape.warp - 1, "unsigned", Cause("thread_rank()", walk.place(expr.extent)))
    rank = _rank(walk, expr.extent, group, method)
    _numbers(walk, expr)
    if rank is not None:
        return rank
    if method == "thread_index":
        return Num(THREAD, kind="struct", cause=Cause("thread_index()", walk.place(expr.extent)))
    if method in {"group_index", "block_index", "block_rank"}:
        return Num(BLOCK, kind="struct" if method != "block_rank" else "unsigned")
    return UNKNOWN


def _computed(walk: Walk, expr: Call) -> Value:
    """The real number a function without effects makes of its arguments."""
    values = _numbers(walk, expr)
    varies = _union(values)
    return Num(varies, kind="float", cause=first_cause(*values) if varies else None)


def _function(walk: Walk, expr: Call, name: str) -> Value:
    """A call of a function, a lambda, or a conversion."""
    held = walk.state.get(walk.frame.prefix + name) if isinstance(expr.callee, Name) else None
    if isinstance(held, Code):
        return _closure(walk, expr, held)
    if name.startswith("make_"):
        return _made(walk, expr, types.fields(name.removeprefix("make_")))
    if name in intrinsics.PURE:
        return _pure(walk, expr)
    function = visible(walk, expr, name)
    if function is not None:
        return _computed(walk, expr) if walk.pure.holds(function) else inlined(walk, expr, function)
    macro = _macro(walk, expr, name)
    if macro is not None:
        return macro
    return _unseen(walk, expr, None)


def _made(walk: Walk, expr: Call, names: tuple[str, ...]) -> Num:
    """What `make_float4(…)` and its like give."""
    values = _numbers(walk, expr)
    varies = _union(values)
    members = tuple(zip(names, values, strict=True)) if len(names) == len(values) else ()
    return Num(varies, kind="struct", cause=first_cause(*values) if varies else None, members=members)


def visible(walk: Walk, expr: Call, name: str) -> Function | None:
    """The one device function a call can mean, where its body can be written out here."""
    scope = walk.frame.evaluator.scope
    if len(walk.frame.path) >= _MOST_DEPTH or walk.budget < _LEAST_BUDGET:
        return None
    count = len(expr.arguments)
    fitting = [
        function
        for function in scope.index.functions(name, scope.file)
        if function.body is not None
        and not function.is_kernel
        and not function.specialises
        and _takes(function, count)
        and "skipped" not in function.kinds
        and function.owner in ("", walk.frame.function.owner)
    ]
    device = [function for function in fitting if "device" in function.kinds] or fitting
    return device[0] if len(device) == 1 else None


def _takes(function: Function, count: int) -> bool:
    least = sum(parameter.default is None for parameter in function.parameters)
    return least <= count <= len(function.parameters)


def inlined(walk: Walk, expr: Call, function: Function) -> Value:
    """Walk the body of a device function in place of its call. What is passed by reference is not read there."""
    referred = {
        position: reference(walk, expr.arguments[position])
        for position, parameter in enumerate(function.parameters[: len(expr.arguments)])
        if parameter.type.reference
    }
    arguments = [
        UNKNOWN if referred.get(position) is not None else walk.value(argument)
        for position, argument in enumerate(expr.arguments)
    ]
    addresses = {
        position: address(walk, expr.arguments[position])
        for position, parameter in enumerate(function.parameters[: len(arguments)])
        if parameter.type.reference
        and isinstance(arguments[position], Num)
        and isinstance(expr.arguments[position], Name | Member)
        and not parameter.type.const
    }
    evaluator, constants = _evaluator(walk, expr, function)
    walk.frames += 1
    caller = walk.frame
    path = (*caller.path, walk.place(expr.extent))
    frame = Frame(function, evaluator, f"{walk.frames}:", path, walk.control, [], constants)
    frame.variant = _variant(walk, expr, function, evaluator)
    walk.frame = frame
    for position, parameter in enumerate(function.parameters):
        if not parameter.name:
            continue
        key = frame.prefix + parameter.name
        resolved = evaluator.scope.resolve(parameter.type) or parameter.type
        walk.types[key] = resolved
        bound = referred.get(position)
        if bound is not None:
            walk.state[key] = bound
        elif position < len(arguments):
            passed = converted(arguments[position], resolved)
            walk.state[key] = passed.restless() if isinstance(passed, Pointer) and parameter.type.volatile else passed
        else:
            walk.state[key] = walk.value(parameter.default)
    walk.body(function.body or ())
    settle(walk)
    walk.frame = caller
    result = _returned(walk, frame)
    _copy_back(walk, expr, function, frame, addresses)
    _leave_frame(walk, frame)
    return result


def _variant(walk: Walk, expr: Call, function: Function, evaluator: Evaluator) -> str:
    """What tells the instance of a template that is called from others; another one each time where that is not known."""
    if not function.template:
        return ""
    callee = expr.callee
    given = callee.arguments if isinstance(callee, Name | Member) else ()
    rest = [evaluator.scope.types.get(parameter.name) for parameter in function.template[len(given) :]]
    parts = [*map(str, given), *(str(type_) if type_ is not None else f"#{walk.frames}" for type_ in rest)]
    return f"{walk.frame.variant}<{', '.join(parts)}>"


def _evaluator(walk: Walk, expr: Call, function: Function) -> tuple[Evaluator, dict[str, Value]]:
    """What knows the constants that a function's body names, its template parameters bound as far as the call says; and
    those that it was asked for before.
    """
    known = walk.known.get(id(function))
    if known is not None:
        return known[1:]
    outer = walk.frame.evaluator
    types_, values = _bindings(walk, expr, function) if function.template else ({}, {})
    scope = Scope(outer.scope.index, outer.scope.assume, function.file, function.owner, function, types_, values)
    made = function, Evaluator(scope, outer.session), dict[str, Value]()
    if not function.template:
        walk.known[id(function)] = made
    return made[1:]


def _bindings(walk: Walk, expr: Call, function: Function) -> tuple[dict[str, Type], dict[str, HostValue]]:
    """What a call binds the template parameters of a function to, as written or by the types of what is passed."""
    callee = expr.callee
    given = callee.arguments if isinstance(callee, Name | Member) else ()
    types_, values = template_bindings(walk.frame.evaluator, function, callee)
    for position, parameter in enumerate(function.template):
        if position >= len(given) and parameter.type is None:
            deduced = _deduced(walk, expr, function, parameter.name)
            if deduced is not None:
                types_.setdefault(parameter.name, deduced)
        elif position < len(given) and parameter.type is not None:
            local = _local_constant(walk, given[position])
            if local is not None:
                values[parameter.name] = Quantity.exactly(local)
    return types_, values


def _local_constant(walk: Walk, argument: Expr | Type) -> int | None:
    """The number a template argument stands for where it is made of constants of the calling function."""
    if isinstance(argument, Type):
        held = walk.state.get(walk.frame.prefix + argument.name)
        return held.exact if isinstance(held, Num) else None
    return walk.number(argument).exact


def _deduced(walk: Walk, expr: Call, function: Function, name: str) -> Type | None:
    """The type a template parameter must be, where a variable is passed for a parameter of that type."""
    for position, parameter in enumerate(function.parameters[: len(expr.arguments)]):
        argument = expr.arguments[position]
        if parameter.type.name == name and isinstance(argument, Name):
            declared = walk.types.get(walk.frame.prefix + argument.name)
            if declared is not None:
                return Type(declared.name, declared.arguments, max(0, declared.pointer - parameter.type.pointer))
    return None


def _returned(walk: Walk, frame: Frame) -> Value:
    """What a function returns: where several returns give different values, which one decides too."""
    if not frame.returned:
        return UNKNOWN
    (result, control), *others = frame.returned
    for value, other in others:
        varies = 0
        cause = None
        for item in (*(control.chain() if control is not None else ()), *(other.chain() if other is not None else ())):
            if item is frame.base:
                break
            varies |= item.varies
            cause = cause or item.cause
        result = walk.joined(f"{frame.function.name}()", result, value, Num(varies, cause=cause))
        control = other
    return result


def _copy_back(walk: Walk, expr: Call, function: Function, frame: Frame, addresses: dict[int, Value]) -> None:
    for position, pointer in addresses.items():
        key = frame.prefix + function.parameters[position].name
        value = walk.state.get(key)
        if isinstance(value, Num) and key in walk.structured:
            value = whole(walk, key, value)
        if isinstance(value, Pointer) and value.cell:
            continue
        target = expr.arguments[position]
        if value is not None and (not isinstance(pointer, Pointer) or pointer.buffer.space == "local"):
            store(walk, target, value, read_first=False)


def _leave_frame(walk: Walk, frame: Frame) -> None:
    """Forget the variables of a function that is done; those that returned early are back."""
    start, inside = frame.prefix, f"[{frame.prefix}"
    walk.state = {name: value for name, value in walk.state.items() if not name.startswith((start, inside))}
    if walk.control is not frame.base:
        walk.control = frame.base
    trapped = walk.jump is not None and walk.jump.kind == "trap"
    walk.alive = walk.alive or not trapped


def _macro(walk: Walk, expr: Call, name: str) -> Value | None:
    """A function-like macro that stands for an expression."""
    scope = walk.frame.evaluator.scope
    found = [macro for macro in scope.index.macros(name, scope.file) if macro.parameters is not None]
    if not found or len(walk.frame.path) >= _MOST_DEPTH:
        return None
    before = [macro for macro in found if macro.extent <= expr.extent]
    macro = (before or found)[-1]
    parameters = macro.parameters or ()
    if macro.body is None or len(parameters) != len(expr.arguments):
        for argument in expr.arguments:
            walk.value(argument)
        if any(word in macro.text for word in _SYNCHRONISING):
            walk.trace.complete = False
        return UNKNOWN
    prefix = walk.frame.prefix
    saved = {parameter: walk.state.get(prefix + parameter) for parameter in parameters}
    values = [walk.value(argument) for argument in expr.arguments]
    for parameter, value in zip(parameters, values, strict=True):
        walk.state[prefix + parameter] = value
    path = walk.frame.path
    walk.frame.path = (*path, walk.place(expr.extent))
    result = walk.value(macro.body)
    walk.frame.path = path
    for parameter, held in saved.items():
        if held is None:
            walk.state.pop(prefix + parameter, None)
        else:
            walk.state[prefix + parameter] = held
    return result


_SYNCHRONISING = ("sync", "barrier", "return", "break", "continue", "goto")


def _closure(walk: Walk, expr: Call, code: Code) -> Value:
    """Call a lambda of the kernel: it sees the variables around it."""
    function = code.function
    arguments = [walk.value(argument) for argument in expr.arguments]
    frame = walk.frame
    path = (*frame.path, walk.place(expr.extent))
    inner = Frame(frame.function, frame.evaluator, frame.prefix, path, walk.control, [], frame.constants)
    if len(inner.path) > _MOST_DEPTH:
        walk.trace.complete = False
        return UNKNOWN
    walk.frame = inner
    saved = {name: walk.state.get(inner.prefix + name) for name in function.parameters}
    for name, value in zip(function.parameters, arguments, strict=False):
        walk.state[inner.prefix + name] = value
    walk.body(function.body)
    walk.frame = frame
    walk.alive, walk.control = True, inner.base
    result = _returned(walk, inner)
    for name, held in saved.items():
        if held is None:
            walk.state.pop(inner.prefix + name, None)
        else:
            walk.state[inner.prefix + name] = held
    return result


def _unseen(walk: Walk, expr: Call, base: Value | None) -> Value:
    """A call of something whose body is not visible: what it returns differs as what it is given does."""
    arguments = [walk.value(argument) for argument in expr.arguments]
    for argument, value in zip(expr.arguments, arguments, strict=True):
        if (
            isinstance(argument, Unary)
            and argument.op == "&"
            and isinstance(value, Pointer)
            and value.buffer.space == "local"
        ):
            varies = _union([item for item in arguments if isinstance(item, Num)])
            walk.state[value.buffer.key if not value.buffer.extents else f"[{value.buffer.key}]"] = Num(varies)
    name = expr.name
    walk.trace.unseen.add(name)
    event = Unknown(walk.place(expr.extent), walk.frame.path, walk.control, name, (base, *arguments))
    walk.events.append(event)
    values = [item for item in arguments if isinstance(item, Num)]
    if isinstance(base, Num):
        values.append(base)
    varies = _union(values)
    cause = Cause(f"{name}(…)", walk.place(expr.extent), first_cause(*values), guessed=True) if varies else None
    return Num(varies, None, None, None, "", cause, None, event)


def _no_return(walk: Walk, expr: Call) -> Value:
    _numbers(walk, expr)
    walk.jump = Exit(walk.place(expr.extent), walk.frame.path, walk.control, "trap")
    walk.events.append(walk.jump)
    walk.alive = False
    return UNKNOWN


def _assembly(walk: Walk, expr: Call) -> Value:
    """Inline assembly: a barrier where its text is one, else something unseen."""
    text = str(expr.arguments[0]) if expr.arguments else ""
    scope = None
    if "bar.sync" in text or "barrier.sync" in text or "bar.arrive" in text or "s_barrier" in text:
        whole = "bar.sync 0;" in text or "s_barrier" in text or "barrier.sync 0;" in text
        scope = "block" if whole else "named"
    elif "bar.warp.sync" in text:
        scope = "warp"
    if scope is not None:
        walk.events.append(Barrier(walk.place(expr.extent), walk.frame.path, walk.control, scope, "asm"))
        return UNKNOWN
    if "membar" in text or "fence" in text:
        walk.events.append(
            Fence(walk.place(expr.extent), walk.frame.path, walk.control, "block" if ".cta" in text else "device")
        )
        return UNKNOWN
    return _unseen(walk, expr, None)


_NAMED: dict[str, Callable[[Walk, Call], Value]] = {
    **dict.fromkeys(intrinsics.BLOCK_BARRIERS, _block_barrier),
    **dict.fromkeys(intrinsics.WARP_BARRIERS, _warp_barrier),
    **dict.fromkeys(intrinsics.FENCES, _fence),
    **dict.fromkeys(intrinsics.SHUFFLES_SYNC, _exchange("shuffle", masked=True)),
    **dict.fromkeys(intrinsics.SHUFFLES, _exchange("shuffle", masked=False)),
    **dict.fromkeys(intrinsics.VOTES_SYNC, _exchange("vote", masked=True)),
    **dict.fromkeys(intrinsics.VOTES, _exchange("vote", masked=False)),
    **dict.fromkeys(intrinsics.REDUCTIONS_SYNC, _exchange("reduce", masked=True)),
    **dict.fromkeys(intrinsics.ACTIVE_MASKS, _active_mask),
    **dict.fromkeys(intrinsics.FIRST_LANE, _first_lane),
    **dict.fromkeys(intrinsics.LANE_IDS, _lane_id),
    **dict.fromkeys(intrinsics.CLOCKS, _clock),
    **dict.fromkeys(intrinsics.ATOMICS, _atomic),
    **dict.fromkeys(intrinsics.ATOMIC_LOADS, _atomic_load),
    **dict.fromkeys(intrinsics.ATOMIC_STORES, _atomic_store),
    **dict.fromkeys(intrinsics.MINIMA, _extremum("min")),
    **dict.fromkeys(intrinsics.MAXIMA, _extremum("max")),
    **dict.fromkeys(intrinsics.GROUPS, _group),
    **dict.fromkeys(intrinsics.NO_RETURN, _no_return),
    "asm": _assembly,
    "sync": _free_sync,
    "synchronize": _free_sync,
    "swap": _swap,
    "__mul24": _product,
    "__umul24": _product,
}
EXPRESSIONS[Call] = call
