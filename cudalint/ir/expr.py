"""Expressions, shared by every frontend. A node says what the source says; nothing is evaluated here.

`extent` is a packed place in the outer file (see `cudalint.source`). It takes no part in comparison,
so two nodes are equal when they are the same expression wherever they stand.
"""

from collections.abc import Iterator
from dataclasses import field
from typing import TYPE_CHECKING, Any

from cudalint.record import record

if TYPE_CHECKING:
    from cudalint.ir.stmt import Stmt


@record
class Type:
    """A type as written: `const unsigned int **` is ("unsigned int", pointer=2, const)."""

    name: str
    arguments: tuple["Type | Expr", ...] = ()
    pointer: int = 0
    reference: bool = False
    const: bool = False
    volatile: bool = False

    def __str__(self) -> str:
        arguments = f"<{', '.join(map(str, self.arguments))}>" if self.arguments else ""
        qualifiers = f"{'const ' if self.const else ''}{'volatile ' if self.volatile else ''}"
        return f"{qualifiers}{self.name}{arguments}{'*' * self.pointer}{'&' if self.reference else ''}"


@record
class Expr:
    """Base of all expressions."""

    extent: int = field(compare=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, name) for name in self.__match_args__)

    def children(self) -> tuple["Expr", ...]:
        """The direct sub-expressions, left to right."""
        return ()

    def walk(self) -> Iterator["Expr"]:
        """The node and all below it, outermost first. Bodies of lambdas are not entered."""
        stack: list[Expr] = [self]
        while stack:
            node = stack.pop()
            yield node
            children = node.children()
            if children:
                stack.extend(children[::-1])


def _expressions(items: "tuple[Type | Expr, ...]") -> tuple[Expr, ...]:
    """The arguments of a template that are expressions."""
    return tuple(item for item in items if isinstance(item, Expr))


@record
class Int(Expr):
    """An integer, character or boolean literal. `suffix` is the C suffix in lower case ("u", "ull", "")."""

    value: int
    suffix: str = ""

    def __str__(self) -> str:
        return f"{self.value}{self.suffix}"


@record
class Float(Expr):
    value: float

    def __str__(self) -> str:
        return repr(self.value)


@record
class Text(Expr):
    """A string literal."""

    value: str

    def __str__(self) -> str:
        return repr(self.value)


@record
class Name(Expr):
    """A name, qualified as written (`cfg::kBlock`), with its template arguments if any."""

    name: str
    arguments: tuple["Type | Expr", ...] = ()

    def __str__(self) -> str:
        return f"{self.name}<{', '.join(map(str, self.arguments))}>" if self.arguments else self.name

    @property
    def last(self) -> str:
        """The name without its qualification."""
        return self.name.rpartition("::")[2]

    def children(self) -> tuple[Expr, ...]:
        return _expressions(self.arguments) if self.arguments else ()


@record
class Member(Expr):
    """`base.name`, `base->name` (arrow) or, in Python, an attribute."""

    base: Expr
    name: str
    arrow: bool = False
    arguments: tuple["Type | Expr", ...] = ()

    def __str__(self) -> str:
        arguments = f"<{', '.join(map(str, self.arguments))}>" if self.arguments else ""
        return f"{self.base}{'->' if self.arrow else '.'}{self.name}{arguments}"

    def children(self) -> tuple[Expr, ...]:
        return (self.base, *_expressions(self.arguments))


@record
class Index(Expr):
    base: Expr
    indices: tuple[Expr, ...]

    def __str__(self) -> str:
        return f"{self.base}[{', '.join(map(str, self.indices))}]"

    def children(self) -> tuple[Expr, ...]:
        return (self.base, *self.indices)


@record
class Unary(Expr):
    """`op` is one of + - ! ~ * & ++ -- (before the operand) or p++ p-- (after it)."""

    op: str
    operand: Expr

    def __str__(self) -> str:
        return f"{self.operand}{self.op[1:]}" if self.op[0] == "p" else f"{self.op}{self.operand}"

    def children(self) -> tuple[Expr, ...]:
        return (self.operand,)


@record
class Binary(Expr):
    """`op` as in C, or // and ** as in Python, or a comma."""

    op: str
    left: Expr
    right: Expr

    def __str__(self) -> str:
        return f"({self.left} {self.op} {self.right})"

    def children(self) -> tuple[Expr, ...]:
        return self.left, self.right


@record
class Assign(Expr):
    """`target = value`; `op` is "" for plain assignment, else the operator of `+=` and its like without the `=`."""

    op: str
    target: Expr
    value: Expr

    def __str__(self) -> str:
        return f"{self.target} {self.op}= {self.value}"

    def children(self) -> tuple[Expr, ...]:
        return self.target, self.value


@record
class Conditional(Expr):
    condition: Expr
    then: Expr
    other: Expr

    def __str__(self) -> str:
        return f"({self.condition} ? {self.then} : {self.other})"

    def children(self) -> tuple[Expr, ...]:
        return self.condition, self.then, self.other


@record
class Cast(Expr):
    """A conversion in any spelling: `(T)x`, `T(x)` for a built-in type, `static_cast<T>(x)`."""

    type: Type
    operand: Expr

    def __str__(self) -> str:
        return f"({self.type}){self.operand}"

    def children(self) -> tuple[Expr, ...]:
        return (self.operand,)


@record
class Call(Expr):
    callee: Expr
    arguments: tuple[Expr, ...]

    def __str__(self) -> str:
        return f"{self.callee}({', '.join(map(str, self.arguments))})"

    @property
    def name(self) -> str:
        """The last component of what is called: `x` in `ns::x(…)` and in `a.x(…)`; "" for anything else."""
        if isinstance(self.callee, Name):
            return self.callee.last
        return self.callee.name if isinstance(self.callee, Member) else ""

    def children(self) -> tuple[Expr, ...]:
        return (self.callee, *self.arguments)


@record
class Construct(Expr):
    """`dim3(a, b)`, `dim3{a, b}` or, with no type, a braced list `{a, b}`. `fields` names designated members."""

    type: Type | None
    arguments: tuple[Expr, ...]
    fields: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.type or ''}{{{', '.join(map(str, self.arguments))}}}"

    def children(self) -> tuple[Expr, ...]:
        return self.arguments


@record
class SizeOf(Expr):
    """`sizeof(T)` or `sizeof x`; `of` is a `Name` where the source does not tell which."""

    of: Type | Expr

    def __str__(self) -> str:
        return f"sizeof({self.of})"

    def children(self) -> tuple[Expr, ...]:
        return (self.of,) if isinstance(self.of, Expr) else ()


@record
class Lambda(Expr):
    """`body` holds statements; `device` is true where the lambda is marked for the device."""

    parameters: tuple[str, ...]
    body: tuple["Stmt", ...]
    device: bool = False

    def __str__(self) -> str:
        return f"[]({', '.join(self.parameters)}) {{…}}"


@record
class Launching(Expr):
    """A kernel launch of any form. A part the source leaves out is None.

    `arguments` is None where they are packed into an array of pointers. `configuration` is the packed
    extent of what stands between the chevrons, or of the grid to stream arguments of a launch function.
    `macro` names the macro whose expansion holds the launch; all extents are then those of its use. `counted` says that the
    source tells how many arguments there are: no pack, no `#if`, no macro among them.
    """

    form: str
    kernel: Expr
    grid: Expr | None
    block: Expr | None
    shared: Expr | None
    stream: Expr | None
    arguments: tuple[Expr, ...] | None
    configuration: int = field(compare=False)
    cooperative: bool = False
    cluster: Expr | None = None
    attributes: Expr | None = None
    macro: str = ""
    counted: bool = False

    def __str__(self) -> str:
        parts = [self.grid, self.block, self.shared, self.stream]
        while parts and parts[-1] is None:
            parts.pop()
        arguments = "…" if self.arguments is None else ", ".join(map(str, self.arguments))
        cooperative = "cooperative " if self.cooperative else ""
        return f"{cooperative}{self.kernel}<<<{', '.join(str(p) if p else '-' for p in parts)}>>>({arguments})"

    def children(self) -> tuple[Expr, ...]:
        parts = (self.kernel, self.grid, self.block, self.shared, self.stream, self.cluster, self.attributes)
        return (*(part for part in parts if part is not None), *(self.arguments or ()))


@record
class KernelIn(Expr):
    """A kernel named in another unit than this one: in text that is compiled at run time, at the path `unit`."""

    unit: str
    kernel: Name

    def __str__(self) -> str:
        return str(self.kernel)


@record
class Opaque(Expr):
    """Something no frontend understands; it may have any value and any effect."""

    text: str

    def __str__(self) -> str:
        return f"?{self.text}?"


LEAVES = frozenset({Int, Float, Text, KernelIn, Opaque})
"""The expressions that have no parts."""
