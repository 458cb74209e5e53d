"""Glob patterns over the files of a project, as the configuration writes them.

Paths are relative to the project root and use "/". A `*` crosses "/", a pattern also matches everything below a folder
it names, and a pattern without "/" matches a file or a folder of that name at any depth.
"""

import re
from collections.abc import Iterable
from functools import lru_cache


@lru_cache(maxsize=4096)
def _compiled(pattern: str) -> re.Pattern[str]:
    import fnmatch  # noqa: PLC0415 - most runs have no pattern

    return re.compile(fnmatch.translate(pattern.strip("/").removeprefix("./").replace("**/", "*") or "*"))


def matches(path: str, pattern: str) -> bool:
    """Whether a pattern names the file at `path` or a folder that holds it."""
    compiled = _compiled(pattern)
    parts = path.split("/")
    folders = ("/".join(parts[:count]) for count in range(len(parts), 0, -1))
    if any(compiled.match(folder) for folder in folders):
        return True
    return "/" not in pattern.strip("/") and any(compiled.match(part) for part in parts)


def matches_any(path: str, patterns: Iterable[str]) -> bool:
    """Whether any of the patterns names the file or a folder that holds it."""
    return any(matches(path, pattern) for pattern in patterns)
