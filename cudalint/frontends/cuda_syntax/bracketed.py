"""Parameters of macros in brackets: `(n) + (i)` is a sum, which the grammar takes for a conversion to the type `n`."""

from cudalint.ir.expr import Binary, Cast, Expr, Name, Unary

_BINDING = {"*": 2, "/": 2, "%": 2, "+": 1, "-": 1}
_SIGNS = frozenset({"+", "-", "*"})


def sums(body: Expr, parameters: tuple[str, ...]) -> Expr:
    """The replacement of a macro with the operators put right where an operand is one of its parameters in brackets."""
    if not isinstance(body, Binary | Cast) or not any(
        isinstance(node, Cast) and _is_operand(node, parameters) for node in body.walk()
    ):
        return body
    if isinstance(body, Cast) and not _is_operand(body, parameters):
        return body
    if isinstance(body, Binary) and body.op not in _BINDING:
        return body
    return _joined(_terms(body, 0, parameters))


def _is_operand(cast: Cast, parameters: tuple[str, ...]) -> bool:
    type_ = cast.type
    plain = not (type_.pointer or type_.reference or type_.arguments)
    return plain and type_.name in parameters and isinstance(cast.operand, Unary) and cast.operand.op in _SIGNS


def _terms(expr: Expr, binding: int, parameters: tuple[str, ...]) -> list[Expr | str]:
    """Operands and operators in turn, as far as no brackets hold them together."""
    if isinstance(expr, Binary) and _BINDING.get(expr.op, 0) >= max(binding, 1):
        own = _BINDING[expr.op]
        return [*_terms(expr.left, own, parameters), expr.op, *_terms(expr.right, own + 1, parameters)]
    return _last(expr, parameters)


def _last(expr: Expr, parameters: tuple[str, ...]) -> list[Expr | str]:
    if isinstance(expr, Cast) and _is_operand(expr, parameters) and isinstance(expr.operand, Unary):
        first = Name(expr.extent, expr.type.name)
        return [first, expr.operand.op, *_last(expr.operand.operand, parameters)]
    return [sums(expr, parameters)]


def _joined(terms: list[Expr | str]) -> Expr:
    """The terms put together again: products first, then sums, from the left."""
    for binding in (2, 1):
        left: list[Expr | str] = [terms[0]]
        for operator, right in zip(terms[1::2], terms[2::2], strict=True):
            before = left[-1]
            if isinstance(operator, str) and _BINDING[operator] == binding and isinstance(before, Expr):
                assert isinstance(right, Expr)
                left[-1] = Binary(before.extent, operator, before, right)
            else:
                left += [operator, right]
        terms = left
    (whole,) = terms
    assert isinstance(whole, Expr)
    return whole
