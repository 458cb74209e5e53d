"""Which values are the same for all lanes of a warp although the thread index stands in them."""

from cudalint.analysis.device.values import LANE, THREAD, Num
from cudalint.ir import symbol as sym

_SIZES = frozenset(sym.Symbol(f"blockDim.{axis}") for axis in "xyz")
_SIZE_OF = {"threadIdx": "blockDim", "blockIdx": "gridDim"}
_COUNTED = (
    ("threadIdx.x", "threadIdx.y", "threadIdx.z"), ("threadIdx.x", "blockIdx.x"), ("blockIdx.x", "blockIdx.y", "blockIdx.z"),
)  # fmt: skip
_INDICES = tuple(sym.Symbol(f"threadIdx.{axis}") for axis in "xyz")
_OPERATIONS = frozenset({"/", ">>", "%", "&", "-", "<", "<=", ">", ">=", "==", "!="})
Sizes = tuple[int | None, int | None, int | None]


class Warps:
    """How the threads of a block fall into warps. Blocks of unknown size are taken to be whole warps wide.

    A formula is *ranked* where it is a thread's number in its block up to multiples of a warp and what all lanes share: divided
    by a warp, or compared with a multiple of it, it is the same for all lanes.
    """

    def __init__(self, block: Sizes, grid: Sizes, warp: int, atoms: dict[sym.Atom, int]) -> None:
        self.warp = warp
        self._counts = {
            f"{part}.{axis}": size
            for part, sizes in (("blockDim", block), ("gridDim", grid))
            for axis, size in zip("xyz", sizes, strict=True)
        }
        self._atoms = atoms
        self._known: dict[sym.Form, bool] = {}
        self._ranked: set[sym.Atom] = set()
        self._rank = sym.ZERO
        threads: int | None = 1
        for own, size in zip(_INDICES, block, strict=True):
            if threads is None:
                break
            if size != 1:
                self._rank = sym.add(self._rank, sym.multiply(sym.number(threads), sym.atom(own)) or sym.ZERO)
            threads = None if size is None else threads * size
        self._single = threads is not None and threads <= warp

    def settled(self, op: str, left: Num, right: Num, result: Num) -> Num:
        """The result of an operator, with how it differs between the lanes of a warp looked at more closely."""
        if not result.varies or op not in _OPERATIONS or left.form is None or right.form is None:
            return result
        varies = result.varies
        if result.test is not None or op == "-":
            varies &= self.varies(sym.add(left.form, right.form, -1))
        elif op in {"%", "&"} and self._position(result.form):
            varies &= LANE
        if varies & LANE and (
            self.compared(op, left.form, right.form) if result.test is not None else self.same(result.form)
        ):
            varies &= ~(THREAD if self._single else LANE)
        if varies == result.varies:
            return result
        return Num(
            varies, result.form, result.lo, result.hi, result.kind, result.cause if varies else None, result.test, result.read
        )  # fmt: skip

    def count(self, atom: sym.Atom, start: Num, step: Num | None) -> None:
        """Note a variable that counts on from a thread's number in steps of whole warps."""
        if start.form is None or step is None or step.form is None:
            return
        if self.ranked(start.form) and self._whole(step.form):
            self._ranked.add(atom)

    def varies(self, form: sym.Form) -> int:
        """Between which threads the symbols of a formula differ."""
        found = 0
        for leaf in form.leaves():
            found |= self._atoms.get(leaf, 0)
        return found

    def _position(self, form: sym.Form | None) -> bool:
        """Whether a formula is a lane's number in its warp, or in a part of it."""
        part = form.atom if form is not None else None
        size = part.divisor.constant if isinstance(part, sym.Remainder) else None
        if size is None or size <= 0 or self.warp % size or not isinstance(part, sym.Remainder):
            return False
        return self._whole(sym.add(part.dividend, self._rank, -1), size)

    def within(self, form: sym.Form, size: sym.Form) -> bool:
        """Whether a formula is the number of a thread in its block or grid, and that less than a size."""
        return any(self._counted(axes, form, size) for axes in _COUNTED)

    def _counted(self, axes: tuple[str, ...], form: sym.Form, size: sym.Form) -> bool:
        """Whether a formula counts on through some axes, the first fastest, and a size is a multiple of what they hold."""
        place, places = sym.ZERO, sym.ONE
        for axis in axes:
            part, _, letter = axis.partition(".")
            count = self._count(f"{_SIZE_OF[part]}.{letter}")
            if count == sym.ONE:
                continue
            own = sym.multiply(places, sym.atom(sym.Symbol(axis)))
            held = sym.multiply(places, count)
            if own is None or held is None:
                return False
            place, places = sym.add(place, own), held
            if form == place:
                return sym.divides(places, size)
        return False

    def _count(self, name: str) -> sym.Form:
        known = self._counts.get(name)
        return sym.number(known) if known is not None else sym.atom(sym.Symbol(name))

    def compared(self, op: str, left: sym.Form, right: sym.Form) -> bool:
        """Whether a comparison has one outcome for all lanes."""
        if self.same(left) and self.same(right):
            return True
        part = left.atom
        if isinstance(part, sym.Quotient) and not part.up and not part.real and (part.divisor.constant or 0) > 0:
            bound = right if op in {"<", ">="} else sym.add(right, sym.ONE)
            whole = sym.multiply(bound, part.divisor)
            if op in {"<", "<=", ">", ">="} and whole is not None:
                return self.compared("<", part.dividend, whole)
        difference = sym.add(left, right, -1)
        if op in {"==", "!="}:
            return self.same(difference)
        if op in {"<=", ">"}:
            difference = sym.add(difference, sym.ONE, -1)
        opposite = sym.add(right, left, -1)
        if op in {"<", ">="}:
            opposite = sym.add(opposite, sym.ONE, -1)
        return self.same(difference) or self.ranked(difference) or self.ranked(opposite)

    def same(self, form: sym.Form | None) -> bool:
        """Whether a formula has one value for all lanes of a warp."""
        if form is None:
            return False
        known = self._known.get(form)
        if known is None:
            known = self._known[form] = self._same(form)
        return known

    def _same(self, form: sym.Form) -> bool:
        if all(self._uniform(atom) for atom in form.atoms()):
            return True
        for atoms, factor in form.terms:
            if len(atoms) == 1 and isinstance(atoms[0], sym.Remainder) and not self._uniform(atoms[0]):
                part = atoms[0]
                rounded = sym.multiply(part.divisor, sym.divide(part.dividend, part.divisor))
                if rounded is None:
                    return False
                whole = sym.add(part.dividend, rounded, -1)
                rest = sym.add(form, sym.multiply(sym.number(factor), sym.atom(part)) or sym.ZERO, -1)
                rest = sym.add(rest, sym.multiply(sym.number(factor), whole) or sym.ZERO)
                return all(self._uniform(atom) for atom in rest.atoms())
        return False

    def _uniform(self, atom: sym.Atom) -> bool:
        if isinstance(atom, sym.Symbol):
            return not self._atoms.get(atom, 0) & LANE
        if isinstance(atom, sym.Quotient):
            if self.same(atom.dividend) and self.same(atom.divisor):
                return True
            return not atom.up and self._whole(atom.divisor) and self.ranked(atom.dividend)
        if isinstance(atom, sym.Remainder):
            return self.same(atom.dividend) and self.same(atom.divisor)
        if isinstance(atom, sym.Extremum):
            return all(self.same(part) for part in atom.arguments)
        if isinstance(atom, sym.Bitwise):
            if self.same(atom.left) and self.same(atom.right):
                return True
            return atom.op == "&" and any(
                self.ranked(one) and mask.constant is not None and mask.constant % self.warp == 0
                for one, mask in ((atom.left, atom.right), (atom.right, atom.left))
            )
        return True

    def ranked(self, form: sym.Form) -> bool:
        """Whether a formula counts the lanes of a warp one by one from a multiple of the warp on."""
        counted = [
            atoms[0] for atoms, factor in form.terms if factor == 1 and len(atoms) == 1 and atoms[0] in self._ranked
        ]
        start = sym.atom(counted[0]) if counted else self._rank
        rest = sym.add(form, start, -1)
        return all(self._uniform(atom) for atom in rest.atoms()) and self._whole(rest)

    def _whole(self, form: sym.Form, size: int | None = None) -> bool:
        """Whether a formula is a multiple of the warp's lanes, or of a part of them."""
        size = size or self.warp
        return all(factor % size == 0 or not _SIZES.isdisjoint(atoms) for atoms, factor in form.terms)
