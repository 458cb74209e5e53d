"""From files to units: those that hold code for a GPU, those these include, and those that call their launch wrappers."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from pathlib import Path

from cudalint.cache import Cache
from cudalint.discovery import Found, display_name
from cudalint.frontends import Project, is_python, relevant
from cudalint.ir import Unit
from cudalint.pipeline.reading import Answer, Reader, Request, placed
from cudalint.pipeline.wrappers import host_functions
from cudalint.record import record

_FEW_FILES = 8
_FEW_BYTES = 200_000
_ROUNDS = 3


@record
class Loaded:
    """`units` by display name; `relevant` are the names of the files that hold code for a GPU; `context` the real paths
    of the files read besides those asked for; `includes` are the includes, each once for a folder: a file and a name.
    """

    units: dict[str, Unit]
    failures: tuple[str, ...]
    relevant: frozenset[str]
    context: tuple[str, ...]
    includes: tuple[tuple[str, str], ...]


def load(files: Sequence[Found], root: Path, *, jobs: int | None = None, cache: Cache | None = None) -> Loaded:
    """The units of the files that matter. A file that cannot be read costs a line in `failures` and nothing else.

    `jobs` None means one process for each processor; few files are read in this process whatever it says.
    """
    failures: list[str] = []
    sizes = dict(_relevant(files, failures))
    few = len(sizes) < _FEW_FILES or sum(sizes.values()) < _FEW_BYTES
    reader = Reader(Project([root], [Path(file.path) for file in files]), cache or Cache(None))
    with _pool(reader, 1 if few else jobs) as read_all:
        session = _Session(reader, read_all, {file.path: file.display for file in files})
        session.read([Request(file.path, file.display) for file in sizes])
        session.read_includes()
        session.read_callers()
    relevant_names = frozenset(file.display for file in sizes)
    return Loaded(
        session.placed_units(), (*failures, *session.failures), relevant_names, session.context(), session.includes()
    )


def _relevant(files: Iterable[Found], failures: list[str]) -> Iterator[tuple[Found, int]]:
    """The files that hold code for a GPU, with their sizes in bytes."""
    for file in files:
        try:
            data = Path(file.path).read_bytes()
        except OSError as error:
            failures.append(f"{file.display}: cannot be read: {error.strerror or error}")
            continue
        if relevant(data, file.path):
            yield file, len(data)


ReadAll = Callable[[Sequence[Request]], Iterable[Answer]]


@contextmanager
def _pool(reader: Reader, jobs: int | None) -> Iterator[ReadAll]:
    """Something that answers many requests, in this process for one job."""
    if jobs == 1:
        yield lambda requests: map(reader.read, requests)
        return
    from cudalint.pipeline.workers import Workers, cores  # noqa: PLC0415 - slow to import, for large trees only

    with Workers(reader, jobs or cores()) as workers:
        yield workers.read


Homes = dict[str, set[str]]


def _in_language(homes: Homes, *, python: bool) -> Homes:
    """The callees with those of their files that are, or are not, Python."""
    found = {name: {file for file in files if is_python(file) is python} for name, files in homes.items()}
    return {name: files for name, files in found.items() if files}


def _by_folder(homes: Homes) -> dict[str, set[str]]:
    """The callees by the folders that hold one of their files, at any depth."""
    folders: dict[str, set[str]] = {}
    for name, files in homes.items():
        for file in files:
            folder = os.path.dirname(file)  # noqa: PTH120 - strings: there are many
            while name not in folders.setdefault(folder, set()):
                folders[folder].add(name)
                folder = os.path.dirname(folder)  # noqa: PTH120 - as above
    return folders


class _Session:
    """What has been read so far, by real path. `_targets` are the real paths of what includes mean."""

    def __init__(self, reader: Reader, read_all: ReadAll, displays: dict[str, str]) -> None:
        self._reader = reader
        self._read_all = read_all
        self._displays = displays
        self._given = frozenset(displays)
        self._units: dict[str, Unit] = {}
        self._wrappers: Homes = {}
        self._unreadable: set[str] = set()
        self._targets: dict[str, str] = {}
        self._wanted: dict[str, set[str]] = {}
        self.failures: list[str] = []

    def read(self, requests: Sequence[Request]) -> None:
        """Read files, some perhaps again with more of their bodies."""
        for answer in self._read_all(requests):
            self._keep(answer)

    def read_includes(self) -> None:
        """Read the files that those read so far include, directly or not."""
        while new := self._unread_includes():
            self.read([Request(path, self._display(path), included=True) for path in new])

    def read_callers(self) -> None:
        """Read the functions that call launch wrappers, and those that call these, wherever they are."""
        known: set[str] = set()
        homes = dict(self._wrappers)
        for _ in range(_ROUNDS):
            if not homes:
                return
            known |= homes.keys()
            declared = self._with_declarations(homes)
            self.read([*self._callers_read(declared), *self._callers_unread(declared)])
            self.read_includes()
            passing = self._passers(self._with_declarations(homes))
            for name, files in self._wrappers.items():
                passing.setdefault(name, set()).update(files)
            homes = {name: files for name, files in passing.items() if name not in known and name != "main"}

    def placed_units(self) -> dict[str, Unit]:
        """The units by display name, in that order."""
        displays = {link: self._displays.get(target, "") for link, target in self._targets.items()}
        units = sorted(self._units.values(), key=lambda unit: unit.path)
        return {unit.path: placed(unit, displays) for unit in units}

    def context(self) -> tuple[str, ...]:
        """The real paths of files read that were not given."""
        return tuple(sorted(self._units.keys() - self._given))

    def includes(self) -> tuple[tuple[str, str], ...]:
        """What is included, each name once for the folder it is included from."""
        found = {
            (os.path.dirname(path), include.text): path  # noqa: PTH120 - strings: there are many
            for path, unit in self._units.items()
            for include in unit.includes
        }
        return tuple((path, text) for (_, text), path in found.items())

    def _keep(self, answer: Answer) -> None:
        request = answer.request
        if answer.failure:
            self._unreadable.add(request.path)
            self.failures.append(answer.failure)
        elif answer.holds_unit:
            unit = self._units[request.path] = self._unit(answer)
            if answer.callers:
                self._wanted.setdefault(request.path, set()).update(answer.callers)
            for name in answer.wrappers:
                self._wrappers.setdefault(name, set()).add(request.path)
            for include in unit.includes:
                if include.resolved and include.resolved not in self._targets:
                    self._targets[include.resolved] = os.path.realpath(include.resolved)

    def _unit(self, answer: Answer) -> Unit:
        """The unit of an answer; the file is read again where the bytes of a cache hold none."""
        try:
            return answer.unit()
        except Exception:  # noqa: BLE001 - a poisoned cache can hold anything
            return self._reader.without_cache().read(answer.request).unit()

    def _unread_includes(self) -> list[str]:
        return sorted(set(self._targets.values()) - self._units.keys() - self._unreadable)

    def _with_declarations(self, homes: Homes) -> Homes:
        """The files that define each callee, and those that declare it."""
        found = {name: set(files) for name, files in homes.items()}
        for path, unit in self._units.items():
            for function in unit.functions:
                if function.body is None and function.name in found:
                    found[function.name].add(path)
        return found

    def _in_sight(self, path: str, homes: Homes, names: AbstractSet[str]) -> frozenset[str]:
        """Of the callees in `names`, those that the file defines, declares, or sees declared."""
        named = names & homes.keys()
        if not named:
            return frozenset()
        seen = self._seen_from(path)
        return frozenset(name for name in named if not seen.isdisjoint(homes[name]))

    def _passers(self, homes: Homes) -> Homes:
        """The host functions with parameters that call one of the callees, and where they are."""
        found: Homes = {}
        for path, unit in self._units.items():
            for function in host_functions(unit):
                if self._in_sight(path, homes, function.calls):
                    found.setdefault(function.name, set()).add(path)
        return found

    def _callers_read(self, homes: Homes) -> list[Request]:
        """Files with callers whose bodies were left out, to be read again with those, and those of earlier rounds."""
        requests = []
        for path, unit in self._units.items():
            skipped = [function for function in unit.functions if "skipped" in function.kinds]
            callers = {function.name for function in skipped if self._in_sight(path, homes, function.calls)}
            if callers:
                wanted = self._wanted.setdefault(path, set())
                wanted |= callers
                requests.append(Request(path, unit.path, wanted=frozenset(wanted)))
        return requests

    def _seen_from(self, path: str) -> set[str]:
        """A file and all it includes, as far as they were read."""
        seen, queue = {path}, [path]
        for current in queue:
            unit = self._units.get(current)
            for include in unit.includes if unit is not None else ():
                target = self._targets.get(include.resolved, "")
                if target and target not in seen:
                    seen.add(target)
                    queue.append(target)
        return seen

    def _callers_unread(self, homes: Homes) -> list[Request]:
        """Files without code for a GPU, in the folder of a callee or in one that holds it."""
        requests = []
        folders = {python: _by_folder(_in_language(homes, python=python)) for python in (True, False)}
        for path in sorted(self._given - self._units.keys() - self._unreadable):
            folder = os.path.dirname(path)  # noqa: PTH120 - strings: there are many
            callees = folders[is_python(path)].get(folder)
            if callees:
                requests.append(Request(path, self._displays[path], frozenset(callees)))
        return requests

    def _display(self, path: str) -> str:
        if path not in self._displays:
            self._displays[path] = display_name(path)
        return self._displays[path]
