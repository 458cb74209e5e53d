"""Reading many files in parallel processes. A process that dies costs the file it was reading and no other."""

import multiprocessing
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from types import TracebackType
from typing import Self

from cudalint.pipeline.reading import Answer, Reader, Request

_LARGEST_CHUNK = 20
_STATE: dict[str, Reader] = {}
"""The reader of a worker process, put there when it starts so that what it caches lasts."""


class Workers:
    """Processes that read files. They start with the first request: make it before this process holds much."""

    def __init__(self, reader: Reader, jobs: int) -> None:
        self._reader = reader
        self._jobs = jobs
        self._pool = self._new_pool(jobs)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.shutdown(wait=kind is None, cancel_futures=True)

    def read(self, requests: Sequence[Request]) -> Iterator[Answer]:
        """The answers, in any order."""
        chunks = self._chunks(requests)
        unanswered: list[Request] = []
        try:
            futures = {self._pool.submit(_read_chunk, chunk): chunk for chunk in chunks}
        except BrokenProcessPool:
            futures, unanswered = {}, list(requests)
        for future in as_completed(futures):
            try:
                answers = future.result()
            except BrokenProcessPool:
                unanswered += futures[future]
                continue
            yield from answers
            del answers
        if unanswered:
            yield from self._one_by_one(unanswered)

    def _chunks(self, requests: Sequence[Request]) -> list[Sequence[Request]]:
        """Shares of the requests that get smaller towards the end, so that all processes finish together."""
        chunks = []
        start = 0
        while start < len(requests):
            size = min(_LARGEST_CHUNK, 1 + (len(requests) - start) // (4 * self._jobs))
            chunks.append(requests[start : start + size])
            start += size
        return chunks

    def _one_by_one(self, requests: Sequence[Request]) -> Iterator[Answer]:
        """The answers where some request kills its process: that one gets a failure."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        pool = self._new_pool(1)
        for request in requests:
            try:
                yield from pool.submit(_read_chunk, [request]).result()
            except BrokenProcessPool:
                yield Answer(request, failure=f"{request.display}: the process that read it died")
                pool = self._new_pool(1)
        pool.shutdown()
        self._pool = self._new_pool(self._jobs)

    def _new_pool(self, jobs: int) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(jobs, mp_context=_CONTEXT, initializer=_start, initargs=(self._reader,))


_CONTEXT = multiprocessing.get_context("fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn")


def _start(reader: Reader) -> None:
    _STATE["reader"] = reader


def _read_chunk(requests: Sequence[Request]) -> list[Answer]:
    return [_STATE["reader"].read(request).sealed() for request in requests]


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
