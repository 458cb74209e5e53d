"""The macros a file can see, and what their uses stand for."""

import re
from collections.abc import Iterable, Sequence
from functools import cached_property

from tree_sitter import Node

from cudalint.frontends.cuda_syntax.defines import HOLDS_HEADING, HOLDS_LAUNCH, Directives, MacroDefinition
from cudalint.frontends.cuda_syntax.expansion import TooLargeError, expand_text, split_arguments
from cudalint.frontends.cuda_syntax.launch_forms import LAUNCH_FORMS
from cudalint.frontends.cuda_syntax.parse import parse
from cudalint.frontends.cuda_syntax.text import ExpandedText, Text
from cudalint.frontends.cuda_syntax.well_known import well_known_macros
from cudalint.record import record

__all__ = ["Expansion", "MacroDefinition", "MacroTable", "split_arguments"]

_WORD = re.compile(r"[A-Za-z_]\w*")
_VALUE = re.compile(r"(?!.*\w\s+[A-Za-z_])[\w\s.+\-*/%()<>&|^~!?:'\"]*\Z", re.DOTALL)
_MOST_WRITTEN = 1 << 14
_MOST_FAILURES = 10
_MOST_BYTES = 1 << 16


@record
class Expansion:
    """`root` is a `compound_statement` with the statements the use of `macro` stands for, a `;` added at their end."""

    root: Node
    text: Text
    macro: str


class MacroTable:
    """The definitions of one file and of all it includes, as far as those files are known; `files` has its own first."""

    def __init__(self, files: Iterable[Directives] = ()) -> None:
        self._files = tuple(files)
        self._failures = 0
        self._replaced: dict[str, str | None] = {}
        self._known: dict[str, tuple[MacroDefinition, ...]] = {}

    def get(self, name: str) -> tuple[MacroDefinition, ...]:
        """All definitions of `name`, those of the file itself first."""
        known = self._known.get(name)
        if known is None:
            own = [macro for directives in self._files for macro in directives.by_name.get(name, ())]
            known = self._known[name] = tuple(own or well_known_macros().by_name.get(name, ()))
        return known

    @cached_property
    def launching(self) -> frozenset[str]:
        """The macros whose expansion, nested macros included, holds `<<<` or the name of a launch function."""
        return self._reaching(name for directives in self._files for name in directives.launching) - LAUNCH_FORMS.keys()

    @cached_property
    def heading(self) -> frozenset[str]:
        """The macros whose expansion holds a word of a kernel's heading (or of a shared array) but no launch."""
        own = self._reaching(name for directives in self._files for name in directives.heading) - self.launching
        return own | {name for name in well_known_macros().heading if not self._defines(name)}

    @cached_property
    def attributes(self) -> frozenset[str]:
        """The macros that stand for nothing but what a function's or a type's heading may leave out without harm."""
        found: dict[str, frozenset[str]] = {}
        for directives in reversed((*self._files, well_known_macros())):
            found |= directives.attributes
        grown = True
        while grown:
            wrong = [name for name, used in found.items() if not used <= found.keys()]
            for name in wrong:
                del found[name]
            grown = bool(wrong)
        return frozenset(found)

    def statements(self, data: bytes) -> frozenset[str]:
        """The macros named in `data` that are, or may be, code rather than values, and launch nothing."""
        chosen = (self.choose(name) for name in set(_WORD.findall(data.decode(errors="replace"))) - self.launching)
        return frozenset(
            macro.name for macro in chosen if macro and (macro.parameters is not None or not _VALUE.match(macro.body))
        )

    def expands_to_launch(self, name: str) -> bool:
        """Whether the expansion of `name`, nested macros included, holds `<<<` or the name of a launch function."""
        return name in self.launching

    def expand(self, name: str, arguments: Sequence[str] | None, use: int) -> Expansion | None:
        """The code that a use of `name` at the packed extent `use` stands for; None where it has none or is too large.

        `arguments` is None for a use without parentheses; `split_arguments` makes it from the text between them.
        """
        written = name if arguments is None else f"{name}({', '.join(arguments)})"
        replaced = self.replace(written, name)
        if replaced is None or replaced == written or len(replaced) > _MOST_BYTES:
            return None
        data = f"void expansion() {{\n{replaced}\n;}}\n".encode()
        function = parse(data).root_node.named_child(0)
        body = function and function.child_by_field_name("body")
        return Expansion(body, ExpandedText(data, use), name) if body else None

    def replace(self, written: str, name: str) -> str | None:
        """`written`, a use of the macro `name`, with that macro and those it leads to replaced; None for too large ones."""
        if written not in self._replaced:
            self._replaced[written] = self._expanded(written, name)
        return self._replaced[written]

    def _expanded(self, written: str, name: str) -> str | None:
        if len(written) > _MOST_WRITTEN or self._failures > _MOST_FAILURES:
            return None
        try:
            return expand_text(written, lambda word: self.choose(word) if word == name or self._is_code(word) else None)
        except TooLargeError:
            self._failures += 1
            return None

    def choose(self, name: str) -> MacroDefinition | None:
        """The definition to follow where there are several: one that leads to a launch or a kernel, else the first that is
        not empty.
        """
        choices = self.get(name)
        for macro in choices:
            if HOLDS_LAUNCH.search(macro.body) or HOLDS_HEADING.search(macro.body) or self._leads(macro):
                return macro
        return next((macro for macro in choices if macro.body), choices[0] if choices else None)

    def _is_code(self, name: str) -> bool:
        """Whether `name` must be replaced for its use to be read: a launch or more than a value, or sure to be one thing."""
        if name in self.launching or name in self.heading:
            return True
        choices = self.get(name)
        if not choices or len({macro.body for macro in choices}) > 1:
            return False
        return choices[0].parameters is not None or not _VALUE.match(choices[0].body)

    def _leads(self, macro: MacroDefinition) -> bool:
        targets = self.launching | self.heading
        return any(word in targets and word != macro.name for word in _WORD.findall(macro.body))

    def _defines(self, name: str) -> bool:
        return any(name in directives.by_name for directives in self._files)

    def _reaching(self, names: Iterable[str]) -> frozenset[str]:
        """`names` and all macros that lead to one of them."""
        reached = set(names)
        if not reached:
            return frozenset()
        words: dict[str, set[str]] = {}
        for directives in self._files:
            for name, used in directives.words.items():
                words[name] = words[name] | used if name in words else used
        grown = True
        while grown:
            more = {name for name, used in words.items() if name not in reached and not used.isdisjoint(reached)}
            reached |= more
            grown = bool(more)
        return frozenset(reached)
