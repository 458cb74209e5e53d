"""The rules there are: found, complete, chosen by name, listed."""

from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from cudalint.catalogue import (
    AnyRule,
    catalogue,
    check_metadata,
    examples,
    index_markdown,
    index_path,
    names,
    rule_of,
    select,
)
from cudalint.config import Config
from cudalint.errors import ConfigError, RuleError
from cudalint.rule import Severity

RULE = next(rule for rule in catalogue() if rule.slug == "block-not-warp-multiple")


def chosen(**settings: Any) -> set[str]:
    return {rule.slug for rule in select(catalogue(), Config(root=Path.cwd()).merged(**settings))}


def slugs(group: str) -> set[str]:
    return {rule.slug for rule in catalogue() if rule.group == group}


def test_every_file_of_a_group_is_a_rule() -> None:
    files = {path.stem.replace("_", "-") for path in index_path().parent.glob("*/*.py") if path.stem != "__init__"}
    assert {rule.slug for rule in catalogue()} == files


def test_the_index_is_what_the_rules_say() -> None:
    assert index_path().read_text(encoding="utf-8") == index_markdown(catalogue()), (
        "python -m cudalint.catalogue --write"
    )


def test_a_page_is_read_with_its_examples() -> None:
    page = "Title.\n\n```cuda bad\nk<<<1, 100>>>();\n```\n\n```hip good gpu=mi300x assume=n=1\nx;\n```\n"
    bad, good = examples(page)
    assert (bad.language, bad.verdict, bad.options, bad.code) == ("cuda", "bad", {}, "k<<<1, 100>>>();\n")
    assert (good.language, good.verdict, good.options) == ("hip", "good", {"gpu": "mi300x", "assume": "n=1"})


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"since": ""}, "since"),
        ({"page": ""}, "title"),
        ({"page": RULE.page.replace(" bad\n", " good\n")}, "no ```… bad block"),
        ({"page": RULE.page.replace(" good\n", " bad\n")}, "no ```… good block"),
        ({"page": RULE.page + "\n```text\nx\n```\n"}, "neither bad nor good"),
        ({"silences": ("no-such-rule",)}, "silences what is no rule: no-such-rule"),
        ({"silences": (RULE.slug,)}, "silences itself"),
    ],
)
def test_incomplete_metadata_is_refused(change: dict[str, Any], fault: str) -> None:
    with pytest.raises(RuleError, match=fault) as caught:
        check_metadata(replace(RULE, **change), names(catalogue()))
    assert "block/block-not-warp-multiple" in str(caught.value)


def test_a_module_holds_its_own_rule() -> None:
    empty = ModuleType("cudalint.rules.block.empty")
    with pytest.raises(RuleError, match="holds no rule"):
        rule_of(empty)
    borrowed = ModuleType("cudalint.rules.block.another_name")
    vars(borrowed)["check"] = RULE
    with pytest.raises(RuleError, match="made in another file"):
        rule_of(borrowed)


def test_every_rule_runs_by_default() -> None:
    assert chosen() == {rule.slug for rule in catalogue()}


def test_rules_are_chosen_by_slug_and_group() -> None:
    assert chosen(select=("grid", RULE.slug)) == slugs("grid") | {RULE.slug}
    assert chosen(select=("grid",), extend_select=("order",)) == slugs("grid") | slugs("order")
    assert chosen(ignore=("grid",)) == chosen() - slugs("grid")


def test_a_rule_named_outranks_its_group() -> None:
    assert chosen(ignore=("block",), extend_select=(RULE.slug,)) == (chosen() - slugs("block")) | {RULE.slug}
    assert chosen(select=("block",), ignore=(RULE.slug,)) == slugs("block") - {RULE.slug}
    assert chosen(select=(RULE.slug,), ignore=(RULE.slug,)) == set()


def test_a_rule_switched_off_does_not_run() -> None:
    assert chosen(severity={RULE.slug: None}) == chosen() - {RULE.slug}
    assert chosen(severity={RULE.slug: Severity.NOTE}) == chosen()


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(ConfigError, match="did you mean 'block'"):
        chosen(select=("blocks",))


def test_silences_never_form_a_circle() -> None:
    by_slug: dict[str, AnyRule] = {rule.slug: rule for rule in catalogue()}

    def reachable(slug: str, seen: frozenset[str] = frozenset()) -> frozenset[str]:
        for other in by_slug[slug].silences if slug in by_slug else ():
            if other not in seen:
                seen = reachable(other, seen | {other})
        return seen

    assert [slug for slug in by_slug if slug in reachable(slug)] == []
