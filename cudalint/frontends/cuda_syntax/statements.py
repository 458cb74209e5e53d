"""Statements of function bodies. Nothing is dropped: what cannot be read is `Unreadable`, around what can be saved."""

from dataclasses import replace

from tree_sitter import Node

from cudalint.frontends.cuda_syntax import grammar, structs
from cudalint.frontends.cuda_syntax.conditionals import branches
from cudalint.frontends.cuda_syntax.evaluations import append_value
from cudalint.frontends.cuda_syntax.lowering import EXPRESSIONS, STATEMENTS, Lowering, inside, statement
from cudalint.frontends.cuda_syntax.types import declarator, specified
from cudalint.frontends.cuda_syntax.variables import declares
from cudalint.ir.expr import Assign, Call, Expr, Name, Opaque
from cudalint.ir.stmt import (
    Block,
    Break,
    Case,
    Continue,
    Declare,
    Evaluate,
    Goto,
    If,
    Label,
    Loop,
    Return,
    Stmt,
    Switch,
    Throw,
    Unreadable,
)

_CASES = frozenset({"case_statement"})


def function_body(low: Lowering, nodes: list[Node]) -> tuple[Stmt, ...]:
    """The statements of a function: those of its block, or the loose ones that were saved of it."""
    into: list[Stmt] = []
    for node in nodes:
        if node.type == "compound_statement":
            into.extend(low.body(node))
        elif node.type in EXPRESSIONS:
            append_value(low, node, node, into)
        else:
            low.statement(node, into)
    return tuple(into)


@statement("declaration")
def _declaration(low: Lowering, node: Node, into: list[Stmt]) -> None:
    specifier = node.child_by_field_id(grammar.TYPE)
    if specifier is not None and specifier.type in structs.TAGGED:
        _tagged(low, specifier, into)
    into.extend(declares(low, node, inside=True))
    if any(child.type == "ERROR" for child in node.named_children):
        into.append(Unreadable(low.extent(node), low.excerpt(node)))
        into.extend(Evaluate(found.extent, found) for found in _launches_in_errors(low, node))


def _launches_in_errors(low: Lowering, node: Node) -> list[Expr]:
    errors = [child for child in node.named_children if child.type == "ERROR"]
    return [low.expression(call) for error in errors for call in inside(error, frozenset({"call_expression"}))]


@statement("struct_specifier", "class_specifier", "union_specifier", "enum_specifier")
def _tagged(low: Lowering, node: Node, into: list[Stmt]) -> None:
    if node.type == "enum_specifier":
        into.extend(structs.enumerators(low, node))
    elif node.child_by_field_id(grammar.BODY) is not None:
        low.records.append((node, low.scope))


@statement("alias_declaration", "type_definition")
def _alias(low: Lowering, node: Node, into: list[Stmt]) -> None:
    specifier = node.child_by_field_id(grammar.TYPE)
    if specifier is not None and specifier.type in structs.TAGGED:
        _tagged(low, specifier, into)
    structs.alias(low, node, (), low.scope)


@statement("compound_statement")
def _compound(low: Lowering, node: Node, into: list[Stmt]) -> None:
    into.append(Block(low.extent(node), low.body(node)))


@statement("if_statement")
def _if(low: Lowering, node: Node, into: list[Stmt]) -> None:
    setup: list[Stmt] = []
    condition = _condition(low, node, setup)
    then = low.body(node.child_by_field_id(grammar.CONSEQUENCE))
    alternative = node.child_by_field_id(grammar.ALTERNATIVE)
    other: list[Stmt] = []
    if alternative is not None:
        _children(low, alternative, other)
    if len(other) == 1 and isinstance(other[0], Block):
        other = list(other[0].body)
    constexpr = node.children[1].type == "constexpr"
    result = If(low.extent(node), condition, then, tuple(other), constexpr)
    into.append(Block(low.extent(node), (*setup, result)) if setup else result)


def _children(low: Lowering, node: Node, into: list[Stmt]) -> None:
    for child in node.named_children:
        low.statement(child, into)


def _condition(low: Lowering, node: Node, setup: list[Stmt]) -> Expr:
    """The condition of an if, while or switch; what it declares goes to `setup`."""
    clause = node.child_by_field_id(grammar.CONDITION)
    if clause is None:
        return Opaque(low.extent(node), low.excerpt(node))
    initializer = clause.child_by_field_id(grammar.INITIALIZER)
    if initializer is not None:
        _children(low, initializer, setup)
    value = clause.child_by_field_id(grammar.VALUE)
    if value is None or value.type != "declaration":
        return low.expression(value if value is not None else clause)
    return _declared_condition(low, value, setup)


def _declared_condition(low: Lowering, node: Node, setup: list[Stmt]) -> Expr:
    """`if (T* p = f())`: the variable, then its value."""
    name = low.spelling(declarator(low, node.child_by_field_id(grammar.DECLARATOR)).name or node)
    value = node.child_by_field_id(grammar.VALUE)
    base = specified(low, node.child_by_field_id(grammar.TYPE))
    type_ = declarator(low, node.child_by_field_id(grammar.DECLARATOR)).applied(low, base)
    extent = low.extent(node)
    setup.append(Declare(extent, name, type_, low.expression(value) if value is not None else None))
    return Name(extent, name)


@statement("for_statement")
def _for(low: Lowering, node: Node, into: list[Stmt]) -> None:
    initial: list[Stmt] = []
    initializer = node.child_by_field_id(grammar.INITIALIZER)
    if initializer is not None:
        if initializer.type in STATEMENTS:
            low.statement(initializer, initial)
        else:
            append_value(low, initializer, initializer, initial)
    condition = node.child_by_field_id(grammar.CONDITION)
    update = node.child_by_field_id(grammar.UPDATE)
    into.append(
        Loop(
            low.extent(node),
            "for",
            tuple(initial),
            low.expression(condition) if condition is not None else None,
            low.expression(update) if update is not None else None,
            low.body(node.child_by_field_id(grammar.BODY)),
        )
    )


@statement("for_range_loop")
def _each(low: Lowering, node: Node, into: list[Stmt]) -> None:
    setup: list[Stmt] = []
    initializer = node.child_by_field_id(grammar.INITIALIZER)
    if initializer is not None:
        _children(low, initializer, setup)
    parts = declarator(low, node.child_by_field_id(grammar.DECLARATOR))
    type_ = parts.applied(low, specified(low, node.child_by_field_id(grammar.TYPE)))
    over = node.child_by_field_id(grammar.RIGHT)
    extent = low.extent(parts.name) if parts.name is not None else low.extent(node)
    variable = Declare(extent, low.spelling(parts.name) if parts.name is not None else "", type_)
    values = low.expression(over) if over is not None else None
    body = low.body(node.child_by_field_id(grammar.BODY))
    loop = Loop(low.extent(node), "each", (variable,), values, None, body)
    into.append(Block(low.extent(node), (*setup, loop)) if setup else loop)


@statement("while_statement")
def _while(low: Lowering, node: Node, into: list[Stmt]) -> None:
    setup: list[Stmt] = []
    condition = _condition(low, node, setup)
    declared = setup[-1] if setup else None
    if isinstance(declared, Declare) and declared.init is not None:
        setup[-1] = replace(declared, init=None)
        condition = Assign(condition.extent, "", condition, declared.init)
    body = low.body(node.child_by_field_id(grammar.BODY))
    into.append(Loop(low.extent(node), "while", tuple(setup), condition, None, body))


@statement("do_statement")
def _do(low: Lowering, node: Node, into: list[Stmt]) -> None:
    body = low.body(node.child_by_field_id(grammar.BODY))
    condition = _condition(low, node, [])
    into.append(Loop(low.extent(node), "do", (), condition, None, body))


@statement("switch_statement")
def _switch(low: Lowering, node: Node, into: list[Stmt]) -> None:
    setup: list[Stmt] = []
    subject = _condition(low, node, setup)
    cases: list[Case] = []
    body = node.child_by_field_id(grammar.BODY)
    _cases(low, body.named_children if body is not None else [], cases, setup)
    result = Switch(low.extent(node), subject, tuple(cases))
    into.append(Block(low.extent(node), (*setup, result)) if setup else result)


def _cases(low: Lowering, nodes: list[Node], cases: list[Case], before: list[Stmt]) -> None:
    """The cases among these nodes, those under an `#if` included; other statements go on with the case before them."""
    for child in nodes:
        if child.type == "case_statement":
            _case(low, child, cases)
        elif child.type.startswith("preproc_") and inside(child, _CASES):
            _, first, alternative = branches(low, child)
            _cases(low, first if alternative is None else [*first, alternative], cases, before)
        elif cases and child.type in STATEMENTS:
            more: list[Stmt] = []
            low.statement(child, more)
            cases[-1] = Case(cases[-1].extent, cases[-1].values, (*cases[-1].body, *more))
        elif child.type in STATEMENTS:
            low.statement(child, before)


def _case(low: Lowering, node: Node, cases: list[Case]) -> None:
    value = node.child_by_field_id(grammar.VALUE)
    body: list[Stmt] = []
    for child in node.named_children:
        if child != value:
            low.statement(child, body)
    if len(body) == 1 and isinstance(body[0], Block):
        body = list(body[0].body)
    values = (low.expression(value),) if value is not None else ()
    previous = cases[-1] if cases else None
    if previous is not None and values and previous.values and not previous.body:
        cases[-1] = Case(previous.extent, previous.values + values, tuple(body))
    else:
        cases.append(Case(low.extent(node), values, tuple(body)))


@statement("case_statement")
def _stray_case(low: Lowering, node: Node, into: list[Stmt]) -> None:
    """A case inside another statement of its switch, as in Duff's device: a label."""
    value = node.child_by_field_id(grammar.VALUE)
    into.append(Label(low.extent(node), f"case {low.spelling(value)}" if value is not None else "default"))
    for child in node.named_children:
        if child != value:
            low.statement(child, into)


@statement("return_statement", "co_return_statement")
def _return(low: Lowering, node: Node, into: list[Stmt]) -> None:
    into.append(Return(low.extent(node), _operand(low, node)))


@statement("throw_statement")
def _throw(low: Lowering, node: Node, into: list[Stmt]) -> None:
    into.append(Throw(low.extent(node), _operand(low, node)))


def _operand(low: Lowering, node: Node) -> Expr | None:
    values = [child for child in node.named_children if child.type != "comment"]
    return low.expression(values[0]) if values else None


@statement("break_statement")
def _break(low: Lowering, node: Node, into: list[Stmt]) -> None:
    into.append(Break(low.extent(node)))


@statement("continue_statement")
def _continue(low: Lowering, node: Node, into: list[Stmt]) -> None:
    into.append(Continue(low.extent(node)))


@statement("goto_statement")
def _goto(low: Lowering, node: Node, into: list[Stmt]) -> None:
    label = node.child_by_field_id(grammar.LABEL)
    into.append(Goto(low.extent(node), low.name(label) if label is not None else ""))


@statement("labeled_statement")
def _label(low: Lowering, node: Node, into: list[Stmt]) -> None:
    label = node.child_by_field_id(grammar.LABEL)
    into.append(Label(low.extent(label or node), low.name(label) if label is not None else ""))
    for child in node.named_children:
        if child != label:
            low.statement(child, into)


@statement("attributed_statement")
def _attributed(low: Lowering, node: Node, into: list[Stmt]) -> None:
    _children(low, node, into)


@statement("try_statement")
def _try(low: Lowering, node: Node, into: list[Stmt]) -> None:
    for child in node.named_children:
        if child.type == "compound_statement":
            into.append(Block(low.extent(child), low.body(child)))
        elif child.type == "catch_clause":
            body = child.child_by_field_id(grammar.BODY)
            parameters = child.child_by_field_id(grammar.PARAMETERS)
            what = low.spelling(parameters) if parameters is not None else "(...)"
            into.append(If(low.extent(child), Opaque(low.extent(child), f"catch {what}"), low.body(body)))


@statement("static_assert_declaration")
def _static_assert(low: Lowering, node: Node, into: list[Stmt]) -> None:
    extent = low.extent(node)
    condition = node.child_by_field_id(grammar.CONDITION)
    arguments = (low.expression(condition),) if condition is not None else ()
    into.append(Evaluate(extent, Call(extent, Name(extent, "static_assert"), arguments)))


@statement("preproc_if", "preproc_ifdef", "preproc_elif", "preproc_elifdef", "preproc_else")
def _conditional_text(low: Lowering, node: Node, into: list[Stmt]) -> None:
    """`#if` between statements: the branch known to hold, or both as alternatives nobody can tell apart."""
    known, first, alternative = branches(low, node)
    then: list[Stmt] = []
    other: list[Stmt] = []
    for child in first:
        low.statement(child, then)
    if alternative is not None:
        low.statement(alternative, other)
    subject = node.child_by_field_id(grammar.CONDITION) or node.child_by_field_id(grammar.NAME)
    if known is not None or subject is None:
        into.extend(then or other)
    elif then or other:
        condition = Opaque(low.extent(subject), f"{node.children[0].type} {low.spelling(subject)}")
        into.append(If(low.extent(node), condition, tuple(then), tuple(other)))


@statement(
    "comment", "attribute_declaration", "preproc_call", "preproc_def", "preproc_function_def", "preproc_include",
    "preproc_directive", "using_declaration", "namespace_alias_definition", "friend_declaration", "preproc_undef",
    "access_specifier", "field_initializer_list", "preproc_arg",
)  # fmt: skip
def _nothing(low: Lowering, node: Node, into: list[Stmt]) -> None:
    """What does nothing when it runs."""
