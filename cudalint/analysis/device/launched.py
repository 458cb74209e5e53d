"""A kernel's trace beside the launch that runs it: what its grid divides, and what its parameters are."""

from collections.abc import Iterator

from cudalint.analysis.device.coverage import AXES
from cudalint.analysis.device.events import Trace
from cudalint.analysis.device.values import Buffer
from cudalint.analysis.evaluate import Evaluator
from cudalint.analysis.session import Session
from cudalint.analysis.setup import Setup, setup
from cudalint.ir import Expr, Function, Index, Instance, Launch, Member, Name
from cudalint.ir import symbol as sym
from cudalint.record import mutable_record, record


@record
class Share:
    """A grid of `count` / `size` blocks along an axis, rounded up or down. `total` and `step` are their values where known."""

    axis: str
    count: sym.Form
    size: sym.Form
    up: bool
    total: int | None
    step: int | None

    @property
    def divides(self) -> bool | None:
        """Whether nothing is left over, None where that is not known."""
        if self.total is None or not self.step:
            return None
        return self.total % self.step == 0


@mutable_record
class Launched:
    """`arguments` are formulas for the kernel's parameters, `elements` how many elements each pointer points to, `based`
    whether that is handed over as it is. `hosts` are the functions around the launch: those of its file, and its callers.
    """

    trace: Trace
    launch: Launch
    setup: Setup | None
    shares: dict[str, Share]
    arguments: dict[sym.Atom, sym.Form]
    elements: dict[str, sym.Form]
    based: dict[str, bool]
    hosts: tuple[Function, ...]
    session: Session

    def on_host(self, form: sym.Form) -> sym.Form | None:
        """A formula of the kernel with the values of its parameters put in."""
        found = sym.substitute(form, self.arguments)
        if found is None or self.setup is None:
            return found
        return self.setup.settled(found)

    def same(self, left: sym.Form, right: sym.Form) -> int | None:
        """The difference of a kernel's formula and a host's, where that is a number."""
        ours = self.on_host(left)
        if ours is None:
            return None
        theirs = right if self.setup is None else self.setup.settled(right)
        return sym.add(ours, theirs, -1).constant

    def length(self, buffer: Buffer) -> sym.Form | None:
        """The elements of a buffer as far as its allocation is seen."""
        return self.elements.get(buffer.key)


def launched(instance: Instance, trace: Trace) -> Launched | None:
    """The trace and the launch together, None where nothing launches the kernel."""
    launch = instance.launch
    if launch is None or not isinstance(instance.kernel.reader, Evaluator):
        return None
    key = f"launched {id(launch)}"
    if key not in trace.memo:
        trace.memo[key] = _launched(instance, launch, instance.kernel.reader, trace)
    found: Launched = trace.memo[key]
    return found


def _launched(instance: Instance, launch: Launch, reader: Evaluator, trace: Trace) -> Launched:
    function = instance.kernel.function
    written = setup(launch, reader)
    arguments: dict[sym.Atom, sym.Form] = {}
    elements: dict[str, sym.Form] = {}
    based: dict[str, bool] = {}
    for position, parameter in enumerate(function.parameters):
        own = sym.Symbol(parameter.name)
        passed = launch.passed[position].form if position < len(launch.passed) else None
        if written is not None and position < len(written.arguments):
            form = written.arguments[position]
            buffer = trace.buffers.get(parameter.name)
            if buffer is None and form is not None:
                arguments[own] = form
            size = written.bytes[position]
            based[parameter.name] = written.based[position]
            if buffer is not None and buffer.size and size is not None:
                elements[parameter.name] = _per_element(written.settled(size), buffer.size)
        elif passed is not None:
            arguments[own] = passed
    shares = {share.axis: share for share in _shares(launch, written)}
    return Launched(trace, launch, written, shares, arguments, elements, based, _hosts(launch, reader), reader.session)


def _hosts(launch: Launch, reader: Evaluator) -> tuple[Function, ...]:
    index, own = reader.scope.index, launch.function
    near = index.tables[own.file].unit.functions if own.file in index.tables else ()
    around = (*near, *index.callers.get(own.name, ()))
    return tuple(function for function in around if not function.is_kernel and "device" not in function.kinds)


def _per_element(size: sym.Form, width: int) -> sym.Form:
    return sym.divide(size, sym.number(width))


def _shares(launch: Launch, written: Setup | None) -> Iterator[Share]:
    for position, axis in enumerate(AXES):
        interpreted = launch.grid.axes[position]
        form = written.grid[position] if written is not None else None
        quotient = form.atom if form is not None else None
        if isinstance(quotient, sym.Quotient) and written is not None:
            total, step = written.settled(quotient.dividend).constant, written.settled(quotient.divisor).constant
            if interpreted.exact is not None and total is None:
                continue
            yield Share(axis, quotient.dividend, quotient.divisor, quotient.up, total, step)
            continue
        quotient = interpreted.form.atom if interpreted.form is not None else None
        if isinstance(quotient, sym.Quotient) and not quotient.real:
            yield Share(axis, quotient.dividend, quotient.divisor, quotient.up, None, quotient.divisor.constant)


def same_memory(instance: Instance) -> dict[str, str]:
    """The parameters that point to the same memory as one before them: the launch passes the same for both."""
    launch, function = instance.launch, instance.kernel.function
    if launch is None or launch.arguments is None:
        return {}
    first: dict[Expr, str] = {}
    pairs = zip(function.parameters, launch.arguments, strict=False)
    named = [(parameter.name, argument) for parameter, argument in pairs if parameter.type.pointer]
    return {
        name: first[argument]
        for name, argument in named
        if isinstance(argument, Name | Member | Index) and first.setdefault(argument, name) != name
    }
