"""All that a rule's author needs: what a finding is, what a rule is told, and the decorator that makes a rule.

A rule is a generator that looks at one subject (a launch, a kernel, a problem, a suppression) on one GPU. The engine
calls it for every GPU asked for and merges what it says about one subject into one finding.
"""

import enum
import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from cudalint.analysis.evaluate import Evaluator
from cudalint.analysis.on_device import on_device
from cudalint.errors import RuleError
from cudalint.hw import Device
from cudalint.ir import Instance, Launch, Problem, Program, Quantity
from cudalint.ir.symbol import Residency, Symbol, atom
from cudalint.model import Occupancy, occupancy_range, register_cap
from cudalint.record import record
from cudalint.source import Span

if TYPE_CHECKING:
    from cudalint.analysis.device.events import Trace

Subject = TypeVar("Subject")
_MOST_TRACES = 200
"""How many traces are kept: all rules look at a kernel before the next one comes."""


class Severity(enum.StrEnum):
    """error: the launch fails, hangs, races or is wrong. warning: time or hardware is lost. note: worth knowing."""

    NOTE = "note"
    WARNING = "warning"
    ERROR = "error"

    @property
    def rank(self) -> int:
        return list(Severity).index(self)


class Confidence(enum.StrEnum):
    """proven: every value that decides it is known. likely: the shape of the code says so."""

    LIKELY = "likely"
    PROVEN = "proven"


class MissingFigureError(Exception):
    """A rule needs a figure that the hardware profile does not have; the engine reports the rule as skipped."""


@record
class Fact:
    """One number a finding rests on. `origin` is a `cudalint.ir.Origin`, "hardware" (a profile) or "model" (derived)."""

    value: int | float | str
    origin: str

    @classmethod
    def of(cls, quantity: Quantity) -> "Fact":
        """What is known of a quantity: its value, or its formula."""
        value = quantity.exact
        return cls(str(quantity) if value is None else value, str(quantity.origin))


@record
class Related:
    """Another place that matters to a finding."""

    span: Span
    message: str


def places(launch: Launch, *parts: Quantity | None) -> tuple[Related, ...]:
    """Where to look besides a launch: its kernel, and what computed some of its parts outside of the launch itself."""
    kernel = [Related(launch.kernel.span, f"{launch.kernel.name} is defined here")] if launch.kernel else []
    spans = dict.fromkeys(place for part in parts if part is not None for place in (part.made, part.span))
    outside = [span for span in spans if span is not None and not launch.span.covers(span)]
    return (*kernel, *(Related(span, "computed here") for span in outside))


@record
class Finding:
    """What a rule says. `severity` and `confidence` default to the rule's own; a rule may lower its confidence."""

    at: Span
    message: str
    remedy: str = ""
    evidence: Mapping[str, Fact] = field(default_factory=dict)
    related: tuple[Related, ...] = ()
    severity: Severity | None = None
    confidence: Confidence | None = None


@record
class Unread:
    """A part of a file that could not be read: the subject of rules about the linter's own limits."""

    span: Span
    problem: Problem


@record
class Suppression:
    """A comment or a configuration entry that silences rules. `used` says whether it silenced anything."""

    rules: tuple[str, ...]
    reason: str
    span: Span
    used: frozenset[str]
    judged: frozenset[str]


@record
class Context:
    """What a rule may ask while it looks at its subject: the whole program, the one GPU, the names of all rules.

    `resident`, `grids` and `traces` keep answers by the identity of a launch or a kernel, which the program holds.
    """

    program: Program
    device: Device
    known_rules: frozenset[str] = frozenset()
    resident: dict[int, tuple[Occupancy, Occupancy] | None] = field(default_factory=dict, compare=False, repr=False)
    grids: dict[int, Quantity] = field(default_factory=dict, compare=False, repr=False)
    traces: dict[object, "Trace"] = field(default_factory=dict, compare=False, repr=False)

    def residency(self, launch: Launch) -> tuple[Occupancy, Occupancy] | None:
        """The least and the most blocks of the launch an SM can hold, over all that is unknown of it; None where the
        block size is unknown or no block of that size can run.
        """
        known = id(launch)
        if known not in self.resident:
            self.resident[known] = launch_residency(launch, self.device)
        return self.resident[known]

    def blocks(self, launch: Launch) -> Quantity:
        """The blocks of a launch's grid on this GPU."""
        known = id(launch)
        if known not in self.grids:
            self.grids[known] = self.valued(launch.grid.volume, launch)
        return self.grids[known]

    def valued(self, quantity: Quantity, launch: Launch) -> Quantity:
        """A part of a launch with the properties of this GPU that it is computed from put in."""

        def query(asked: Residency) -> tuple[int | None, int | None]:
            resident = self.residency(launch) if asked.block == launch.block.volume.form else None
            return (1, None) if resident is None else (max(1, resident[0].blocks_per_sm), resident[1].blocks_per_sm)

        return on_device(quantity, self.device, query)

    def trace(self, instance: Instance) -> "Trace":
        """What a thread of the kernel does when it is launched so on this GPU."""
        key = id(instance.kernel), id(instance.launch)
        known = self.traces.get(key)
        if known is None:
            if len(self.traces) > _MOST_TRACES:
                self.traces.clear()
            known = self.traces[key] = self._trace(instance)
        return known

    def _trace(self, instance: Instance) -> "Trace":
        """As `trace`; launches of a kernel that differ in nothing that a thread can see share one."""
        from cudalint.analysis.device import Shape, Trace, trace  # noqa: PLC0415 - for runs that look into kernels only

        launch, function = instance.launch, instance.kernel.function
        shape = Shape(warp=self.device.architecture.warp_size)
        passed: tuple[Quantity, ...] = ()
        if launch is not None:
            grid = self.blocks_along(launch)
            x, y, z = (axis.exact for axis in launch.block.axes)
            shape = Shape((x, y, z), grid, self.device.architecture.warp_size)
            passed = tuple(_as_block_size(value, launch) for value in launch.passed)
        key = id(instance.kernel), shape, tuple((value.exact, _block_size(value)) for value in passed)
        known = self.traces.get(key)
        if known is None and isinstance(instance.kernel.reader, Evaluator):
            known = self.traces[key] = trace(function, instance.kernel.reader, shape, passed)
        return known or Trace(shape, complete=False)

    def blocks_along(self, launch: Launch) -> tuple[int | None, int | None, int | None]:
        """The blocks of the grid along x, y and z on this GPU, None where that is not known."""
        x, y, z = (self.valued(axis, launch).exact for axis in launch.grid.axes)
        return x, y, z

    def figure(self, value: float | None, name: str) -> float:
        """A figure of the hardware profile that may be absent; the rule is skipped, and said to be, where it is."""
        if value is None:
            raise MissingFigureError(f"the profile of {self.device.id} has no {name}")
        return value


def _as_block_size(value: Quantity, launch: Launch) -> Quantity:
    """An argument of a launch; where it is the size of the block along an axis, it is said to be."""
    if value.exact is None and value.form is not None:
        for name, axis in zip("xyz", launch.block.axes, strict=True):
            if axis.form == value.form:
                return Quantity(1, None, 1, atom(Symbol(f"blockDim.{name}")))
    return value


def _block_size(value: Quantity) -> str:
    """The size of the block that an argument is, "" for any other."""
    name = str(value.form) if value.form is not None else ""
    return name if name.startswith("blockDim.") else ""


def launch_residency(launch: Launch, device: Device) -> tuple[Occupancy, Occupancy] | None:
    """As `Context.residency`."""
    threads = launch.block.volume.exact
    if threads is None or not 0 < threads <= device.architecture.max_threads_per_block:
        return None
    registers = _register_range(launch, device, threads)
    static, dynamic, most = launch.static_shared, launch.dynamic_shared, device.architecture.max_shared_per_block
    return occupancy_range(
        device,
        block=threads,
        registers=registers,
        static_shared=(static.lo or 0, most if static.hi is None else static.hi),
        dynamic_shared=(dynamic.lo or 0, max(most - (static.lo or 0), 0) if dynamic.hi is None else dynamic.hi),
    )


def _register_range(launch: Launch, device: Device, threads: int) -> tuple[int, int]:
    """Registers per thread: known, or as many as launch bounds leave and as the launch can have and still run."""
    limit = device.architecture.max_registers_per_thread
    least, most = launch.registers.lo or 1, min(launch.registers.hi or limit, limit)
    if launch.registers.exact is not None:
        return least, launch.registers.exact
    most = min(most, register_cap(device, threads))
    bound = launch.kernel.max_threads.exact if launch.kernel is not None and launch.kernel.max_threads else None
    if bound is not None and 0 < bound <= device.architecture.max_threads_per_block:
        minimum = launch.kernel.min_blocks if launch.kernel is not None else None
        blocks = (minimum.exact or 1) if minimum is not None and device.vendor == "nvidia" else 1
        most = min(most, register_cap(device, bound, blocks))
    return least, max(least, most)


Check = Callable[[Any, Context], Iterable[Finding]]


@record
class Rule(Generic[Subject]):
    """A rule with its metadata. `silences` names rules that say nothing about a subject this one reports."""

    slug: str
    group: str
    on: type[Subject]
    severity: Severity
    confidence: Confidence
    since: str
    silences: tuple[str, ...]
    page: str
    check: Callable[[Subject, Context], Iterable[Finding]]

    @property
    def title(self) -> str:
        """The first line of its page, without the full stop."""
        return self.page.partition("\n")[0].rstrip(".")


def rule(
    *,
    on: type[Subject],
    severity: Severity,
    confidence: Confidence = Confidence.PROVEN,
    since: str,
    silences: tuple[str, ...] = (),
) -> Callable[[Callable[[Subject, Context], Iterable[Finding]]], Rule[Subject]]:
    """Make a rule of the check it decorates. Slug and group are the names of the file and of its folder."""

    def make(check: Callable[[Subject, Context], Iterable[Finding]]) -> Rule[Subject]:
        *_, group, module = check.__module__.split(".")
        page = inspect.getdoc(inspect.getmodule(check))
        if not page:
            raise RuleError(f"{check.__module__}: a rule's module docstring is its page, and there is none")
        return Rule(module.replace("_", "-"), group, on, severity, confidence, since, silences, page, check)

    return make
