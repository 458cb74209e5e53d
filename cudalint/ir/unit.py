"""What one source file holds, before files are linked: the product of a frontend."""

from dataclasses import field
from functools import cached_property
from typing import Any

from cudalint.ir.expr import Expr, Type
from cudalint.ir.stmt import Declare, Stmt
from cudalint.record import record
from cudalint.source import Span


class Record:
    """Base of the plain records below: they pickle as constructor calls."""

    __slots__ = ()
    __match_args__: tuple[str, ...] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, name) for name in self.__match_args__)


@record
class Parameter(Record):
    name: str
    type: Type
    default: Expr | None = None


@record
class TemplateParameter(Record):
    """`type` is None for a type parameter (`typename T`); `default` is a Type for those, an Expr for values."""

    name: str
    type: Type | None = None
    default: "Type | Expr | None" = None
    pack: bool = False


@record
class Attribute(Record):
    """A launch attribute of a kernel in its one normal name: launch_bounds, flat_work_group_size, reqd_work_group_size,
    waves_per_eu, maxnreg, cluster_dims, block_size. `arguments` as written.
    """

    name: str
    arguments: tuple[Expr, ...]
    extent: int = field(compare=False)


@record
class Function(Record):
    """A function of any kind, defined (`body` is a tuple) or only declared (`body` is None).

    `scope` is the enclosing namespaces and classes ("ns::Class", "" at file level); `owner` the class alone ("" if none).
    `kinds` holds host, device, global (a kernel), static, inline, constructor, constexpr as they apply, and uncounted for
    a kernel whose heading does not tell how many parameters it has: packs, an `#if` or a macro among them.
    `initialisers` are a constructor's member initialisers. `specialises` holds the arguments of an explicit
    specialisation. `extent` is the whole definition, `heading` its name. `calls` holds the last components of the names
    called or launched in the body, and of those handed on; `touches` the names assigned or whose address is taken in a
    body that was not lowered (`skipped` in `kinds`). `launches` says that a launch stands in the body.
    """

    name: str
    scope: str
    owner: str
    kinds: frozenset[str]
    returns: Type | None
    parameters: tuple[Parameter, ...]
    template: tuple[TemplateParameter, ...]
    attributes: tuple[Attribute, ...]
    body: tuple[Stmt, ...] | None
    initialisers: tuple[tuple[str, Expr], ...]
    specialises: tuple["Type | Expr", ...]
    extent: int = field(compare=False)
    heading: int = field(compare=False)
    file: str = field(default="", compare=False)
    calls: frozenset[str] = frozenset()
    touches: frozenset[str] = frozenset()
    launches: bool = False

    @property
    def typed_parameters(self) -> list[tuple[str, Type]]:
        """Names and types of the parameters that have a name."""
        return [(parameter.name, parameter.type) for parameter in self.parameters if parameter.name]

    @property
    def is_kernel(self) -> bool:
        return "global" in self.kinds

    @property
    def span(self) -> Span:
        return Span.unpack(self.file, self.extent)

    @property
    def name_span(self) -> Span:
        return Span.unpack(self.file, self.heading)

    @property
    def qualified(self) -> str:
        return f"{self.scope}::{self.name}" if self.scope else self.name


@record
class Struct(Record):
    """A class, struct or union. `fields` are its data members, static ones included."""

    name: str
    scope: str
    bases: tuple[str, ...]
    template: tuple[TemplateParameter, ...]
    fields: tuple[Declare, ...]
    union: bool = False
    alignment: Expr | None = None


@record
class Macro(Record):
    """A `#define`. `body` is its replacement read as an expression, None where it is none.

    A name defined twice has two entries; `conditional` says that the definition stands under an `#if` (other than the
    include guard), so that another may hold instead.
    """

    name: str
    parameters: tuple[str, ...] | None
    body: Expr | None
    text: str
    extent: int = field(compare=False)
    conditional: bool = False


@record
class Alias(Record):
    """`typedef T name;` or `using name = T;` (with template parameters where it has them)."""

    name: str
    scope: str
    type: Type
    template: tuple[TemplateParameter, ...] = ()


@record
class Global(Record):
    """A variable, constant or enumerator outside functions."""

    scope: str
    declare: Declare
    file: str = field(default="", compare=False)


@record
class Include(Record):
    """`resolved` is the path of the file meant, where it was found; "" otherwise."""

    text: str
    resolved: str


@record
class Comment(Record):
    """A comment that addresses the linter. `covers` is the packed extent of the statement it belongs to (None: none).

    For a comment at the end of a line that is the statement on it, for one alone on a line the next statement.
    """

    text: str
    extent: int
    covers: int | None


@record
class Problem(Record):
    """A part of the file that could not be read. `holds` names what is lost with it ("kernel", "launch", "file" or "")."""

    message: str
    extent: int
    holds: str = ""


@record
class Unit(Record):
    """One file. `path` is as people are told it; `language` is cuda, hip, cpp or python.

    `embedded` are the texts in another language that it holds as strings, each a unit of its own whose path is the file's
    with a number (`cudalint.source.inner_path`).
    """

    path: str
    language: str
    includes: tuple[Include, ...] = ()
    macros: tuple[Macro, ...] = ()
    globals: tuple[Global, ...] = ()
    aliases: tuple[Alias, ...] = ()
    structs: tuple[Struct, ...] = ()
    functions: tuple[Function, ...] = ()
    comments: tuple[Comment, ...] = ()
    problems: tuple[Problem, ...] = ()
    lines: int = 0
    embedded: tuple["Unit", ...] = ()

    @cached_property
    def kernels(self) -> tuple[Function, ...]:
        return tuple(function for function in self.functions if function.is_kernel)
