"""Memory: which buffer an expression means, and the loads and stores a thread does."""

from cudalint.analysis import types
from cudalint.analysis.device import arithmetic
from cudalint.analysis.device.conversions import converted
from cudalint.analysis.device.events import Access
from cudalint.analysis.device.intrinsics import GROUP_TYPES
from cudalint.analysis.device.values import (
    UNKNOWN,
    Buffer,
    Cause,
    Group,
    Num,
    Pointer,
    Value,
    first_cause,
    kind_of,
    number,
)
from cudalint.analysis.device.walk import DECLARE, EXPRESSIONS, Walk
from cudalint.ir import Call, Cast, Declare, Expr, Index, Member, Name, Type, Unary
from cudalint.ir import symbol as sym


def declare(walk: Walk, statement: Declare) -> None:
    """A variable: an array is memory, anything else holds a value."""
    scope = walk.frame.evaluator.scope
    key = walk.frame.prefix + statement.name
    resolved = scope.resolve(statement.type) or statement.type
    walk.types[key] = resolved
    if "shared" in statement.storage or statement.extents:
        walk.state[key] = _array(walk, statement, resolved, key)
        return
    if resolved.reference and statement.init is not None:
        referred = reference(walk, statement.init) or _alias(walk, statement)
        if referred is not None:
            walk.state[key] = referred
            return
    group = GROUP_TYPES.get(statement.type.name.rpartition("::")[2])
    value = walk.value(statement.init) if statement.init is not None else None
    if group is not None and not isinstance(value, Group):
        value = Group(group, _tile_size(walk, statement.type))
    if value is None:
        value = _uninitialised(walk, statement, resolved)
    elif isinstance(value, Num):
        walk.fitted(value, kind_of(resolved), statement.extent)
        value = _named(walk, statement, _numbered(walk, converted(value, resolved), resolved))
    else:
        value = converted(value, resolved)
        if isinstance(value, Pointer) and "volatile" in statement.storage:
            value = value.restless()
        if isinstance(value, Pointer) and not resolved.pointer and not resolved.reference and resolved.name != "auto":
            value = UNKNOWN
    _drop_members(walk, key)
    walk.state[key] = value


def _alias(walk: Walk, statement: Declare) -> Pointer | None:
    """A reference to a variable that is not const: both names mean what one of them holds."""
    if not isinstance(statement.init, Name) or statement.type.const or statement.init.name == statement.name:
        return None
    key = walk.frame.prefix + statement.init.name
    held = walk.state.get(key)
    if isinstance(held, Pointer) and held.cell:
        return held
    if not isinstance(held, Num):
        return None
    return Pointer(Buffer(key, statement.init.name, "local"), number(0), None, cell=True)


def _tile_size(walk: Walk, type_: Type) -> int | None:
    first = type_.arguments[0] if type_.arguments else None
    return walk.number(first).exact if isinstance(first, Expr) else None


def _uninitialised(walk: Walk, statement: Declare, type_: Type) -> Value:
    if type_.pointer:
        buffer = Buffer(f"{walk.frame.prefix}{statement.name}*", statement.name, "unknown", type_.name)
        return Pointer(buffer, number(0), types.scalar_size(type_.name))
    return Num(kind=kind_of(type_) or ("struct" if type_.name != "auto" else ""))


def _named(walk: Walk, statement: Declare, value: Value) -> Value:
    """A value with the variable it is given to as its cause, and a symbol where it has no formula."""
    if not isinstance(value, Num) or not value.varies:
        if isinstance(value, Num) and value.form is None and value.kind not in {"float", "struct"}:
            named = walk.named(statement.name, value)
            return Num(0, named, value.lo, value.hi, value.kind, None, value.test, value.read)
        return value
    cause = Cause(statement.name, walk.place(statement.extent), value.cause)
    form = value.form
    if form is None and value.kind not in {"float", "struct"}:
        form = walk.fresh(statement.name, value.varies, (value.lo, value.hi))
    return Num(value.varies, form, value.lo, value.hi, value.kind, cause, value.test, value.read, value.members)


def _array(walk: Walk, statement: Declare, type_: Type, key: str) -> Pointer:
    shared = "shared" in statement.storage
    space = "shared" if shared else "constant" if "constant" in statement.storage else "local"
    own = key
    if shared or "static" in statement.storage:
        own = f"{walk.frame.function.file}:{statement.extent}"
        own += walk.frame.variant if "extern" not in statement.storage else ""
    known = walk.trace.buffers.get(own)
    if known is None:
        extents = tuple(walk.number(extent).exact if extent is not None else None for extent in statement.extents)
        dynamic = "extern" in statement.storage
        known = Buffer(
            own, statement.name, space, type_.name, types.scalar_size(type_.name) if not type_.pointer else 8,
            extents, walk.place(statement.extent), dynamic,
        )  # fmt: skip
        walk.trace.buffers[own] = known
    if statement.init is not None:
        value = walk.number(statement.init)
        walk.state[f"[{key}]"] = value
    elif space == "local":
        walk.state[f"[{key}]"] = UNKNOWN
    return Pointer(known, number(0), known.size, 0, "volatile" in statement.storage, cell=not statement.extents)


def global_buffer(walk: Walk, label: str) -> Pointer | None:
    """A variable of file scope that lives in the memory of the device."""
    index, file = walk.frame.evaluator.scope.index, walk.frame.function.file
    found = index.global_(label, file)
    item = found[0] if isinstance(found, list) and found else found
    declared = getattr(item, "declare", None)
    if declared is None or declared.storage.isdisjoint({"shared", "device", "constant", "managed"}):
        return None
    if "constexpr" in declared.storage and not declared.extents:
        return None
    key = f"::{label}"
    known = walk.trace.buffers.get(key)
    if known is None:
        space = "shared" if "shared" in declared.storage else "constant" if "constant" in declared.storage else "global"
        type_ = walk.frame.evaluator.scope.resolve(declared.type) or declared.type
        extents = tuple(walk.number(extent).exact if extent is not None else None for extent in declared.extents)
        size = types.scalar_size(type_.name) if not type_.pointer else 8
        known = Buffer(
            key,
            label,
            space,
            type_.name,
            size,
            extents,
            (file, declared.extent),
            "extern" in declared.storage and space == "shared",
        )
        walk.trace.buffers[key] = known
    return Pointer(known, number(0), known.size, cell=not declared.extents)


def indexed(walk: Walk, expr: Index) -> tuple[Pointer | None, tuple[Num, ...]]:
    """The element an index means, and the indices as written, outermost first."""
    chain: list[Expr] = []
    base: Expr = expr
    while isinstance(base, Index):
        chain[:0] = base.indices
        base = base.base
    value = walk.value(base)
    indices = tuple(walk.number(part) for part in chain)
    if not isinstance(value, Pointer):
        if isinstance(value, Num) and isinstance(base, Name | Member):
            buffer = Buffer(str(base), str(base), "unknown")
            offset = indices[-1] if len(indices) == 1 else Num(_union(indices), cause=first_cause(*indices))
            return Pointer(walk.trace.buffers.setdefault(str(base), buffer), _under(offset, value), None), indices
        return None, indices
    return _element(walk, value, indices), indices


def _under(offset: Num, value: Num) -> Num:
    """An offset into something that itself may differ between threads."""
    if not value.varies:
        return offset
    return Num(offset.varies | value.varies, None, None, None, "", first_cause(offset, value))


def _union(values: tuple[Num, ...]) -> int:
    varies = 0
    for value in values:
        varies |= value.varies
    return varies


def _element(walk: Walk, base: Pointer, indices: tuple[Num, ...]) -> Pointer:
    """The element that indices mean. Past the dimensions of an array stands a pointer or a structure of its own."""
    buffer, offset, depth, flat = base.buffer, base.offset, base.depth, base.flat
    dimensions = len(buffer.extents) or 1
    for index in indices:
        if depth >= dimensions and not flat:
            inner = Buffer(
                f"{buffer.key}[]", f"{buffer.name}[]", buffer.space if buffer.space == "shared" else "unknown"
            )
            buffer = walk.trace.buffers.setdefault(inner.key, inner)
            return Pointer(buffer, _under(index, offset), None)
        stride = 1 if flat else _stride(buffer.extents[depth + 1 :])
        scaled = _scaled(walk, index, stride)
        offset = arithmetic.binary("+", offset, scaled, walk.range_of) if offset.exact != 0 else scaled
        depth, flat = (dimensions, False) if flat else (depth + 1, False)
    return Pointer(buffer, offset, base.size, depth, base.volatile)


def _stride(inner: tuple[int | None, ...]) -> int | None:
    stride = 1
    for extent in inner:
        if extent is None:
            return None
        stride *= extent
    return stride


def _scaled(walk: Walk, index: Num, stride: int | None) -> Num:
    if stride == 1:
        return index
    if stride is None:
        return Num(index.varies, None, None, None, "", index.cause)
    return arithmetic.binary("*", index, number(stride), walk.range_of)


def reference(walk: Walk, expr: Expr) -> Pointer | None:
    """What a reference bound to an expression means, where that stands in memory."""
    if not isinstance(expr, Name | Index | Member | Unary):
        return None
    events, walk.events = walk.events, []
    found = address(walk, expr)
    walk.events = events
    if not isinstance(found, Pointer) or (found.buffer.space == "local" and not found.buffer.extents):
        return None
    if (
        isinstance(expr, Name)
        and isinstance(walk.state.get(walk.frame.prefix + expr.name), Pointer)
        and found.buffer.extents
        and not found.flat
    ):
        return Pointer(found.buffer, found.offset, found.size, found.depth, found.volatile)
    return Pointer(found.buffer, found.offset, found.size, found.depth, found.volatile, found.flat, cell=True)


def address(walk: Walk, expr: Expr) -> Value:
    """`&expr`."""
    if isinstance(expr, Index):
        pointer, _ = indexed(walk, expr)
        if pointer is None:
            return UNKNOWN
        flat = pointer.depth >= len(pointer.buffer.extents)
        return Pointer(pointer.buffer, pointer.offset, pointer.size, 0, pointer.volatile, flat)
    if isinstance(expr, Unary) and expr.op == "*":
        return walk.value(expr.operand)
    if isinstance(expr, Cast):
        return converted(address(walk, expr.operand), Type(expr.type.name, expr.type.arguments, expr.type.pointer + 1))
    if isinstance(expr, Name):
        return _address_of_name(walk, expr)
    if isinstance(expr, Member):
        place = _member_place(walk, expr)
        return place if place is not None else UNKNOWN
    return UNKNOWN


def _address_of_name(walk: Walk, expr: Name) -> Value:
    key = walk.frame.prefix + expr.name
    held = walk.state.get(key)
    if isinstance(held, Pointer) and held.cell:
        return Pointer(held.buffer, held.offset, held.size, 0, held.volatile, flat=True)
    if isinstance(held, Pointer) and held.buffer.extents and held.offset.exact == 0:
        return held
    if held is None:
        buffer = walk.trace.buffers.get(f"::{expr.name}")
        if buffer is None and global_buffer(walk, expr.name) is not None:
            buffer = walk.trace.buffers.get(f"::{expr.name}")
        return Pointer(buffer, number(0), buffer.size) if buffer is not None else UNKNOWN
    return Pointer(Buffer(key, expr.name, "local"), number(0), None)


def _member_place(walk: Walk, expr: Member) -> Pointer | None:
    """The memory a member stands in: that of the structure it belongs to."""
    if path_of(walk, expr):
        return None
    base = expr.base
    if isinstance(base, Name) and not expr.arrow:
        held = walk.state.get(walk.frame.prefix + base.name)
        value = held if isinstance(held, Pointer) and held.cell else walk.value(base)
    elif expr.arrow:
        value = walk.value(base)
    elif isinstance(base, Index):
        value = indexed(walk, base)[0] or UNKNOWN
    elif isinstance(base, Member):
        value = _member_place(walk, base) or UNKNOWN
    elif isinstance(base, Unary) and base.op == "*":
        value = walk.value(base.operand)
    elif isinstance(base, Call):
        value = walk.value(base)
    else:
        value = UNKNOWN
    if not isinstance(value, Pointer):
        return None
    buffer = value.buffer
    key = f"{buffer.key}.{expr.name}"
    own = walk.trace.buffers.get(key)
    if own is None:
        own = Buffer(
            key,
            f"{buffer.name}{'->' if expr.arrow else '.'}{expr.name}",
            buffer.space,
            "",
            None,
            (),
            buffer.place,
            buffer.dynamic,
        )
        walk.trace.buffers[key] = own
    return Pointer(own, value.offset, None, 0, value.volatile)


def path_of(walk: Walk, expr: Member) -> str:
    """The key of a member of a variable that is held as a structure; "" where it is memory or something else."""
    if expr.arrow:
        return ""
    base = expr.base
    if isinstance(base, Name):
        key = walk.alias(walk.frame.prefix + base.name)
        held = walk.state.get(key)
        if held is None or not isinstance(held, Num):
            return "" if held is not None else f"{key}.{expr.name}"
        return f"{key}.{expr.name}"
    if isinstance(base, Member):
        inner = path_of(walk, base)
        return f"{inner}.{expr.name}" if inner else ""
    return ""


def member_names(walk: Walk, type_: Type) -> tuple[str, ...]:
    """The members of a structure in order, where its type is visible."""
    resolved = walk.frame.evaluator.scope.resolve(type_) or type_
    if resolved.pointer:
        return ()
    scope = walk.frame.evaluator.scope
    found = scope.struct(resolved)
    if found is None:
        return types.fields(resolved.name)
    constructors = scope.index.functions(found[0].name, scope.file)
    if found[0].bases or found[0].union or any("constructor" in made.kinds for made in constructors):
        return ()
    return tuple(item.name for item in found[0].fields if "static" not in item.storage)


def whole(walk: Walk, key: str, held: Num) -> Num:
    """A structure with what its members hold that were stored one by one."""
    start = f"{key}."
    members = dict(held.members)
    for name, value in walk.state.items():
        if name.startswith(start) and "." not in name[len(start) :]:
            members[name[len(start) :]] = value
    for inner in walk.structured:
        if inner.startswith(start) and "." not in inner[len(start) :]:
            part = walk.state.get(inner)
            members[inner[len(start) :]] = whole(walk, inner, part if isinstance(part, Num) else Num(kind="struct"))
    return Num(held.varies, None, None, None, "struct", held.cause, None, held.read, tuple(members.items()))


def _part(walk: Walk, path: str) -> Value | None:
    """What a member holds that came with its structure."""
    owner, _, last = path.rpartition(".")
    if not owner:
        return None
    held = walk.state.get(owner) or _part(walk, owner)
    return next((value for name, value in held.members if name == last), None) if isinstance(held, Num) else None


def _numbered(walk: Walk, value: Value, type_: Type) -> Value:
    """A braced list as a structure of a type."""
    if not isinstance(value, Num) or not value.members or not value.members[0][0].startswith("#"):
        return value
    names = member_names(walk, type_)
    members = tuple((name, part) for name, (_, part) in zip(names, value.members, strict=False))
    return Num(value.varies, None, None, None, "struct", value.cause, None, value.read, members)


def member_of(walk: Walk, expr: Member, path: str) -> Value:
    """A member of a structure that was not stored by itself: it differs as the structure does."""
    part = _part(walk, path)
    if part is not None:
        return part
    owner = walk.state.get(path.rpartition(".")[0])
    varies = owner.varies if isinstance(owner, Num) else 0
    cause = owner.cause if isinstance(owner, Num) else None
    if varies and isinstance(owner, Num) and owner.read is None:
        cause = Cause(str(expr), walk.place(expr.extent), cause, guessed=True)
    type_ = _field_type(walk, expr)
    if type_ is not None and type_.pointer:
        buffer = walk.trace.buffers.setdefault(
            path,
            Buffer(path, str(expr), "global", type_.name, types.scalar_size(type_.name) if type_.pointer == 1 else 8),
        )
        return Pointer(buffer, number(0) if not varies else Num(varies, cause=cause), buffer.size)
    kind = kind_of(type_)
    read = owner.read if isinstance(owner, Num) else None
    form = None if kind in {"float", "struct"} or varies else sym.atom(sym.Symbol(str(expr)))
    lo = 0 if kind in {"unsigned", "ulong"} else None
    return Num(varies, form, lo, None, kind, cause, None, read)


def _field_type(walk: Walk, expr: Member) -> Type | None:
    """The declared type of a member, where its structure is visible."""
    if not isinstance(expr.base, Name):
        return None
    declared = walk.types.get(walk.frame.prefix + expr.base.name)
    if declared is None:
        return None
    found = walk.frame.evaluator.scope.struct(declared)
    if found is None:
        return None
    struct, inside = found
    for item in struct.fields:
        if item.name == expr.name:
            return inside.resolve(item.type) or item.type
    return None


def load(walk: Walk, expr: Expr) -> Value:
    """The value in memory that an index, a dereference or a member means."""
    if isinstance(expr, Index):
        pointer, indices = indexed(walk, expr)
        if pointer is None:
            return Num(_union(indices), cause=first_cause(*indices))
        if pointer.depth < len(pointer.buffer.extents) and pointer.depth:
            return pointer
        return read(walk, pointer, expr.extent, indices)
    if isinstance(expr, Unary):
        value = walk.value(expr.operand)
        if isinstance(value, Pointer):
            return read(walk, value, expr.extent)
        return Num(value.varies, cause=value.cause) if isinstance(value, Num) else UNKNOWN
    if isinstance(expr, Member):
        place = _member_place(walk, expr)
        if place is not None:
            return read(walk, place, expr.extent)
        base = walk.value(expr.base)
        if isinstance(base, Num):
            return Num(base.varies, None, None, None, "", base.cause, None, base.read)
    return UNKNOWN


def read(walk: Walk, pointer: Pointer, extent: int, indices: tuple[Num, ...] = ()) -> Value:
    """Load from an address. What differs is the address; the same address holds the same for all."""
    buffer, offset = pointer.buffer, pointer.offset
    if buffer.space == "local":
        held = walk.state.get(buffer.key)
        inside = held if not buffer.extents else walk.state.get(f"[{buffer.key}]")
        if isinstance(inside, Num):
            varies = inside.varies | offset.varies
            form = inside.form if not buffer.extents else None
            return Num(varies, form, inside.lo, inside.hi, inside.kind, first_cause(inside, offset), None, inside.read)
        return (
            inside if inside is not None and not isinstance(inside, Pointer) else Num(offset.varies, cause=offset.cause)
        )
    event = Access(
        walk.place(extent), walk.frame.path, walk.control, "load", buffer, offset, indices, None, "", pointer.volatile,
        size=pointer.size,
    )  # fmt: skip
    walk.events.append(event)
    type_ = Type(buffer.element) if buffer.element else None
    kind = kind_of(type_)
    form = None
    if kind not in {"float", "struct"}:
        form = walk.fresh(f"{buffer.name}[…]", offset.varies)
        walk.trace.made[walk.latest] = event
    lo = 0 if kind in {"unsigned", "ulong"} else None
    cause = Cause(f"{buffer.name}[…]", event.place, offset.cause) if offset.varies else None
    event.given = Num(offset.varies, form, lo, None, kind, cause, None, event)
    return event.given


def store(walk: Walk, target: Expr, value: Value, *, read_first: bool = True) -> None:
    """Assign to an expression. `read_first` is false where the old value was read already."""
    while isinstance(target, Cast):
        target = target.operand
    if isinstance(target, Name):
        _store_name(walk, target, value)
    elif isinstance(target, Member):
        _store_member(walk, target, value)
    elif isinstance(target, Index):
        pointer, indices = indexed(walk, target)
        if pointer is not None:
            write(walk, pointer, value, target.extent, indices)
    elif isinstance(target, Unary) and target.op == "*":
        base = walk.value(target.operand)
        if isinstance(base, Pointer):
            write(walk, base, value, target.extent)
    elif read_first:
        walk.value(target)


def _store_name(walk: Walk, target: Name, value: Value) -> None:
    key = walk.frame.prefix + target.name
    held = walk.state.get(key)
    if isinstance(held, Pointer) and held.cell:
        write(walk, held, value, target.extent)
        return
    if held is None and walk.frame.this and f"{walk.frame.this}.{target.name}" in walk.state:
        key = f"{walk.frame.this}.{target.name}"
    elif held is None:
        pointer = _address_of_name(walk, target)
        if isinstance(pointer, Pointer) and pointer.buffer.space in {"shared", "global", "constant"}:
            write(walk, pointer, value, target.extent)
            return
    _drop_members(walk, key)
    type_ = walk.types.get(key)
    kept = converted(value, type_) if type_ is not None else value
    kept = _numbered(walk, kept, type_) if type_ is not None else kept
    walk.fitted(value, kind_of(type_), target.extent)
    if isinstance(kept, Num) and kept.varies and kept.cause is not None and kept.cause.name != target.name:
        kept = Num(
            kept.varies, kept.form, kept.lo, kept.hi, kept.kind,
            Cause(target.name, walk.place(target.extent), kept.cause), kept.test, kept.read, kept.members,
        )  # fmt: skip
    if isinstance(kept, Num) and kept.form is None and kept.kind not in {"float", "struct"}:
        form = walk.named(target.name, kept)
        kept = Num(kept.varies, form, kept.lo, kept.hi, kept.kind, kept.cause, kept.test, kept.read)
    walk.state[key] = kept


def _store_member(walk: Walk, target: Member, value: Value) -> None:
    if isinstance(target.base, Name) and target.base.name == "this":
        _store_name(walk, Name(target.extent, target.name), value)
        return
    path = path_of(walk, target)
    if path:
        _override(walk, path)
        walk.state[path] = value
        owner = path.rpartition(".")[0]
        _note_members(walk, owner)
        held = walk.state.get(owner)
        if isinstance(held, Num) and isinstance(value, Num) and value.varies & ~held.varies:
            walk.state[owner] = Num(held.varies | value.varies, None, None, None, "struct", held.cause or value.cause)
        return
    place = _member_place(walk, target)
    if place is not None:
        write(walk, place, value, target.extent)


def write(walk: Walk, pointer: Pointer, value: Value, extent: int, indices: tuple[Num, ...] = ()) -> None:
    """Store at an address."""
    buffer = pointer.buffer
    stored = value if isinstance(value, Num) else UNKNOWN
    if buffer.space == "local":
        if not buffer.extents:
            _override(walk, buffer.key)
            walk.state[buffer.key] = value
            return
        inside = walk.state.get(f"[{buffer.key}]")
        old = inside if isinstance(inside, Num) else UNKNOWN
        varies = old.varies | stored.varies | pointer.offset.varies
        for control in walk.control.chain() if walk.control is not None else ():
            if control is walk.frame.base:
                break
            varies |= control.varies
        cause = first_cause(old, stored, pointer.offset) if varies else None
        kind = stored.kind if old is UNKNOWN or old.kind == stored.kind else ""
        walk.state[f"[{buffer.key}]"] = Num(varies, None, None, None, kind, cause)
        return
    walk.events.append(
        Access(
            walk.place(extent), walk.frame.path, walk.control, "store", buffer, pointer.offset, indices, stored, "",
            pointer.volatile, size=pointer.size,
        )
    )  # fmt: skip


def _override(walk: Walk, path: str) -> None:
    """Forget what a member held that came with its structure: it is stored by itself."""
    owner, _, last = path.rpartition(".")
    while owner:
        held = walk.state.get(owner)
        if isinstance(held, Num) and held.members:
            rest = tuple(member for member in held.members if member[0] != last)
            walk.state[owner] = Num(held.varies, None, None, None, held.kind, held.cause, None, held.read, rest)
        owner, _, last = owner.rpartition(".")


def _note_members(walk: Walk, owner: str) -> None:
    while owner and owner not in walk.structured:
        walk.structured.add(owner)
        owner = owner.rpartition(".")[0]


def _drop_members(walk: Walk, key: str) -> None:
    """Forget what single members of a structure held: it was assigned as a whole."""
    if key in walk.structured:
        start = f"{key}."
        walk.state = {name: value for name, value in walk.state.items() if not name.startswith(start)}


DECLARE.append(declare)
EXPRESSIONS[Index] = load
