"""`cudalint rules`: what can be found."""

import json
from itertools import groupby
from typing import Any

import click

from cudalint.catalogue import AnyRule, catalogue


@click.command(short_help="List the rules.")
@click.option("--output-format", type=click.Choice(["full", "json"]), default="full", show_default=True)
def rules(*, output_format: str) -> None:
    """List the rules by group. `cudalint explain SLUG` shows a rule's page."""
    known = sorted(catalogue(), key=lambda rule: (rule.group, rule.slug))
    if output_format == "json":
        click.echo(json.dumps([_as_object(rule) for rule in known], indent=2))
        return
    longest = max(len(rule.slug) for rule in known)
    for group, members in groupby(known, key=lambda rule: rule.group):
        click.echo(group)
        for rule in members:
            click.echo(f"  {rule.slug:{longest}}  {rule.severity:7}  {rule.title}")


def _as_object(rule: AnyRule) -> dict[str, Any]:
    return {
        "rule": rule.slug,
        "group": rule.group,
        "severity": str(rule.severity),
        "confidence": str(rule.confidence),
        "since": rule.since,
        "title": rule.title,
        "silences": list(rule.silences),
        "page": rule.page,
    }
