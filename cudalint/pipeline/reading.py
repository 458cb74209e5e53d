"""Reading one file, from the cache where that is sound, without ever raising."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from cudalint.cache import Cache, key_of, pack, unpack
from cudalint.digest import digest
from cudalint.errors import CudalintError
from cudalint.frontends import Project, is_python, read
from cudalint.frontends.cuda_syntax.defines import IncludeLine
from cudalint.ir import Include, Unit
from cudalint.pipeline.wrappers import callers, mentions_call, wrappers
from cudalint.record import record

Dependency = tuple[str, str, tuple[tuple[str, bool, str], ...]]


@record
class Request:
    """A file to read. With `callees` it matters only if it calls one of them, and those callers are read with their
    bodies; `wanted` are functions to be read with their bodies whatever they do. `included` files matter for what they
    define.
    """

    path: str
    display: str
    callees: frozenset[str] = frozenset()
    wanted: frozenset[str] = frozenset()
    included: bool = False


@record
class Answer:
    """What became of a request: a unit, loose or packed, or why there is none, or nothing at all where nothing was due.

    `wrappers` are the functions to find the callers of, `callers` those read with their bodies for what they call.
    """

    request: Request
    loose: Unit | None = None
    packed: bytes = b""
    wrappers: frozenset[str] = frozenset()
    callers: frozenset[str] = frozenset()
    failure: str = ""

    @property
    def holds_unit(self) -> bool:
        return self.loose is not None or bool(self.packed)

    def sealed(self) -> "Answer":
        """The same with its unit packed, to be sent to another process."""
        return self if self.loose is None else replace(self, loose=None, packed=self.packed or pack(self.loose))

    def unit(self) -> Unit:
        """The file's unit. Raises nearly anything where a cache gave bytes that hold none."""
        unit = self.loose or unpack(self.packed)
        if not isinstance(unit, Unit) or unit.path != self.request.display:
            raise TypeError(f"{self.request.display}: no unit")
        return unit


class Reader:
    """Reads files of one project."""

    def __init__(self, project: Project, cache: Cache) -> None:
        self._project = project
        self._cache = cache
        self._digests: dict[str, str] = {}

    def read(self, request: Request) -> Answer:
        """The answer to a request, whatever happens."""
        try:
            if request.callees and not mentions_call(Path(request.path).read_bytes(), request.callees):
                return Answer(request)
            return self._kept(request) or self._fresh(request)
        except OSError as error:
            return Answer(request, failure=f"{request.display}: cannot be read: {error.strerror or error}")
        except CudalintError as error:
            return Answer(request, failure=f"{request.display}: {error}")
        except Exception as error:  # noqa: BLE001 - one file must not cost the others
            return Answer(request, failure=f"{request.display}: reading it failed: {type(error).__name__}: {error}")

    def without_cache(self) -> "Reader":
        """A reader that believes no earlier result."""
        return Reader(self._project, Cache(None))

    def _fresh(self, request: Request) -> Answer:
        unit = read(
            Path(request.path),
            request.display,
            self._project,
            wanted=request.wanted,
            callees=request.callees,
            included=request.included,
        )
        answer = Answer(request, unit, wrappers=wrappers(unit), callers=callers(unit, request.callees))
        if not self._cache.enabled:
            return answer
        kept = replace(answer, packed=pack(unit))
        dependencies = tuple(self._dependencies(request.path, unit))
        self._cache.put(self._key(request), (dependencies, kept.packed, tuple(kept.wrappers), tuple(kept.callers)))
        return kept

    def _kept(self, request: Request) -> Answer | None:
        if not self._cache.enabled:
            return None
        entry = self._cache.get(self._key(request))
        try:
            dependencies, packed, names, calling = entry
            held = all(map(self._holds, dependencies))
            return Answer(request, None, packed, frozenset(names), frozenset(calling)) if held else None
        except Exception:  # noqa: BLE001 - a poisoned entry can hold anything
            return None

    def _key(self, request: Request) -> str:
        return key_of(
            request.path,
            request.display,
            self._digest(request.path),
            *sorted(request.callees),
            "",
            *sorted(request.wanted),
            str(request.included),
        )

    def _holds(self, dependency: Any) -> bool:
        path, digest, includes = dependency
        return self._digest(path) == digest and all(
            self._project.resolve(path, IncludeLine(name, quoted)) == resolved for name, quoted, resolved in includes
        )

    def _dependencies(self, path: str, unit: Unit) -> Iterator[Dependency]:
        """Every file whose macros this one can see, itself first, and what its includes mean."""
        if is_python(path):
            yield path, self._digest(path), tuple((include.text, True, include.resolved) for include in unit.includes)
            return
        pending, seen = [path], {path}
        while pending:
            file = pending.pop()
            lines = self._project.directives(file).includes
            includes = tuple((line.name, line.quoted, self._project.resolve(file, line)) for line in lines)
            yield file, self._digest(file), includes
            new = {resolved for _, _, resolved in includes if resolved} - seen
            pending += new
            seen |= new

    def _digest(self, path: str) -> str:
        if path not in self._digests:
            self._digests[path] = digest(Path(path).read_bytes())
        return self._digests[path]


def placed(unit: Unit, displays: dict[str, str]) -> Unit:
    """The unit with its includes naming other units as people know them, "" for files that were not read."""
    if not any(include.resolved for include in unit.includes):
        return unit
    includes = tuple(Include(include.text, displays.get(include.resolved, "")) for include in unit.includes)
    return replace(unit, includes=includes)
