"""Parts of one job done in forked copies of this process, which hold all that this one holds."""

import gc
import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Any, TypeVar

Answer = TypeVar("Answer")
_JOB: list[Callable[[int], Any]] = []
"""The job at hand, for the copies to find."""


def in_forks(part: Callable[[int], Answer], parts: int, processes: int) -> list[Answer] | None:
    """What `part` answers to each number below `parts`, in order, the next number always to the copy that is free.

    None where that cannot be had: the system cannot fork, a copy died or failed, or an answer could not be sent. The
    caller then does all of it in this process, where a failure can be told for what it is.
    """
    if "fork" not in multiprocessing.get_all_start_methods():
        return None
    _JOB.append(part)
    try:
        with ProcessPoolExecutor(min(processes, parts), mp_context=multiprocessing.get_context("fork")) as pool:
            return list(pool.map(_run, range(parts)))
    except Exception:  # noqa: BLE001 - of any kind: what raised it is done again by the caller
        return None
    finally:
        _JOB.clear()


def _run(number: int) -> Any:
    gc.disable()  # what a copy makes is gone with it
    return _JOB[0](number)
