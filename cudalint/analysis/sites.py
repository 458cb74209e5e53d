"""Launches and calls as one interpretation of a function meets them, and what several of them come to together."""

from collections.abc import Sequence
from dataclasses import field, replace

from cudalint.analysis.domain import UNKNOWN, FunctionRef, Record, Value, join
from cudalint.analysis.interpret import Path
from cudalint.analysis.names import symbol
from cudalint.analysis.state import fresh
from cudalint.ir import Dim3, Expr, Function, Launching, Name, Quantity, Type
from cudalint.ir import symbol as sym
from cudalint.record import mutable_record
from cudalint.source import Span

SiteKey = tuple[str, int, int]
Bindings = tuple[dict[str, Type], dict[str, Value]]
_OF_A_WAY = ("grid", "block", "shared", "kernel", "bound_types", "bound_values", "in_loop", "reachable", "passed")


@mutable_record
class Site:
    """What is known of one launch expression, over all the ways the interpreter met it.

    `passed` are the kernel's arguments in order, those after a parameter pack left out; what is no integer is UNKNOWN.
    """

    function: Function
    expr: Launching
    grid: Dim3
    block: Dim3
    cluster: Dim3 | None
    shared: Quantity
    kernel: FunctionRef | None
    bound_types: dict[str, Type]
    bound_values: dict[str, Value]
    stream: str
    cooperative: bool
    in_loop: bool
    path: Path
    reachable: bool = True
    passed: tuple[Quantity, ...] = ()
    variants: list[tuple[Span, "Site"]] = field(default_factory=list)

    def same_shape(self, other: "Site") -> bool:
        """Whether grid, block, shared memory and kernel are the same."""
        return (self.grid, self.block, self.shared, self.kernel) == (
            other.grid,
            other.block,
            other.shared,
            other.kernel,
        )

    def blamed(self, alone: "Site | None", call: Span, path: Path) -> "Site":
        """The site with the parts that are not as they are without the call placed at the call."""
        grid = self.grid if alone is not None and alone.grid == self.grid else replace(self.grid, span=call)
        block = self.block if alone is not None and alone.block == self.block else replace(self.block, span=call)
        return replace(self, grid=grid, block=block, path=(*path, *self.path))

    def excludes(self, other: "Site") -> bool:
        """Whether the two stand in different arms of one choice, so that a run comes to one of them only."""
        arms = dict(self.path)
        return any(arms.get(choice, arm) != arm for choice, arm in other.path)

    def met_again(self, other: "Site") -> None:
        """Join what is known of another way to reach the launch; a way that is never taken counts for nothing."""
        if self.reachable and not other.reachable:
            return
        if other.reachable and not self.reachable:
            for name in _OF_A_WAY:
                setattr(self, name, getattr(other, name))
            return
        self.grid = _join_shapes(self.grid, other.grid)
        self.block = _join_shapes(self.block, other.block)
        self.shared = quantity_of(join(self.shared, other.shared))
        if self.kernel != other.kernel:
            self.kernel = None
        self.in_loop = self.in_loop or other.in_loop
        both = zip(self.passed, other.passed, strict=False)
        self.passed = tuple(quantity_of(join(a, b, fresh("argument"))) for a, b in both)
        self.bound_values = {
            name: join(value, other.bound_values[name])
            for name, value in self.bound_values.items()
            if name in other.bound_values
        }


def _join_shapes(left: Dim3, right: Dim3) -> Dim3:
    x, y, z = (quantity_of(join(a, b, fresh("size"))) for a, b in zip(left.axes, right.axes, strict=True))
    return Dim3(x, y, z, left.text, left.span)


def quantity_of(value: Value) -> Quantity:
    return value if isinstance(value, Quantity) else UNKNOWN


@mutable_record
class CallSite:
    """One call of a function that launches: the values of its parameters there."""

    values: dict[str, Value]
    bound_types: dict[str, Type]
    bound_values: dict[str, Value]
    span: Span
    caller: int
    path: Path


@mutable_record
class Met:
    """What one interpretation of a function met: launches, and calls of functions that launch."""

    sites: dict[SiteKey, Site] = field(default_factory=dict)
    calls: list[tuple[Function, CallSite]] = field(default_factory=list)


@mutable_record
class OptIn:
    """A kernel's limit of dynamic shared memory raised somewhere; `kernel` None means any of the file's."""

    kernel: FunctionRef | None
    size: Quantity
    file: str


def depends(function: Function, met: Met) -> bool:
    """Whether a launch, or a call of a function that launches, is shaped by a parameter of the function."""
    names = {parameter.name for parameter in function.parameters} | {item.name for item in function.template}
    if not names:
        return False
    for site in met.sites.values():
        shapes = (*site.grid.axes, *site.block.axes, site.shared, *site.bound_values.values())
        written = {node.name for node in site.expr.kernel.walk() if isinstance(node, Name)}
        if any(_mentions(value, names) for value in shapes) or (site.kernel is None and written & names):
            return True
    return any(
        _mentions(value, names)
        for _, site in met.calls
        for value in (*site.values.values(), *site.bound_values.values())
    )


def _mentions(value: Value, names: set[str]) -> bool:
    """Whether a value is made of a parameter of one of these names."""
    if isinstance(value, Quantity):
        return value.form is not None and any(
            isinstance(symbol_, sym.Symbol) and not symbol_.version and symbol_.name.partition(".")[0] in names
            for symbol_ in value.form.leaves()
        )
    if isinstance(value, Record):
        return any(_mentions(item, names) for item in value.fields.values())
    return False


def place_of_pack(function: Function, arguments: Sequence[Expr]) -> int | None:
    """The first argument made of a parameter pack of the function, which stands for any number of arguments."""
    types = {parameter.name for parameter in function.template if parameter.pack}
    packs = {parameter.name for parameter in function.parameters if parameter.type.name in types}
    if packs:
        for place, argument in enumerate(arguments):
            if any(isinstance(node, Name) and node.name in packs for node in argument.walk()):
                return place
    return None


def joined_values(function: Function, sites: list[CallSite]) -> dict[str, Value]:
    values: dict[str, Value] = {}
    for parameter in function.parameters:
        given = [site.values[parameter.name] for site in sites if parameter.name in site.values]
        if given and len(given) == len(sites):
            joined = given[0]
            for value in given[1:]:
                joined = join(joined, value, fresh(parameter.name))
            values[parameter.name] = joined
    return values


def joined_bindings(function: Function, sites: list[CallSite]) -> tuple[dict[str, Type], dict[str, Value]]:
    """What all callers bind the template parameters to; a parameter nobody binds is a symbol."""
    bound_types: dict[str, Type] = {}
    bound_values: dict[str, Value] = {}
    for parameter in function.template:
        if parameter.type is None:
            seen = {site.bound_types.get(parameter.name) for site in sites}
            only = seen.pop() if len(seen) == 1 else None
            if only is not None:
                bound_types[parameter.name] = only
            continue
        given = [site.bound_values.get(parameter.name) for site in sites]
        value: Value = symbol(parameter.name, parameter.type)
        known = [one for one in given if one is not None]
        if known and len(known) == len(given):
            value = known[0]
            for other in known[1:]:
                value = join(value, other, fresh(parameter.name))
        bound_values[parameter.name] = value
    return bound_types, bound_values
