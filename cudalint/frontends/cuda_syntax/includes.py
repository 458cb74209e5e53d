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
        self._names: dict[str, frozenset[str]] = {}
        self._looked_in: dict[str, tuple[str, ...]] = {}
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
        self._directives[start] = own
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
        name = os.path.normpath(line.name)
        if os.path.isabs(name):
            return
        first = name.partition(os.sep)[0]
        if first in self._listed(folder) or first == os.pardir:
            beside = os.path.normpath(os.path.join(folder, name))
            if (line.quoted or self._inside(beside)) and self._exists(beside):
                yield beside
        for base in self._bases(folder):
            if first in self._listed(base) and self._exists(path := os.path.join(base, name)) and self._inside(path):
                yield path
        yield from self._by_suffix(name)

    def _bases(self, folder: str) -> tuple[str, ...]:
        """The folders of the project in which a file of `folder` may look for its includes, in order."""
        known = self._looked_in.get(folder)
        if known is None:
            above = os.path.dirname(folder)
            if not self._inside(folder):
                return self.roots
            here = tuple(os.path.join(folder, name) for name in _FOLDERS if self._listed(os.path.join(folder, name)))
            outer = self._bases(above) if above != folder else self.roots
            rest = outer[len(self.roots) :]
            known = self._looked_in[folder] = (*self.roots, folder, *here, *rest)
        return known

    def _by_suffix(self, name: str) -> Iterator[str]:
        if self._by_name is None:
            self._by_name = {}
            for file in sorted(self.files):
                self._by_name.setdefault(os.path.basename(file), []).append(file)
        while name.startswith(os.pardir + os.sep):
            name = name[len(os.pardir + os.sep) :]
        matches = [file for file in self._by_name.get(os.path.basename(name), ()) if file.endswith(os.sep + name)]
        if len(matches) == 1:
            yield matches[0]

    def _inside(self, path: str) -> bool:
        return any(path == root or path.startswith(root.rstrip(os.sep) + os.sep) for root in self.roots)

    def _exists(self, path: str) -> bool:
        if path in self.files:
            return True
        if path not in self._is_file:
            self._is_file[path] = os.path.isfile(path)
        return self._is_file[path]

    def _listed(self, folder: str) -> frozenset[str]:
        """The names in a folder; none where there is no such folder."""
        names = self._names.get(folder)
        if names is None:
            try:
                names = frozenset(os.listdir(folder))
            except OSError:
                names = frozenset()
            self._names[folder] = names
        return names


def _content(path: str) -> bytes:
    try:
        if os.path.getsize(path) > _MOST_BYTES:
            return b""
        with open(path, "rb") as file:
            return decode(file.read()) or b""
    except OSError:
        return b""
