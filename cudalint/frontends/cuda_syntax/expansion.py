"""Replaces macros in text as a C preprocessor does: parameters, `#`, `##`, variadic arguments, rescanning, no recursion."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from cudalint.frontends.cuda_syntax.defines import MacroDefinition

_TOKEN = re.compile(
    r"""
    (?P<space>\s+)
  | (?P<literal>(?:u8|[uUL])?R"(?P<delimiter>[^()\\\s]*)\(.*?\)(?P=delimiter)"
      | (?:u8|[uUL])?"(?:\\.|[^"\\])*" | (?:u8|[uUL])?'(?:\\.|[^'\\])+'
      | \.?\d(?:[eEpP][+-]|'?[\w.])*)
  | (?P<word>[A-Za-z_$][\w$]*)
  | (?P<mark>\#\#|<<<|>>>|::|->|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_OPENING, _CLOSING = "([{", ")]}"
_VARIADIC = "__VA_ARGS__"
_MOST_TOKENS = 20_000
_DEEPEST = 30
_LONGEST = 1 << 14


class Token(NamedTuple):
    """`hidden` names the macros this token came out of: it is not replaced by them again."""

    text: str
    word: bool = False
    hidden: frozenset[str] = frozenset()

    @property
    def blank(self) -> bool:
        return self.text.isspace()


class TooLargeError(Exception):
    """An expansion grows past any sensible size."""


Lookup = Callable[[str], MacroDefinition | None]


@lru_cache(maxsize=4096)
def tokens_of(text: str) -> tuple[Token, ...]:
    """The preprocessor's tokens of `text`; white space is one token, a single blank."""
    return tuple(
        Token(" " if found.lastgroup == "space" else found[0], found.lastgroup == "word")
        for found in _TOKEN.finditer(text)
    )


def split_arguments(text: str) -> list[str]:
    """Macro arguments: `text` is what stands between the parentheses of the use, split at commas outside brackets,
    braces, parentheses and literals. Chevrons protect nothing.
    A text of absurd length stays whole.
    """
    if len(text) > _LONGEST:
        return [text]
    return ["".join(token.text for token in part).strip() for part in _split(tokens_of(text))]


def expand_text(text: str, lookup: Lookup) -> str:
    """`text` with every macro that `lookup` knows replaced. Raises TooLargeError."""
    return "".join(token.text for token in _expand(tokens_of(text), lookup))


def _split(tokens: Sequence[Token]) -> list[list[Token]]:
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        if token.text == "," and not depth:
            parts.append([])
            continue
        depth += (token.text in _OPENING) - (token.text in _CLOSING) if token.text else 0
        parts[-1].append(token)
    return parts


def _expand(tokens: Sequence[Token], lookup: Lookup, depth: int = 0) -> list[Token]:
    """`depth` counts the macros in whose arguments these tokens stand."""
    if depth > _DEEPEST:
        raise TooLargeError
    pending = list(reversed(tokens))
    done: list[Token] = []
    while pending:
        token = pending.pop()
        macro = lookup(token.text) if token.word and token.text not in token.hidden else None
        if macro is None:
            done.append(token)
            if len(done) > _MOST_TOKENS:
                raise TooLargeError(token.text)
            continue
        arguments: list[list[Token]] = []
        if macro.parameters is not None:
            taken = _take_arguments(pending)
            if taken is None:
                done.append(token)
                continue
            arguments = taken
        hidden = token.hidden | {macro.name}
        replaced = _substitute(macro, arguments, lookup, depth)
        pending.extend(
            Token(part.text, True, part.hidden | hidden) if part.word else part for part in reversed(replaced)
        )
        if len(pending) > _MOST_TOKENS:
            raise TooLargeError(macro.name)
    return done


def _take_arguments(pending: list[Token]) -> list[list[Token]] | None:
    """Takes `( … )` off the stack and splits it; None, and nothing taken, where no such thing follows."""
    index = len(pending) - 1
    while index >= 0 and pending[index].blank:
        index -= 1
    if index < 0 or pending[index].text != "(":
        return None
    depth, end = 0, index
    while end >= 0:
        depth += (pending[end].text == "(") - (pending[end].text == ")")
        if not depth:
            break
        end -= 1
    if end < 0:
        return None
    inner = pending[end + 1 : index]
    del pending[end:]
    return _split(inner[::-1])


def _bind(parameters: tuple[str, ...], arguments: list[list[Token]]) -> dict[str, list[Token]]:
    """Arguments by parameter; missing ones are empty, those past a variadic parameter are joined by their commas."""
    bound: dict[str, list[Token]] = {}
    for index, parameter in enumerate(parameters):
        if parameter.endswith("..."):
            rest: list[Token] = []
            for position, argument in enumerate(arguments[index:]):
                rest += [Token(","), *argument] if position else argument
            bound[parameter[:-3].strip() or _VARIADIC] = _stripped(rest)
        else:
            bound[parameter] = _stripped(arguments[index]) if index < len(arguments) else []
    return bound


def _stripped(tokens: list[Token]) -> list[Token]:
    start, end = 0, len(tokens)
    while start < end and tokens[start].blank:
        start += 1
    while end > start and tokens[end - 1].blank:
        end -= 1
    return tokens[start:end]


def _substitute(macro: MacroDefinition, arguments: list[list[Token]], lookup: Lookup, depth: int) -> list[Token]:
    bound = _bind(macro.parameters or (), arguments)
    body = tokens_of(macro.body)
    done: list[Token] = []
    index = 0
    while index < len(body):
        token = body[index]
        following = _next(body, index)
        if token.text == "#" and macro.parameters is not None and body[following : following + 1]:
            done.append(_quoted(bound.get(body[following].text, [body[following]])))
            index = following
        elif token.text == "##" and following < len(body):
            _paste(done, bound.get(body[following].text, [body[following]]))
            index = following
        elif token.word and token.text in bound:
            raw = bound[token.text]
            pastes = following < len(body) and body[following].text == "##"
            done += raw if pastes else _expand(raw, lookup, depth + 1)
        else:
            done.append(token)
        index += 1
    return done


def _next(body: Sequence[Token], index: int) -> int:
    index += 1
    while index < len(body) and body[index].blank:
        index += 1
    return index


def _quoted(tokens: list[Token]) -> Token:
    text = "".join(token.text for token in tokens).replace("\\", "\\\\").replace('"', '\\"')
    return Token(f'"{text}"')


def _paste(done: list[Token], right: list[Token]) -> None:
    """Joins the last token so far with the first of `right`; a comma before no variadic argument goes away."""
    while done and done[-1].blank:
        done.pop()
    if not done:
        done += right
    elif done[-1].text == ",":
        if right:
            done += right
        else:
            done.pop()
    elif right:
        left = done.pop()
        done += [*tokens_of(left.text + right[0].text), *right[1:]]
