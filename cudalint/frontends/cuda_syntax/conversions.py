"""Values made from a type: conversions in every spelling, constructions, sizes, new objects."""

from tree_sitter import Node

from cudalint.frontends.cuda_syntax import grammar
from cudalint.frontends.cuda_syntax.lowering import Lowering, expression
from cudalint.frontends.cuda_syntax.types import described, is_built_in, specified
from cudalint.ir.expr import Binary, Call, Cast, Construct, Expr, Name, Opaque, SizeOf, Type

_LONGEST_LIST = 256


def converted(low: Lowering, node: Node, type_: Type, arguments: Node) -> Expr:
    values = low.expressions(arguments.named_children)
    if len(values) == 1:
        return Cast(low.extent(node), type_, values[0])
    return Construct(low.extent(node), type_, values)


def cast_call(low: Lowering, node: Node, callee: Node, arguments: Node) -> Expr:
    written = callee.child_by_field_id(grammar.ARGUMENTS)
    values = low.expressions(arguments.named_children)
    target = written.named_child(0) if written is not None else None
    if target is None or len(values) != 1:
        return low.opaque(node)
    return Cast(low.extent(node), _target(low, target), values[0])


def _target(low: Lowering, node: Node) -> Type:
    return described(low, node) if node.type == "type_descriptor" else Type(low.spelling(node))


@expression("cast_expression")
def _cast(low: Lowering, node: Node) -> Expr:
    target = node.child_by_field_id(grammar.TYPE)
    value = node.child_by_field_id(grammar.VALUE)
    if target is None or value is None:
        return low.opaque(node)
    return Cast(low.extent(node), described(low, target), low.expression(value))


@expression("sizeof_expression")
def _sizeof(low: Lowering, node: Node) -> Expr:
    extent = low.extent(node)
    target = node.child_by_field_id(grammar.TYPE)
    if target is not None:
        return _size_of_type(low, extent, target)
    value = node.child_by_field_id(grammar.VALUE)
    if value is None:
        return low.opaque(node)
    if node.children[1].type == "...":
        return Call(extent, Name(extent, "sizeof..."), (low.expression(value),))
    return SizeOf(extent, low.expression(value))


def _size_of_type(low: Lowering, extent: int, target: Node) -> Expr:
    """`sizeof(T[n])` is `sizeof(T) * n`: a Type has no array extents."""
    shape = target.named_children[-1]
    sizes: list[Node] = []
    while shape.type == "abstract_array_declarator":
        size = shape.child_by_field_id(grammar.SIZE)
        inner = shape.child_by_field_id(grammar.DECLARATOR)
        if size is not None:
            sizes.append(size)
        if inner is None:
            break
        shape = inner
    type_ = described(low, target)
    if not sizes:
        return SizeOf(extent, type_)
    element = Type(type_.name, type_.arguments, type_.pointer - len(sizes), type_.reference, type_.const)
    result: Expr = SizeOf(extent, element)
    for size in sizes:
        result = Binary(extent, "*", result, low.expression(size))
    return result


@expression("alignof_expression")
def _alignof(low: Lowering, node: Node) -> Expr:
    extent = low.extent(node)
    target = node.child_by_field_id(grammar.TYPE)
    argument = Name(extent, str(described(low, target))) if target is not None else low.opaque(node)
    return Call(extent, Name(extent, "alignof"), (argument,))


@expression("new_expression")
def _new(low: Lowering, node: Node) -> Expr:
    """`new T(a)` calls `new<T>` with a; `new T[n]` calls `new[]<T>` with n."""
    extent = low.extent(node)
    type_ = specified(low, node.child_by_field_id(grammar.TYPE))
    shape = node.child_by_field_id(grammar.DECLARATOR)
    length = shape.child_by_field_id(grammar.LENGTH) if shape is not None else None
    if length is not None:
        return Call(extent, Name(extent, "new[]", (type_,)), (low.expression(length),))
    arguments = node.child_by_field_id(grammar.ARGUMENTS)
    values = low.expressions(arguments.named_children) if arguments is not None else ()
    return Call(extent, Name(extent, "new", (type_,)), values)


@expression("delete_expression")
def _delete(low: Lowering, node: Node) -> Expr:
    extent = low.extent(node)
    name = "delete[]" if any(child.type == "[" for child in node.children) else "delete"
    return Call(extent, Name(extent, name), low.expressions(node.named_children))


@expression("initializer_list", "argument_list")
def _braced(low: Lowering, node: Node) -> Expr:
    return braced(low, node, None)


def braced(low: Lowering, node: Node, type_: Type | None) -> Construct:
    """A braced or parenthesised list as the construction of a value; a table of data is not taken apart."""
    extent = low.extent(node)
    if node.named_child_count > _LONGEST_LIST:
        return Construct(extent, type_, (Opaque(extent, f"{node.named_child_count} values"),))
    values: list[Expr] = []
    fields: list[str] = []
    for child in node.named_children:
        if child.type == "initializer_pair":
            designator = child.child_by_field_id(grammar.DESIGNATOR)
            value = child.child_by_field_id(grammar.VALUE)
            fields.append(low.spelling(designator).lstrip(".") if designator is not None else "")
            values.append(low.expression(value) if value is not None else low.opaque(child))
        elif child.type != "comment":
            values.append(low.expression(child))
    return Construct(extent, type_, tuple(values), tuple(fields))


@expression("compound_literal_expression")
def _compound_literal(low: Lowering, node: Node) -> Expr:
    target = node.child_by_field_id(grammar.TYPE)
    value = node.child_by_field_id(grammar.VALUE)
    if value is None:
        return low.opaque(node)
    if target is None or target.is_missing:
        return braced(low, value, None)
    type_ = specified(low, target)
    result = braced(low, value, type_)
    if is_built_in(type_) and len(result.arguments) == 1:
        return Cast(low.extent(node), type_, result.arguments[0])
    return Construct(low.extent(node), type_, result.arguments, result.fields)
