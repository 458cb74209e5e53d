"""Declared variables: locals, globals and constants."""

import re
from dataclasses import field

from tree_sitter import Node

from cudalint.frontends.cuda_syntax import grammar
from cudalint.frontends.cuda_syntax.conversions import braced
from cudalint.frontends.cuda_syntax.disguised import constructor_arguments
from cudalint.frontends.cuda_syntax.lowering import Lowering
from cudalint.frontends.cuda_syntax.types import SPECIFIERS, Declarator, declarator, is_built_in, specified
from cudalint.ir.expr import Binary, Call, Construct, Expr, Int, Opaque, Type
from cudalint.ir.stmt import Declare
from cudalint.record import mutable_record

_STORAGE = {
    "const": "const", "constexpr": "constexpr", "constinit": "static", "static": "static", "extern": "extern",
    "register": "register", "volatile": "volatile", "inline": "inline", "thread_local": "static",
    "__shared__": "shared", "__constant__": "constant", "__device__": "device", "__managed__": "managed",
}  # fmt: skip
_MARKS = frozenset({"type_qualifier", "storage_class_specifier"})
_ALIGNING = frozenset({"attribute_specifier", "ms_declspec_modifier", "alignas_qualifier", "alignas_specifier"})
_DECLARATORS = frozenset(
    {
        "identifier", "field_identifier", "qualified_identifier", "template_function", "operator_name", "operator_cast",
        "init_declarator", "pointer_declarator", "reference_declarator", "array_declarator", "function_declarator",
        "parenthesized_declarator", "attributed_declarator", "variadic_declarator", "structured_binding_declarator",
    }
)  # fmt: skip
_WRITTEN_ALIGNMENT = re.compile(r"__align__\s*\(\s*(\d+)\s*\)")
_ALIGNED = frozenset({"aligned", "__aligned__", "align"})
_DIM3 = Type("dim3")
_AUTO = Type("auto")


@mutable_record
class Specifiers:
    """What stands before the declarators of a declaration. `declarators` are in order, each with its default value."""

    storage: frozenset[str] = frozenset()
    type: Node | None = None
    base: Type = _AUTO
    alignment: Expr | None = None
    declarators: list[tuple[Node, Node | None]] = field(default_factory=list)


def specifiers(low: Lowering, node: Node) -> Specifiers:
    """Sort the parts of a declaration or of a field declaration."""
    result = Specifiers()
    after_equals = False
    for child in node.children:
        kind = child.type
        if after_equals or (kind == "initializer_list" and result.declarators):
            result.declarators[-1] = (result.declarators[-1][0], child)
            after_equals = False
        elif kind == "=":
            after_equals = bool(result.declarators)
        elif kind in _MARKS:
            _mark(low, child, result)
        elif kind in _STORAGE:
            result.storage |= {_STORAGE[kind]}
        elif kind in _ALIGNING:
            result.alignment = _alignment(low, child) or result.alignment
        elif result.type is None and kind in SPECIFIERS:
            result.type = child
        elif kind in _DECLARATORS:
            result.declarators.append((child, None))
    const = "const" in result.storage or "constexpr" in result.storage
    result.base = specified(low, result.type, const=const)
    if result.alignment is None and low.text.source is not low.data:
        result.alignment = _written_alignment(low, node)
    return result


def _mark(low: Lowering, node: Node, result: Specifiers) -> None:
    word = _STORAGE.get(low.slice(node))
    if word is not None:
        result.storage |= {word}
    elif node.named_child_count:
        result.alignment = _alignment(low, node.named_children[0]) or result.alignment


def _alignment(low: Lowering, node: Node) -> Expr | None:
    """`alignas(16)`, `__attribute__((aligned(16)))`, `__declspec(align(16))`."""
    if node.type.startswith("alignas"):
        return low.expression(node.named_children[0]) if node.named_child_count else None
    pending = list(node.named_children)
    while pending:
        inner = pending.pop()
        if inner.type != "call_expression":
            pending.extend(inner.named_children)
            continue
        function, *_, arguments = inner.named_children
        if low.slice(function) in _ALIGNED and arguments.named_child_count:
            return low.expression(arguments.named_children[0])
    return None


def _written_alignment(low: Lowering, node: Node) -> Expr | None:
    """`__align__(16)`, which the grammar does not know in most places and which was blanked before parsing."""
    start, end = node.start_byte, node.end_byte
    if low.text.source.find(b"__align__", start, end) < 0:
        return None
    found = _WRITTEN_ALIGNMENT.search(low.text.written(start, end))
    if found is None:
        return Opaque(low.extent(node), "__align__")
    return Int(low.text.place(start + found.start(), start + found.end()), int(found[1]))


def declares(low: Lowering, node: Node, *, inside: bool) -> list[Declare]:
    """The variables a declaration declares; `inside` a function what looks like a function is a variable if it can be."""
    parts = specifiers(low, node)
    whole = len(parts.declarators) == 1
    result = []
    for shape, default in parts.declarators:
        extent = low.extent(node if whole else shape)
        if shape.type == "init_declarator" and shape.named_children[0].type == "structured_binding_declarator":
            result.extend(_bindings(low, extent, parts.base, shape))
            continue
        declare = _variable(low, extent, parts, (shape, default), inside=inside)
        if declare is not None:
            result.append(declare)
    return result


def _bindings(low: Lowering, extent: int, base: Type, shape: Node) -> list[Declare]:
    """`auto [a, b] = f()`: the first name carries what is run, no name a value anyone knows."""
    names, *values = shape.named_children
    unknown = Opaque(extent, low.excerpt(names))
    first = Call(extent, unknown, low.expressions(values))
    bound = [low.name(child) for child in names.named_children]
    return [Declare(extent, name, base, unknown if index else first) for index, name in enumerate(bound)]


def _variable(
    low: Lowering, extent: int, parts: Specifiers, declared: tuple[Node, Node | None], *, inside: bool
) -> Declare | None:
    """One declared variable; None for a function."""
    shape, default = declared
    base = parts.base
    form = declarator(low, shape)
    value = shape.child_by_field_id(grammar.VALUE) if shape.type == "init_declarator" else default
    storage = parts.storage
    constructed = None
    if form.direct and form.function is not None:
        constructed = _disguised(low, base, form, extent) if inside or base.name == "dim3" else None
        if constructed is None and not inside:
            return None
        if constructed is None:
            storage |= {"extern"}
    type_ = form.applied(low, base)
    init = constructed or initial(low, type_, value, array=bool(form.extents))
    if init is None and type_.name == "dim3" and not (type_.pointer or type_.reference or form.extents):
        init = Construct(extent, _DIM3, ()) if "extern" not in storage else None
    return Declare(extent, _variable_name(low, form), type_, init, form.extents, storage, parts.alignment)


def _variable_name(low: Lowering, parts: Declarator) -> str:
    if parts.name is None:
        return ""
    return low.name(parts.name) if parts.name.type == "identifier" else low.spelling(parts.name)


def _disguised(low: Lowering, base: Type, parts: Declarator, extent: int) -> Expr | None:
    parameters = parts.function.child_by_field_id(grammar.PARAMETERS) if parts.function is not None else None
    arguments = constructor_arguments(low, parameters)
    if arguments is None:
        return None
    return _constructed(extent, base, Construct(extent, None, arguments))


def initial(low: Lowering, type_: Type, value: Node | None, *, array: bool = False) -> Expr | None:
    """The initial value of a variable of this type; lists become constructions of it."""
    if value is None:
        return None
    if value.type not in {"argument_list", "initializer_list"}:
        result = low.expression(value)
        arithmetic = type_.name == "dim3" and not type_.pointer and isinstance(result, Int | Binary)
        return Construct(result.extent, _DIM3, (result,)) if arithmetic else result
    listed = braced(low, value, None)
    return listed if array or type_.name == "auto" else _constructed(listed.extent, type_, listed)


def _constructed(extent: int, type_: Type, listed: Construct) -> Expr:
    """`int x(5)` is 5, `int x{}` is 0, `T x(5)` constructs a T."""
    simple = type_.pointer or type_.reference or is_built_in(type_)
    if simple and len(listed.arguments) == 1:
        return listed.arguments[0]
    if simple and not listed.arguments:
        return Int(extent, 0)
    plain = Type(type_.name, type_.arguments, type_.pointer) if type_.const or type_.reference else type_
    return Construct(extent, plain, listed.arguments, listed.fields)
