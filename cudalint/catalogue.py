"""Every rule there is: found as modules of `cudalint.rules.<group>`, their metadata checked, chosen by name.

`python -m cudalint.catalogue --write` rewrites the index, `rules/README.md`.
"""

import importlib
import pkgutil
import re
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from cudalint.config import Config
from cudalint.errors import RuleError
from cudalint.record import record
from cudalint.rule import Rule

AnyRule = Rule[Any]

_PACKAGE = "cudalint.rules"
_BLOCK = re.compile(r"^```(cuda|hip|python) (bad|good)((?: [\w=.,-]+)*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FENCE = re.compile(r"^```(.+)$", re.MULTILINE)
_SINCE = re.compile(r"\d+\.\d+(\.\d+)?")
_TITLE = 100


@record
class Example:
    """A code block of a rule's page: `verdict` is bad or good, `options` the words after it (`gpu` → `mi300x`)."""

    language: str
    verdict: str
    options: dict[str, str]
    code: str


def examples(page: str) -> tuple[Example, ...]:
    """The code blocks of a page that are marked bad or good."""
    return tuple(
        Example(match[1], match[2], dict(word.partition("=")[::2] for word in match[3].split()), match[4])
        for match in _BLOCK.finditer(page)
    )


@cache
def catalogue() -> tuple[AnyRule, ...]:
    """All rules, by group and slug. Raises RuleError where the metadata of one is incomplete or contradicts its file."""
    package = importlib.import_module(_PACKAGE)
    rules = tuple(sorted(_rules(package), key=lambda rule: (rule.group, rule.slug)))
    known = names(rules)
    for rule in rules:
        check_metadata(rule, known)
    return rules


def _rules(package: ModuleType) -> Iterator[AnyRule]:
    for group in pkgutil.iter_modules(package.__path__):
        folder = importlib.import_module(f"{_PACKAGE}.{group.name}")
        for info in pkgutil.iter_modules(folder.__path__):
            yield rule_of(importlib.import_module(f"{folder.__name__}.{info.name}"))


def rule_of(module: ModuleType) -> AnyRule:
    """The one rule that a module holds, called `check`. Raises RuleError where there is none or it is another's."""
    rule = getattr(module, "check", None)
    if not isinstance(rule, Rule):
        raise RuleError(f"{module.__name__}: holds no rule called check")
    *_, group, name = module.__name__.split(".")
    if (rule.group, rule.slug) != (group, name.replace("_", "-")):
        raise RuleError(f"{module.__name__}: its rule is {rule.group}/{rule.slug}, made in another file")
    return rule


def check_metadata(rule: AnyRule, known: Collection[str]) -> None:
    """Raises RuleError where a rule's page or metadata lacks something; `known` holds all slugs and groups."""
    found = examples(rule.page)
    faults = {
        f"since is {rule.since!r}, not a version": not _SINCE.fullmatch(rule.since),
        f"the page's first line is no title of at most {_TITLE} characters": not 0 < len(rule.title) <= _TITLE,
        "the page has no ```… bad block": not any(example.verdict == "bad" for example in found),
        "the page has no ```… good block": not any(example.verdict == "good" for example in found),
        "a code block of the page is neither bad nor good in cuda, hip or python": len(found)
        != len(_FENCE.findall(rule.page)),
        f"silences what is no rule: {', '.join(set(rule.silences) - set(known))}": not set(rule.silences) <= set(known),
        "silences itself": rule.slug in rule.silences,
    }
    for fault, present in faults.items():
        if present:
            raise RuleError(f"{rule.group}/{rule.slug}: {fault}")


def names(rules: Iterable[AnyRule]) -> frozenset[str]:
    """Everything that can be selected: slugs and groups."""
    return frozenset(name for rule in rules for name in (rule.slug, rule.group))


def select(rules: Iterable[AnyRule], config: Config) -> tuple[AnyRule, ...]:
    """The rules that the settings ask for. A rule named outranks its group; ignoring wins over selecting alike.

    Raises ConfigError for a name that is no rule and no group.
    """
    known = tuple(rules)
    config.check_names(names(known))
    chosen = (*(config.select or ()), *config.extend_select)
    dropped = (*config.ignore, *config.extend_ignore)
    everything = int(config.select is None)
    return tuple(
        rule
        for rule in known
        if max(everything, _rank(rule, chosen)) > _rank(rule, dropped)
        and config.severity.get(rule.slug, rule.severity) is not None
        and config.severity.get(rule.group, rule.severity) is not None
    )


def _rank(rule: AnyRule, selectors: Collection[str]) -> int:
    return 2 if rule.slug in selectors else 1 if rule.group in selectors else 0


def index_markdown(rules: Iterable[AnyRule]) -> str:
    """The index of all rules, as `rules/README.md` holds it."""
    rows = [
        f"| [{rule.slug}]({rule.group}/{rule.slug.replace('-', '_')}.py) | {rule.group} | {rule.severity} "
        f"| {rule.since} | {rule.title.replace('|', chr(92) + '|')} |"
        for rule in rules
    ]
    head = [
        "# Rules",
        "",
        "One rule is one file; its docstring is its page, which `cudalint explain RULE` prints.",
        "This index is generated by `python -m cudalint.catalogue --write`.",
        "",
        "| rule | group | severity | since | what it reports |",
        "|---|---|---|---|---|",
    ]
    return "\n".join([*head, *rows, ""])


def index_path() -> Path:
    """Where the index is kept."""
    return Path(importlib.import_module(_PACKAGE).__path__[0], "README.md")


def main(arguments: Sequence[str]) -> int:
    """Write the index, or print it."""
    text = index_markdown(catalogue())
    if "--write" in arguments:
        index_path().write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
