"""Types and declarators: what `const T* __restrict__ p[4]` says about `p`."""

from dataclasses import replace
from functools import lru_cache
from sys import intern

from tree_sitter import Node

from cudalint.frontends.cuda_syntax import grammar
from cudalint.frontends.cuda_syntax.lowering import Lowering
from cudalint.ir.expr import Expr, Type
from cudalint.record import mutable_record

BUILT_IN = frozenset(
    {
        "bool", "char", "char8_t", "char16_t", "char32_t", "wchar_t", "short", "int", "long", "unsigned",
        "signed", "float", "double", "void", "size_t", "ssize_t", "ptrdiff_t", "intptr_t", "uintptr_t",
        "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "uchar",
        "ushort", "uint", "ulong", "clock_t", "half", "__half", "__nv_bfloat16", "__int64", "__int128",
        "__uint128_t",
    }
)  # fmt: skip
"""Arithmetic types by their first or only word."""

PLAIN = frozenset({"primitive_type", "type_identifier"})
"""Types that are one word."""

SPECIFIERS = frozenset(
    {
        "primitive_type", "type_identifier", "sized_type_specifier", "template_type", "qualified_identifier",
        "struct_specifier", "class_specifier", "union_specifier", "enum_specifier", "placeholder_type_specifier",
        "decltype", "dependent_type", "auto",
    }
)  # fmt: skip
"""The kinds of node that say the type in a declaration."""

_NAMES = frozenset(
    {
        "identifier", "field_identifier", "type_identifier", "qualified_identifier", "operator_name", "destructor_name",
        "template_function", "template_method", "structured_binding_declarator", "operator_cast", "primitive_type",
        "dependent_name",
    }
)  # fmt: skip
_POINTERS = frozenset({"pointer_declarator", "abstract_pointer_declarator", "pointer_type_declarator"})
_REFERENCES = frozenset({"reference_declarator", "abstract_reference_declarator"})
_ARRAYS = frozenset({"array_declarator", "abstract_array_declarator"})
_FUNCTIONS = frozenset({"function_declarator", "abstract_function_declarator"})
_TRANSPARENT = frozenset(
    {"parenthesized_declarator", "abstract_parenthesized_declarator", "init_declarator", "attributed_declarator"}
)
_NOT_DECLARED = frozenset(
    {"comment", "type_qualifier", "ms_pointer_modifier", "ms_based_modifier", "attribute_specifier", "ERROR",
     "attribute_declaration", "parameter_list"}
)  # fmt: skip
_TAGGED = frozenset({"struct_specifier", "class_specifier", "union_specifier", "enum_specifier"})


@mutable_record
class Declarator:
    """What a declarator adds to the type before it. `function` is the declarator of a function's own parameters, of
    a pointer to a function's too; `direct` says that the thing declared is a function itself.
    """

    name: Node | None = None
    pointer: int = 0
    reference: bool = False
    extents: tuple[Expr | None, ...] = ()
    function: Node | None = None
    direct: bool = False
    pack: bool = False

    def applied(self, low: Lowering, base: Type) -> Type:
        """The declared type, without the array extents."""
        if self.function is not None and not self.direct:
            parameters = self.function.child_by_field_id(grammar.PARAMETERS)
            signature = f"{base}{low.spelling(parameters) if parameters else '()'}"
            return Type(intern(signature), (), self.pointer, self.reference)
        if not self.pointer and not self.reference:
            return base
        return Type(
            base.name, base.arguments, base.pointer + self.pointer, self.reference or base.reference, base.const,
            base.volatile,
        )  # fmt: skip


def declarator(low: Lowering, node: Node | None) -> Declarator:
    """Take a declarator apart from the outside in."""
    result = Declarator()
    while node is not None:
        kind = node.type
        if kind in _NAMES:
            result.name = node
            break
        if kind in _POINTERS:
            result.pointer += 1
            result.direct = False
        elif kind in _REFERENCES:
            result.reference = True
            result.direct = False
        elif kind in _ARRAYS:
            size = node.child_by_field_id(grammar.SIZE)
            result.extents = (low.expression(size) if size is not None else None, *result.extents)
        elif kind in _FUNCTIONS:
            result.function = node
            result.direct = True
        elif kind == "variadic_declarator":
            result.pack = True
        elif kind not in _TRANSPARENT:
            break
        node = node.child_by_field_id(grammar.DECLARATOR) or _declared(node)
    return result


def _declared(node: Node) -> Node | None:
    """The declarator inside one that has no field for it."""
    return next((child for child in node.named_children if child.type not in _NOT_DECLARED), None)


def specified(low: Lowering, node: Node | None, *, const: bool = False) -> Type:
    """The type a specifier names."""
    if node is None:
        return Type("auto", const=const)
    kind = node.type
    if kind in PLAIN:
        return _plain(low.slice(node), const)
    if kind in {"template_type", "qualified_identifier"}:
        name, arguments = qualified(low, node)
        return Type(name, arguments, 0, False, const)
    if kind in _TAGGED:
        name_node = node.child_by_field_id(grammar.NAME)
        return Type(low.spelling(name_node) if name_node is not None else "", const=const)
    if kind == "dependent_type":
        return specified(low, node.named_child(0), const=const)
    if kind == "placeholder_type_specifier":
        return Type("auto", const=const)
    if kind == "type_descriptor":
        return described(low, node)
    return Type(low.spelling(node), const=const)


@lru_cache(maxsize=4096)
def _plain(name: str, const: bool) -> Type:
    return Type(intern(name), const=const)


def described(low: Lowering, node: Node) -> Type:
    """The type of a `type_descriptor`: a specifier with qualifiers and an abstract declarator."""
    const = volatile = False
    specifier = None
    shape = None
    for child in node.named_children:
        kind = child.type
        if kind in SPECIFIERS and specifier is None:
            specifier = child
        elif kind == "type_qualifier":
            const = const or low.slice(child) in {"const", "constexpr"}
            volatile = volatile or low.slice(child) == "volatile"
        elif kind != "comment":
            shape = child
    base = specified(low, specifier, const=const)
    base = replace(base, volatile=True) if volatile else base
    if shape is None:
        return base
    parts = declarator(low, shape)
    if parts.function is not None:
        parts = replace(parts, direct=False)
    result = parts.applied(low, base)
    return replace(result, pointer=result.pointer + len(parts.extents)) if parts.extents else result


def qualified(low: Lowering, node: Node) -> tuple[str, tuple[Type | Expr, ...]]:
    """The name as written up to its last template arguments, and those."""
    if node.type == "qualified_identifier" and b"<" not in low.data[node.start_byte : node.end_byte]:
        return low.spelling(node), ()
    prefix = ""
    while node.type == "qualified_identifier":
        scope = node.child_by_field_id(grammar.SCOPE)
        prefix += f"{low.spelling(scope) if scope is not None else ''}::"
        inner = node.child_by_field_id(grammar.NAME)
        if inner is None:
            return intern(prefix), ()
        node = inner
    if node.type == "dependent_name" and node.named_child_count:
        node = node.named_children[-1]
    if node.type in {"template_type", "template_function", "template_method"}:
        name = node.child_by_field_id(grammar.NAME)
        arguments = node.child_by_field_id(grammar.ARGUMENTS)
        return intern(prefix + (low.spelling(name) if name is not None else "")), template_arguments(low, arguments)
    return intern(prefix + low.spelling(node)), ()


def template_arguments(low: Lowering, node: Node | None) -> tuple[Type | Expr, ...]:
    """What stands between `<` and `>`; a lone name, which may be a type or a value, is an expression."""
    if node is None:
        return ()
    return tuple([_template_argument(low, child) for child in node.named_children if child.type != "comment"])


def _template_argument(low: Lowering, node: Node) -> Type | Expr:
    if node.type != "type_descriptor":
        return low.expression(node)
    inner = node.named_children
    if len(inner) == 1 and inner[0].type in {"type_identifier", "qualified_identifier"}:
        name, arguments = qualified(low, inner[0])
        if not arguments:
            return low.expression(inner[0])
        return Type(name, arguments)
    return described(low, node)


def is_built_in(type_: Type) -> bool:
    """Whether a type is arithmetic, so that giving it one value converts that value."""
    return not type_.arguments and (type_.name in BUILT_IN or type_.name.split(" ", 1)[0] in BUILT_IN)
