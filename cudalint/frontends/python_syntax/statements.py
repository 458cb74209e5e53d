"""Statements of Python. What raises, and what catches it, is a way that may be taken."""

import ast

from cudalint.frontends.python_syntax.lowering import Lowering, statement
from cudalint.frontends.python_syntax.recognisers import Assignment
from cudalint.frontends.python_syntax.types import AUTO
from cudalint.ir.expr import Assign, Binary, Call, Construct, Expr, Index, Int, Name, Opaque
from cudalint.ir.stmt import Block, Break, Continue, Declare, Evaluate, If, Loop, Return, Stmt, Throw

_OPERATORS: dict[type, str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Mod: "%", ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&",
    ast.BitOr: "|", ast.BitXor: "^", ast.FloorDiv: "//", ast.Div: "/", ast.Pow: "**", ast.MatMult: "@",
}  # fmt: skip


@statement(ast.Expr)
def _evaluate(low: Lowering, node: ast.Expr, into: list[Stmt]) -> None:
    if not isinstance(node.value, ast.Constant):
        into.append(Evaluate(low.extent(node), low.expression(node.value)))


@statement(ast.Assign)
def _assign(low: Lowering, node: ast.Assign, into: list[Stmt]) -> None:
    first, *rest = node.targets
    for target in node.targets:
        if isinstance(target, ast.Name) and _taken(low, Assignment(node, target.id, node.value), into):
            return
    give(low, node, first, low.expression(node.value), into)
    for target in rest:
        give(
            low,
            node,
            target,
            low.expression(first) if isinstance(first, ast.Name) else low.expression(node.value),
            into,
        )


def _taken(low: Lowering, given: Assignment, into: list[Stmt]) -> bool:
    """Whether a recogniser took care of an assignment."""
    return any(asked.assign(low, given, into) for asked in low.recognisers)


@statement(ast.AnnAssign)
def _annotated(low: Lowering, node: ast.AnnAssign, into: list[Stmt]) -> None:
    if node.value is None:
        return
    if isinstance(node.target, ast.Name) and _taken(low, Assignment(node, node.target.id, node.value), into):
        return
    give(low, node, node.target, low.expression(node.value), into)


def give(low: Lowering, node: ast.stmt, target: ast.expr, value: Expr, into: list[Stmt]) -> None:
    """Append what gives a target a value: a declaration, an assignment, one for each part of a tuple."""
    extent = low.extent(node)
    if isinstance(target, ast.Tuple | ast.List):
        _unpack(low, node, target.elts, value, into)
    elif isinstance(target, ast.Name) and (id(node), target.id) in low.placement.first:
        into.append(Declare(extent, target.id, AUTO, value))
    elif isinstance(target, ast.Starred):
        give(low, node, target.value, Opaque(extent, "*"), into)
    else:
        into.append(Evaluate(extent, Assign(extent, "", low.expression(target), value)))


def _unpack(low: Lowering, node: ast.stmt, targets: list[ast.expr], value: Expr, into: list[Stmt]) -> None:
    extent = low.extent(node)
    if isinstance(value, Construct) and len(value.arguments) == len(targets) and value.type is None:
        parts = list(value.arguments)
        if _overlap(targets, parts):
            names = [f"{low.source.excerpt(target)} (new)" for target in targets]
            into.extend(Declare(extent, name, AUTO, part) for name, part in zip(names, parts, strict=True))
            parts = [Name(extent, name) for name in names]
    else:
        if not isinstance(value, Name) and not _is_path(value):
            name = f"({', '.join(low.source.excerpt(target) for target in targets)})"
            into.append(Declare(extent, name, AUTO, value))
            value = Name(extent, name)
        parts = [Index(extent, value, (Int(extent, at),)) for at in range(len(targets))]
    for target, part in zip(targets, parts, strict=True):
        give(low, node, target, part, into)


def _overlap(targets: list[ast.expr], parts: list[Expr]) -> bool:
    """Whether a later part reads what an earlier one was given: `a, b = b, a`."""
    given = {target.id for target in targets if isinstance(target, ast.Name)}
    return any(isinstance(inner, Name) and inner.name in given for part in parts[1:] for inner in part.walk())


def _is_path(value: Expr) -> bool:
    """Whether an expression only names something, so that it can be written twice."""
    return all(not isinstance(part, Call | Assign | Opaque) for part in value.walk())


@statement(ast.AugAssign)
def _update(low: Lowering, node: ast.AugAssign, into: list[Stmt]) -> None:
    extent = low.extent(node)
    op = _OPERATORS[type(node.op)]
    target, value = low.expression(node.target), low.expression(node.value)
    if op in {"/", "**", "@"}:
        written = ast.BinOp(node.target, node.op, node.value)
        into.append(Evaluate(extent, Assign(extent, "", target, low.expression(ast.copy_location(written, node)))))
    else:
        into.append(Evaluate(extent, Assign(extent, op, target, value)))


@statement(ast.If)
def _if(low: Lowering, node: ast.If, into: list[Stmt]) -> None:
    if _is_main(node.test):
        into.extend(low.body(node.body))
        return
    condition = low.expression(node.test)
    into.append(If(low.extent(node), condition, low.body(node.body), low.body(node.orelse)))


def _is_main(test: ast.expr) -> bool:
    """`__name__ == "__main__"`: what a script runs."""
    return isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == "__name__"


@statement(ast.While)
def _while(low: Lowering, node: ast.While, into: list[Stmt]) -> None:
    condition = low.expression(node.test)
    into.append(Loop(low.extent(node), "while", (), condition, None, low.body(node.body)))
    _otherwise(low, node, into)


@statement(ast.For, ast.AsyncFor)
def _for(low: Lowering, node: ast.For, into: list[Stmt]) -> None:
    counted = _counted(low, node) or _each(low, node)
    into.append(counted)
    _otherwise(low, node, into)


def _otherwise(low: Lowering, node: ast.For | ast.While, into: list[Stmt]) -> None:
    """The `else` of a loop, which a `break` skips."""
    if not node.orelse:
        return
    extent = low.extent(node.orelse[0])
    body = low.body(node.orelse)
    leaves = any(isinstance(inner, ast.Break) for part in node.body for inner in ast.walk(part))
    into.append(If(extent, Opaque(extent, "else"), body) if leaves else Block(extent, body))


def _counted(low: Lowering, node: ast.For) -> Loop | None:
    """A loop over a `range`, counted as in C."""
    over = node.iter
    if not isinstance(over, ast.Call) or not isinstance(node.target, ast.Name) or over.keywords:
        return None
    name = low.path(over.func).rpartition(".")[2] or getattr(over.func, "id", "")
    if name not in {"range", "prange", "xrange"} or not 1 <= len(over.args) <= 3:
        return None
    if any(isinstance(argument, ast.Starred) for argument in over.args):
        return None
    extent, place = low.extent(node), low.extent(over)
    arguments = low.expressions(over.args)
    start = arguments[0] if len(arguments) > 1 else Int(place, 0)
    stop = arguments[min(len(arguments), 2) - 1]
    step = arguments[2] if len(arguments) > 2 else Int(place, 1)
    own = low.name(node.target, node.target.id)
    down = isinstance(step, Int) and step.value < 0
    condition = Binary(place, ">" if down else "<", own, stop)
    advance = Assign(place, "+", own, step)
    if isinstance(step, Int) and down:
        advance = Assign(place, "-", own, Int(step.extent, -step.value))
    init = _counter(low, node, own, start)
    return Loop(extent, "for", init, condition, advance, low.body(node.body))


def _counter(low: Lowering, node: ast.For, own: Name, start: Expr) -> tuple[Stmt, ...]:
    if (id(node), own.name) in low.placement.loops:
        return (Declare(low.extent(node.target), own.name, AUTO, start),)
    return (Evaluate(own.extent, Assign(own.extent, "", own, start)),)


def _each(low: Lowering, node: ast.For | ast.AsyncFor) -> Loop:
    """A loop over anything else: its variables have any value."""
    names = [part for part in ast.walk(node.target) if isinstance(part, ast.Name)]
    init = tuple(
        Declare(low.extent(part), part.id, AUTO) for part in names if (id(node), part.id) in low.placement.loops
    )
    over = low.expression(node.iter)
    shared = [part for part in names if (id(node), part.id) not in low.placement.loops]
    given = tuple(
        Evaluate(
            low.extent(part), Assign(low.extent(part), "", low.name(part, part.id), Opaque(low.extent(part), part.id))
        )
        for part in shared
    )
    return Loop(low.extent(node), "each", init, over, None, (*given, *low.body(node.body)))


@statement(ast.Try, ast.TryStar)
def _try(low: Lowering, node: ast.Try, into: list[Stmt]) -> None:
    into.extend(low.body(node.body))
    into.extend(low.body(node.orelse))
    for handler in node.handlers:
        extent = low.extent(handler)
        into.append(If(extent, Opaque(extent, "except"), low.body(handler.body)))
    into.extend(low.body(node.finalbody))


@statement(ast.With, ast.AsyncWith)
def _with(low: Lowering, node: ast.With, into: list[Stmt]) -> None:
    for item in node.items:
        value = low.expression(item.context_expr)
        if item.optional_vars is None:
            into.append(Evaluate(value.extent, value))
        else:
            give(low, node, item.optional_vars, value, into)
    into.extend(low.body(node.body))


@statement(ast.Match)
def _match(low: Lowering, node: ast.Match, into: list[Stmt]) -> None:
    subject = low.expression(node.subject)
    into.append(Evaluate(subject.extent, subject))
    for case in node.cases:
        extent = low.extent(case.pattern)
        condition: Expr = Opaque(extent, "case")
        if isinstance(case.pattern, ast.MatchValue):
            condition = Binary(extent, "==", subject, low.expression(case.pattern.value))
        into.append(If(extent, condition, low.body(case.body)))


@statement(ast.Return)
def _return(low: Lowering, node: ast.Return, into: list[Stmt]) -> None:
    into.append(Return(low.extent(node), low.expression(node.value) if node.value is not None else None))


@statement(ast.Raise)
def _raise(low: Lowering, node: ast.Raise, into: list[Stmt]) -> None:
    into.append(Throw(low.extent(node), low.expression(node.exc) if node.exc is not None else None))


@statement(ast.Assert)
def _assert(low: Lowering, node: ast.Assert, into: list[Stmt]) -> None:
    extent = low.extent(node)
    into.append(Evaluate(extent, Call(extent, Name(extent, "assert"), (low.expression(node.test),))))


@statement(ast.Break)
def _break(low: Lowering, node: ast.Break, into: list[Stmt]) -> None:
    into.append(Break(low.extent(node)))


@statement(ast.Continue)
def _continue(low: Lowering, node: ast.Continue, into: list[Stmt]) -> None:
    into.append(Continue(low.extent(node)))


@statement(ast.Delete)
def _delete(low: Lowering, node: ast.Delete, into: list[Stmt]) -> None:
    extent = low.extent(node)
    into.append(Evaluate(extent, Call(extent, Name(extent, "del"), low.expressions(node.targets))))
