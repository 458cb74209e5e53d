"""Results of earlier runs, kept in a folder of the project.

An entry is trusted for nothing: a repository may ship a poisoned cache. It is unpickled by a reader that builds only the
plain records of the program, and whatever is wrong with it (truncated, foreign, unreadable) makes it a miss.
"""

import importlib
import io
import os
import pickle
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import cache
from operator import attrgetter
from pathlib import Path
from time import time
from types import ModuleType
from typing import Any, NoReturn

from cudalint import report, rule, source
from cudalint.digest import digest
from cudalint.ir import expr, stmt, unit
from cudalint.version import VERSION

FOLDER = ".cudalint_cache"
_MAGIC = b"cudalint cache 1\n"
_DIGEST = 32
_TAG = "Signature: 8a477f597d28d172789f06886806bc55\n# This folder holds results cudalint can compute again.\n"
_KEPT_DAYS = 30
_SECONDS_A_DAY = 86_400
_MOST_BYTES = 1 << 30
_PICKLE = 5

_MODULES = (expr, stmt, unit, report)
_OTHERS = (rule.Severity, rule.Confidence, rule.Fact, rule.Related, source.Span)


@cache
def _admitted() -> dict[tuple[str, str], type]:
    found = [value for module in _MODULES for value in _records(module)]
    return {(record.__module__, record.__qualname__): record for record in (*found, *_OTHERS)}


def _records(module: ModuleType) -> list[type]:
    own = [value for value in vars(module).values() if isinstance(value, type) and value.__module__ == module.__name__]
    return [value for value in own if is_dataclass(value)]


class _Unpickler(pickle.Unpickler):
    """Builds the records of the program and nothing else."""

    def find_class(self, module_name: str, global_name: str, /) -> type:
        try:
            return _admitted()[module_name, global_name]
        except KeyError:
            raise pickle.UnpicklingError(f"{module_name}.{global_name} is not admitted") from None

    def persistent_load(self, _pid: Any, /) -> NoReturn:
        raise pickle.UnpicklingError("persistent objects are not admitted")


class _Pickler(pickle.Pickler):
    """Writes records as calls of their class, faster than they would themselves."""

    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file, _PICKLE)
        self.dispatch_table = _reducers()


@cache
def _reducers() -> dict[type, Callable[[Any], tuple[Any, ...]]]:
    return {record: _reducer(record) for record in _admitted().values() if is_dataclass(record)}


def _reducer(record: type) -> Callable[[Any], tuple[Any, ...]]:
    names = [part.name for part in fields(record) if part.init]
    if len(names) < 2:
        return lambda value: (record, tuple(getattr(value, name) for name in names))
    parts = attrgetter(*names)  # of one name it would give no tuple
    return lambda value: (record, parts(value))


def pack(value: object) -> bytes:
    """A value made of the program's records, as bytes."""
    file = io.BytesIO()
    _Pickler(file).dump(value)
    return file.getvalue()


def unpack(data: bytes) -> Any:
    """The value again. Raises pickle.UnpicklingError, or nearly anything else, for bytes `pack` did not make."""
    return _Unpickler(io.BytesIO(data)).load()


class Cache:
    """Entries by key. `folder` None keeps nothing. No method ever raises."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    @property
    def enabled(self) -> bool:
        return self._folder is not None

    def get(self, key: str) -> Any:
        """What was kept under a key, None where there is nothing that can be used."""
        if self._folder is None:
            return None
        try:
            data = self._path(key).read_bytes()
            payload = data[len(_MAGIC) + _DIGEST :]
            if data[: len(_MAGIC)] != _MAGIC or data[len(_MAGIC) : len(_MAGIC) + _DIGEST] != _digest(payload):
                return None
            return unpack(payload)
        except Exception:  # noqa: BLE001 - hostile bytes can raise anything
            return None

    def put(self, key: str, value: object) -> None:
        """Keep a value. Another run doing so at the same time does no harm: entries appear whole."""
        if self._folder is None:
            return
        try:
            payload = pack(value)
            path = self._path(key)
            self._make(path.parent)
            whole = path.with_name(f"{path.name}.{os.getpid()}")
            whole.write_bytes(_MAGIC + _digest(payload) + payload)
            whole.replace(path)
        except (OSError, pickle.PicklingError, RecursionError):
            return

    def prune(self) -> None:
        """Forget what has not been written for a month, and the oldest entries past a gigabyte."""
        if self._folder is None:
            return
        with suppress(OSError):
            entries = sorted((_age(path) for path in self._folder.glob("[0-9a-f][0-9a-f]/*")), reverse=True)
            total, oldest = 0, time() - _KEPT_DAYS * _SECONDS_A_DAY
            for modified, size, path in entries:
                total += size
                if total > _MOST_BYTES or modified < oldest:
                    path.unlink(missing_ok=True)

    def _path(self, key: str) -> Path:
        assert self._folder is not None
        return self._folder / key[:2] / key[2:]

    def _make(self, folder: Path) -> None:
        assert self._folder is not None
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in (("CACHEDIR.TAG", _TAG), (".gitignore", "*\n")):
            if not (self._folder / name).exists():
                (self._folder / name).write_text(text, encoding="utf-8")


def _digest(payload: bytes) -> bytes:
    return digest(payload)[:_DIGEST].encode()


def _age(path: Path) -> tuple[float, int, Path]:
    state = path.stat()
    return state.st_mtime, state.st_size, path


def key_of(*parts: object) -> str:
    """A key for everything an entry depends on. The program itself is always part of it."""
    return digest("\0".join((VERSION, program_stamp(), *map(str, parts))))


@cache
def program_stamp() -> str:
    """Changes whenever a file of the program, a rule or a hardware profile does."""
    roots = [
        importlib.import_module(name).__path__[0] for name in ("cudalint", "cudalint.rules", "cudalint.hw_profiles")
    ]
    files = {
        os.path.join(folder, name)  # noqa: PTH118 - some hundred strings, at every start
        for root in roots
        for folder, _, names in os.walk(root)
        for name in names
        if name.endswith((".py", ".toml"))
    }
    return stamp(sorted(files))


def stamp(files: Iterable[str]) -> str:
    """Changes whenever one of the files does: its path, size or time of change. A missing file counts too."""
    return digest("\0".join(map(_state, files)))


def _state(file: str) -> str:
    try:
        state = os.stat(file)  # noqa: PTH116 - as above
    except OSError:
        return f"{file}\0none"
    return f"{file}\0{state.st_size}\0{state.st_mtime_ns}"
