"""What one thread holds: numbers with how they differ between threads, pointers, and cooperative groups."""

from functools import lru_cache

from cudalint.analysis import types
from cudalint.ir import Lambda, Type
from cudalint.ir import symbol as sym
from cudalint.record import record

LANE = 1
"""The value differs between the threads of one warp."""
WARP = 2
"""The value differs between the warps of one block."""
BLOCK = 4
"""The value differs between blocks."""
THREAD = LANE | WARP
EVERY = THREAD | BLOCK

Place = tuple[str, int]
"""A file and a packed extent in it."""


@record
class Cause:
    """Why a value differs between threads: `name` was given it at `place`, from `of`. Where it is `guessed`, the value came from
    something that is not seen, and may well be the same for all.
    """

    name: str
    place: Place
    of: "Cause | None" = None
    guessed: bool = False


@record
class Test:
    """A comparison or a logical operation: `op` is one of < <= > >= == != && || !."""

    op: str
    left: "Num"
    right: "Num"


@record
class Num:
    """A number, a truth value, or a structure as a whole.

    `varies` says between which threads it differs. `form` is its formula over thread and block indices, dimensions and
    parameters. `kind` is bool, int, unsigned, long, ulong, float, struct, or "" where the type is not known. `cause` is
    why it differs, `test` the comparison it is the result of, `read` the access it was read by. `members` are those of a
    structure that are known by themselves, by name, or by number where its type is not known yet.
    """

    varies: int = 0
    form: sym.Form | None = None
    lo: int | None = None
    hi: int | None = None
    kind: str = ""
    cause: Cause | None = None
    test: Test | None = None
    read: object | None = None
    members: "tuple[tuple[str, Value], ...]" = ()

    @property
    def exact(self) -> int | None:
        return self.lo if self.lo == self.hi else None


@record
class Buffer:
    """Memory with a name. `space` is shared, global, constant, local or unknown; `element` the type of an element.

    `extents` are the dimensions of an array in elements, None where they are not known; `size` the bytes of an element.
    `key` tells buffers of one name apart. `dynamic` is set for `extern __shared__` arrays.
    """

    key: str
    name: str
    space: str
    element: str = ""
    size: int | None = None
    extents: tuple[int | None, ...] = ()
    place: Place = ("", 0)
    dynamic: bool = False

    @property
    def length(self) -> int | None:
        """How many elements there are, None where that is not known."""
        total = 1
        for extent in self.extents:
            if extent is None:
                return None
            total *= extent
        return total if self.extents else None


@record
class Pointer:
    """An address: `offset` elements of `size` bytes into a buffer. `depth` counts the array dimensions passed so far; a
    `flat` one was taken of an element, and goes on over the ends of rows. A
    `cell` is a variable or reference that lives in memory: its name means what it holds.
    """

    buffer: Buffer
    offset: Num
    size: int | None
    depth: int = 0
    volatile: bool = False
    flat: bool = False
    cell: bool = False

    def restless(self) -> "Pointer":
        """The same pointer to what is volatile."""
        return Pointer(self.buffer, self.offset, self.size, self.depth, volatile=True, flat=self.flat, cell=self.cell)

    def moved(self, offset: Num) -> "Pointer":
        """The same pointer at another offset."""
        return Pointer(self.buffer, offset, self.size, self.depth, self.volatile, self.flat)


@record
class Group:
    """A cooperative group: `kind` is block, tile, grid, cluster, coalesced or unknown; `size` its threads where known."""

    kind: str
    size: int | None = None


@record
class Code:
    """A lambda. `prefix` is that of the variables of the function it stands in."""

    function: Lambda
    prefix: str


Value = Num | Pointer | Group | Code

UNKNOWN = Num()
_KINDS = {1: "int", 2: "int", 4: "int", 8: "long"}


@lru_cache(maxsize=1 << 12)
def number(value: int, kind: str = "int") -> Num:
    return Num(0, sym.number(value), value, value, kind)


def truth(*, value: bool) -> Num:
    return Num(0, sym.number(int(value)), int(value), int(value), "bool")


def kind_of(type_: Type | None) -> str:
    """The kind of a value of this type."""
    if type_ is None or type_.pointer:
        return ""
    plain = types.plain(type_.name)
    if plain == "bool":
        return "bool"
    if types.is_real(type_):
        return "float"
    if types.fields(type_.name):
        return "struct"
    size = types.scalar_size(type_.name)
    if size is None:
        return ""
    if not types.is_unsigned(type_):
        return _KINDS.get(size, "")
    return {4: "unsigned", 8: "ulong"}.get(size, "int")


_RANK = {"bool": 0, "int": 1, "unsigned": 2, "long": 3, "ulong": 4, "float": 5}


def promoted(left: str, right: str) -> str:
    """The kind of an arithmetic result, by the usual conversions of C."""
    if left == right:
        return "int" if left == "bool" else left
    if left not in _RANK or right not in _RANK:
        return ""
    return max(left, right, "int", key=_RANK.__getitem__)


_LONGEST_CHAIN = 16


def first_cause(*values: Num) -> Cause | None:
    """Why the first of the values that differ between threads does, those of one block before others, guesses before all."""
    for scope in (THREAD, EVERY):
        found = [value.cause for value in values if value.varies & scope and value.cause is not None]
        if found:
            return found[0] if len(found) == 1 else next((cause for cause in found if guessed(cause)), found[0])
    return None


def guessed(cause: Cause | None) -> bool:
    """Whether a value differs between threads for all that is seen, and may be the same for all."""
    steps = 0
    while cause is not None and steps < _LONGEST_CHAIN:
        if cause.guessed:
            return True
        cause, steps = cause.of, steps + 1
    return False


def chain(cause: Cause | None) -> list[Cause]:
    """A cause and what it comes from, nearest first."""
    found: list[Cause] = []
    while cause is not None and len(found) < _LONGEST_CHAIN:
        found.append(cause)
        cause = cause.of
    return found
