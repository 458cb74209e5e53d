# ruff: noqa: PTH100, PTH109, PTH110, PTH112, PTH113, PTH114, PTH117, PTH118, PTH119, PTH122, PTH206 - fast
"""From paths to the files to read.

In a git work tree git itself says which files belong to the project; elsewhere the folders are walked and their
`.gitignore` files obeyed.
"""

import os
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from cudalint.config import Config
from cudalint.errors import SourceError
from cudalint.pattern import matches_any
from cudalint.record import record

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

SUFFIXES = frozenset(
    (".cu", ".cuh", ".hip", ".hiph", ".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx", ".inl", ".py")
)  # fmt: skip
_GIT_SECONDS = 60


@record
class Found:
    """A file to read: its real path, and the name people know it by (relative to the current folder where it is below)."""

    path: str
    display: str


def discover(paths: Sequence[str | os.PathLike[str]], config: Config) -> list[Found]:
    """The source files at and below `paths`, each once, in order of display name.

    A file named explicitly is taken whatever its suffix, and even where the settings exclude it (unless `force_exclude`).
    Raises SourceError naming a path that does not exist.
    """
    excluded = _Excluded(config)
    found: dict[str, str] = {}
    for given in [os.fspath(path) for path in paths]:
        for path in _expand(given, config, excluded):
            real = _real(path)
            if real not in found:
                found[real] = display_name(path)
    return sorted((Found(real, display) for real, display in found.items()), key=lambda file: file.display)


class _Excluded:
    """The exclusions of the settings.

    A folder given explicitly is entered whatever it is called, so a plain name counts only below it; a glob is compared
    with the path relative to the project root, or with the bare name outside of it.
    """

    def __init__(self, config: Config) -> None:
        self._root = os.path.join(os.path.realpath(config.root), "")
        plain = [pattern.rstrip("/") for pattern in (*config.exclude, *config.extend_exclude)]
        self._names = frozenset(name for name in plain if not set(name) & set("*?[/"))
        self._globs = tuple(name for name in plain if name not in self._names)

    def __call__(self, path: str, below: str) -> bool:
        parts = path.removeprefix(below)
        if not self._names.isdisjoint(parts.split(os.sep)):
            return True
        return bool(self._globs) and matches_any(self._relative(os.path.abspath(path)), self._globs)

    def explicit(self, path: str) -> bool:
        """Whether a file given by name is excluded when exclusions are forced."""
        relative = self._relative(os.path.realpath(path))
        return not self._names.isdisjoint(relative.split(os.sep)) or matches_any(relative, self._globs)

    def _relative(self, absolute: str) -> str:
        inside = absolute.startswith(self._root)
        return absolute[len(self._root) :].replace(os.sep, "/") if inside else os.path.basename(absolute)


def _expand(given: str, config: Config, excluded: _Excluded) -> Iterator[str]:
    if os.path.isfile(given):
        if not (config.force_exclude and excluded.explicit(given)):
            yield given
    elif os.path.isdir(given):
        below = "" if given == os.curdir else given
        listed = _git_files(given) if config.respect_gitignore else []
        candidates = listed or _walk(given, excluded, obey=config.respect_gitignore)
        yield from (path for path in candidates if _is_source(path) and not excluded(path, below))
    else:
        raise SourceError(f"{given}: no such file or folder")


def _is_source(path: str) -> bool:
    return _has_suffix(path) and os.path.isfile(path)


def _has_suffix(path: str) -> bool:
    return os.path.splitext(path)[1].lower() in SUFFIXES


def _git_files(folder: str) -> list[str]:
    """What git tracks or would track below a folder, in nested work trees too; nothing outside a work tree."""
    if not _in_work_tree(folder):
        return []
    import subprocess  # noqa: PLC0415 - files given by name need no git

    command = ["git", "-C", folder, "ls-files", "-co", "--exclude-standard", "-z"]
    try:
        done = subprocess.run(command, capture_output=True, check=True, timeout=_GIT_SECONDS)  # noqa: S603 - no shell
    except (OSError, subprocess.SubprocessError):
        return []
    names = [os.fsdecode(name) for name in done.stdout.split(b"\0") if name]
    paths = [name if folder == os.curdir else os.path.join(folder, name) for name in names]
    nested = [path for path in paths if not os.path.splitext(path)[1] and os.path.exists(os.path.join(path, ".git"))]
    return paths + [inner for path in nested for inner in _git_files(path.rstrip(os.sep))]


def _in_work_tree(folder: str) -> bool:
    here = Path(folder).resolve()
    return any((parent / ".git").exists() for parent in (here, *here.parents))


def _walk(folder: str, excluded: _Excluded, *, obey: bool) -> Iterator[str]:
    """All source files below a folder. A folder reached a second time, through a link, is not entered again."""
    below = "" if folder == os.curdir else folder
    entered: set[str] = set()
    pending: list[tuple[str, tuple[_IgnoreFile, ...]]] = [(folder, ())]
    while pending:
        current, ignores = pending.pop()
        real = os.path.realpath(current)
        if real in entered:
            continue
        entered.add(real)
        ignores = _with_ignore_file(current, ignores) if obey else ignores
        for entry in _entries(current):
            is_folder = entry.is_dir()
            path = entry.name if current == os.curdir else entry.path
            if not is_folder and not _has_suffix(path):
                continue
            if any(ignore.hides(path, is_folder=is_folder) for ignore in ignores):
                continue
            if not is_folder:
                yield path
            elif not excluded(path, below):
                pending.append((path, ignores))


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return []


@record
class _IgnoreFile:
    folder: str
    spec: "GitIgnoreSpec"

    def hides(self, path: str, *, is_folder: bool) -> bool:
        relative = os.path.relpath(path, self.folder).replace(os.sep, "/")
        return self.spec.match_file(relative + "/" if is_folder else relative)


def _with_ignore_file(folder: str, ignores: tuple[_IgnoreFile, ...]) -> tuple[_IgnoreFile, ...]:
    try:
        lines = Path(folder, ".gitignore").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ignores
    from pathspec import GitIgnoreSpec  # noqa: PLC0415 - slow to import and seldom needed

    return (*ignores, _IgnoreFile(folder, GitIgnoreSpec.from_lines(lines)))


def _real(path: str) -> str:
    folder, name = os.path.split(path)
    return os.path.realpath(path) if os.path.islink(path) else os.path.join(_real_folder(folder, os.getcwd()), name)


@lru_cache(maxsize=1024)
def _real_folder(folder: str, current: str) -> str:
    return os.path.realpath(os.path.join(current, folder))


def display_name(path: str) -> str:
    """The name people are told: relative to the current folder where the path lies below it or was given relative."""
    folder, name = os.path.split(path)
    return os.path.join(_display_folder(folder, os.getcwd()), name)


@lru_cache(maxsize=1024)
def _display_folder(folder: str, current: str) -> str:
    absolute = os.path.normpath(os.path.join(current, folder))
    relative = os.path.relpath(absolute, current)
    if relative == os.curdir:
        return ""
    return absolute if os.path.isabs(folder) and relative.startswith(os.pardir) else relative
