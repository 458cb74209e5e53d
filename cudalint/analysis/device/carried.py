"""Which variables a loop carries from turn to turn, and how they may come to differ between threads in it."""

import re

from cudalint.analysis.device import intrinsics
from cudalint.analysis.device.intrinsics import ATOMICS, CLOCKS, HIP_NAMES, LANE_IDS
from cudalint.analysis.device.values import BLOCK, EVERY, LANE, THREAD
from cudalint.ir import (
    Assign,
    Break,
    Call,
    Case,
    Continue,
    Declare,
    Expr,
    If,
    Index,
    Loop,
    Member,
    Name,
    Return,
    Stmt,
    Switch,
    Unary,
)
from cudalint.ir.expr import Cast
from cudalint.ir.stmt import Evaluate
from cudalint.record import record

_SOURCES = {
    "threadIdx": THREAD, "blockIdx": BLOCK, "thread_rank": THREAD, **dict.fromkeys(ATOMICS, EVERY),
    **dict.fromkeys(LANE_IDS, THREAD), **dict.fromkeys(CLOCKS, EVERY),
    **{name: BLOCK if part == "blockIdx" else THREAD for name, (part, _) in HIP_NAMES.items() if part.endswith("Idx")},
}  # fmt: skip
_STEPS = frozenset({"++", "--", "p++", "p--"})
_WARP, _BLOCK, _GUESS = "warp:", "block:", "?"
_THROUGH = {
    **dict.fromkeys((*intrinsics.VOTES_SYNC, *intrinsics.VOTES, *intrinsics.REDUCTIONS_SYNC, *intrinsics.FIRST_LANE), _WARP),
    **dict.fromkeys(("__shfl_sync", "__shfl", "__shfl_xor_sync", "__shfl_xor", *intrinsics.GROUP_EXCHANGES), _WARP),
    **dict.fromkeys(intrinsics.BLOCK_VOTES, _BLOCK),
}  # fmt: skip
"""Between whom what goes into a function may still differ when it comes out: warps, or blocks."""
_COMES_THROUGH = re.compile(rf"^(?:{_WARP}|{_BLOCK}|\{_GUESS})+")
_KNOWN = frozenset({
    *_THROUGH, *_SOURCES, *intrinsics.PURE, *intrinsics.MINIMA, *intrinsics.MAXIMA, *intrinsics.ATOMIC_LOADS,
    *intrinsics.SHUFFLES_SYNC, *intrinsics.SHUFFLES,
})  # fmt: skip
UNSURE = 3
"""The bits of EVERY moved by so many are those of which it is only guessed that a value differs."""


@record
class Carried:
    """The assignments of a loop, and the names that live no longer than a turn."""

    flows: "tuple[Flow, ...]"
    local: frozenset[str]


_MOST_FLOWS = 100
"""How many assignments of a loop are looked at closely enough to see which are replaced in every turn."""


@record
class Flow:
    """An assignment in a loop: `target` gets something made of `sources`, under conditions made of `sources` too.

    A name in brackets is what the array or pointer of that name holds; in front of a source may stand what it comes through.
    """

    target: str
    sources: frozenset[str]


def carried(loop: Loop) -> Carried:
    """Every assignment in a loop. The threads that make a turn are alike in that: its condition, and jumps out of it, count
    only for what is left of them behind the loop.
    """
    collector = _Collector()
    collector.under(loop.body, frozenset())
    if loop.step is not None:
        collector.expression(loop.step, frozenset())
    if loop.condition is not None:
        collector.expression(loop.condition, frozenset())
    return Carried(tuple(collector.found), frozenset(collector.local))


def differing(assigned: Carried, varies: dict[str, int], common: frozenset[str] = frozenset()) -> dict[str, int]:
    """How each variable that outlives a turn may differ between threads, given how all do at the start of the loop, and in
    the bits moved by UNSURE how it does where a function has it so that is not looked into.

    `common` are the names that mean memory which threads share: whoever stores there, all read the same.
    """
    known = dict(varies)
    changed = True
    while changed:
        changed = False
        for flow in assigned.flows:
            if flow.target in common:
                continue
            before = after = known.get(flow.target, 0)
            for source in flow.sources:
                after |= _coming(source, known)
            if after != before:
                known[flow.target] = after
                changed = True
    return {flow.target: known.get(flow.target, 0) for flow in assigned.flows if flow.target not in assigned.local}


def _coming(source: str, known: dict[str, int]) -> int:
    """How a value differs that is made of a source."""
    for prefix, kept in ((_WARP, EVERY & ~LANE), (_BLOCK, BLOCK)):
        if source.startswith(prefix):
            return _coming(source.removeprefix(prefix), known) & (kept | kept << UNSURE)
    if source.startswith(_GUESS):
        inner = _coming(source.removeprefix(_GUESS), known)
        return (inner & EVERY) << UNSURE | (inner & EVERY << UNSURE)
    return known.get(source, 0) | _SOURCES.get(source, 0)


def _names(expr: Expr) -> frozenset[str]:
    """The names an expression reads, and of the functions it calls those that make a value differ."""
    found: set[str] = set()
    stack: list[tuple[Expr, str]] = [(expr, "")]
    while stack:
        node, through = stack.pop()
        if isinstance(node, Name):
            found.add(through + node.name)
        elif isinstance(node, Call):
            found.add(through + node.name)
            through += _THROUGH.get(node.name, "" if node.name in _KNOWN else _GUESS)
        elif isinstance(node, Member):
            found.add(f"{through}{node.base}.{node.name}")
        elif isinstance(node, Index) or (isinstance(node, Unary) and node.op == "*"):
            found.add(f"{through}[{root_name(node)}]")
        stack.extend((child, through) for child in node.children())
    return frozenset(found)


def variables(assigned: Carried) -> set[str]:
    """The names that flows are between."""
    sources = {source for flow in assigned.flows for source in flow.sources}
    return {flow.target for flow in assigned.flows} | {re.sub(_COMES_THROUGH, "", source) for source in sources}


class _Collector:
    def __init__(self) -> None:
        self.found: list[Flow] = []
        self.local: set[str] = set()
        self.depth = self.level = 0

    def under(self, body: tuple[Stmt, ...], conditions: frozenset[str]) -> None:
        for statement in body:
            conditions = self.statement(statement, conditions)

    def statement(self, statement: Stmt, conditions: frozenset[str]) -> frozenset[str]:
        """The conditions that what follows stands under: a jump under a condition decides about it too."""
        if isinstance(statement, Declare):
            self.local.add(statement.name)
            if statement.init is not None:
                self.expression(statement.init, conditions)
                self.found.append(Flow(statement.name, _names(statement.init) | conditions))
            return conditions
        inner = conditions
        before = len(self.found)
        for expr in statement.expressions():
            self.expression(expr, conditions)
            if isinstance(statement, If | Loop | Switch | Case):
                inner = inner | _names(expr)
        if not self.level and not conditions and len(self.found) == before + 1 and isinstance(statement, Evaluate):
            self._replaced(statement.value)
        self.depth += isinstance(statement, Loop)
        self.level += 1
        for block in statement.blocks():
            self.under(block, inner)
        self.level -= 1
        self.depth -= isinstance(statement, Loop)
        deciding = Break | Continue | Return if self.depth else Continue
        jumps = isinstance(statement, If) and any(isinstance(item, deciding) for item in statement.walk())
        return inner if jumps else conditions

    def _replaced(self, expr: Expr) -> None:
        """Where every thread gives a variable a new value in every turn, what it held before counts only for what was made of that."""
        if not isinstance(expr, Assign) or expr.op or not isinstance(expr.target, Name):
            return
        if len(self.found) > _MOST_FLOWS:
            return
        name, last = expr.target.name, self.found.pop()
        old = f"{name} before"
        self.local.add(old)
        self.found = [
            Flow(old if flow.target == name else flow.target, _or(flow.sources, name, old))
            if flow.target == name or any(source.endswith(name) for source in flow.sources)
            else flow
            for flow in self.found
        ]
        self.found += [Flow(old, frozenset({name})), Flow(name, _or(last.sources, name, old))]

    def expression(self, expr: Expr, conditions: frozenset[str]) -> None:
        for node in expr.walk():
            if isinstance(node, Assign):
                self._assigned(node.target, _names(node.value) | _indices(node.target) | conditions)
            elif isinstance(node, Call) and node.name == "swap":
                for target in node.arguments:
                    self._assigned(target, _names(node) | conditions)
            elif isinstance(node, Unary) and (node.op in _STEPS or node.op == "&"):
                self._assigned(
                    node.operand,
                    _indices(node.operand) | conditions | (_call_sources(expr) if node.op == "&" else frozenset()),
                )

    def _assigned(self, target: Expr, sources: frozenset[str]) -> None:
        root = root_name(target)
        if root and isinstance(target, Name):
            self.found.append(Flow(root, sources))
        elif root and isinstance(target, Member) and not target.arrow:
            self.found += [Flow(root, sources), Flow(f"{target.base}.{target.name}", sources)]
        elif root:
            self.found.append(Flow(f"[{root}]", sources))


def _or(sources: frozenset[str], name: str, other: str) -> frozenset[str]:
    """The sources, with another one wherever a name stands."""
    return sources | {
        source.removesuffix(name) + other
        for source in sources
        if source.endswith(name) and re.sub(_COMES_THROUGH, "", source) == name
    }


def _call_sources(expr: Expr) -> frozenset[str]:
    return _names(expr)


def _indices(target: Expr) -> frozenset[str]:
    return _names(target) if isinstance(target, Index) else frozenset()


def root_name(expr: Expr) -> str:
    """The variable behind an assignable expression; "" where it is not one."""
    while True:
        if isinstance(expr, Name):
            return expr.name
        if isinstance(expr, Member | Index):
            expr = expr.base
        elif isinstance(expr, Unary | Cast):
            expr = expr.operand
        else:
            return ""
