"""The examples of every rule's page: a bad one shows its rule, a good one shows none."""

import pytest

from cudalint.catalogue import AnyRule, Example, catalogue
from cudalint.testing import example_faults, page_examples

EXAMPLES = [
    pytest.param(rule, example, id=f"{rule.slug}-{number}-{example.verdict}")
    for rule in catalogue()
    for number, example in enumerate(page_examples(rule), 1)
]


@pytest.mark.parametrize(("rule", "example"), EXAMPLES)
def test_the_example_shows_what_its_page_says(rule: AnyRule, example: Example) -> None:
    assert example_faults(rule, example) == []
