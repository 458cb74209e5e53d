"""What stands before a function's body: name, kinds, parameters, template parameters, launch attributes."""

from dataclasses import replace

from tree_sitter import Node

from cudalint.frontends.cuda_syntax import grammar
from cudalint.frontends.cuda_syntax.attributes import attributes_of
from cudalint.frontends.cuda_syntax.counts import countable
from cudalint.frontends.cuda_syntax.lowering import Lowering
from cudalint.frontends.cuda_syntax.structs import joined
from cudalint.frontends.cuda_syntax.types import SPECIFIERS, Declarator, declarator, described, qualified, specified
from cudalint.frontends.cuda_syntax.words import KINDS, kinds_in
from cudalint.ir.expr import Expr, Type
from cudalint.ir.unit import Function, Parameter, TemplateParameter
from cudalint.record import record

_VALUE_PARAMETERS = frozenset(
    {"parameter_declaration", "optional_parameter_declaration", "variadic_parameter_declaration"}
)
_TYPE_PARAMETERS = frozenset(
    {"type_parameter_declaration", "optional_type_parameter_declaration", "variadic_type_parameter_declaration"}
)
_DEVICE_SIDE = frozenset({"device", "global"})


@record
class Context:
    """What encloses a declaration: namespaces and classes, the innermost class, template parameters in force.

    `whole` is the outermost node of the declaration, its template heading included.
    """

    scope: str = ""
    owner: str = ""
    template: tuple[TemplateParameter, ...] = ()
    whole: Node | None = None


def function(low: Lowering, node: Node, where: Context, shape: Node, namespaces: set[str]) -> Function | None:
    """The function a definition or declaration node heads, its body left empty; None where it has no name."""
    parts = declarator(low, shape)
    if parts.name is None:
        return None
    name, scope, owner, specialises = _named(low, parts.name, where, namespaces)
    kinds = set(_kinds(low, node, shape))
    specifier = node.child_by_field_id(grammar.TYPE)
    if specifier is None and name == owner.rpartition("::")[2] and name:
        kinds.add("constructor")
    if not kinds & _DEVICE_SIDE:
        kinds.add("host")
    if "global" in kinds and not _counted(low, parts.function):
        kinds.add("uncounted")
    return Function(
        name=name,
        scope=scope,
        owner=owner,
        kinds=frozenset(kinds),
        returns=_returned(low, node, specifier, parts),
        parameters=parameters(low, parts.function),
        template=where.template,
        attributes=attributes_of(low, node, shape),
        body=None,
        initialisers=_initialisers(low, node),
        specialises=specialises,
        extent=low.extent(where.whole or node),
        heading=low.extent(parts.name),
    )


def _named(
    low: Lowering, node: Node, where: Context, namespaces: set[str]
) -> tuple[str, str, str, tuple[Type | Expr, ...]]:
    """Name, scope, class and arguments of an explicit specialisation, for `ns::S<T>::f<int>` too."""
    kind = node.type
    if kind in {"identifier", "field_identifier"}:
        return low.name(node), where.scope, where.owner, ()
    qualifiers: list[str] = []
    while node.type == "qualified_identifier":
        scope = node.child_by_field_id(grammar.SCOPE)
        if scope is not None:
            qualifiers.append(low.spelling(scope).partition("<")[0].strip())
        inner = node.child_by_field_id(grammar.NAME)
        if inner is None:
            break
        node = inner
    name, specialises = _last_component(low, node)
    owner = where.owner
    if qualifiers and qualifiers[-1] not in namespaces:
        owner = qualifiers[-1]
    return name, joined(where.scope, "::".join(qualifiers)), owner, specialises


def _last_component(low: Lowering, node: Node) -> tuple[str, tuple[Type | Expr, ...]]:
    if node.type == "operator_cast":
        return f"operator {specified(low, node.child_by_field_id(grammar.TYPE))}", ()
    if node.type == "operator_name":
        symbol = low.spelling(node).removeprefix("operator").strip()
        return f"operator {symbol}" if symbol[:1].isalpha() else f"operator{symbol}", ()
    return qualified(low, node)


def _kinds(low: Lowering, node: Node, shape: Node) -> frozenset[str]:
    """The kinds the specifiers give; words the parser did not see, or saw as errors, are read from the source."""
    kinds: set[str] = set()
    broken = False
    for child in node.children:
        if child == shape:
            break
        kind = child.type
        if kind in KINDS:
            kinds.add(KINDS[kind])
        elif kind == "ERROR":
            broken = True
        elif kind in {"type_qualifier", "storage_class_specifier"}:
            word = KINDS.get(low.slice(child))
            if word is not None:
                kinds.add(word)
    text = low.text
    start, end = node.start_byte, shape.start_byte
    if broken or (text.source is not text.data and text.source[start:end] != text.data[start:end]):
        kinds |= kinds_in(low, text.written(start, end))
    return frozenset(kinds)


def _returned(low: Lowering, node: Node, specifier: Node | None, parts: Declarator) -> Type | None:
    trailing = None
    if parts.function is not None:
        trailing = next(
            (child for child in parts.function.named_children if child.type == "trailing_return_type"), None
        )
    if trailing is not None and trailing.named_child_count:
        return described(low, trailing.named_children[0])
    if specifier is None:
        return None
    const = any(child.type == "type_qualifier" and low.slice(child) == "const" for child in node.children)
    base = specified(low, specifier, const=const)
    return replace(base, pointer=parts.pointer, reference=parts.reference)


def parameters(low: Lowering, function_declarator: Node | None) -> tuple[Parameter, ...]:
    """The parameters of a function declarator."""
    listed = function_declarator.child_by_field_id(grammar.PARAMETERS) if function_declarator is not None else None
    if listed is None:
        return ()
    found = [_parameter(low, child) for child in listed.named_children if child.type in _VALUE_PARAMETERS]
    if len(found) == 1 and not found[0].name and found[0].type == Type("void"):
        return ()
    return tuple(found)


def _counted(low: Lowering, function_declarator: Node | None) -> bool:
    """Whether the heading tells how many parameters there are."""
    listed = function_declarator.child_by_field_id(grammar.PARAMETERS) if function_declarator is not None else None
    return listed is not None and countable(low, listed)


def _parameter(low: Lowering, node: Node) -> Parameter:
    qualifiers = set()
    specifier = None
    for child in node.named_children:
        kind = child.type
        if kind in SPECIFIERS:
            specifier = child
        elif kind == "type_qualifier":
            qualifiers.add(low.slice(child))
        elif specifier is not None:
            break
    base = specified(low, specifier, const="const" in qualifiers)
    base = replace(base, volatile=True) if "volatile" in qualifiers else base
    shape = node.child_by_field_id(grammar.DECLARATOR)
    default = node.child_by_field_id(grammar.DEFAULT_VALUE)
    value = low.expression(default) if default is not None else None
    if shape is None:
        return Parameter("", base, value)
    parts = declarator(low, shape)
    parts.direct = False
    type_ = parts.applied(low, base)
    if parts.extents:
        type_ = replace(type_, pointer=type_.pointer + len(parts.extents))
    return Parameter(low.name(parts.name) if parts.name is not None else "", type_, value)


def template_parameters(low: Lowering, node: Node) -> tuple[TemplateParameter, ...]:
    """The parameters of a `template_declaration`."""
    listed = node.child_by_field_id(grammar.PARAMETERS)
    if listed is None:
        return ()
    return tuple(
        _template_parameter(low, child) for child in listed.named_children if child.type not in {"comment", "ERROR"}
    )


def _template_parameter(low: Lowering, node: Node) -> TemplateParameter:
    if node.type in _VALUE_PARAMETERS:
        value = _parameter(low, node)
        return TemplateParameter(value.name, value.type, value.default, node.type.startswith("variadic"))
    pack = node.type.startswith("variadic")
    if node.type not in _TYPE_PARAMETERS:
        inner = node.named_children[-1] if node.named_child_count else node
        return TemplateParameter(low.spelling(inner).split(" ")[-1], None, None, pack)
    name = node.child_by_field_id(grammar.NAME)
    default = node.child_by_field_id(grammar.DEFAULT_TYPE)
    if name is None and default is None:
        name = next((child for child in node.named_children if child.type == "type_identifier"), None)
    type_ = specified(low, default) if default is not None else None
    return TemplateParameter(low.name(name) if name is not None else "", None, type_, pack)


def _initialisers(low: Lowering, node: Node) -> tuple[tuple[str, Expr], ...]:
    listed = next((child for child in node.named_children if child.type == "field_initializer_list"), None)
    if listed is None:
        return ()
    result = []
    for child in listed.named_children:
        inner = child.named_children
        if child.type != "field_initializer" or len(inner) < 2:
            continue
        values = [value for value in inner[1].named_children if value.type != "comment"]
        value = low.expression(values[0] if len(values) == 1 else inner[1])
        result.append((low.spelling(inner[0]), value))
    return tuple(result)
