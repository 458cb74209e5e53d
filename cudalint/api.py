"""Linting from Python."""

import os
from collections.abc import Iterable, Mapping, Sequence

from cudalint.config import Config, load_config
from cudalint.engine import check as run
from cudalint.report import Report
from cudalint.rule import Severity


def check(
    paths: Iterable[str | os.PathLike[str]],
    *,
    gpus: Sequence[str] = (),
    assume: Mapping[str, int] | None = None,
    resources: Mapping[str, Mapping[str, int]] | None = None,
    select: Sequence[str] | None = None,
    ignore: Sequence[str] = (),
    min_severity: str | None = None,
    jobs: int | None = None,
    cache: bool = True,
    config: Config | None = None,
) -> Report:
    """Everything the rules find in files and folders.

    `gpus` names the GPUs the code runs on ("h200", "mi300x"); with none, the configuration's, else one for the language
    of each file. `assume` gives values to names the code leaves open. `resources` gives for kernels by name ("*" for all
    others) `registers` per thread and `static_shared` and `local` in bytes. `select` and `ignore` take rules and groups.
    `min_severity` is "error", "warning" (the default) or "note". `config` replaces the configuration file found at or
    above the first path.

    Raises `cudalint.errors.CudalintError` for a path that does not exist, a GPU or a rule nobody knows, and a
    configuration file that cannot be used. What goes wrong after that is told in `Report.failures`.
    """
    given = list(paths)
    settings = (config or load_config(given)).merged(
        gpu=tuple(gpus) or None,
        assume=dict(assume) if assume else None,
        select=None if select is None else tuple(select),
        ignore=tuple(ignore) or None,
        min_severity=None if min_severity is None else Severity(min_severity),
        jobs=jobs,
        cache=None if cache else False,
    )
    return run(given, settings, resources=resources)
