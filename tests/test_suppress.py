"""How comments to the linter are read."""

import pytest

from cudalint.ir import Comment
from cudalint.source import Span, pack
from cudalint.suppress import addresses, complete_names, read_comment

EXTENT = pack(5, 10, 5, 60)
STATEMENT = pack(6, 1, 7, 20)


def read(text: str, covers: int | None = STATEMENT) -> tuple[tuple[str, ...], str, Span | None]:
    directive = read_comment("a.cu", Comment(text, EXTENT, covers))
    return directive.rules, directive.reason, directive.covers


@pytest.mark.parametrize(
    ("text", "rules", "reason"),
    [
        ("// cudalint: ignore[tail-wave]", ("tail-wave",), ""),
        ("// cudalint: ignore[tail-wave, block] measured: 2 %", ("tail-wave", "block"), "measured: 2 %"),
        ("/* cudalint: ignore[tail-wave] fine */", ("tail-wave",), "fine"),
        ("# cudalint:ignore [ tail-wave ,] fine", ("tail-wave",), "fine"),
        ("// tuned by hand; cudalint: ignore[tail-wave]: fine", ("tail-wave",), "fine"),
    ],
)
def test_a_comment_names_rules_and_a_reason(text: str, rules: tuple[str, ...], reason: str) -> None:
    assert addresses(text)
    assert read(text) == (rules, reason, Span.unpack("a.cu", STATEMENT))


def test_a_comment_with_no_statement_covers_its_own_lines() -> None:
    covers = read("// cudalint: ignore[tail-wave]", None)[2]
    assert covers is not None
    assert covers.covers(Span("a.cu", 5, 1, 5, 9))
    assert not covers.covers(Span("a.cu", 6, 1, 6, 9))


def test_a_file_suppression_covers_the_file() -> None:
    covers = read("// cudalint: file-ignore[tail-wave] generated")[2]
    assert covers is not None
    assert covers.covers(Span("a.cu", 1, 1, 1, 2))
    assert covers.covers(Span("a.cu", 70_000, 1, 70_000, 2))


@pytest.mark.parametrize(
    "text",
    ["// cudalint: ignore", "// cudalint: ignore tail-wave", "// cudalint: disable[tail-wave]", "// cudalint: ignore[tail-wave",
     "// cudalint: ignore[] why", "// cudalint ignore[tail-wave]", "// cudalint: file-ignore"],
)  # fmt: skip
def test_what_cannot_be_understood_names_no_rule(text: str) -> None:
    assert addresses(text)
    assert read(text)[0] == ()


@pytest.mark.parametrize("text", ["// see the cudalint docs", "// cudalint-test: gpu=h200", "// cudalint ignores this"])
def test_other_comments_are_none_of_its_business(text: str) -> None:
    assert not addresses(text)


def test_a_group_can_be_judged_when_all_its_rules_ran() -> None:
    existing = [("a", "wave"), ("b", "wave"), ("c", "block")]
    assert complete_names([("a", "wave"), ("c", "block")], existing) == {"a", "c", "block"}
