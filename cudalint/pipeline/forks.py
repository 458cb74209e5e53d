"""Parts of one job done in forked copies of this process, which hold all that this one holds."""

import multiprocessing
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

Part = Callable[[int], bytes]
_JOB: list[Part] = []
"""The job at hand, for the copies to find."""


def in_forks(part: Part, parts: int, processes: int) -> list[bytes] | None:
    """What `part` answers to each number below `parts`, in order; None where the system cannot fork, or a copy died."""
    if "fork" not in multiprocessing.get_all_start_methods():
        return None
    _JOB.append(part)
    try:
        with ProcessPoolExecutor(processes, mp_context=multiprocessing.get_context("fork")) as pool:
            return list(pool.map(_run, range(parts)))
    except (BrokenProcessPool, OSError, pickle.PickleError):
        return None
    finally:
        _JOB.clear()


def _run(number: int) -> bytes:
    return _JOB[0](number)
