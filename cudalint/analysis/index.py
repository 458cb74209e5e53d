"""Names across files: which function, struct, constant or macro a name written in one file means."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import TypeVar

from cudalint.ir import Alias, Assign, Function, Global, Macro, Member, Name, Struct, Unary, Unit
from cudalint.ir.stmt import expressions
from cudalint.record import record
from cudalint.source import outer_path

Named = TypeVar("Named")


def _by_name(items: Iterable[Named], key: Callable[[Named], str]) -> dict[str, list[Named]]:
    table: dict[str, list[Named]] = {}
    for item in items:
        table.setdefault(key(item), []).append(item)
    return table


@record
class Table:
    """The names one file defines."""

    unit: Unit

    @cached_property
    def functions(self) -> dict[str, list[Function]]:
        return _by_name(self.unit.functions, lambda function: function.name)

    @cached_property
    def structs(self) -> dict[str, list[Struct]]:
        return _by_name(self.unit.structs, lambda struct: struct.name)

    @cached_property
    def globals(self) -> dict[str, list[Global]]:
        return _by_name(self.unit.globals, lambda item: item.declare.name)

    @cached_property
    def macros(self) -> dict[str, list[Macro]]:
        return _by_name(self.unit.macros, lambda macro: macro.name)

    @cached_property
    def aliases(self) -> dict[str, list[Alias]]:
        return _by_name(self.unit.aliases, lambda alias: alias.name)

    @cached_property
    def assigned(self) -> frozenset[str]:
        """Names that some function of the file assigns to, or takes the address of."""
        names: set[str] = set()
        for function in self.unit.functions:
            names |= function.touches
            for node in expressions(function.body or ()):
                target = node.target if isinstance(node, Assign) else None
                if isinstance(node, Unary) and node.op in ("++", "--", "p++", "p--", "&"):
                    target = node.operand
                if isinstance(target, Name | Member):
                    names.add(target.last if isinstance(target, Name) else target.name)
        return frozenset(names)

    @cached_property
    def named_in_globals(self) -> frozenset[str]:
        """The names in the initial values of variables outside functions."""
        initial = (item.declare.init for item in self.unit.globals if item.declare.init is not None)
        return frozenset(node.last for init in initial for node in init.walk() if isinstance(node, Name))

    @cached_property
    def assigned_members(self) -> dict[str, set[str]]:
        """Members that code of the file assigns to through an object, with the classes that code belongs to."""
        members: dict[str, set[str]] = {}
        for function in self.unit.functions:
            for name in (*function.touches, *_outside(function)):
                members.setdefault(name, set()).add(function.owner)
        return members


class Index:
    """All units with their names. Files are known by `Unit.path`."""

    def __init__(self, units: Iterable[Unit]) -> None:
        self.tables: dict[str, Table] = {unit.path: Table(unit) for unit in units}
        self._found: dict[tuple[str, str, str], list[object]] = {}
        self._functions: dict[tuple[str, str], list[Function]] = {}
        self._ranks: dict[str, dict[str, int]] = {}
        self._held: dict[str, dict[str, list[str]]] = {}
        self._visible: dict[str, tuple[Table, ...]] = {}
        self._reaching: dict[str, tuple[Table, ...]] = {}

    @cached_property
    def _has_python(self) -> bool:
        return any(table.unit.language == "python" for table in self.tables.values())

    def _can_call(self, path: str, other: str) -> bool:
        """Whether code of one file can call what another defines: of its own language, and nothing of a text in a string
        but from that text, which itself sees only what it includes.
        """
        if path == other or outer_path(path) != path or outer_path(other) != other:
            return self.sees(path, other)
        return self._is_python(path) == self._is_python(other)

    def _is_python(self, path: str) -> bool:
        return path in self.tables and self.tables[path].unit.language == "python"

    @cached_property
    def includers(self) -> Mapping[str, list[str]]:
        """For each file, the files that include it directly."""
        table: dict[str, list[str]] = defaultdict(list)
        for path, entry in self.tables.items():
            for include in entry.unit.includes:
                if include.resolved in self.tables:
                    table[include.resolved].append(path)
        return table

    @cached_property
    def definitions(self) -> dict[str, list[Function]]:
        """Functions with a body, kernels included, by their last name, over all files."""
        table: dict[str, list[Function]] = {}
        for entry in self.tables.values():
            for function in entry.unit.functions:
                if function.body is not None:
                    table.setdefault(function.name, []).append(function)
        return table

    @cached_property
    def callers(self) -> dict[str, list[Function]]:
        """Functions by the names they call."""
        table: dict[str, list[Function]] = {}
        for entry in self.tables.values():
            for function in entry.unit.functions:
                for name in function.calls:
                    table.setdefault(name, []).append(function)
        return table

    def named_outside(self, name: str, path: str) -> bool:
        """Whether the initial value of a variable outside functions names a function, as a table of pointers does."""
        return any(name in table.named_in_globals for table in (*self.visible(path), *self.reaching(path)))

    @cached_property
    def methods(self) -> dict[str, list[Function]]:
        """Member functions with a body, kernels left out, by their class."""
        members = (f for functions in self.definitions.values() for f in functions if f.owner and not f.is_kernel)
        return _by_name(members, lambda function: function.owner)

    @cached_property
    def referencing(self) -> frozenset[str]:
        """The names of functions with a parameter that is a reference they may write through."""
        return frozenset(
            name
            for name, functions in self.definitions.items()
            if any(p.type.reference and not p.type.const for function in functions for p in function.parameters)
        )

    def visible(self, path: str) -> tuple[Table, ...]:
        """The file itself and all it includes, nearest first."""
        if path not in self._visible:
            self._visible[path] = tuple(self._closure(path, self._included))
        return self._visible[path]

    def sees(self, path: str, other: str) -> bool:
        """Whether the file at `path` is, or includes, the other."""
        return other in self.ranks(path)

    def ranks(self, path: str) -> dict[str, int]:
        """The files the file at `path` sees, itself first, with how far each is away."""
        if path not in self._ranks:
            self._ranks[path] = {table.unit.path: rank for rank, table in enumerate(self.visible(path))}
        return self._ranks[path]

    def reaching(self, path: str) -> tuple[Table, ...]:
        """The files that include this one, directly or not, without itself."""
        if path not in self._reaching:
            self._reaching[path] = tuple(self._closure(path, lambda p: self.includers.get(p, ())))[1:]
        return self._reaching[path]

    def _included(self, path: str) -> Iterable[str]:
        return (include.resolved for include in self.tables[path].unit.includes if include.resolved in self.tables)

    def _closure(self, path: str, step: Callable[[str], Iterable[str]]) -> Iterator[Table]:
        seen, queue = {path}, [path]
        for current in queue:
            if current in self.tables:
                yield self.tables[current]
                for following in step(current):
                    if following not in seen:
                        seen.add(following)
                        queue.append(following)

    def find(self, kind: str, name: str, path: str) -> list[object]:
        """What `name` means in the file: entries of one `Table` attribute from the nearest file that has some.

        A header may use what the files that include it define before; those are asked last, and must agree.
        """
        key = kind, name, path
        if key not in self._found:
            self._found[key] = self._find(kind, name, path)
        return self._found[key]

    def _find(self, kind: str, name: str, path: str) -> list[object]:
        holders = self._holders(kind).get(name)
        if holders is None:
            return []
        nearest = self._nearest_holder(holders, path)
        if nearest is not None:
            return self._entries(kind, name, nearest)
        answers: list[list[object]] = []
        for table in self.reaching(path):
            holder = self._nearest_holder(holders, table.unit.path)
            if holder is not None:
                found = self._entries(kind, name, holder)
                if found not in answers:
                    answers.append(found)
        return answers[0] if len(answers) == 1 else []

    def _holders(self, kind: str) -> dict[str, list[str]]:
        """For each name of a kind, the files that define it."""
        if kind not in self._held:
            held: dict[str, list[str]] = {}
            for path, table in self.tables.items():
                for name in getattr(table, kind):
                    held.setdefault(name, []).append(path)
            self._held[kind] = held
        return self._held[kind]

    def _nearest_holder(self, holders: list[str], path: str) -> str | None:
        """Of the files in `holders`, the one that the file at `path` sees first; None if it sees none."""
        ranks = self.ranks(path)
        seen = [holder for holder in holders if holder in ranks]
        return min(seen, key=ranks.__getitem__) if seen else None

    def _entries(self, kind: str, name: str, path: str) -> list[object]:
        entries: list[object] = getattr(self.tables[path], kind)[name]
        return entries

    def macros(self, name: str, path: str) -> list[Macro]:
        return [item for item in self.find("macros", name, path) if isinstance(item, Macro)]

    def global_(self, name: str, path: str) -> list[Global]:
        return [item for item in self.find("globals", name, path) if isinstance(item, Global)]

    def struct(self, name: str, path: str) -> Struct | None:
        found = [item for item in self.find("structs", name.rpartition("::")[2], path) if isinstance(item, Struct)]
        return found[0] if found else None

    def struct_file(self, name: str, path: str) -> str:
        """The file of the struct that `name` means in the file; the file itself where none is seen."""
        holders = self._holders("structs").get(name.rpartition("::")[2], [])
        return self._nearest_holder(holders, path) or path

    def alias(self, name: str, path: str) -> Alias | None:
        found = [item for item in self.find("aliases", name.rpartition("::")[2], path) if isinstance(item, Alias)]
        return found[0] if len({str(item.type) for item in found}) == 1 else None

    def functions(self, name: str, path: str) -> list[Function]:
        """The definitions that a call of `name` in the file may mean: the nearest file's, else the nearest folder's."""
        if name not in self.definitions:
            return []
        key = name, path
        if key not in self._functions:
            self._functions[key] = self._nearest(name, path)
        return self._functions[key]

    def _nearest(self, name: str, path: str) -> list[Function]:
        candidates = self.definitions[name]
        if self._has_python:
            candidates = [function for function in candidates if self._can_call(path, function.file)]
        here = [function for function in candidates if function.file == path]
        if here or len(candidates) < 2:
            return here or candidates
        seen = self.ranks(path)
        included = [function for function in candidates if function.file in seen]
        if included:
            nearest = min(seen[function.file] for function in included)
            return [function for function in included if seen[function.file] == nearest]
        best = max(_shared_depth(function.file, path) for function in candidates)
        close = [function for function in candidates if _shared_depth(function.file, path) == best]
        return close if len({function.file for function in close}) == 1 else []

    def assigned_outside(self, name: str, owner: str, path: str) -> bool:
        """Whether code outside its class, of a file that sees it, assigns to a member."""
        tables = (*self.visible(path), *self.reaching(path))
        return any(table.assigned_members.get(name, set()) - {owner} for table in tables)

    def assigned(self, name: str, path: str) -> bool:
        """Whether code that sees the file assigns to `name`."""
        return any(name in table.assigned for table in (*self.visible(path), *self.reaching(path)))


def _outside(function: Function) -> Iterator[str]:
    """Members that a function assigns to through an object, its own excepted."""
    for node in expressions(function.body or ()):
        target = node.target if isinstance(node, Assign) else None
        if isinstance(target, Member) and not (isinstance(target.base, Name) and target.base.name == "this"):
            yield target.name


def _shared_depth(left: str, right: str) -> int:
    """How many leading folders two paths share."""
    depth = 0
    for a, b in zip(left.split("/")[:-1], right.split("/")[:-1], strict=False):
        if a != b:
            break
        depth += 1
    return depth
