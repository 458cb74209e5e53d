"""Linking large programs in parallel processes.

The processes are forked from one that holds all units, so nothing has to be sent to them. What they send back names
functions, launches and lambdas by their identity, which is the same on both sides of a fork.
"""

import io
import multiprocessing
import os
import pickle
from collections.abc import Collection, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from cudalint.analysis import Resources, assemble, prepare
from cudalint.analysis.index import Index
from cudalint.analysis.session import Session
from cudalint.analysis.state import count_versions_from
from cudalint.ir import Function, Lambda, Launching, Unit
from cudalint.ir.program import Program

_FEW_ROOTS = 300
_VERSIONS_EACH = 1 << 40
_SHARED = (Function, Launching, Lambda)
_STATE: dict[str, "_Work"] = {}
"""What the forked processes find."""


def linked(
    units: Iterable[Unit],
    *,
    assume: Mapping[str, int],
    resources: Resources,
    requested: Collection[str],
    jobs: int | None = None,
) -> Program:
    """As `analysis.link`, in `jobs` processes (None: one for each processor) where there is enough to do."""
    session = Session(Index(units), dict(assume))
    work = _Work(session, prepare(session))
    processes = jobs or os.cpu_count() or 1
    can_fork = "fork" in multiprocessing.get_all_start_methods()
    if processes == 1 or len(work.roots) < _FEW_ROOTS or not can_fork or not work.spread(processes):
        work.analyse(work.roots)
    return assemble(session, resources, requested)


class _Work:
    """The functions to analyse, with the nodes that answers may name."""

    def __init__(self, session: Session, roots: list[Function]) -> None:
        self.session = session
        self.roots = roots
        self._nodes: dict[int, Any] = {}

    def analyse(self, roots: Iterable[Function]) -> None:
        for function in roots:
            self.session.analyse(function)

    def spread(self, processes: int) -> bool:
        """Analyse all functions in forked processes; False where that failed."""
        self._name_nodes()
        size = -(-len(self.roots) // processes)
        parts = [(number, number * size, (number + 1) * size) for number in range(processes)]
        _STATE["work"] = self
        try:
            with ProcessPoolExecutor(processes, mp_context=multiprocessing.get_context("fork")) as pool:
                answers = [self._read(answer) for answer in pool.map(_analyse_part, parts)]
        except (BrokenProcessPool, OSError, pickle.PickleError):
            return False
        finally:
            _STATE.clear()
        for sites, opt_ins in answers:
            self.session.merge(sites, opt_ins)
        return True

    def packed(self) -> bytes:
        """What the session found, for the process that forked this one."""
        buffer = io.BytesIO()
        _Pickler(buffer, pickle.HIGHEST_PROTOCOL).dump((self.session.sites, self.session.opt_ins))
        return buffer.getvalue()

    def _name_nodes(self) -> None:
        for table in self.session.index.tables.values():
            for function in table.unit.functions:
                self._nodes[id(function)] = function
        for function in self.roots:
            for launching in self.session.launchings(function):
                self._nodes[id(launching)] = launching

    def _read(self, answer: bytes) -> Any:
        return _Unpickler(io.BytesIO(answer), self._nodes).load()


def _analyse_part(part: tuple[int, int, int]) -> bytes:
    """One process's share of the functions."""
    number, start, end = part
    work = _STATE["work"]
    count_versions_from(1 + (number + 1) * _VERSIONS_EACH)
    work.analyse(work.roots[start:end])
    return work.packed()


class _Pickler(pickle.Pickler):
    def persistent_id(self, obj: Any) -> int | None:
        return id(obj) if isinstance(obj, _SHARED) and id(obj) in _STATE["work"]._nodes else None  # noqa: SLF001


class _Unpickler(pickle.Unpickler):
    def __init__(self, buffer: io.BytesIO, nodes: dict[int, Any]) -> None:
        super().__init__(buffer)
        self._nodes = nodes

    def persistent_load(self, pid: int) -> Any:
        return self._nodes[pid]
