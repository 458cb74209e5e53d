"""A rule's page as a terminal shows it."""

import re
from collections.abc import Iterator
from typing import Any

from cudalint.reporters.paint import Paint
from cudalint.rule import Rule

_FENCE = re.compile(r"```(\w*)\s*(.*)")


def rule_page(rule: Rule[Any], *, colour: bool = False) -> str:
    """Heading, what the rule is worth, then its page with the code indented."""
    paint = Paint(colour)
    about = f"{rule.group}, {rule.severity}, {rule.confidence}, since {rule.since}"
    lines = [paint.severity(rule.slug, rule.severity), paint.faint(about), "", *_body(rule.page, paint)]
    if rule.silences:
        lines += ["", f"Where it reports, these are silent about the same place: {', '.join(rule.silences)}."]
    return "".join(f"{line}\n" for line in lines)


def _body(page: str, paint: Paint) -> Iterator[str]:
    inside = False
    for line in page.splitlines():
        fence = _FENCE.fullmatch(line)
        if fence is None:
            yield f"    {line}".rstrip() if inside else line.replace("`", "")
            continue
        inside = not inside
        if inside and fence[2]:
            yield from ("", paint.strong(f"{fence[2].capitalize()} ({fence[1]}):"))
