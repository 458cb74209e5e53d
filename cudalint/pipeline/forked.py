"""Analysing the functions of a large program in parallel processes.

The processes are forked from one that holds all units, so nothing has to be sent to them. What they send back names
functions and launches by their identity, which is the same on both sides of a fork.
"""

import io
import pickle
from typing import Any

from cudalint.analysis.session import Session
from cudalint.analysis.state import count_versions_from
from cudalint.ir import Function, Launching
from cudalint.pipeline.forks import in_forks

_VERSIONS_EACH = 1 << 40


def analysed(session: Session, roots: list[Function], processes: int) -> bool:
    """Analyse the functions in `processes` forked processes; False, and nothing done, where that is not possible."""
    work = _Work(session, roots, processes)
    answers = in_forks(work.part, processes, processes)
    if answers is None:
        return False
    for answer in answers:
        session.merge(*work.read(answer))
    return True


class _Work:
    """The functions to analyse. `nodes` are what answers may name, by identity."""

    def __init__(self, session: Session, roots: list[Function], processes: int) -> None:
        self.session = session
        self.roots = roots
        self.size = -(-len(roots) // processes)
        self.nodes: dict[int, Function | Launching] = {}
        for table in session.index.tables.values():
            self.nodes.update((id(function), function) for function in table.unit.functions)
        for function in roots:
            self.nodes.update((id(launching), launching) for launching in session.slices.launchings(function))

    def part(self, number: int) -> bytes:
        """One process's share of the functions, and what was found out about them."""
        count_versions_from(1 + (number + 1) * _VERSIONS_EACH)
        for function in self.roots[number * self.size : (number + 1) * self.size]:
            self.session.analyse(function)
        buffer = io.BytesIO()
        _Pickler(buffer, self.nodes).dump((self.session.sites, self.session.opt_ins))
        return buffer.getvalue()

    def read(self, answer: bytes) -> Any:
        return _Unpickler(io.BytesIO(answer), self.nodes).load()


class _Pickler(pickle.Pickler):
    def __init__(self, buffer: io.BytesIO, nodes: dict[int, Function | Launching]) -> None:
        super().__init__(buffer, pickle.HIGHEST_PROTOCOL)
        self._nodes = nodes

    def persistent_id(self, obj: Any) -> int | None:
        return id(obj) if isinstance(obj, Function | Launching) and id(obj) in self._nodes else None


class _Unpickler(pickle.Unpickler):
    def __init__(self, buffer: io.BytesIO, nodes: dict[int, Function | Launching]) -> None:
        super().__init__(buffer)
        self._nodes = nodes

    def persistent_load(self, pid: int) -> Any:
        return self._nodes[pid]
