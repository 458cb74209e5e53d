"""What expressions are worth in device code: names, operators, conversions."""

from cudalint.analysis.device import arithmetic
from cudalint.analysis.device.conversions import converted, from_host
from cudalint.analysis.device.events import Branch, Control
from cudalint.analysis.device.intrinsics import AXES, HIP_NAMES
from cudalint.analysis.device.memory import (
    address,
    global_buffer,
    load,
    member_names,
    member_of,
    path_of,
    read,
    store,
    whole,
)
from cudalint.analysis.device.values import (
    BLOCK,
    THREAD,
    UNKNOWN,
    WARP,
    Cause,
    Code,
    Num,
    Pointer,
    Value,
    first_cause,
    kind_of,
    number,
)
from cudalint.analysis.device.walk import EXPRESSIONS, Walk
from cudalint.ir import (
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    Construct,
    Expr,
    Float,
    Int,
    Lambda,
    Member,
    Name,
    Opaque,
    SizeOf,
    Text,
    Unary,
)
from cudalint.ir import symbol as sym

_BUILT_INS = frozenset({"threadIdx", "blockIdx", "blockDim", "gridDim"})
_VARIES = {"threadIdx": THREAD, "blockIdx": BLOCK}
_STEPS = {"++": "+", "p++": "+", "--": "-", "p--": "-"}


def integer(walk: Walk, expr: Int) -> Value:  # noqa: ARG001 - a handler
    kind = "int"
    if expr.suffix:
        unsigned, long = "u" in expr.suffix, "l" in expr.suffix
        kind = ("ulong" if unsigned else "long") if long else ("unsigned" if unsigned else "int")
    elif expr.value > 0x7FFFFFFF:
        kind = "unsigned" if expr.value <= 0xFFFFFFFF else "long"
    return number(expr.value, kind)


def real(walk: Walk, expr: Float) -> Value:  # noqa: ARG001 - a handler
    return Num(kind="float")


def text(walk: Walk, expr: Text) -> Value:  # noqa: ARG001 - a handler
    return UNKNOWN


def opaque(walk: Walk, expr: Opaque) -> Value:  # noqa: ARG001 - a handler
    return UNKNOWN


def built_in(walk: Walk, part: str, axis: str, extent: int) -> Num:
    """`threadIdx.x` and its like, as far as the launch tells."""
    known = walk.built_ins.get((part, axis))
    if known is None:
        known = walk.built_ins[part, axis] = _built_in(walk, part, axis, extent)
    return known


def _built_in(walk: Walk, part: str, axis: str, extent: int) -> Num:
    position = AXES.get(axis, 0)
    of_block = part in {"threadIdx", "blockDim"}
    size = (walk.shape.block if of_block else walk.shape.grid)[position]
    if part in {"blockDim", "gridDim"}:
        if size is not None:
            return number(size, "unsigned")
        return Num(0, sym.atom(sym.Symbol(f"{part}.{axis}")), 1, None, "unsigned")
    if size == 1:
        return number(0, "unsigned")
    varies = _VARIES[part]
    if of_block and position:
        varies = _axis_varies(walk, position)
    name = f"{part}.{axis}"
    cause = Cause(name, walk.place(extent)) if of_block else None
    atom = sym.Symbol(name)
    top = None if size is None else size - 1
    if atom not in walk.ranges:
        walk.ranges[atom] = 0, top
        walk.atoms[atom] = varies
        walk.ranges.setdefault(sym.Symbol(f"{part[:-3]}Dim.{axis}"), (1, None))
    return Num(varies, sym.atom(atom), 0, top, "unsigned", cause)


def _axis_varies(walk: Walk, position: int) -> int:
    """Whether threadIdx.y or .z is the same for all threads of a warp: where the axes before it fill whole warps, which they
    are taken to do where they are not known.
    """
    inner = 1
    for size in walk.shape.block[:position]:
        if size is None:
            return WARP
        inner *= size
    return WARP if inner % walk.shape.warp == 0 else THREAD


def member(walk: Walk, expr: Member) -> Value:
    base = expr.base
    if isinstance(base, Name):
        if base.name in _BUILT_INS and expr.name in AXES:
            return built_in(walk, base.name, expr.name, expr.extent)
        if base.name == "this":
            return name(walk, Name(expr.extent, expr.name))
    path = path_of(walk, expr)
    if path:
        held = walk.state.get(path)
        if held is not None:
            return held
        return member_of(walk, expr, path)
    return load(walk, expr)


def name(walk: Walk, expr: Name) -> Value:
    key = walk.frame.prefix + expr.name
    held = walk.state.get(key)
    if held is not None:
        if key in walk.structured and isinstance(held, Num):
            return whole(walk, key, held)
        return read(walk, held, expr.extent) if isinstance(held, Pointer) and held.cell else held
    if expr.name in HIP_NAMES:
        return built_in(walk, *HIP_NAMES[expr.name], expr.extent)
    if walk.frame.this:
        own = walk.state.get(f"{walk.frame.this}.{expr.name}")
        if own is not None:
            return own
    if expr.name == "warpSize" and not _redefined(walk):
        return number(walk.shape.warp)
    known = walk.frame.constants.get(expr.name)
    if known is None or expr.arguments:
        body = _called(walk, expr)
        if body is not None:
            return walk.value(body)
        known = walk.frame.constants[expr.name] = outer_name(walk, expr)
    return read(walk, known, expr.extent) if isinstance(known, Pointer) and known.cell else known


def _called(walk: Walk, expr: Name) -> Expr | None:
    """What a macro without parameters stands for, where that is no constant: it means what it would mean written out here.
    One that cannot be read and waits spoils the trace.
    """
    scope = walk.frame.evaluator.scope
    for macro in scope.index.macros(expr.name, scope.file):
        if macro.parameters is None and macro.body is not None and lives(walk, macro.body, expr.name):
            return macro.body
        if macro.parameters is None and macro.body is None and "__sync" in macro.text:
            walk.trace.complete = False
    return None


def lives(walk: Walk, body: Expr, name: str) -> bool:
    """Whether the replacement of a macro is a call, or made of what threads hold."""
    if isinstance(body, Call):
        return True
    prefix = walk.frame.prefix
    names = [part.name for part in body.walk() if isinstance(part, Name)]
    return name not in names and any(
        part in _BUILT_INS or part in HIP_NAMES or f"{prefix}{part}" in walk.state for part in names
    )


def _redefined(walk: Walk) -> bool:
    """Whether the program defines the built-in name warpSize itself."""
    return bool(walk.frame.evaluator.scope.index.macros("warpSize", walk.frame.function.file))


def outer_name(walk: Walk, expr: Name) -> Value:
    """A name that is no variable of the function: a constant, a macro, a template argument, a global variable."""
    found = global_buffer(walk, expr.name)
    if found is not None:
        return found
    value = from_host(walk.frame.evaluator.name(expr), expr.name)
    if value.form is not None and value.form.atom is not None and value.exact is None:
        walk.trace.unsettled.add(value.form.atom)
    return value


def unary(walk: Walk, expr: Unary) -> Value:
    if expr.op in _STEPS:
        before = walk.value(expr.operand)
        after = added(walk, before, number(1), _STEPS[expr.op])
        store(walk, expr.operand, after, read_first=False)
        return before if expr.op.startswith("p") else after
    if expr.op in {"&", "*"}:
        return address(walk, expr.operand) if expr.op == "&" else load(walk, expr)
    value = walk.number(expr.operand)
    if expr.op == "!":
        return arithmetic.negated(value)
    if expr.op == "-":
        return arithmetic.minus(value)
    if expr.op == "+":
        return value
    if expr.op == "~" and value.exact is not None:
        flipped = ~value.exact
        return number(flipped & 0xFFFFFFFF if value.kind == "unsigned" else flipped, value.kind)
    form = arithmetic.minus(value).form if expr.op == "~" and value.kind in {"int", "long"} else None
    flipped_form = sym.add(form, sym.ONE, -1) if form is not None else None
    return Num(value.varies, flipped_form, None, None, value.kind, value.cause, None, value.read)


def added(walk: Walk, left: Value, right: Num, op: str) -> Value:
    """A number or a pointer with something added or taken away."""
    if isinstance(left, Pointer):
        offset = arithmetic.binary(op, left.offset, right, walk.range_of)
        return left.moved(offset)
    if isinstance(left, Num):
        return walk.warps.settled(op, left, right, arithmetic.binary(op, left, right, walk.range_of))
    return UNKNOWN


def binary(walk: Walk, expr: Binary) -> Value:
    if expr.op in {"&&", "||"}:
        return _logical(walk, expr)
    left = walk.value(expr.left)
    right = walk.value(expr.right)
    if isinstance(left, Pointer) and expr.op in {"+", "-"}:
        if isinstance(right, Pointer):
            return arithmetic.binary("-", left.offset, right.offset, walk.range_of)
        return added(walk, left, right if isinstance(right, Num) else UNKNOWN, expr.op)
    if isinstance(right, Pointer) and expr.op == "+" and isinstance(left, Num):
        return added(walk, right, left, "+")
    first = left if isinstance(left, Num) else walk_number(left)
    second = right if isinstance(right, Num) else walk_number(right)
    result = walk.warps.settled(expr.op, first, second, arithmetic.binary(expr.op, first, second, walk.range_of))
    if result.hi is not None:
        walk.fitted(result, result.kind, expr.extent)
    return result


def walk_number(value: Value) -> Num:
    """What comparisons and the like make of a pointer."""
    if isinstance(value, Pointer):
        return Num(value.offset.varies, cause=value.offset.cause)
    return UNKNOWN


def _logical(walk: Walk, expr: Binary) -> Num:
    """`a && b`: the second side stands under the first."""
    left = walk.number(expr.left)
    settled = arithmetic.known(left)
    if settled is not None and settled is (expr.op == "||"):
        return left
    if settled is not None:
        return arithmetic.logical(expr.op, left, walk.number(expr.right))
    outer = walk.control
    walk.control = Control("branch", left, expr.op == "&&", walk.place(expr.left.extent), outer, source=expr.left)
    right = walk.number(expr.right)
    walk.control = outer
    return arithmetic.logical(expr.op, left, right)


def conditional(walk: Walk, expr: Conditional) -> Value:
    condition = walk.number(expr.condition)
    settled = arithmetic.known(condition)
    if settled is not None:
        return walk.value(expr.then if settled else expr.other)
    place, outer, events = walk.place(expr.condition.extent), walk.control, walk.events
    node = Branch(place, walk.frame.path, outer, condition)
    results = []
    for arm, holds in ((expr.then, True), (expr.other, False)):
        walk.control = Control("branch", condition, holds, place, outer, source=expr.condition)
        walk.events = []
        results.append(walk.value(arm))
        node.arms.append(walk.events)
    walk.control, walk.events = outer, events
    if any(node.arms):
        events.append(node)
    return walk.joined("?", results[0], results[1], condition)


def cast(walk: Walk, expr: Cast) -> Value:
    value = walk.value(expr.operand)
    resolved = walk.frame.evaluator.scope.resolve(expr.type) or expr.type
    walk.fitted(value, kind_of(resolved), expr.extent)
    made = converted(value, resolved)
    return made.restless() if isinstance(made, Pointer) and expr.type.volatile else made


def assign(walk: Walk, expr: Assign) -> Value:
    if expr.op:
        before = walk.value(expr.target)
        value = added(walk, before, walk.number(expr.value), expr.op)
        store(walk, expr.target, value, read_first=False)
        return value
    value = walk.value(expr.value)
    store(walk, expr.target, value)
    return value


def construct(walk: Walk, expr: Construct) -> Value:
    parts = [walk.value(argument) for argument in expr.arguments]
    numbers = [part for part in parts if isinstance(part, Num)]
    varies = 0
    for part in numbers:
        varies |= part.varies
    names = expr.fields or (member_names(walk, expr.type) if expr.type is not None else ())
    given = zip(names, parts, strict=False) if names else ((f"#{at}", part) for at, part in enumerate(parts))
    return Num(varies, kind="struct", cause=first_cause(*numbers), members=tuple(given))


def size_of(walk: Walk, expr: SizeOf) -> Value:
    return from_host(walk.frame.evaluator.value(expr), str(expr))


def closure(walk: Walk, expr: Lambda) -> Value:
    return Code(expr, walk.frame.prefix)


EXPRESSIONS.update({
    Int: integer, Float: real, Text: text, Opaque: opaque, Member: member, Name: name, Unary: unary, Binary: binary,
    Conditional: conditional, Cast: cast, Assign: assign, Construct: construct, SizeOf: size_of, Lambda: closure,
})  # fmt: skip
