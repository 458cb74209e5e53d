"""Strict reading of one TOML table: every key is asked for, nothing is guessed, an error names the file and the key."""

import itertools
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from cudalint.errors import ProfileError


def read(path: Path) -> "Table":
    """Parses a file. Raises ProfileError where it cannot be read or is not TOML."""
    try:
        return Table(tomllib.loads(path.read_text(encoding="utf-8")), path, "")
    except OSError as error:
        raise ProfileError(f"{path}: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ProfileError(f"{path}: not TOML: {error}") from error


def nearest(name: str, known: Iterable[str], count: int) -> list[str]:
    """The known names most like one that is not known."""
    import difflib  # noqa: PLC0415 - only errors need it

    return difflib.get_close_matches(name, list(known), n=count, cutoff=0.5)


class Table:
    """A table whose keys are taken one by one; `finish` complains about those nobody asked for."""

    def __init__(self, values: Mapping[str, Any], path: Path, prefix: str) -> None:
        self._values = values
        self._path = path
        self._prefix = prefix
        self._asked: list[str] = []

    def fault(self, key: str, message: str) -> ProfileError:
        """An error about one key, for the caller to raise."""
        return ProfileError(f"{self._path}: {self._prefix}{key}: {message}")

    def has(self, key: str) -> bool:
        if key not in self._values:
            self._asked.append(key)
            return False
        return True

    def _take(self, key: str) -> Any:
        self._asked.append(key)
        if key not in self._values:
            raise self.fault(key, f"missing{self._nearest(key, [k for k in self._values if k not in self._asked])}")
        return self._values[key]

    def text(self, key: str) -> str:
        value = self._take(key)
        if not isinstance(value, str) or not value.strip():
            raise self.fault(key, f"must be text, not {value!r}")
        return value

    def choice(self, key: str, allowed: tuple[str, ...]) -> str:
        value = self.text(key)
        if value not in allowed:
            raise self.fault(key, f"must be one of {', '.join(allowed)}, not {value!r}")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        value = self._take(key)
        if not isinstance(value, list) or not all(isinstance(entry, str) and entry.strip() for entry in value):
            raise self.fault(key, f"must be a list of texts, not {value!r}")
        return tuple(value)

    def integer(self, key: str, *, low: int = 1, unit: int = 1) -> int:
        """A whole number of at least `low` that is a multiple of `unit`."""
        return self._whole(key, self._take(key), low, unit)

    def integers(self, key: str, *, length: int | None = None, low: int = 1) -> tuple[int, ...]:
        """A list of whole numbers of at least `low`."""
        value = self._take(key)
        if not isinstance(value, list) or (length is not None and len(value) != length):
            raise self.fault(key, f"must be a list of {length or 'whole'} numbers, not {value!r}")
        return tuple(self._whole(key, entry, low, 1) for entry in value)

    def pairs(self, key: str) -> tuple[tuple[int, int], ...]:
        """A list of pairs of whole numbers, ascending by the first."""
        value = self._take(key)
        if not isinstance(value, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in value):
            raise self.fault(key, f"must be a list of pairs, not {value!r}")
        pairs = tuple((self._whole(key, first, 1, 1), self._whole(key, second, 1, 1)) for first, second in value)
        if any(later[0] <= earlier[0] for earlier, later in itertools.pairwise(pairs)):
            raise self.fault(key, "must be ascending")
        return pairs

    def number(self, key: str, low: float, high: float) -> float:
        """A number inside what its unit makes plausible: a clock of 1.98 is not in MHz."""
        value = self._take(key)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.fault(key, f"must be a number, not {value!r}")
        if not low <= value <= high:
            raise self.fault(key, f"{value} is not between {low:g} and {high:g}: wrong unit?")
        return float(value)

    def flag(self, key: str) -> bool:
        value = self._take(key)
        if not isinstance(value, bool):
            raise self.fault(key, f"must be true or false, not {value!r}")
        return value

    def integer_or(self, key: str, allowed: tuple[str, ...]) -> int | str:
        """A whole number of at least -1, or one of some words."""
        if isinstance(self._values.get(key), str):
            return self.choice(key, allowed)
        return self.integer(key, low=-1)

    def keys(self) -> tuple[str, ...]:
        """The keys that are there, for a table whose keys are names."""
        return tuple(self._values)

    def tables(self, key: str) -> tuple["Table", ...]:
        """A list of tables."""
        value = self._take(key)
        if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
            raise self.fault(key, "must be a list of tables")
        return tuple(Table(entry, self._path, f"{self._prefix}{key}[{i}].") for i, entry in enumerate(value))

    def table(self, key: str) -> "Table":
        value = self._take(key)
        if not isinstance(value, dict):
            raise self.fault(key, f"must be a table, not {value!r}")
        return Table(value, self._path, f"{self._prefix}{key}.")

    def finish(self) -> None:
        """Raises ProfileError for a key nobody asked for."""
        for key in self._values:
            if key not in self._asked:
                wanted = [name for name in self._asked if name not in self._values]
                raise self.fault(key, f"unknown key{self._nearest(key, wanted)}")

    def _whole(self, key: str, value: Any, low: int, unit: int) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.fault(key, f"must be a whole number, not {value!r}")
        if value < low:
            raise self.fault(key, f"{value} is below {low}")
        if value % unit:
            raise self.fault(key, f"{value} is not a multiple of {unit}: wrong unit?")
        return value

    @staticmethod
    def _nearest(key: str, names: list[str]) -> str:
        close = nearest(key, names, 1)
        return f" (did you mean {close[0]}?)" if close else ""
