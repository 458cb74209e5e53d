"""From units to the program, in parallel where there is enough to do."""

import os
from collections.abc import Collection, Iterable, Mapping

from cudalint.analysis import Resources, assemble, prepare
from cudalint.analysis.index import Index
from cudalint.analysis.session import Session
from cudalint.ir import Function, Program, Unit

_FEW_ROOTS = 300


def linked(
    units: Iterable[Unit],
    *,
    assume: Mapping[str, int],
    resources: Resources,
    requested: Collection[str],
    jobs: int | None = None,
) -> Program:
    """As `analysis.link`, in `jobs` processes (None: one for each processor) for a large program."""
    session = Session(Index(units), dict(assume))
    roots = prepare(session)
    processes = jobs or os.cpu_count() or 1
    if processes == 1 or len(roots) < _FEW_ROOTS or not _spread(session, roots, processes):
        for function in roots:
            session.analyse(function)
    return assemble(session, resources, requested)


def _spread(session: Session, roots: list[Function], processes: int) -> bool:
    from cudalint.pipeline.forked import analysed  # noqa: PLC0415 - slow to import, for large programs only

    return analysed(session, roots, processes)
