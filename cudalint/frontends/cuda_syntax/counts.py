"""Whether a list of parameters or arguments says how many there are, in every build and for every template argument."""

import re

from tree_sitter import Node

from cudalint.frontends.cuda_syntax.lowering import Lowering

_DIRECTIVE = re.compile(r"^[ \t]*#", re.MULTILINE)
_WORD = re.compile(r"[A-Za-z_]\w*")


def countable(low: Lowering, listed: Node) -> bool:
    """Whether each thing named in the brackets of `listed` is one: no pack, nothing under an `#if`, no macro that may hold
    commas or nothing, and nothing that could not be read.
    """
    written = low.text.unreplaced(listed.start_byte, listed.end_byte)
    if listed.has_error or "..." in written or _DIRECTIVE.search(written):
        return False
    bodies = (macro.body for word in set(_WORD.findall(written)) for macro in low.macros.get(word))
    return all(body.strip() and "," not in body for body in bodies)
