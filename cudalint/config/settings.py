"""What a run is told to do: the command line over the configuration file over the defaults."""

import os
from collections.abc import Collection, Iterator, Mapping
from dataclasses import KW_ONLY, field, replace
from pathlib import Path
from typing import Any

from cudalint.errors import ConfigError
from cudalint.hw.table import nearest
from cudalint.pattern import matches
from cudalint.record import record
from cudalint.rule import Severity
from cudalint.source import Span

NEVER = "never"
DEFAULT_EXCLUDE = (
    ".git", ".hg", ".svn", ".jj", ".bzr", ".direnv", ".venv", "venv", ".tox", ".nox", ".eggs", ".cache", ".mypy_cache",
    ".pytest_cache", ".ruff_cache", ".cudalint_cache", "__pycache__", "node_modules", "site-packages", "dist-packages",
)  # fmt: skip
_SELECTORS = ("select", "ignore", "extend_select", "extend_ignore")
_ADDED = ("gpu_files", "extend_select", "extend_ignore", "extend_exclude")


@record
class IgnoreEntry:
    """An `[[ignore]]` table: `rules` say nothing about kernels whose name matches `kernel` in files matching `path`.

    `span` is its header in the configuration file.
    """

    rules: tuple[str, ...]
    reason: str
    kernel: str
    path: str
    span: Span


@record
class Config:
    """All settings of a run. `root` is the project's folder, `file` the configuration file read (None: none found).

    `gpu` empty means the default GPU of each file's language. `select` None means every rule. Names in `severity` that
    map to None are switched off. `jobs` None means one process per core. `project_gpu` is what the file says of `gpu`,
    whatever the command line says.
    """

    _: KW_ONLY
    root: Path
    file: Path | None = None
    gpu: tuple[str, ...] = ()
    project_gpu: tuple[str, ...] = ()
    gpu_files: tuple[str, ...] = ()
    assume: Mapping[str, int] = field(default_factory=dict)
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    extend_ignore: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    exclude: tuple[str, ...] = DEFAULT_EXCLUDE
    extend_exclude: tuple[str, ...] = ()
    min_severity: Severity = Severity.WARNING
    fail_on: str = Severity.WARNING.value
    severity: Mapping[str, Severity | None] = field(default_factory=dict)
    ignore_entries: tuple[IgnoreEntry, ...] = ()
    required_version: str = ""
    cache_dir: str = ""
    cache: bool = True
    jobs: int | None = None
    force_exclude: bool = False
    respect_gitignore: bool = True
    overridden: frozenset[str] = frozenset()

    def merged(self, **overrides: Any) -> "Config":
        """These settings under those of a command line; None means not given.

        `assume` and the `extend_…` lists add to what is there. `ignore` adds too, unless `select` is given: then the
        file's own selection is forgotten.
        """
        given = {name: value for name, value in overrides.items() if value is not None}
        base = replace(self, ignore=(), extend_select=(), extend_ignore=()) if "select" in given else self
        for name in (*_ADDED, "ignore"):
            if name in given:
                given[name] = (*getattr(base, name), *given[name])
        if "assume" in given:
            given["assume"] = {**base.assume, **given["assume"]}
        return replace(base, **given, overridden=self.overridden | given.keys())

    def fails(self, severity: Severity) -> bool:
        """Whether a finding of this severity makes the run fail."""
        return self.fail_on != NEVER and severity.rank >= Severity(self.fail_on).rank

    def check_names(self, known: Collection[str]) -> None:
        """Raises ConfigError, with the nearest name, for a name that is no rule and no group."""
        for key, name in self._names():
            if name not in known:
                raise ConfigError(f"{self._where(key)}: no rule or group called {name!r}{suggestion(name, known)}")

    def relative(self, path: str) -> str:
        """A path of a file as the project knows it: relative to the root with "/", links resolved."""
        return _relative(os.path.realpath(path), os.path.realpath(self.root))

    def ignored_in(self, path: str) -> frozenset[str]:
        """The rules and groups that say nothing about a file, by its path relative to the root."""
        patterns = self.per_file_ignores.items()
        return frozenset(name for pattern, names in patterns if matches(path, pattern) for name in names)

    def _names(self) -> Iterator[tuple[str, str]]:
        for key in _SELECTORS:
            yield from ((key, name) for name in getattr(self, key) or ())
        for pattern, names in self.per_file_ignores.items():
            yield from ((f"per-file-ignores.{pattern!r}", name) for name in names)
        yield from (("severity", name) for name in self.severity)

    def _where(self, key: str) -> str:
        option = key.replace("_", "-")
        return f"--{option}" if key in self.overridden or self.file is None else f"{self.file}: {option}"


def _relative(path: str, root: str) -> str:
    inside = os.path.commonpath([path, root]) == root
    return (os.path.relpath(path, root) if inside else path).replace(os.sep, "/")


def suggestion(name: str, known: Collection[str]) -> str:
    """`; did you mean …?` with the known name most like one that is not known, or nothing."""
    close = nearest(name, known, 1)
    return f"; did you mean {close[0]!r}?" if close else ""
