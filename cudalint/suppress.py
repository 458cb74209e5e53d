"""What people asked not to be told: comments in the code and `[[ignore]]` tables of the configuration.

`// cudalint: ignore[rule, group] reason` covers the statement it stands at or before, `file-ignore[…]` its file. A comment
that addresses the linter and can not be understood becomes a suppression without rules, which is reported.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import field
from fnmatch import fnmatchcase

from cudalint.config import Config
from cudalint.ir import Comment, Program
from cudalint.pattern import matches
from cudalint.record import mutable_record, record
from cudalint.rule import Suppression
from cudalint.source import Span, outer_path

_ADDRESSED = re.compile(r"\bcudalint\s*(?::|(?=\s(?:file-)?ignore\s*\[))")
_DIRECTIVE = re.compile(
    r"\bcudalint:\s*(?P<verb>file-ignore|ignore)\s*\[(?P<rules>[^\]]*)\]:?\s*(?P<reason>.*?)\s*(?:\*/\s*)?$", re.DOTALL
)


@mutable_record
class Directive:
    """One suppression. `covers` is where it holds (None: wherever `kernel` and `path` match); `used` grows."""

    rules: tuple[str, ...]
    reason: str
    span: Span
    covers: Span | None = None
    kernel: str = "*"
    path: str = "*"
    used: set[str] = field(default_factory=set)

    def names(self, rule: str, group: str) -> list[str]:
        """Under which of its names the directive means a rule."""
        return [name for name in self.rules if name in {rule, group}]


@record
class Place:
    """What a suppression is compared with: the spans a finding may be silenced at, its kernel, its file in the project."""

    spans: tuple[Span, ...]
    kernel: str
    path: str


class Suppressions:
    """All directives of a program and its settings, and which of them silenced something."""

    def __init__(self, program: Program, config: Config, *, whole_project: bool) -> None:
        """`whole_project` says that the run sees all files, so that an unused `[[ignore]]` table can be told."""
        self._by_file: dict[str, list[Directive]] = {}
        for path, unit in program.units.items():
            if unit.comments:
                self._by_file.setdefault(outer_path(path), []).extend(
                    read_comment(path, comment) for comment in unit.comments if addresses(comment.text)
                )
        self._entries = [
            Directive(entry.rules, entry.reason, entry.span, kernel=entry.kernel, path=entry.path)
            for entry in config.ignore_entries
        ]
        self._requested = program.requested
        self._whole_project = whole_project

    def silences(self, rule: str, group: str, place: Place) -> bool:
        """Whether a finding is silenced. Every directive that silences it counts as used."""
        meant = [(directive, directive.names(rule, group)) for directive in self._at(place)]
        for directive, names in meant:
            directive.used.update(names)
        return any(names for _, names in meant)

    def judged(self, ran: Collection[str]) -> tuple[Suppression, ...]:
        """What became of every suppression in the requested files, for the rules and groups that `ran` completely."""
        comments = [
            directive
            for file, directives in sorted(self._by_file.items())
            if file in self._requested
            for directive in directives
        ]
        shown = [(directive, True) for directive in comments]
        shown += [(directive, self._whole_project) for directive in self._entries]
        return tuple(
            Suppression(
                directive.rules,
                directive.reason,
                directive.span,
                frozenset(directive.used),
                frozenset(name for name in directive.rules if name in ran) if complete else frozenset(),
            )
            for directive, complete in shown
        )

    def _at(self, place: Place) -> Iterator[Directive]:
        for span in place.spans:
            for directive in self._by_file.get(span.file, ()):
                if directive.covers is not None and _within(span, directive.covers):
                    yield directive
        for entry in self._entries:
            if _kernel_matches(place.kernel, entry.kernel) and matches(place.path, entry.path):
                yield entry


def addresses(text: str) -> bool:
    """Whether a comment speaks to the linter."""
    return _ADDRESSED.search(text) is not None


def read_comment(file: str, comment: Comment) -> Directive:
    """The directive a comment holds, without rules where it cannot be understood."""
    span = Span.unpack(file, comment.extent)
    match = _DIRECTIVE.search(comment.text)
    if match is None:
        return Directive((), comment.text.strip(), span)
    rules = tuple(dict.fromkeys(name.strip() for name in match["rules"].split(",") if name.strip()))
    if match["verb"] == "file-ignore":
        covers = Span(span.file, 0, 0, _LAST_LINE, 0)
    else:
        covers = (
            Span(span.file, span.line, 0, span.end_line + 1, 0)
            if comment.covers is None
            else Span.unpack(file, comment.covers)
        )
    return Directive(rules, match["reason"], span, covers)


_LAST_LINE = 1 << 40


def _within(span: Span, covers: Span) -> bool:
    """Whether `span` begins inside `covers`."""
    return (covers.line, covers.column) <= (span.line, span.column) < (covers.end_line, covers.end_column)


def _kernel_matches(kernel: str, pattern: str) -> bool:
    last = kernel.partition("<")[0].rpartition("::")[2]
    return pattern == "*" or fnmatchcase(kernel, pattern) or fnmatchcase(last, pattern)


def complete_names(ran: Iterable[tuple[str, str]], existing: Collection[tuple[str, str]]) -> frozenset[str]:
    """The names a suppression can be judged by: the slugs that ran, and the groups of which every rule ran.

    Both arguments pair slugs with their groups.
    """
    slugs = frozenset(slug for slug, _ in ran)
    partial = frozenset(group for slug, group in existing if slug not in slugs)
    return slugs | (frozenset(group for _, group in existing) - partial)
