"""A unit as text: stable, indented, every part with its place. `cudalint ir` prints it and golden tests compare it."""

from collections.abc import Iterable, Iterator

from cudalint.ir.expr import Expr, Lambda, Launching, Type
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
from cudalint.ir.unit import Attribute, Function, Macro, Parameter, Problem, Struct, TemplateParameter, Unit
from cudalint.source import Span, inner_path

_STEP = "  "
_INNER = inner_path("", 0)[0]


def dump(unit: Unit) -> str:
    """The whole unit as text, one construct per line, nested ones indented; places are line:column."""
    lines = [f"unit {unit.path.replace(_INNER, '#')} ({unit.language}, {unit.lines} lines)"]
    lines += [f"include {include.text} -> {include.resolved or '?'}" for include in unit.includes]
    lines += [_macro(macro) for macro in unit.macros]
    lines += [
        f"alias {_scoped(alias.scope, alias.name)}{_template(alias.template)} = {alias.type}" for alias in unit.aliases
    ]
    lines += [f"global {_in_scope(entry.scope)}{_declare(entry.declare)}" for entry in unit.globals]
    for struct in unit.structs:
        lines += _struct(struct)
    for function in unit.functions:
        lines += _function(function)
    lines += [_problem(problem) for problem in unit.problems]
    return "\n".join(lines) + "\n" + "".join(map(dump, unit.embedded))


def place(extent: int) -> str:
    """The start of a packed extent as line:column."""
    span = Span.unpack("", extent)
    return f"{span.line}:{span.column}"


def _scoped(scope: str, name: str) -> str:
    return f"{scope}::{name}" if scope else name


def _in_scope(scope: str) -> str:
    return f"[{scope}] " if scope else ""


def _macro(macro: Macro) -> str:
    parameters = "" if macro.parameters is None else f"({', '.join(macro.parameters)})"
    condition = " conditional" if macro.conditional else ""
    body = f"= {macro.body}" if macro.body is not None else f": {' '.join(macro.text.split())}"
    return f"macro{condition} {macro.name}{parameters} {body}  @{place(macro.extent)}"


def _problem(problem: Problem) -> str:
    holds = f" holds {problem.holds}" if problem.holds else ""
    return f"problem{holds}: {problem.message}  @{place(problem.extent)}"


def _template(parameters: tuple[TemplateParameter, ...]) -> str:
    return f"<{', '.join(map(_template_parameter, parameters))}>" if parameters else ""


def _template_parameter(parameter: TemplateParameter) -> str:
    kind = str(parameter.type) if parameter.type is not None else "typename"
    pack = "..." if parameter.pack else ""
    default = f" = {parameter.default}" if parameter.default is not None else ""
    return f"{kind}{pack} {parameter.name}{default}"


def _parameter(parameter: Parameter) -> str:
    default = f" = {parameter.default}" if parameter.default is not None else ""
    return f"{parameter.type} {parameter.name}{default}"


def _listed(values: Iterable[Type | Expr]) -> str:
    return ", ".join(map(str, values))


def _attribute(attribute: Attribute) -> str:
    return f"{attribute.name}({_listed(attribute.arguments)})"


def _declare(declare: Declare) -> str:
    storage = "".join(f"{word} " for word in sorted(declare.storage - {"const"}))
    extents = "".join(f"[{'' if extent is None else extent}]" for extent in declare.extents)
    init = f" = {declare.init}" if declare.init is not None else ""
    alignment = f" align {declare.alignment}" if declare.alignment is not None else ""
    return f"{storage}{declare.type} {declare.name}{extents}{init}{alignment}  @{place(declare.extent)}"


def _struct(struct: Struct) -> Iterator[str]:
    bases = f" : {', '.join(struct.bases)}" if struct.bases else ""
    alignment = f" align {struct.alignment}" if struct.alignment is not None else ""
    kind = "union" if struct.union else "struct"
    yield f"{kind} {_scoped(struct.scope, struct.name)}{_template(struct.template)}{bases}{alignment}"
    for member in struct.fields:
        yield f"{_STEP}{_declare(member)}"


def _function(function: Function) -> Iterator[str]:
    kind = "kernel" if function.is_kernel else "function"
    kinds = " ".join(sorted(function.kinds - {"global"}))
    specialises = f"<{_listed(function.specialises)}>" if function.specialises else ""
    parameters = ", ".join(map(_parameter, function.parameters))
    returns = f" -> {function.returns}" if function.returns is not None else ""
    name = f"{function.qualified or '(none)'}{specialises}{_template(function.template)}"
    declared = " declared" if function.body is None else ""
    yield f"{kind} {name}({parameters}){returns} {{{kinds}}}{declared}  @{place(function.heading)}"
    for attribute in function.attributes:
        yield f"{_STEP}attribute {_attribute(attribute)}  @{place(attribute.extent)}"
    for name, value in function.initialisers:
        yield f"{_STEP}member {name} = {value}"
    yield from _body(function.body or (), _STEP)


def _body(body: tuple[Stmt, ...], indent: str) -> Iterator[str]:
    for statement in body:
        yield f"{indent}{_statement(statement)}  @{place(statement.extent)}"
        for part in statement.expressions():
            yield from _inside(part, indent + _STEP)
        yield from _nested(statement, indent + _STEP)


def _inside(value: Expr, indent: str) -> Iterator[str]:
    """The launches and lambdas in an expression, which its one line cannot show whole."""
    for node in value.walk():
        if isinstance(node, Launching):
            yield f"{indent}{_launching(node)}"
        elif isinstance(node, Lambda):
            yield f"{indent}{'device ' if node.device else ''}lambda ({', '.join(node.parameters)})  @{place(node.extent)}"
            yield from _body(node.body, indent + _STEP)


def _launching(launch: Launching) -> str:
    parts = {
        "kernel": launch.kernel,
        "grid": launch.grid,
        "block": launch.block,
        "shared": launch.shared,
        "stream": launch.stream,
        "cluster": launch.cluster,
        "attributes": launch.attributes,
    }
    known = "; ".join(f"{name} {value}" for name, value in parts.items() if value is not None)
    macro = f" by {launch.macro}" if launch.macro else ""
    cooperative = " cooperative" if launch.cooperative else ""
    return f"launch {launch.form}{cooperative}{macro}: {known}  @{place(launch.extent)}"


def _statement(statement: Stmt) -> str:
    match statement:
        case Declare():
            return _declare(statement).rpartition("  @")[0]
        case Evaluate():
            return str(statement.value)
        case If():
            return f"if{' constexpr' if statement.constexpr else ''} {statement.condition}"
        case Loop():
            step = f"; {statement.step}" if statement.step is not None else ""
            condition = statement.condition if statement.condition is not None else ""
            return f"{statement.kind} {condition}{step}"
        case Switch():
            return f"switch {statement.subject}"
        case Case():
            return f"case {_listed(statement.values)}" if statement.values else "default"
        case Block():
            return "block"
        case Return() | Throw():
            word = type(statement).__name__.lower()
            return f"{word} {statement.value}" if statement.value is not None else word
        case Goto() | Label():
            return f"{type(statement).__name__.lower()} {statement.label}"
        case Unreadable():
            return f"unreadable {statement.text!r}"
        case Break() | Continue():
            return type(statement).__name__.lower()
        case _:
            return type(statement).__name__


def _nested(statement: Stmt, indent: str) -> Iterator[str]:
    match statement:
        case If():
            yield from _body(statement.then, indent)
            if statement.other:
                yield f"{indent[: -len(_STEP)]}else"
                yield from _body(statement.other, indent)
        case Loop():
            yield from (f"{indent}init {line.lstrip()}" for line in _body(statement.init, indent))
            yield from _body(statement.body, indent)
        case _:
            for block in statement.blocks():
                yield from _body(block, indent)
