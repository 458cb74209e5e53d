"""Finding and reading the configuration file: `cudalint.toml`, `.cudalint.toml` or `[tool.cudalint]` of `pyproject.toml`.

`ignore` may be a list of rules and groups, or (`[[ignore]]`) a list of tables for launches no comment can reach; a file
with such tables names rules to leave out in `extend-ignore`.
"""

import operator
import os
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from cudalint.config.integer import integer
from cudalint.config.settings import NEVER, Config, IgnoreEntry, suggestion
from cudalint.errors import ConfigError
from cudalint.rule import Severity
from cudalint.source import Span
from cudalint.version import VERSION

_NAMES = ("cudalint.toml", ".cudalint.toml", "pyproject.toml")
_OFF = "off"
_ENTRY_KEYS = {"kernel", "rules", "reason", "path"}
_ENTRY_HEADER = re.compile(r"\s*\[\[\s*(?:tool\.cudalint\.)?ignore\s*\]\]")
_BOUND = re.compile(r"(==|!=|>=|<=|>|<)?\s*(\d+(?:\.\d+)*)")
_COMPARE: dict[str, Callable[[tuple[int, ...], tuple[int, ...]], bool]] = {
    "": operator.eq, "==": operator.eq, "!=": operator.ne,
    ">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt,
}  # fmt: skip


def load_config(
    paths: Iterable[str | os.PathLike[str]] = (), *, file: Path | None = None, isolated: bool = False
) -> Config:
    """The settings for a run over `paths`: those of the nearest file at or above the first path.

    `file` is read instead where given; `isolated` reads none. The project root is the folder of the file, else the
    nearest folder above that is under version control, else the current folder where it holds the path, else the path's.
    Raises ConfigError naming the file and the key that is wrong.
    """
    first = Path(next(iter(paths), os.curdir)).resolve()
    folder = first if first.is_dir() else first.parent
    if isolated:
        return Config(root=_project_root(folder))
    if file is not None:
        return read_config(file, file.absolute().parent, required=True)
    for candidate in (parent / name for parent in (folder, *folder.parents) for name in _NAMES):
        if candidate.is_file() and (candidate.name != "pyproject.toml" or b"tool.cudalint" in candidate.read_bytes()):
            return read_config(candidate, candidate.parent)
    return Config(root=_project_root(folder))


def _project_root(folder: Path) -> Path:
    for parent in (folder, *folder.parents):
        if (parent / ".git").exists():
            return parent
    current = Path.cwd()
    return current if folder.is_relative_to(current) else folder


def read_config(path: Path, root: Path, *, required: bool = False) -> Config:
    """The settings one file holds. Raises ConfigError where it cannot be read or says what cannot be meant."""
    try:
        text = path.read_text(encoding="utf-8")
        table = tomllib.loads(text)
    except OSError as error:
        raise ConfigError(f"{_shown(path)}: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{_shown(path)}: not TOML: {error}") from error
    if path.name == "pyproject.toml":
        table = table.get("tool", {}).get("cudalint", {})
        if required and not table:
            raise ConfigError(f"{_shown(path)}: has no [tool.cudalint]")
    return _Reader(path, text).config(table, root)


class _Reader:
    """Turns the tables of one file into settings; every complaint names the file and the key."""

    def __init__(self, path: Path, text: str) -> None:
        self._path = path
        self._shown = _shown(path)
        self._text = text

    def config(self, table: Mapping[str, Any], root: Path) -> Config:
        values: dict[str, Any] = {}
        for key, value in table.items():
            if key not in _KEYS:
                raise self._fault(key, f"unknown key{suggestion(key, _KEYS)}")
            name, read = _KEYS[key]
            values[name] = read(self, key, value)
        ignore, entries = values.pop("ignore", ((), ()))
        values["project_gpu"] = values.get("gpu", ())
        values["gpu_files"] = tuple(str(root / file) for file in values.get("gpu_files", ()))
        config = Config(root=root, file=Path(self._shown), ignore=ignore, ignore_entries=entries, **values)
        self._check_version(config.required_version)
        return config

    def _fault(self, key: str, message: str) -> ConfigError:
        return ConfigError(f"{self._shown}: {key}: {message}")

    def text(self, key: str, value: object) -> str:
        if not isinstance(value, str):
            raise self._fault(key, f"must be a string, not {value!r}")
        return value

    def texts(self, key: str, value: object) -> tuple[str, ...]:
        items = [value] if isinstance(value, str) else value
        if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
            raise self._fault(key, f"must be a list of strings, not {value!r}")
        return tuple(items)

    def _table(self, key: str, value: object) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise self._fault(key, f"must be a table, not {value!r}")
        return value

    def numbers(self, key: str, value: object) -> dict[str, int]:
        return {name: self._number(f"{key}.{name}", item) for name, item in self._table(key, value).items()}

    def _number(self, key: str, value: object) -> int:
        if isinstance(value, str):
            try:
                return integer(value)
            except ConfigError as error:
                raise self._fault(key, str(error)) from error
        if not isinstance(value, int) or isinstance(value, bool):
            raise self._fault(key, f"must be a whole number, not {value!r}")
        return value

    def patterns(self, key: str, value: object) -> dict[str, tuple[str, ...]]:
        return {name: self.texts(f"{key}.{name}", item) for name, item in self._table(key, value).items()}

    def _one_of(self, key: str, value: object, choices: Iterable[str]) -> str:
        known = list(choices)
        if value not in known:
            raise self._fault(key, f"must be one of {', '.join(known)}, not {value!r}")
        return str(value)

    def severity(self, key: str, value: object) -> Severity:
        return Severity(self._one_of(key, value, Severity))

    def fail_on(self, key: str, value: object) -> str:
        return self._one_of(key, value, (*Severity, NEVER))

    def severities(self, key: str, value: object) -> dict[str, Severity | None]:
        read: dict[str, Severity | None] = {}
        for name, item in self._table(key, value).items():
            level = self._one_of(f"{key}.{name}", item, (*Severity, _OFF))
            read[name] = None if level == _OFF else Severity(level)
        return read

    def ignores(self, key: str, value: object) -> tuple[tuple[str, ...], tuple[IgnoreEntry, ...]]:
        if not isinstance(value, list):
            return self.texts(key, value), ()
        tables = [item for item in value if isinstance(item, dict)]
        names = self.texts(key, [item for item in value if not isinstance(item, dict)])
        lines = [number for number, line in enumerate(self._text.splitlines(), 1) if _ENTRY_HEADER.match(line)]
        lines += [1] * (len(tables) - len(lines))
        return names, tuple(self._entry(table, line) for table, line in zip(tables, lines, strict=False))

    def _entry(self, table: Mapping[str, Any], line: int) -> IgnoreEntry:
        for key in table:
            if key not in _ENTRY_KEYS:
                raise self._fault(f"ignore.{key}", f"unknown key{suggestion(key, _ENTRY_KEYS)}")
        kernel, path = (self.text(f"ignore.{key}", table.get(key, "*")) for key in ("kernel", "path"))
        rules = self.texts("ignore.rules", table.get("rules", []))
        if not rules:
            raise self._fault("ignore.rules", "missing: an entry names the rules it silences")
        if "kernel" not in table and "path" not in table:
            raise self._fault("ignore", "an entry needs a kernel or a path; to leave a rule out use extend-ignore")
        header = self._text.splitlines()[line - 1]
        span = Span(self._shown, line, 1, line, len(header) + 1)
        return IgnoreEntry(rules, self.text("ignore.reason", table.get("reason", "")), kernel, path, span)

    def _check_version(self, required: str) -> None:
        for bound in filter(None, (part.strip() for part in required.split(","))):
            match = _BOUND.fullmatch(bound)
            if match is None:
                raise self._fault("required-version", f"{bound!r} is not a version such as '>=0.1'")
            if not _COMPARE[match[1] or ""](_release(VERSION), _release(match[2])):
                raise self._fault("required-version", f"this is cudalint {VERSION}, the project asks for {required}")


def _release(version: str) -> tuple[int, ...]:
    parts = [int(part) for part in version.split(".")]
    return tuple(parts + [0] * (3 - len(parts)))


def _shown(path: Path) -> str:
    """A path as people are told it: relative to the current folder where it lies below."""
    current = Path.cwd()
    absolute = path.absolute()
    return str(absolute.relative_to(current)) if absolute.is_relative_to(current) else str(path)


_KEYS: dict[str, tuple[str, Callable[[_Reader, str, object], Any]]] = {
    "gpu": ("gpu", _Reader.texts),
    "gpu-files": ("gpu_files", _Reader.texts),
    "assume": ("assume", _Reader.numbers),
    "select": ("select", _Reader.texts),
    "ignore": ("ignore", _Reader.ignores),
    "extend-select": ("extend_select", _Reader.texts),
    "extend-ignore": ("extend_ignore", _Reader.texts),
    "per-file-ignores": ("per_file_ignores", _Reader.patterns),
    "exclude": ("exclude", _Reader.texts),
    "extend-exclude": ("extend_exclude", _Reader.texts),
    "min-severity": ("min_severity", _Reader.severity),
    "fail-on": ("fail_on", _Reader.fail_on),
    "severity": ("severity", _Reader.severities),
    "required-version": ("required_version", _Reader.text),
    "cache-dir": ("cache_dir", _Reader.text),
}
