"""Leaves one branch of an `#if` where the branches together are no program, as `#if A … if (x) { #else if (y) { #endif`."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import NamedTuple

from cudalint.frontends.cuda_syntax.edits import Edit, blanked, code_matches, overlay
from cudalint.record import mutable_record

_DIRECTIVE = re.compile(
    rb"^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b((?:[^\\\n]+|\\[ \t]*\r?\n|\\)*)", re.MULTILINE
)
_BRACKETS = rb"[{}()]"
_HIP = re.compile(rb"__HIP\w*|USE_ROCM|__AMD\w*|HIPCC|USE_HIP")
_CUDA = re.compile(rb"__CUDACC__|__NVCC__|__CUDA_ARCH__|USE_CUDA|__CUDACC_\w+|CUDA_VERSION|__cplusplus")
_DEEPEST = 100


class Range(NamedTuple):
    """Bytes `start` to `end`."""

    start: int
    end: int


@mutable_record
class _Branch:
    """`condition` is what follows the directive that opens it; the text of the branch is `start` to `end`."""

    keyword: bytes
    condition: bytes
    start: int
    end: int = 0


@mutable_record
class _Group:
    """One `#if` to its `#endif`, directive lines included, and the groups inside it."""

    start: int
    branches: list[_Branch]
    end: int = 0
    inner: list["_Group"] = field(default_factory=list)


@mutable_record
class _Resolver:
    data: bytes
    faulty: Sequence[Range]
    hip: bool
    undecided: list[Range] = field(default_factory=list)

    def edits(self, group: _Group) -> Iterator[Edit]:
        """The blanks that leave `group` readable, in order of place."""
        inside = [edit for inner in group.inner for edit in self.edits(inner)]
        if self._whole(group, inside) and not self._faulty(group):
            yield from inside
            return
        chances = list(self._chances(group))
        kept = group.branches[chances.index(max(chances))]
        if max(chances) <= 0:
            self.undecided += [Range(other.start, other.end) for other in group.branches if other is not kept]
        yield self._blank(group.start, kept.start)
        yield from (edit for edit in inside if kept.start <= edit.start and edit.end <= kept.end)
        yield self._blank(kept.end, group.end)

    def _blank(self, start: int, end: int) -> Edit:
        return Edit(start, end, blanked(self.data[start:end]))

    def _whole(self, group: _Group, inside: list[Edit]) -> bool:
        """Whether each branch closes what it opens."""
        if not inside:
            return all(_balanced(self.data[branch.start : branch.end]) for branch in group.branches)
        data = overlay(self.data[: group.end], inside)
        return all(_balanced(data[branch.start : branch.end]) for branch in group.branches)

    def _faulty(self, group: _Group) -> bool:
        """Whether a fault touches the group outside the groups in it."""
        return any(
            fault.start <= group.end
            and group.start <= fault.end
            and not any(inner.start <= fault.start and fault.end <= inner.end for inner in group.inner)
            for fault in self.faulty
        )

    def _chances(self, group: _Group) -> Iterator[int]:
        """For each branch 1 where it is surely read, -1 where surely not, 0 otherwise."""
        earlier: list[int] = []
        for branch in group.branches:
            own = self._holds(branch) if branch.keyword != b"else" else 1
            before = -max(earlier, default=-1)
            chance = min(own, before) if branch.keyword != b"else" else before
            earlier.append(own)
            yield chance

    def _holds(self, branch: _Branch) -> int:
        condition = branch.condition.split(b"//")[0].strip()
        if condition in {b"0", b"1"}:
            return 1 if condition == b"1" else -1
        negative = branch.keyword == b"ifndef" or condition.startswith(b"!")
        if b"&&" in condition or b"||" in condition:
            return 0
        yes = _HIP if self.hip else _CUDA
        no = _CUDA if self.hip else _HIP
        truth = 1 if yes.search(condition) else -1 if no.search(condition) else 0
        return -truth if negative else truth


def _balanced(data: bytes) -> bool:
    depth = dict.fromkeys(b"{(", 0)
    for found in code_matches(_BRACKETS, data, starts=b"{}()"):
        bracket = found[0][0]
        opening = bracket in depth
        kind = bracket if opening else ord("{") if bracket == ord("}") else ord("(")
        depth[kind] += 1 if opening else -1
        if depth[kind] < 0:
            return False
    return not any(depth.values())


def _groups(data: bytes) -> list[_Group]:
    """The outermost groups of the text. One that is never closed is left out; where they nest absurdly there are none."""
    done: list[_Group] = []
    pending: list[_Group] = []
    for found in _DIRECTIVE.finditer(data):
        keyword = found[1]
        if keyword.startswith(b"if"):
            if len(pending) > _DEEPEST:
                return []
            pending.append(_Group(found.start(), [_Branch(keyword, found[2].strip(), found.end())]))
        elif pending:
            group = pending[-1]
            group.branches[-1].end = found.start()
            if keyword == b"endif":
                group.end = found.end()
                pending.pop()
                (pending[-1].inner if pending else done).append(group)
            else:
                group.branches.append(_Branch(keyword, found[2].strip(), found.end()))
    return done


def one_branch(data: bytes, faulty: Sequence[Range], *, hip: bool) -> tuple[bytes, list[Range]]:
    """`data` with one branch left of every group whose branches are not whole, or that a fault touches, and the branches
    given up for no better reason than that they are not the first.
    """
    resolver = _Resolver(data, faulty, hip)
    edits = [edit for group in _groups(data) for edit in resolver.edits(group)]
    return overlay(data, edits), resolver.undecided
