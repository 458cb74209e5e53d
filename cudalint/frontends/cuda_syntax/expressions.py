"""Expressions. Parentheses vanish; macros and names stay names."""

from tree_sitter import Node

from cudalint.frontends.cuda_syntax import grammar, launches
from cudalint.frontends.cuda_syntax.conversions import cast_call, converted
from cudalint.frontends.cuda_syntax.literals import character, number, string
from cudalint.frontends.cuda_syntax.lowering import Lowering, expression
from cudalint.frontends.cuda_syntax.types import (
    BUILT_IN,
    PLAIN,
    declarator,
    described,
    qualified,
    specified,
)
from cudalint.frontends.cuda_syntax.words import kinds_of_word
from cudalint.ir.expr import (
    Assign,
    Binary,
    Call,
    Conditional,
    Construct,
    Expr,
    Float,
    Index,
    Int,
    Lambda,
    Member,
    Name,
    Opaque,
    Text,
    Type,
    Unary,
)

_CASTS = frozenset({"static_cast", "reinterpret_cast", "const_cast", "dynamic_cast"})
_BUILT_IN_NODES = frozenset({"primitive_type", "sized_type_specifier"})
_QUALIFIED = frozenset({"qualified_identifier", "template_function"})
_ASSOCIATIVE = frozenset({"+", "*", "&&", "||", "&", "|", "^"})
_LONGEST_CHAIN = 64
_TRUTH = {"true": 1, "false": 0}


@expression(
    "identifier", "type_identifier", "field_identifier", "namespace_identifier", "primitive_type", "this", "auto"
)
def _name(low: Lowering, node: Node) -> Expr:
    return Name(low.extent(node), low.name(node))


@expression("null", "sized_type_specifier", "operator_name", "destructor_name", "placeholder_type_specifier")
def _spelled(low: Lowering, node: Node) -> Expr:
    return Name(low.extent(node), low.spelling(node))


@expression("qualified_identifier", "template_function", "template_type", "dependent_name", "template_method")
def _qualified(low: Lowering, node: Node) -> Expr:
    name, arguments = qualified(low, node)
    return Name(low.extent(node), name, arguments)


@expression("number_literal")
def _number(low: Lowering, node: Node) -> Expr:
    text, extent = low.slice(node), low.extent(node)
    sign = text[0] if text[:1] in {"-", "+"} else ""  # the grammar takes it for a part of the literal
    value = number(text[1:].lstrip() if sign else text)
    if value is None:
        return Opaque(extent, text)
    literal = Int(extent, *value) if isinstance(value, tuple) else Float(extent, value)
    return Unary(extent, sign, literal) if sign else literal


@expression("true", "false")
def _truth(low: Lowering, node: Node) -> Expr:
    return Int(low.extent(node), _TRUTH[node.type])


@expression("char_literal")
def _character(low: Lowering, node: Node) -> Expr:
    return Int(low.extent(node), character(low.slice(node)))


@expression("string_literal", "raw_string_literal")
def _string(low: Lowering, node: Node) -> Expr:
    return Text(low.extent(node), string(low.slice(node)))


@expression("concatenated_string")
def _strings(low: Lowering, node: Node) -> Expr:
    parts = [string(low.slice(child)) for child in node.named_children if child.type.endswith("string_literal")]
    return Text(low.extent(node), "".join(parts))


@expression("binary_expression")
def _binary(low: Lowering, node: Node) -> Expr:
    """A chain of operators leans to the left and may be thousands long, so it is walked, not recursed into."""
    children = node.children
    if len(children) == 3 and children[0].type != "binary_expression":
        left, operator, right = children
        return Binary(low.extent(node), operator.type, low.expression(left), low.expression(right))
    links: list[tuple[Node, str, Node]] = []
    first = node
    while first.type == "binary_expression":
        parts = _three(first)
        if parts is None:
            break
        links.append((first, parts[1].type, parts[2]))
        first = parts[0]
    if len(links) > _LONGEST_CHAIN:
        return _long_chain(low, node, first, links)
    result = low.opaque(first) if first is node else low.expression(first)
    for whole, operation, right in reversed(links):
        result = Binary(low.extent(whole), operation, result, low.expression(right))
    return result


@expression("comma_expression")
def _comma(low: Lowering, node: Node) -> Expr:
    """The grammar lets commas lean to the right; here they lean to the left, as they are evaluated."""
    terms: list[Expr] = []
    rest = node
    while rest.type == "comma_expression" and (parts := _three(rest)) is not None:
        terms.append(low.expression(parts[0]))
        rest = parts[2]
    terms.append(low.opaque(rest) if rest is node else low.expression(rest))
    extent = low.extent(node)
    if len(terms) > _LONGEST_CHAIN:
        return _balanced(extent, ",", terms)
    result = terms[0]
    for term in terms[1:]:
        result = Binary(extent, ",", result, term)
    return result


def _three(node: Node) -> list[Node] | None:
    """Operand, operator, operand, without comments and errors between them."""
    children = node.children
    if len(children) != 3:
        children = [child for child in children if child.type not in {"comment", "ERROR"}]
    return children if len(children) == 3 else None


def _long_chain(low: Lowering, node: Node, first: Node, links: list[tuple[Node, str, Node]]) -> Expr:
    """A chain too long to nest: a balanced tree, or Opaque where the order of evaluation matters."""
    operators = {operator for _, operator, _ in links}
    extent = low.extent(node)
    if len(operators) > 1 or not operators <= _ASSOCIATIVE:
        return Opaque(extent, low.excerpt(node))
    operator = operators.pop()
    terms = [low.expression(first), *(low.expression(right) for _, _, right in reversed(links))]
    return _balanced(extent, operator, terms)


def _balanced(extent: int, operator: str, terms: list[Expr]) -> Expr:
    while len(terms) > 1:
        pairs = zip(terms[::2], terms[1::2], strict=False)
        odd = terms[-1:] if len(terms) % 2 else []
        terms = [Binary(extent, operator, left, right) for left, right in pairs] + odd
    return terms[0]


@expression("assignment_expression")
def _assignment(low: Lowering, node: Node) -> Expr:
    children = _three(node)
    if children is None:
        return low.opaque(node)
    target, operator, value = children
    return Assign(low.extent(node), operator.type[:-1], low.expression(target), low.expression(value))


@expression("unary_expression", "pointer_expression")
def _unary(low: Lowering, node: Node) -> Expr:
    children = node.children
    return Unary(low.extent(node), children[0].type, low.expression(children[-1]))


@expression("update_expression")
def _update(low: Lowering, node: Node) -> Expr:
    children = node.children
    first = children[0]
    if first.is_named:
        return Unary(low.extent(node), "p" + children[-1].type, low.expression(first))
    return Unary(low.extent(node), first.type, low.expression(children[-1]))


@expression("conditional_expression")
def _conditional(low: Lowering, node: Node) -> Expr:
    condition = node.child_by_field_id(grammar.CONDITION)
    then = node.child_by_field_id(grammar.CONSEQUENCE) or condition
    other = node.child_by_field_id(grammar.ALTERNATIVE)
    if condition is None or then is None or other is None:
        return low.opaque(node)
    return Conditional(low.extent(node), low.expression(condition), low.expression(then), low.expression(other))


@expression("parenthesized_expression", "condition_clause")
def _parenthesised(low: Lowering, node: Node) -> Expr:
    inner = node.named_children
    if len(inner) > 1:
        inner = [child for child in inner if child.type not in {"comment", "ERROR", "init_statement"}]
    if len(inner) != 1:
        return low.opaque(node)
    value = low.expression(inner[0])
    return Call(value.extent, value, ()) if inner[0].type == "compound_statement" else value


@expression("field_expression")
def _member(low: Lowering, node: Node) -> Expr:
    base = node.child_by_field_id(grammar.ARGUMENT)
    field = node.child_by_field_id(grammar.FIELD)
    if base is None or field is None:
        return low.opaque(node)
    arrow = node.children[1].type == "->"
    if field.type == "field_identifier":
        return Member(low.extent(node), low.expression(base), low.name(field), arrow)
    name, arguments = qualified(low, field)
    return Member(low.extent(node), low.expression(base), name, arrow, arguments)


@expression("subscript_expression")
def _subscript(low: Lowering, node: Node) -> Expr:
    children = [child for child in node.named_children if child.type != "comment"]
    base, last = children[0], children[-1]
    indices = last.named_children if last.type == "subscript_argument_list" else children[1:]
    return Index(low.extent(node), low.expression(base), low.expressions(indices))


@expression("call_expression")
def _call(low: Lowering, node: Node) -> Expr:
    children = node.children
    if len(children) != 2:
        return launches.irregular_call(low, node)
    callee, arguments = children
    kind = callee.type
    if kind == "identifier":
        name = low.name(callee)
        special = _special_call(low, node, name, arguments)
        if special is not None:
            return special
        return Call(low.extent(node), Name(low.extent(callee), name), low.expressions(arguments.named_children))
    if kind in _BUILT_IN_NODES:
        return converted(low, node, specified(low, callee), arguments)
    if kind in _QUALIFIED:
        name, template = qualified(low, callee)
        if name in _CASTS and template:
            return cast_call(low, node, callee, arguments)
        launch = launches.api_call(low, node, name, arguments)
        if launch is not None:
            return launch
        return Call(
            low.extent(node), Name(low.extent(callee), name, template), low.expressions(arguments.named_children)
        )
    return Call(low.extent(node), low.expression(callee), low.expressions(arguments.named_children))


def _special_call(low: Lowering, node: Node, name: str, arguments: Node) -> Expr | None:
    if name == "dim3":
        return Construct(low.extent(node), Type("dim3"), low.expressions(arguments.named_children))
    if name in BUILT_IN:
        return converted(low, node, Type(name), arguments)
    launch = launches.api_call(low, node, name, arguments)
    if launch is None and low.launches(name):
        return launches.macro_value(low, node, name, arguments)
    return launch


@expression("lambda_expression")
def _lambda(low: Lowering, node: Node) -> Expr:
    body = node.child_by_field_id(grammar.BODY)
    shape = node.child_by_field_id(grammar.DECLARATOR)
    parameters = shape.child_by_field_id(grammar.PARAMETERS) if shape is not None else None
    return Lambda(low.extent(node), _parameter_names(low, parameters), low.body(body), _on_device(low, node, body))


def _parameter_names(low: Lowering, node: Node | None) -> tuple[str, ...]:
    if node is None:
        return ()
    shapes = [declarator(low, child.child_by_field_id(grammar.DECLARATOR)) for child in node.named_children]
    return tuple([low.name(shape.name) if shape.name is not None else "" for shape in shapes])


def _on_device(low: Lowering, node: Node, body: Node | None) -> bool:
    """Whether the words between captures and body mark the lambda for the device, by themselves or as macros."""
    captures = node.children[0]
    end = body.start_byte if body is not None else node.end_byte
    heading = low.text.written(captures.end_byte, end)
    return "__device__" in heading or any("device" in kinds_of_word(low, word) for word in heading.split())


@expression("compound_statement")
def _block(low: Lowering, node: Node) -> Expr:
    return Lambda(low.extent(node), (), low.body(node))


@expression("gnu_asm_expression")
def _assembly(low: Lowering, node: Node) -> Expr:
    extent = low.extent(node)
    arguments: list[Expr] = []
    for child in node.named_children:
        if child.type.endswith("_operand_list"):
            values = [operand.child_by_field_id(grammar.VALUE) for operand in child.named_children]
            arguments.extend(low.expression(value) for value in values if value is not None)
        elif child.type.endswith("string") or child.type.endswith("string_literal"):
            arguments.append(low.expression(child))
    return Call(extent, Name(extent, "asm"), tuple(arguments))


@expression("parameter_pack_expansion")
def _pack(low: Lowering, node: Node) -> Expr:
    return low.expression(node.named_children[0])


@expression("type_descriptor")
def _type_as_value(low: Lowering, node: Node) -> Expr:
    """A type among the arguments of a macro."""
    inner = node.named_children
    if len(inner) == 1 and inner[0].type not in PLAIN:
        return low.expression(inner[0])
    return Name(low.extent(node), str(described(low, node)))
