"""What calls do, as host code sees it: which start work on a GPU, which wait for it, which read a clock.

The facts are in the tables beside this module: `runtime.toml` (CUDA runtime and driver, HIP), `libraries.toml` (libraries
that work on the GPU) and `host.toml` (clocks, timers, calls that are known not to wait). `api(name)` is the row of a call,
by its last component, or qualified as in `thrust::sort`; None where no row names it. `family(name)` is what the family of its
prefix does. `clock(name)` and `timer(name)` answer likewise. `harmless(…)` says that a call surely neither waits nor starts
anything. `calls.py` tells what each call in an expression is.

Keys of a `[[call]]`; numbers are positions of arguments, negative ones count from the end:

- `names`, `source` (a key of `[sources]`), `twins = false` where the HIP twin differs
- `starts`: kernel, copy, fill, graph, callback, library or prefetch; `stream`: where the stream is, "default", "handle" (that
  of the library's handle) or "any" (somewhere); `unless_null`: it does nothing where that argument is a null pointer
- `waits`: device, stream or event (`of`: which), or maybe: it waits or not, depending on what cannot be seen
- `copies`: blocking (waits, in the directions that do) or async; `direction`: where the kind of copy is, `unless_given` the
  direction otherwise; `between`: the pointers; `device_to_device = "maybe"` where the document does not exclude a wait
- `allocates`: device, managed, pinned or mapped memory, its address in the first argument, or returned for `in_place`;
  `flags`: where flags are; `frees`
- `records`: the event; `joins`: a stream and the event it is made to wait for; `elapsed`: the two events
- `queries`: stream or event, of `of`; `captures`: begin or end; `creates`: event or stream; `resets` the device
- `errors`: gets (and clears), peeks or tells; `replacement` and `removed` (a CUDA version) for what is deprecated
"""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from cudalint.hw.table import Table, read
from cudalint.record import record

_FOLDER = Path(__file__).parent
_STARTS = ("kernel", "copy", "fill", "graph", "callback", "library", "prefetch")
_WAITS = ("device", "stream", "event", "maybe")
_DIRECTIONS = ("host-to-device", "device-to-host", "device-to-device", "host-to-host")
_TWINS = {
    "cuda": "hip",
    "cublas": "hipblas",
    "cufft": "hipfft",
    "cusparse": "hipsparse",
    "curand": "hiprand",
    "cusolver": "hipsolver",
}
COPY_KINDS = {
    f"{vendor}Memcpy{kind}": direction
    for vendor in ("cuda", "hip")
    for kind, direction in (
        ("HostToDevice", "host-to-device"),
        ("DeviceToHost", "device-to-host"),
        ("DeviceToDevice", "device-to-device"),
        ("HostToHost", "host-to-host"),
    )
}
"""The direction that an enumerator of cudaMemcpyKind means."""


@record
class Api:
    """What one call does; see the keys above. Positions are None where there is no such argument."""

    source: str
    starts: str = ""
    stream: int | str | None = None
    unless_null: int | None = None
    waits: str = ""
    of: int | None = None
    copies: str = ""
    direction: int | None = None
    unless_given: str = ""
    between: tuple[int, ...] = ()
    device_to_device: str = ""
    allocates: str = ""
    in_place: bool = False
    flags: int | None = None
    frees: bool = False
    records: int | None = None
    joins: tuple[int, ...] = ()
    elapsed: tuple[int, ...] = ()
    queries: str = ""
    captures: str = ""
    creates: str = ""
    resets: bool = False
    errors: str = ""
    replacement: str = ""
    removed: str = ""


@record
class Clock:
    """A call that tells the time: by its result, or into the argument at `writes`. `of`: a class so named has it."""

    source: str
    writes: int | None = None
    of: str = ""


@record
class Timer:
    """A call on a timer, its first argument, that is not visible: `does` is start, stop, reset or value."""

    source: str
    does: str


@record
class Tables:
    """All rows by name."""

    calls: dict[str, Api]
    families: tuple[tuple[str, Api], ...]
    clocks: dict[str, Clock]
    timers: dict[str, Timer]
    success: frozenset[str]
    harmless: dict[str, frozenset[str]]


def api(name: str) -> Api | None:
    """The row of a call."""
    return tables().calls.get(name)


@lru_cache(maxsize=1 << 12)
def family(name: str) -> Api | None:
    """What a call does that no row names, by the prefix of its name; ask for functions of the program first."""
    return next((row for prefix, row in tables().families if name.startswith(prefix)), None)


def clock(name: str) -> Clock | None:
    return tables().clocks.get(name)


def timer(name: str) -> Timer | None:
    return tables().timers.get(name)


def success() -> frozenset[str]:
    """The names of the status that says all is well."""
    return tables().success


def harmless(kind: str, name: str) -> bool:
    """Whether functions, methods, types or namespaces (`kind`) of this name have nothing to do with a GPU."""
    return name in tables().harmless[kind]


@lru_cache(maxsize=1)
def tables() -> Tables:
    """The tables, read once. Raises ProfileError naming the file and the key that is wrong."""
    return load(_FOLDER)


def load(folder: Path) -> Tables:
    """The tables in a folder."""
    calls: dict[str, Api] = {}
    twins: dict[str, Api] = {}
    families: list[tuple[str, Api]] = []
    for name in ("runtime", "libraries"):
        path = folder / f"{name}.toml"
        table = read(path)
        sources = _sources(table)
        for entry in table.tables("call"):
            _add(calls, twins, entry, _api(entry, sources))
        if table.has("family"):
            for entry in table.tables("family"):
                prefixes = entry.texts("prefixes")
                families += [(prefix, row) for row in (_api(entry, sources),) for prefix in prefixes]
        table.finish()
    families.sort(key=lambda pair: -len(pair[0]))
    host = read(folder / "host.toml")
    sources = _sources(host)
    clocks, timers = dict(_clocks(host, sources)), dict(_timers(host, sources))
    status, harmless_ = host.table("status"), host.table("harmless")
    kinds = {kind: frozenset(harmless_.texts(kind)) for kind in ("namespaces", "functions", "methods", "types")}
    known = Tables(twins | calls, tuple(families), clocks, timers, frozenset(status.texts("success")), kinds)
    for part in (status, harmless_, host):
        part.finish()
    return known


def _sources(table: Table) -> Mapping[str, str]:
    entry = table.table("sources")
    return {key: entry.text(key) for key in entry.keys()}  # noqa: SIM118 - a table is no mapping


def _source(entry: Table, sources: Mapping[str, str]) -> str:
    key = entry.text("source")
    if key not in sources:
        raise entry.fault("source", f"{key!r} is not in [sources]")
    return sources[key]


def _add(calls: dict[str, Api], twins: dict[str, Api], entry: Table, row: Api) -> None:
    """Note a row under its names; the twins of these count where no row names them itself."""
    has_twins = entry.flag("twins") if entry.has("twins") else True
    for name in entry.texts("names"):
        if name in calls:
            raise entry.fault("names", f"{name!r} is there already")
        calls[name] = row
        if has_twins and _twin(name):
            twins.setdefault(_twin(name), row)
    entry.finish()


def _twin(name: str) -> str:
    """The HIP spelling of a CUDA name, "" for any other."""
    for prefix in sorted(_TWINS, key=len, reverse=True):
        if name.startswith(prefix):
            return _TWINS[prefix] + name.removeprefix(prefix)
    return f"hip{name[2:]}" if name.startswith("cu") and name[2:3].isupper() else ""


def _api(entry: Table, sources: Mapping[str, str]) -> Api:
    """One row; the keys a call does not have are those of one that does nothing."""
    values: dict[str, Any] = {"source": _source(entry, sources)}
    values |= {key: entry.choice(key, allowed) for key, allowed in _CHOICES.items() if entry.has(key)}
    for keys, take in _READERS.items():
        values |= {key: take(entry, key) for key in keys if entry.has(key)}
    row = Api(**values)
    if row.waits in ("stream", "event") and row.of is None:
        raise entry.fault("of", "missing: which argument is waited for")
    return row


_READERS: dict[tuple[str, ...], Callable[[Table, str], object]] = {
    ("of", "unless_null", "direction", "flags", "records"): lambda entry, key: entry.integer(key, low=-1),
    ("between", "joins", "elapsed"): lambda entry, key: entry.integers(key, low=0),
    ("in_place", "frees", "resets"): Table.flag,
    ("replacement", "removed"): Table.text,
    ("stream",): lambda entry, key: entry.integer_or(key, ("default", "handle", "any")),
}
_CHOICES: dict[str, tuple[str, ...]] = {
    "starts": _STARTS,
    "waits": _WAITS,
    "copies": ("blocking", "async"),
    "unless_given": _DIRECTIONS,
    "device_to_device": ("maybe",),
    "allocates": ("device", "managed", "pinned", "mapped"),
    "queries": ("stream", "event"),
    "captures": ("begin", "end"),
    "creates": ("stream", "event"),
    "errors": ("gets", "peeks", "tells"),
}


def _clocks(host: Table, sources: Mapping[str, str]) -> Iterator[tuple[str, Clock]]:
    for entry in host.tables("clock"):
        writes = entry.integer("writes", low=0) if entry.has("writes") else None
        row = Clock(_source(entry, sources), writes, entry.text("of") if entry.has("of") else "")
        yield from ((name, row) for name in entry.texts("names"))
        entry.finish()


def _timers(host: Table, sources: Mapping[str, str]) -> Iterator[tuple[str, Timer]]:
    for entry in host.tables("timer"):
        source = _source(entry, sources)
        for does in ("start", "stop", "reset", "value"):
            yield from ((name, Timer(source, does)) for name in entry.texts(does))
        entry.finish()
