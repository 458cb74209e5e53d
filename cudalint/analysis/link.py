"""From the units of all files to one program: names resolved, launches with what is known of them."""

from collections.abc import Collection, Iterable, Mapping

from cudalint.analysis import apis
from cudalint.analysis.domain import UNKNOWN, FunctionRef, Value, join
from cudalint.analysis.index import Index
from cudalint.analysis.kernels import Kernels
from cudalint.analysis.session import Session
from cudalint.analysis.sites import OptIn, Site
from cudalint.ir import Function, Kernel, Launch, Origin, Program, Quantity, Unit
from cudalint.ir.expr import Cast, Expr, Member, Name
from cudalint.source import Span

Resources = Mapping[str, Mapping[str, int]]


def link(
    units: Iterable[Unit],
    *,
    assume: Mapping[str, int] | None = None,
    resources: Resources | None = None,
    requested: Collection[str] = (),
) -> Program:
    """The program that the units make up together.

    `assume` gives values to names (over what the code says); `resources` gives registers, static_shared (bytes) and
    local (bytes) per kernel name, "*" for all others; findings are wanted in the `requested` files (all, if none).
    """
    session = Session(Index(units), dict(assume or {}))
    for function in prepare(session):
        session.analyse(function)
    return assemble(session, resources or {}, requested)


def prepare(session: Session) -> list[Function]:
    """Get a session ready; the functions it has to analyse, each for itself, in any order."""
    functions = [function for table in session.index.tables.values() for function in table.unit.functions]
    launching = [function for function in functions if function.launches]
    opting = [function for function in functions if function.calls & apis.SHARED_OPT_IN.keys()]
    session.slices.watched = _upwards(session.index, [*launching, *opting]) | apis.SHARED_OPT_IN.keys()
    callers = (caller for function in opting for caller in session.index.callers.get(function.name, ()))
    roots = [*launching, *opting, *(caller for caller in callers if not caller.is_kernel)]
    return list({id(function): function for function in roots}.values())


def assemble(session: Session, resources: Resources, requested: Collection[str]) -> Program:
    """The program, once all functions are analysed."""
    linker = _Linker(session, resources)
    found = [linker.launch(site) for site in session.sites.values()]
    by_path = {path: table.unit for path, table in session.index.tables.items()}
    return Program(
        by_path,
        tuple(linker.all_kernels()),
        tuple(sorted(found, key=lambda launch: launch.sort_key)),
        frozenset(requested) or frozenset(by_path),
    )


def _upwards(index: Index, launching: Iterable[Function]) -> frozenset[str]:
    """The names of functions that launch or raise limits, and of those that call them, and so on up."""
    names = {function.name for function in launching}
    queue = list(names)
    for name in queue:
        for caller in index.callers.get(name, ()):
            if caller.name not in names and not caller.is_kernel:
                names.add(caller.name)
                queue.append(caller.name)
    return frozenset(names)


class _Linker:
    """Makes launches of sites."""

    def __init__(self, session: Session, resources: Resources) -> None:
        self.session = session
        self.kernels = Kernels(session)
        self.resources = resources
        self.opted: dict[int, Value] = {}
        self.opted_files: set[str] = set()
        self.groups: dict[tuple[int, str], list[Site]] = {}
        for site in session.sites.values():
            self.groups.setdefault((id(site.function), _kernel_name(site)), []).append(site)
        for entry in session.opt_ins:
            self._opt_in(entry)

    def _opt_in(self, entry: OptIn) -> None:
        function = self.session.kernel_function(entry.kernel) if entry.kernel is not None else None
        if function is None:
            self.opted_files.add(entry.file)
            return
        known = self.opted.get(id(function))
        self.opted[id(function)] = entry.size if known is None else join(known, entry.size)

    def all_kernels(self) -> Iterable[Kernel]:
        """Every kernel defined, its template parameters unbound."""
        for table in self.session.index.tables.values():
            for function in table.unit.kernels:
                if function.body is not None:
                    yield self.kernels.kernel(function, {}, {})

    def launch(self, site: Site, call: Span | None = None, siblings: Iterable[Site] = ()) -> Launch:
        """The launch of a site; at `call`, for what one caller makes of it."""
        function = self.session.kernel_function(site.kernel) if site.kernel is not None else None
        kernel = None
        if function is not None:
            kernel = self.kernels.kernel(function, site.bound_types, site.bound_values)
        file = site.function.file
        name = _kernel_name(site)
        variants = [variant for _, variant in site.variants]
        given = self.resources.get(name.rpartition("::")[2]) or self.resources.get("*") or {}
        return Launch(
            name,
            kernel,
            site.expr.form,
            site.grid,
            site.block,
            site.cluster,
            site.shared,
            _registers(given, kernel),
            _static_shared(given, kernel),
            self._shared_limit(function, file),
            site.stream,
            site.cooperative,
            site.expr.arguments,
            site.function,
            call or Span.unpack(file, site.expr.extent),
            call or Span.unpack(file, site.expr.configuration),
            site.in_loop,
            site.expr.macro,
            tuple(self.launch(variant, place, variants) for place, variant in site.variants),
            Span.unpack(file, site.expr.extent) if call is not None else None,
            site.reachable,
            self._one_of_several(site, siblings),
            site.passed,
            site.expr.counted,
        )

    def _one_of_several(self, site: Site, siblings: Iterable[Site]) -> bool:
        """Whether the host chooses between this launch and others of the kernel with other blocks, or between the calls
        that shape it so.
        """
        block = site.block.volume.exact
        others = self.groups.get((id(site.function), _kernel_name(site)), ())
        return any(other.block.volume.exact != block and site.excludes(other) for other in (*others, *siblings))

    def _shared_limit(self, function: Function | None, file: str) -> Quantity | None:
        if function is None:
            return UNKNOWN
        limit = self.opted.get(id(function))
        if limit is not None:
            return limit if isinstance(limit, Quantity) else UNKNOWN
        near = {function.file, file} | {table.unit.path for table in self.session.index.visible(file)}
        return UNKNOWN if near & self.opted_files else None


def _kernel_name(site: Site) -> str:
    """The kernel's name: as the variable it was launched through holds it, else as written."""
    if isinstance(site.kernel, FunctionRef):
        return site.kernel.name.name
    expr: Expr = site.expr.kernel
    while isinstance(expr, Cast):
        expr = expr.operand
    return expr.name if isinstance(expr, Name | Member) else str(expr)


def _registers(given: Mapping[str, int], kernel: Kernel | None) -> Quantity:
    """Registers per thread: measured, else from 1 to the cap the code sets."""
    if "registers" in given:
        return Quantity.exactly(given["registers"], Origin.BINARY)
    if kernel is not None and kernel.max_registers is not None and kernel.max_registers.exact is not None:
        return Quantity(1, kernel.max_registers.exact, origin=Origin.LAUNCH_BOUNDS)
    return Quantity(1)


def _static_shared(given: Mapping[str, int], kernel: Kernel | None) -> Quantity:
    if "static_shared" in given:
        return Quantity.exactly(given["static_shared"], Origin.BINARY)
    return kernel.static_shared if kernel is not None else Quantity(0)
