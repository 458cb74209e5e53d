"""What a launch is given, as its host function writes it: formulas in which even constants keep their names.

The interpreter (`session`) says what values are; this says what they were computed from, also where all is known:
`(N + 255) / 256` stays ceil(N / 256). Only variables that are given one value are followed.
"""

from typing import TYPE_CHECKING

from cudalint.analysis import apis
from cudalint.analysis.evaluate import Evaluator
from cudalint.analysis.names import Scope
from cudalint.ir import (
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    Construct,
    Declare,
    Expr,
    Float,
    Function,
    Int,
    Launching,
    Member,
    Name,
    Quantity,
    SizeOf,
    Unary,
)
from cudalint.ir import symbol as sym
from cudalint.ir.expr import Index
from cudalint.ir.stmt import Evaluate, If, Return, Stmt, expressions

if TYPE_CHECKING:
    pass

_MOST_DEPTH = 12
_REWRITTEN = -1
"""The version of a symbol for a variable that is given several values."""
_POWERS = frozenset({"pow", "powf", "exp2", "exp2f", "ldexp", "ceil", "ceilf", "floor", "round", "rint"})
_STEPS = frozenset({"++", "--", "p++", "p--", "&"})


def _stripped(expr: Expr) -> Expr:
    """What is converted or handed out by address."""
    while isinstance(expr, Cast) or (isinstance(expr, Unary) and expr.op in {"&", "*"}):
        expr = expr.operand
    return expr


def path_of(expr: Expr) -> str:
    """The variable or member an argument is; "" for anything else."""
    expr = _stripped(expr)
    return str(expr) if isinstance(expr, Name | Member | Index) else ""


class Written:
    """The formulas of one function's expressions. `bound` are those of its parameters, where a caller is known."""

    def __init__(
        self,
        function: Function,
        evaluator: Evaluator,
        values: dict[sym.Atom, int],
        bound: dict[str, sym.Form] | None = None,
        depth: int = 0,
    ) -> None:
        self.function = function
        self.evaluator = evaluator
        self.values = values
        self.bound = bound or {}
        self.depth = depth
        self.given: dict[str, list[Expr | None]] = {}
        self.counted: set[str] = set()
        self.shapes: set[str] = set()
        self.configured: set[sym.Atom] = set()
        for statement in (inner for top in function.body or () for inner in top.walk()):
            self._note(statement)
        self.launchings: list[Launching] = []
        self._allocations: list[Call] = []
        self._sizes: dict[str, sym.Form] | None = None
        for node in expressions(function.body or ()):
            self._see(node)

    def _see(self, node: Expr) -> None:
        kind = type(node)
        if kind is Assign and isinstance(node, Assign):
            self._assigned(node.target, node.value, counted=bool(node.op))
        elif kind is Unary and isinstance(node, Unary):
            if node.op in _STEPS:
                self._assigned(node.operand, None, counted=node.op != "&")
        elif kind is Launching and isinstance(node, Launching):
            self.launchings.append(node)
        elif kind is Call and isinstance(node, Call) and node.name in apis.ALLOCATIONS and len(node.arguments) > 1:
            self._allocations.append(node)

    def _note(self, statement: Stmt) -> None:
        if isinstance(statement, Declare):
            self.given.setdefault(statement.name, [])
            if statement.type.name.rpartition("::")[2] == "dim3":
                self.shapes.add(statement.name)
            if statement.init is not None:
                self.given[statement.name].append(statement.init)

    def _assigned(self, target: Expr, value: Expr | None, *, counted: bool) -> None:
        if isinstance(target, Name | Member):
            self.given.setdefault(str(target), []).append(value)
            if counted:
                self.counted.add(str(target))

    def definition(self, path: str) -> Expr | None:
        """The one expression a variable or member is given, None where there is none or there are several."""
        values = self.given.get(path, [])
        if not values or path in self.counted:
            return None
        return values[0] if all(value == values[0] for value in values) else None

    def _unknown(self, path: str) -> sym.Form:
        """A variable with no one formula: a symbol, marked where it may have been computed here in several steps."""
        values = [value for value in self.given.get(path, []) if not isinstance(value, Int | Float)]
        outside = all(value is None or self._from_outside(value) for value in values)
        return sym.atom(sym.Symbol(path, 0 if outside and path not in self.counted else _REWRITTEN))

    def _from_outside(self, value: Expr) -> bool:
        """Whether a value comes from input: from a function that is not seen, other than one of mathematics."""
        value = _stripped(value)
        if not isinstance(value, Call):
            return False
        scope = self.evaluator.scope
        made_of = [a for a in value.arguments if isinstance(a, Name | Member) and str(a) not in {"argc", "argv"}]
        return len(made_of) < 2 and value.name not in _POWERS and not scope.index.functions(value.name, scope.file)

    def form(self, expr: Expr) -> sym.Form:
        """The formula of an expression; what is not understood is a symbol with its text as its name."""
        if self.depth > _MOST_DEPTH:
            return sym.atom(sym.Symbol(str(expr)))
        self.depth += 1
        found = self._form(expr)
        self.depth -= 1
        return found if found is not None else sym.atom(sym.Symbol(str(expr)))

    def _form(self, expr: Expr) -> sym.Form | None:
        match expr:
            case Int():
                return sym.number(expr.value)
            case Float() if expr.value == expr.value and abs(expr.value) < 1e18 and expr.value == int(expr.value):
                return sym.number(int(expr.value))
            case Cast():
                return self.form(expr.operand)
            case Name():
                return self._name(expr)
            case Member():
                return self._member(expr)
            case Binary():
                return self._binary(expr)
            case SizeOf():
                size = self.evaluator.quantity(expr).exact
                return None if size is None else sym.number(size)
            case Conditional():
                return self._rounded(expr)
            case Call():
                return self._call(expr)
            case Construct() if len(expr.arguments) == 1:
                return self.form(expr.arguments[0])
        return None

    def _name(self, expr: Name) -> sym.Form | None:
        if expr.name in self.bound:
            return self.bound[expr.name]
        own = sym.Symbol(expr.name)
        if expr.name in self.given or any(p.name == expr.name for p in self.function.parameters):
            value = self.definition(expr.name)
            form = self.form(value) if value is not None else None
            if form is None or self._opaque(form):
                return self._unknown(expr.name)
            if form.constant is None:
                return form
            self.values[own] = form.constant
            return sym.atom(own)
        known = self.evaluator.value(expr)
        if isinstance(known, Quantity) and known.exact is not None:
            self.values[own] = known.exact
        elif self.evaluator.scope.index.macros(expr.name, self.function.file):
            self.configured.add(own)
        return sym.atom(own)

    @staticmethod
    def _opaque(form: sym.Form) -> bool:
        """Whether a formula is the text of something that is not understood."""
        return isinstance(form.atom, sym.Symbol) and not form.atom.name.replace("_", "").isalnum()

    def _member(self, expr: Member) -> sym.Form | None:
        if str(expr) in self.given:
            value = self.definition(str(expr))
            return self.form(value) if value is not None else self._unknown(str(expr))
        if expr.name in "xyz" and isinstance(expr.base, Name) and expr.base.name in self.shapes:
            return self.axes(expr.base)["xyz".index(expr.name)]
        return None

    def _binary(self, expr: Binary) -> sym.Form | None:
        left, right = self.form(expr.left), self.form(expr.right)
        if expr.op in {"/", "//"} and left.constant is not None and isinstance(expr.left, Binary):
            return self._literal_quotient(expr.left, left.constant, right)
        match expr.op:
            case "+" | "-":
                return sym.round_up_steps(sym.add(left, right, 1 if expr.op == "+" else -1))
            case "*":
                return sym.multiply(left, right)
            case "/" | "//":
                return self._quotient(left, right)
            case "%":
                return sym.atom(sym.Remainder(left, right))
            case "<<" | ">>" if right.constant is not None and 0 <= right.constant < 63:
                power = sym.number(1 << right.constant)
                return sym.multiply(left, power) if expr.op == "<<" else self._quotient(left, power)
            case "!=" | ">" if right == sym.ZERO and isinstance(left.atom, sym.Remainder):
                return sym.atom(sym.Extremum("min", (sym.ONE, left)))
        return None

    def _quotient(self, left: sym.Form, right: sym.Form) -> sym.Form | None:
        """A division, that rounds up where the slack is written as a number and the divisor is known, or the other way."""
        if right.constant == 0:
            return None
        exact = sym.divide(left, right)
        if exact.atom != sym.Quotient(left, right):
            return exact
        rest = sym.add(left, right, -1)
        if right.constant is None and all(monomial not in dict(rest.terms) for monomial, _ in right.terms):
            return sym.divide_up(sym.add(rest, sym.ONE), right)
        size = self._value(right)
        slack = sum(k for k in (self._value(sym.term(atoms, k)) for atoms, k in left.terms) if k is not None)
        if size is not None and 1 < size <= slack + 1 and self._value(left) is None:
            return sym.divide_up(sym.add(left, sym.number(size - 1), -1), right)
        return exact

    def _literal_quotient(self, dividend: Binary, total: int, divisor: sym.Form) -> sym.Form | None:
        """The quotient of a sum of numbers: rounded up where it ends in the slack for that; else not told."""
        size, slack = self._value(divisor), 0
        part: Expr = dividend
        while isinstance(part, Binary) and part.op in {"+", "-"}:
            last = self._value(self.form(part.right)) or 0
            slack += last if part.op == "+" else -last
            part = part.left
        if slack == 0:
            return sym.divide(sym.number(total), divisor)
        return sym.divide_up(sym.number(total - slack), divisor) if size == slack + 1 else None

    def _value(self, form: sym.Form) -> int | None:
        given = {symbol: sym.number(value) for symbol, value in self.values.items()}
        settled = sym.substitute(form, given)
        return settled.constant if settled is not None else None

    def _rounded(self, expr: Conditional) -> sym.Form | None:
        """`n % b ? n / b + 1 : n / b`, either way round; a choice of two equal formulas."""
        then, other = self.form(expr.then), self.form(expr.other)
        if then == other:
            return then
        for more, less in ((then, other), (other, then)):
            quotient = less.atom
            if sym.add(more, less, -1) == sym.ONE and isinstance(quotient, sym.Quotient) and not quotient.up:
                return sym.divide_up(quotient.dividend, quotient.divisor)
        return None

    def _call(self, expr: Call) -> sym.Form | None:
        name, arguments = expr.name, expr.arguments
        if name in apis.CEILINGS and len(arguments) == 1:
            inner = _stripped(arguments[0])
            if (
                isinstance(inner, Binary)
                and inner.op == "/"
                and any(isinstance(node, Cast | Float) for node in inner.walk())
            ):
                return sym.divide_up(self.form(inner.left), self.form(inner.right))
            return None
        if name in apis.MINIMA | apis.MAXIMA and len(arguments) == 2:
            parts = sorted((self.form(argument) for argument in arguments), key=str)
            return sym.atom(sym.Extremum("min" if name in apis.MINIMA else "max", tuple(parts)))
        return self._helper(expr)

    def _helper(self, expr: Call) -> sym.Form | None:
        """The value of a function that only returns an expression."""
        scope = self.evaluator.scope
        found = scope.index.functions(expr.name, scope.file) if isinstance(expr.callee, Name) else ()
        fitting = [function for function in found if len(function.parameters) == len(expr.arguments) and function.body]
        if len(fitting) != 1 or not isinstance((fitting[0].body or ())[-1], Return):
            return None
        function = fitting[0]
        if not all(isinstance(statement, Declare | Return | Evaluate | If) for statement in function.body or ()):
            return None
        last = (function.body or ())[-1]
        if not isinstance(last, Return) or last.value is None:
            return None
        bound = {p.name: self.form(a) for p, a in zip(function.parameters, expr.arguments, strict=True)}
        inside = Evaluator(
            Scope(scope.index, scope.assume, function.file, function.owner, function), self.evaluator.session
        )
        inner = Written(function, inside, self.values, bound, self.depth)
        inner.configured = self.configured
        if any(isinstance(s, If) for s in function.body or ()) or inner.given.keys() & bound.keys():
            return None
        return inner.form(last.value)

    def axes(self, expr: Expr | None) -> tuple[sym.Form, ...]:
        """The formulas of the three dimensions of a shape."""
        return tuple(self._axis(expr, position) for position in range(3))

    def _axis(self, expr: Expr | None, position: int) -> sym.Form:
        axis = "xyz"[position]
        if expr is None:
            return sym.atom(sym.Symbol(f"?.{axis}"))
        if isinstance(expr, Cast):
            return self._axis(expr.operand, position)
        if isinstance(expr, Construct):
            if len(expr.arguments) == 1 and isinstance(expr.arguments[0], Construct | Name):
                return self._axis(expr.arguments[0], position)
            return self.form(expr.arguments[position]) if position < len(expr.arguments) else sym.ONE
        if isinstance(expr, Name) and expr.name in self.shapes:
            return self._of_shape(expr, position, axis)
        if position:
            plain = isinstance(expr, Int | Binary | Name)
            return sym.ONE if plain else sym.atom(sym.Symbol(f"{expr}.{axis}"))
        return self.form(expr)

    def _of_shape(self, expr: Name, position: int, axis: str) -> sym.Form:
        path = f"{expr.name}.{axis}"
        if path in self.given:
            value = self.definition(path)
            whole = self.given.get(expr.name)
            if value is not None and not any(isinstance(item, Construct) and item.arguments for item in whole or ()):
                return self.form(value)
            return sym.atom(sym.Symbol(path, _REWRITTEN))
        value = self.definition(expr.name)
        if value is None:
            return sym.atom(sym.Symbol(path, _REWRITTEN if self.given.get(expr.name) else 0))
        return self._axis(value, position)

    def starts(self, argument: Expr) -> bool:
        """Whether a pointer is that to the start of some memory, as far as this function says."""
        argument = _stripped(argument)
        values = self.given.get(str(argument), [])
        return (
            isinstance(argument, Name)
            and argument.name not in self.counted
            and not any(
                isinstance(value, Binary | Member) or (isinstance(value, Unary) and value.op == "&") for value in values
            )
        )

    def allocated(self) -> dict[str, sym.Form]:
        """The bytes of the memory that variables of the function are given, where that is one amount."""
        if self._sizes is not None:
            return self._sizes
        sizes: dict[str, sym.Form] = {}
        unclear = set()
        for node in self._allocations:
            path, size = path_of(node.arguments[0]), self.form(node.arguments[1])
            rewritten = any(isinstance(leaf, sym.Symbol) and leaf.version for leaf in size.leaves())
            if rewritten or sizes.setdefault(path, size) != size:
                unclear.add(path)
        self._sizes = {path: size for path, size in sizes.items() if path not in unclear}
        return self._sizes
