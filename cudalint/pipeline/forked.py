"""Analysing the functions of a large program in parallel processes.

The processes are forked from one that holds all units, so nothing has to be sent to them. What they send back names
functions and launches by their identity, which is the same on both sides of a fork.
"""

import io
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from cudalint.analysis.session import Session
from cudalint.analysis.state import count_versions_from
from cudalint.ir import Function, Launching

_VERSIONS_EACH = 1 << 40
_STATE: dict[str, "_Work"] = {}
"""What the forked processes find."""


def analysed(session: Session, roots: list[Function], processes: int) -> bool:
    """Analyse the functions in `processes` forked processes; False, and nothing done, where that is not possible."""
    if "fork" not in multiprocessing.get_all_start_methods():
        return False
    work = _STATE["work"] = _Work(session, roots)
    size = -(-len(roots) // processes)
    parts = [(number, number * size, (number + 1) * size) for number in range(processes)]
    try:
        with ProcessPoolExecutor(processes, mp_context=multiprocessing.get_context("fork")) as pool:
            answers = [work.read(answer) for answer in pool.map(_analyse_part, parts)]
    except (BrokenProcessPool, OSError, pickle.PickleError):
        return False
    finally:
        _STATE.clear()
    for sites, opt_ins in answers:
        session.merge(sites, opt_ins)
    return True


class _Work:
    """The functions to analyse. `nodes` are what answers may name, by identity."""

    def __init__(self, session: Session, roots: list[Function]) -> None:
        self.session = session
        self.roots = roots
        self.nodes: dict[int, Function | Launching] = {}
        for table in session.index.tables.values():
            self.nodes.update((id(function), function) for function in table.unit.functions)
        for function in roots:
            self.nodes.update((id(launching), launching) for launching in session.slices.launchings(function))

    def packed(self) -> bytes:
        """What the session found, for the process that forked this one."""
        buffer = io.BytesIO()
        _Pickler(buffer, self.nodes).dump((self.session.sites, self.session.opt_ins))
        return buffer.getvalue()

    def read(self, answer: bytes) -> Any:
        return _Unpickler(io.BytesIO(answer), self.nodes).load()


def _analyse_part(part: tuple[int, int, int]) -> bytes:
    """One process's share of the functions."""
    number, start, end = part
    work = _STATE["work"]
    count_versions_from(1 + (number + 1) * _VERSIONS_EACH)
    for function in work.roots[start:end]:
        work.session.analyse(function)
    return work.packed()


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
