"""Classes, enumerations and the names of types."""

from collections.abc import Iterator

from tree_sitter import Node

from cudalint.frontends.cuda_syntax import grammar
from cudalint.frontends.cuda_syntax.lowering import Lowering
from cudalint.frontends.cuda_syntax.types import declarator, described, specified
from cudalint.frontends.cuda_syntax.variables import declares, specifiers
from cudalint.ir.expr import Binary, Expr, Int, Name, Type
from cudalint.ir.stmt import Declare
from cudalint.ir.unit import Alias, Struct, TemplateParameter

TAGGED = frozenset({"struct_specifier", "class_specifier", "union_specifier", "enum_specifier"})
_RECORDS = TAGGED - {"enum_specifier"}
_CONSTEXPR = frozenset({"constexpr"})
_BASES = frozenset({"type_identifier", "qualified_identifier", "template_type"})


def joined(scope: str, name: str) -> str:
    """A name inside a scope, either of which may be empty."""
    return f"{scope}::{name}" if scope and name else scope or name


def enumerators(low: Lowering, node: Node) -> list[Declare]:
    """The constants of an enumeration, each without a value of its own one more than the one before."""
    body = node.child_by_field_id(grammar.BODY)
    result: list[Declare] = []
    if body is None:
        return result
    title = node.child_by_field_id(grammar.NAME)
    type_ = Type(low.spelling(title) if title is not None else "int", const=True)
    previous = ""
    for child in _enumerators(body):
        name = child.child_by_field_id(grammar.NAME)
        if name is None:
            continue
        extent = low.extent(child)
        value = child.child_by_field_id(grammar.VALUE)
        init: Expr = Int(extent, 0)
        if value is not None:
            init = low.expression(value)
        elif previous:
            init = Binary(extent, "+", Name(extent, previous), Int(extent, 1))
        previous = low.name(name)
        result.append(Declare(extent, previous, type_, init, (), _CONSTEXPR))
    return result


def _enumerators(body: Node) -> Iterator[Node]:
    for child in body.named_children:
        if child.type == "enumerator":
            yield child
        elif child.type.startswith("preproc_"):
            yield from _enumerators(child)


def enum_scope(low: Lowering, node: Node, scope: str) -> str:
    """Where the constants of an enumeration are: in its own scope for an `enum class`."""
    name = node.child_by_field_id(grammar.NAME)
    scoped = node.child_count > 1 and node.children[1].type in {"class", "struct"}
    return joined(scope, low.spelling(name)) if scoped and name is not None else scope


def alias(low: Lowering, node: Node, template: tuple[TemplateParameter, ...], scope: str) -> None:
    """`using name = T;`, or each name of a `typedef`."""
    specifier = node.child_by_field_id(grammar.TYPE)
    if node.type == "alias_declaration":
        name = node.child_by_field_id(grammar.NAME)
        if name is not None and specifier is not None:
            low.aliases.append(Alias(low.name(name), scope, described(low, specifier), template))
        return
    const = any(child.type == "type_qualifier" and low.slice(child) == "const" for child in node.children)
    base = specified(low, specifier, const=const)
    for shape in node.children_by_field_name("declarator"):
        parts = declarator(low, shape)
        if parts.name is None or not base.name:
            continue
        if parts.function is not None:
            parts.direct = False
        low.aliases.append(Alias(low.name(parts.name), scope, parts.applied(low, base), template))


def struct(low: Lowering, node: Node, template: tuple[TemplateParameter, ...], scope: str, fallback: str = "") -> str:
    """Add a class with its fields and return its name; `fallback` names it where only a typedef does."""
    title = node.child_by_field_id(grammar.NAME)
    name = low.spelling(title).partition("<")[0].strip() if title is not None else fallback
    body = node.child_by_field_id(grammar.BODY)
    fields: list[Declare] = []
    if body is not None:
        _members(low, body, joined(scope, name), fields)
    low.structs.append(
        Struct(
            name, scope, _bases(low, node), template, tuple(fields), node.type == "union_specifier",
            specifiers(low, node).alignment if node.child_count > 3 else None,
        )
    )  # fmt: skip
    return name


def _bases(low: Lowering, node: Node) -> tuple[str, ...]:
    clause = next((child for child in node.named_children if child.type == "base_class_clause"), None)
    if clause is None:
        return ()
    return tuple(low.spelling(child) for child in clause.named_children if child.type in _BASES)


def _members(low: Lowering, body: Node, scope: str, fields: list[Declare]) -> None:
    for child in body.named_children:
        kind = child.type
        if kind == "field_declaration":
            _field(low, child, scope, fields)
        elif kind.startswith("preproc_") or kind == "ERROR":
            _members(low, child, scope, fields)


def _field(low: Lowering, node: Node, scope: str, fields: list[Declare]) -> None:
    inner = node.child_by_field_id(grammar.TYPE)
    if inner is not None and inner.type in _RECORDS and node.child_by_field_id(grammar.DECLARATOR) is None:
        _anonymous(low, inner, scope, fields)
    fields.extend(declares(low, node, inside=False))


def _anonymous(low: Lowering, node: Node, scope: str, fields: list[Declare]) -> None:
    """The members of a struct or union without a name are members of what holds it."""
    body = node.child_by_field_id(grammar.BODY)
    if body is not None and node.child_by_field_id(grammar.NAME) is None:
        _members(low, body, scope, fields)
