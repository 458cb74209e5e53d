"""How many statements one thread can run at most, where the counts of all loops are known."""

from cudalint.analysis.evaluate import Evaluator
from cudalint.ir import Assign, Binary, Declare, Expr, Int, Loop, Name, Stmt, Unary
from cudalint.ir.stmt import Evaluate

_HALVINGS = 10
_HALVING = {(">>", 1), ("/", 2), ("<<", 1), ("*", 2)}


def most_statements(body: tuple[Stmt, ...], evaluator: Evaluator) -> int | None:
    """The most statements of `body` a thread can run, or None where a loop may go on for as long as the data says."""
    total = 0
    for statement in body:
        inner = 0
        for block in statement.blocks():
            part = most_statements(block, evaluator)
            if part is None:
                return None
            inner += part
        turns = most_turns(statement, evaluator) if isinstance(statement, Loop) else 1
        if turns is None:
            return None
        total += 1 + turns * inner
    return total


def most_turns(loop: Loop, evaluator: Evaluator) -> int | None:
    """The most turns of a loop that counts from a start that is not negative to a known end, or by halves or doubles."""
    if loop.step is None or not isinstance(loop.condition, Binary) or len(loop.init) > 1:
        return None
    step = _step(loop.step)
    if step is None:
        return None
    counter, op, by = step
    if (op, by) in _HALVING:
        return _HALVINGS
    if op != "+" or loop.condition.op not in {"<", "<=", "!="} or str(loop.condition.left) != counter:
        return None
    end, start = evaluator.quantity(loop.condition.right).hi, _start(loop, counter, evaluator)
    return None if end is None or start is None else max(0, (end - start) // by + 1)


def _step(step: Expr) -> tuple[str, str, int] | None:
    """The counter, the operation and the amount of a loop's step, the least amount that is possible."""
    if isinstance(step, Unary) and step.op in {"++", "p++"}:
        return str(step.operand), "+", 1
    if not isinstance(step, Assign) or not isinstance(step.target, Name):
        return None
    op, value = step.op, step.value
    if not op and isinstance(value, Binary) and str(value.left) == step.target.name:
        op, value = value.op, value.right
    return step.target.name, op, value.value if isinstance(value, Int) and value.value > 0 else 1


def _start(loop: Loop, counter: str, evaluator: Evaluator) -> int | None:
    """The least a counter can start at. An index or a parameter is taken not to be negative."""
    for statement in loop.init:
        if isinstance(statement, Declare) and statement.name == counter:
            return evaluator.quantity(statement.init).lo or 0
        if isinstance(statement, Evaluate) and isinstance(statement.value, Assign):
            return evaluator.quantity(statement.value.value).lo or 0
    return None
