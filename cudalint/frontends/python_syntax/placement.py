"""Where the variables of a Python function are declared: Python has no declarations, the representation has.

A variable is declared by its first assignment where that stands in a block around all its uses, by the loop that counts
with it where it is used nowhere else, and otherwise ahead of the innermost block that holds all its uses.
"""

import ast
from collections.abc import Iterator

from cudalint.frontends.python_syntax.scopes import Scope
from cudalint.record import record

Path = tuple[int, ...]
"""The blocks around a place, outermost first, by the identity of their lists of statements."""
_BLOCKS = ("body", "orelse", "finalbody")
_LOOPS = ast.For | ast.AsyncFor | ast.While


@record
class Placement:
    """`first` are the assignments that declare a name, `loops` the loops that do; `ahead` the names declared, without a
    value, ahead of a statement.
    """

    first: frozenset[tuple[int, str]]
    loops: frozenset[tuple[int, str]]
    ahead: dict[int, list[str]]


def place(body: list[ast.stmt], scope: Scope) -> Placement:
    """Where the variables of a function or a module are declared."""
    names = {name for name in scope.bound if name not in scope.foreign and name not in scope.parameters}
    first: set[tuple[int, str]] = set()
    for statement in body:
        for name in _stored(statement):
            if name in names and not _read_before(statement, name):
                names.discard(name)
                first.add((id(statement), name))
        if not names:
            break
        names -= _settle_if_used(statement, names)
    names = {name for name in scope.bound if name not in scope.foreign and name not in scope.parameters}
    names -= {name for _, name in first}
    return _Uses(body, names, first).placement() if names else Placement(frozenset(first), frozenset(), {})


def _settle_if_used(statement: ast.stmt, names: set[str]) -> set[str]:
    """The names that a statement which does not simply assign uses: their place has to be looked for."""
    if isinstance(statement, ast.Assign | ast.AnnAssign | ast.Import | ast.ImportFrom):
        return set()
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and node.id in names}


def _stored(statement: ast.stmt) -> Iterator[str]:
    """The names that a plain assignment gives values to."""
    targets: list[ast.expr] = []
    if isinstance(statement, ast.Assign):
        targets = list(statement.targets)
    elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
        targets = [statement.target]
    for target in targets:
        parts = target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
        yield from (part.id for part in parts if isinstance(part, ast.Name))


def _read_before(statement: ast.stmt, name: str) -> bool:
    """Whether the value of an assignment reads the name it is given to."""
    value = getattr(statement, "value", None)
    return value is not None and any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(value))


class _Uses:
    """The blocks that each of some names is used in."""

    def __init__(self, body: list[ast.stmt], names: set[str], first: set[tuple[int, str]]) -> None:
        self._names = names
        self._body = body
        self._first = first
        self._paths: dict[str, list[Path]] = {name: [] for name in names}
        self._looped: dict[str, list[tuple[int, Path]]] = {}
        self._holders: dict[tuple[int, str], ast.stmt] = {}
        self._blocks: dict[int, list[ast.stmt]] = {}
        self._in_loops: set[int] = set()
        self._block(body, ())

    def _block(self, body: list[ast.stmt], outer: Path) -> set[str]:
        path = (*outer, id(body))
        self._blocks[id(body)] = body
        every: set[str] = set()
        for statement in body:
            used = self._statement(statement, path)
            for name in used:
                self._holders.setdefault((id(body), name), statement)
            every |= used
        return every

    def _statement(self, statement: ast.stmt, path: Path) -> set[str]:
        used: set[str] = set()
        for name, value in ast.iter_fields(statement):
            if name in _BLOCKS and isinstance(value, list):
                if not value:
                    continue
                if isinstance(statement, _LOOPS) and name == "body":
                    self._in_loops.add(id(value))
                used |= (
                    self._block(value, path)
                    if not isinstance(statement, ast.With | ast.AsyncWith)
                    else self._flat(value, path)
                )
            elif name in {"handlers", "cases"}:
                for part in value:
                    used |= self._block(part.body, path)
            elif name == "target" and isinstance(statement, ast.For | ast.AsyncFor):
                used |= self._target(statement, path)
            else:
                used |= self._expressions(value, path)
        return used

    def _flat(self, body: list[ast.stmt], path: Path) -> set[str]:
        """The statements of a `with`, which belong to the block around it."""
        used: set[str] = set()
        for statement in body:
            used |= self._statement(statement, path)
        return used

    def _target(self, statement: ast.For | ast.AsyncFor, path: Path) -> set[str]:
        inside = (*path, id(statement.body))
        names = {node.id for node in ast.walk(statement.target) if isinstance(node, ast.Name)} & self._names
        for name in names:
            self._paths[name].append(inside)
            self._looped.setdefault(name, []).append((id(statement), inside))
        return names

    def _expressions(self, value: object, path: Path) -> set[str]:
        found: set[str] = set()
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, ast.AST):
                found |= {node.id for node in ast.walk(part) if isinstance(node, ast.Name)} & self._names
        for name in found:
            self._paths[name].append(path)
        return found

    def placement(self) -> Placement:
        first, loops, ahead = set(self._first), set[tuple[int, str]](), dict[int, list[str]]()
        for name in sorted(self._names):
            paths = self._paths[name]
            looped = self._looped.get(name, [])
            if looped and all(any(path[: len(inside)] == inside for _, inside in looped) for path in paths):
                loops |= {(loop, name) for loop, _ in looped}
                continue
            self._declare(name, _common(paths), first, ahead)
        return Placement(frozenset(first), frozenset(loops), ahead)

    def _declare(self, name: str, path: Path, first: set[tuple[int, str]], ahead: dict[int, list[str]]) -> None:
        if not path:
            return
        holder = self._holders.get((path[-1], name))
        if holder is not None and name in set(_stored(holder)) and not _read_before(holder, name):
            first.add((id(holder), name))
            return
        for depth, block in enumerate(path):
            if block in self._in_loops:  # what an earlier turn left is still there
                path = path[:depth]
                break
        holder = self._holders.get((path[-1], name)) if path else None
        if holder is not None:
            ahead.setdefault(id(holder), []).append(name)


def _common(paths: list[Path]) -> Path:
    """The blocks that all paths share."""
    if not paths:
        return ()
    shared = paths[0]
    for path in paths[1:]:
        length = 0
        while length < min(len(shared), len(path)) and shared[length] == path[length]:
            length += 1
        shared = shared[:length]
    return shared
