"""What the words before a function's name say: specifiers themselves, and macros that stand for them."""

import re

from cudalint.frontends.cuda_syntax.lowering import Lowering

KINDS = {
    "__global__": "global",
    "__device__": "device",
    "__host__": "host",
    "static": "static",
    "inline": "inline",
    "__inline__": "inline",
    "__forceinline__": "inline",
    "constexpr": "constexpr",
    "consteval": "constexpr",
    "__tile_global__": "global",
}
_WORD = re.compile(r"[A-Za-z_]\w*")
_NONE: frozenset[str] = frozenset()


def kinds_of_word(low: Lowering, word: str) -> frozenset[str]:
    """The kinds a word gives a function: `HD` defined as `__host__ __device__` gives host and device."""
    kind = KINDS.get(word)
    if kind is not None:
        return frozenset((kind,))
    known = low.word_kinds.get(word)
    if known is None:
        low.word_kinds[word] = _NONE
        known = low.word_kinds[word] = _kinds_of_macro(low, word)
    return known


def _kinds_of_macro(low: Lowering, word: str) -> frozenset[str]:
    definitions = low.macros.get(word)
    if definitions:
        bodies = (_WORD.findall(definition.body) for definition in definitions)
        return _NONE.union(*(kinds_of_word(low, inner) for body in bodies for inner in body))
    if not word.isupper():
        return _NONE
    parts = set(word.split("_"))
    found = {kind for kind in ("host", "device") if kind.upper() in parts or "HOSTDEVICE" in parts}
    if parts & {"HD", "DEV"}:
        found |= {"host", "device"} if "HD" in parts else {"device"}
    return frozenset(found)


def kinds_in(low: Lowering, text: str) -> frozenset[str]:
    """The kinds all words of a text give together."""
    return _NONE.union(*(kinds_of_word(low, word) for word in _WORD.findall(text)))
