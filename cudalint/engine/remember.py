"""The report of an earlier run, for as long as nothing it rests on has changed."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from cudalint.cache import Cache, key_of, stamp
from cudalint.config import Config
from cudalint.discovery import Found
from cudalint.frontends import Project
from cudalint.frontends.cuda_syntax.defines import IncludeLine
from cudalint.pipeline import Loaded
from cudalint.report import Report


class Memory:
    """What is remembered of runs over one set of files with one set of settings."""

    def __init__(self, cache: Cache, files: Sequence[Found], config: Config, resources: object) -> None:
        self._cache = cache
        self._project = Project([config.root], [Path(file.path) for file in files])
        if cache.enabled:
            names = (f"{file.display}\0{file.path}" for file in files)
            state = stamp([*(file.path for file in files), *config.gpu_files])
            self._key = key_of("report", replace(config, jobs=None, overridden=frozenset()), resources, state, *names)

    def recall(self) -> Report | None:
        """The report, if the files read besides those given are as they were and every include means what it meant."""
        if not self._cache.enabled:
            return None
        entry = self._cache.get(self._key)
        try:
            context, state, includes, report = entry
            sound = isinstance(report, Report) and stamp(context) == state and all(map(self._holds, includes))
        except Exception:  # noqa: BLE001 - a poisoned entry can hold anything
            return None
        return report if sound else None

    def keep(self, report: Report, loaded: Loaded) -> None:
        """Remember a report in which nothing went wrong."""
        if self._cache.enabled and not report.failures:
            includes = tuple((file, name, self._meant(file, name)) for file, name in sorted(loaded.includes))
            self._cache.put(self._key, (loaded.context, stamp(loaded.context), includes, report))
            self._cache.prune()

    def _holds(self, include: Any) -> bool:
        file, name, meant = include
        return bool(self._meant(file, name) == meant)

    def _meant(self, file: str, name: str) -> tuple[str, str]:
        """What `#include "name"` and `#include <name>` in a file mean."""
        return self._project.resolve(file, IncludeLine(name, True)), self._project.resolve(
            file, IncludeLine(name, False)
        )
