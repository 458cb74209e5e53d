"""How a host function sets a launch up: its grid, its block, what it passes, and the memory behind that."""

from collections.abc import Iterable, Iterator

from cudalint.analysis.evaluate import Evaluator
from cudalint.analysis.names import Scope
from cudalint.analysis.session import Session
from cudalint.analysis.written import Written, path_of
from cudalint.ir import Assign, Binary, Function, Launch, Member, Name
from cudalint.ir import symbol as sym
from cudalint.ir.stmt import expressions
from cudalint.record import record


@record
class Setup:
    """A launch as written. `arguments` are the formulas of what is passed (None: a pointer moved, or nothing known),
    `bytes` the size of the memory that each argument points to the start of. `values` are the symbols that are known.
    `configured` are macros with several values.
    """

    grid: tuple[sym.Form, ...]
    block: tuple[sym.Form, ...]
    arguments: tuple[sym.Form | None, ...]
    bytes: tuple[sym.Form | None, ...]
    based: tuple[bool, ...]
    values: dict[sym.Atom, int]
    configured: frozenset[sym.Atom]

    def settled(self, form: sym.Form) -> sym.Form:
        """The formula with the values put in that are known."""
        given = {symbol: sym.number(value) for symbol, value in self.values.items()}
        return sym.substitute(form, given) or form


def setup(launch: Launch, evaluator: Evaluator) -> Setup | None:
    """How the host function sets a launch up; None where the launch cannot be found in it."""
    function, place = launch.function, launch.site or launch.span
    session = evaluator.session
    written: Written | None = session.memo.get(("written", id(function)))
    if written is None:
        scope = Scope(evaluator.scope.index, evaluator.scope.assume, function.file, function.owner, function)
        written = session.memo["written", id(function)] = Written(function, Evaluator(scope, session), {})
    extent = place.extent
    node = next((node for node in written.launchings if node.extent == extent), None)
    if node is None or launch.macro:
        return None
    arguments = node.arguments or ()
    sizes = written.allocated()
    grid, block = written.axes(node.grid), written.axes(node.block)
    forms = tuple(written.form(argument) for argument in arguments)
    values = written.values.copy()
    for form, passed in zip(forms, launch.passed, strict=False):
        symbol = form.atom
        if isinstance(symbol, sym.Symbol) and passed.exact is not None:
            values.setdefault(symbol, passed.exact)
    return Setup(
        grid,
        block,
        forms,
        tuple(sizes.get(path_of(argument)) for argument in arguments),
        tuple(written.starts(argument) for argument in arguments),
        values,
        frozenset(written.configured),
    )


def divided(functions: Iterable[Function], session: Session) -> Iterator[str]:
    """The variables in remainders that functions ask for, or in tests of single bits."""
    for function in functions:
        key = "divided", id(function)
        if key not in session.memo:
            session.memo[key] = [
                part.name
                for node in expressions(function.body or ())
                if isinstance(node, Binary | Assign) and node.op in {"%", "&"}
                for part in node.walk()
                if isinstance(part, Name | Member)
            ]
        yield from session.memo[key]
