"""The macros a file can see, and what their uses stand for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tree_sitter import Node

from cudalint.frontends.cuda_syntax.text import Text


class MacroDefinition(NamedTuple):
    """One `#define`. `parameters` is None for an object-like macro; `__VA_ARGS__` (or `name...`) comes last, as written.

    `body` has line splices and comments replaced by spaces. `start` and `end` are byte offsets in `file`.
    """

    name: str
    parameters: tuple[str, ...] | None
    body: str
    start: int
    end: int
    conditional: bool
    file: str


@dataclass(frozen=True, slots=True)
class Expansion:
    """`root` is a `compound_statement` with the statements the use of `macro` stands for, a `;` added at their end."""

    root: Node
    text: Text
    macro: str


class MacroTable:
    """The definitions of one file and of all it includes, as far as those files are known."""

    def get(self, name: str) -> tuple[MacroDefinition, ...]:
        """All definitions of `name`, those of the file itself first."""
        raise NotImplementedError

    def expands_to_launch(self, name: str) -> bool:
        """Whether the expansion of `name`, nested macros included, holds `<<<` or the name of a launch function."""
        raise NotImplementedError

    def expand(self, name: str, arguments: Sequence[str] | None, use: int) -> Expansion | None:
        """The code that a use of `name` at the packed extent `use` stands for; None where it has none or is too large.

        `arguments` is None for a use without parentheses; `split_arguments` makes it from the text between them.
        """
        raise NotImplementedError


def split_arguments(text: str) -> list[str]:
    """Macro arguments: `text` is what stands between the parentheses of the use, split at commas outside brackets,
    braces, parentheses and literals. Chevrons protect nothing."""
    raise NotImplementedError
