"""What each call and launch in an expression is, in the order in which they happen.

`happenings(expr, …)` is all a rule about host code needs of an expression: every launch, every call that a table knows,
every call of a function of the program, every call of something unknown. Arguments come before the call that is given them.
Bodies of lambdas are not entered: they run where the lambda is called.
"""

from collections.abc import Iterator

from cudalint.analysis.host import apis
from cudalint.analysis.index import Index
from cudalint.ir import Call, Expr, Function, Lambda, Launching, Macro, Member, Name
from cudalint.record import record

_QUALIFIED = ("thrust::", "cub::", "hipcub::", "rocprim::")


@record
class Happening:
    """A launch or a call. `row` is what a table says of it, `functions` the definitions it may mean, `macro` the macro
    whose use it is; a call with none of them is of something unknown, unless it is `harmless`.
    """

    node: Launching | Call
    name: str = ""
    row: apis.Api | apis.Clock | apis.Timer | None = None
    functions: tuple[Function, ...] = ()
    macro: Macro | None = None
    harmless: bool = False


def happenings(expr: Expr, index: Index, file: str) -> Iterator[Happening]:
    """What happens when an expression of a file is evaluated."""
    if isinstance(expr, Lambda):
        return
    for child in expr.children():
        yield from happenings(child, index, file)
    if isinstance(expr, Launching):
        yield Happening(expr)
    elif isinstance(expr, Call):
        yield classify(expr, index, file)


def classify(call: Call, index: Index, file: str) -> Happening:
    """What one call is."""
    name = call.name
    written = call.callee.name if isinstance(call.callee, Name) else name
    if isinstance(call.callee, Name):
        row = row_of(written.removeprefix("::"), name, index, file)
        if row is not None:
            return Happening(call, name, row)
        macros = index.macros(name, file)
        if macros and macros[-1].parameters is not None:
            return Happening(call, name, macro=macros[-1])
    functions = tuple(function for function in index.functions(name, file) if not function.is_kernel)
    if functions:
        return Happening(call, name, functions=functions)
    if isinstance(call.callee, Name):
        return Happening(call, name, apis.family(written), harmless=_harmless(written, name))
    return Happening(call, name, harmless=isinstance(call.callee, Member) and apis.harmless("methods", name))


def row_of(written: str, name: str, index: Index, file: str) -> apis.Api | apis.Clock | apis.Timer | None:
    """The row that names a function as written, or by its last component where it is not one of a library's namespace."""
    if written.startswith(_QUALIFIED):
        return apis.api(written)
    clock = apis.clock(name)
    if clock is not None:
        return clock if _is_clock(clock, written, index, file) else None
    return apis.api(name) or apis.timer(name)


def _is_clock(clock: apis.Clock, written: str, index: Index, file: str) -> bool:
    """Whether a call of that name tells the time: `now` of a class of clocks, and no function of the program itself."""
    scope, _, name = written.rpartition("::")
    if not clock.of:
        return scope in ("", "std") and not index.functions(name, file)
    alias = index.alias(scope, file)
    return clock.of in (alias.type.name if alias is not None else scope).lower()


def _harmless(written: str, name: str) -> bool:
    scope = written.partition("::")[0]
    if scope != written and apis.harmless("namespaces", scope):
        return True
    return apis.harmless("functions", name) or apis.harmless("types", name)
