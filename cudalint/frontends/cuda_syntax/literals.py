"""The values of literals as C++ writes them (ISO C++20, [lex.literal])."""

import re
from functools import lru_cache

_INTEGER = re.compile(r"(0[xX][0-9a-fA-F']+|0[bB][01']+|[0-9][0-9']*)([uUlLzZ]*)\Z")
_ESCAPE = re.compile(r"\\(?:([0-7]{1,3})|x([0-9a-fA-F]+)|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)
_SIMPLE_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "e": "\x1b", "\n": ""}


@lru_cache(maxsize=4096)
def number(text: str) -> tuple[int, str] | float | None:
    """The value and suffix of an integer literal, the value of a floating one, None for what is neither."""
    match = _INTEGER.match(text)
    if match:
        digits = match[1].replace("'", "").lower()
        suffix = match[2].lower()
        if digits.startswith(("0x", "0b")):
            return (int(digits, 0), suffix) if len(digits) > 2 else None
        octal = len(digits) > 1 and digits[0] == "0" and not set(digits) & {"8", "9"}
        return int(digits, 8 if octal else 10), suffix
    return _floating(text.replace("'", ""))


def _floating(text: str) -> float | None:
    hexadecimal = text[:2] in {"0x", "0X"}
    digits = text.rstrip("fFlLhHdD" if not hexadecimal else "lL")
    try:
        return float.fromhex(digits) if hexadecimal else float(digits)
    except (ValueError, OverflowError):
        return None


def unescape(text: str) -> str:
    """The characters that the inside of a string or character literal stands for."""
    return _ESCAPE.sub(_replacement, text) if "\\" in text else text


def _replacement(match: re.Match[str]) -> str:
    octal, short, four, eight, simple = match.groups()
    if simple is not None:
        return _SIMPLE_ESCAPES.get(simple, simple)
    code = int(octal, 8) if octal else int(short or four or eight, 16)
    return chr(code) if code < 0x110000 else "\ufffd"


def string(literal: str) -> str:
    """The value of a string literal with its prefix, quotes and escapes, or of a raw one."""
    opening = literal.find('"')
    if opening > 0 and literal[opening - 1] == "R":
        start = literal.find("(", opening)
        return literal[start + 1 : len(literal) - (start - opening) - 1]
    return unescape(literal[opening + 1 : -1])


def character(literal: str) -> int:
    """The value of a character literal; several characters are packed as compilers do, first one highest."""
    value = 0
    for letter in unescape(literal[literal.find("'") + 1 : -1]):
        value = value << 8 | ord(letter)
    return value
