"""The files of a project, which of them an `#include` means, and what their macros are."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from cudalint.frontends.cuda_syntax.decoding import decode
from cudalint.frontends.cuda_syntax.defines import Directives, IncludeLine, read_directives
from cudalint.frontends.cuda_syntax.preprocessor import MacroTable

_FOLDERS = ("include", "inc", "includes", "common", "Common", "Common/include", "common/inc", "src")
_MOST_FILES = 400
_MOST_BYTES = 4 << 20


class Project:
    """The source files known, and how they include one another.

    `roots` are the folders nothing is looked for outside of, except by a relative include; `files` all files discovered.
    Pickles without what it has cached.
    """

    def __init__(self, roots: Iterable[Path] = (), files: Iterable[Path] = ()) -> None:
        self.roots = tuple(os.path.abspath(root) for root in roots)
        self.files = frozenset(os.path.abspath(file) for file in files)
        self._clear()

    def _clear(self) -> None:
        self._by_name: dict[str, list[str]] | None = None
        self._is_file: dict[str, bool] = {}
        self._is_folder: dict[str, bool] = {}
        self._resolved: dict[tuple[str, IncludeLine], str] = {}
        self._directives: dict[str, Directives] = {}

    def __getstate__(self) -> dict[str, Any]:
        return {"roots": self.roots, "files": self.files}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._clear()

    def resolve(self, including: Path | str, line: IncludeLine) -> str:
        """The path of the file that `line`, standing in `including`, means; "" where none is known.

        Looked for beside the including file (also by a relative path that leaves the project), in the roots, in the
        usual include folders of the file's ancestors up to its root, then as the one discovered file so named.
        """
        folder = os.path.dirname(os.path.abspath(including))
        key = (folder, line)
        if key not in self._resolved:
            self._resolved[key] = next(self._candidates(folder, line), "")
        return self._resolved[key]

    def macros(self, path: Path | str, own: Directives) -> MacroTable:
        """The macros that the file at `path`, whose own lines are `own`, can see: its own, then those of its includes."""
        start = os.path.abspath(path)
        seen = {start}
        found = [own]
        pending = [(start, own)]
        while pending and len(found) < _MOST_FILES:
            including, directives = pending.pop(0)
            for line in directives.includes:
                target = self.resolve(including, line)
                if target and target not in seen:
                    seen.add(target)
                    inner = self.directives(target)
                    found.append(inner)
                    pending.append((target, inner))
        return MacroTable(found)

    def directives(self, path: str) -> Directives:
        """The preprocessor lines of the file at `path`; none where it cannot be read."""
        if path not in self._directives:
            self._directives[path] = read_directives(_content(path), path)
        return self._directives[path]

    def _candidates(self, folder: str, line: IncludeLine) -> Iterator[str]:
        if os.path.isabs(line.name):
            return
        beside = os.path.normpath(os.path.join(folder, line.name))
        if (line.quoted or self._inside(beside)) and self._exists(beside):
            yield beside
        for base in self._bases(folder):
            path = os.path.normpath(os.path.join(base, line.name))
            if self._inside(path) and self._exists(path):
                yield path
        yield from self._by_suffix(line.name)

    def _bases(self, folder: str) -> Iterator[str]:
        yield from self.roots
        while self._inside(folder):
            for name in ("", *_FOLDERS):
                base = os.path.join(folder, name) if name else folder
                if self._exists_folder(base):
                    yield base
            folder = os.path.dirname(folder)

    def _by_suffix(self, name: str) -> Iterator[str]:
        if self._by_name is None:
            self._by_name = {}
            for file in sorted(self.files):
                self._by_name.setdefault(os.path.basename(file), []).append(file)
        wanted = [part for part in name.split("/") if part not in {".", ".."}]
        suffix = os.sep + os.path.join(*wanted) if wanted else os.sep
        matches = [file for file in self._by_name.get(wanted[-1] if wanted else "", ()) if file.endswith(suffix)]
        if len(matches) == 1:
            yield matches[0]

    def _inside(self, path: str) -> bool:
        return any(path == root or path.startswith(root.rstrip(os.sep) + os.sep) for root in self.roots)

    def _exists(self, path: str) -> bool:
        if path in self.files:
            return True
        if path not in self._is_file:
            self._is_file[path] = self._exists_folder(os.path.dirname(path)) and os.path.isfile(path)
        return self._is_file[path]

    def _exists_folder(self, path: str) -> bool:
        if path not in self._is_folder:
            self._is_folder[path] = os.path.isdir(path)
        return self._is_folder[path]


def _content(path: str) -> bytes:
    try:
        if os.path.getsize(path) > _MOST_BYTES:
            return b""
        with open(path, "rb") as file:
            return decode(file.read()) or b""
    except OSError:
        return b""
