"""`cudalint config`: the settings in effect."""

import dataclasses
import os
from typing import Any

import click

from cudalint.cli.options import path_arguments, settings, settings_options
from cudalint.config import Config

_ABOUT_THE_RUN = {"root", "file", "overridden"}


@click.command(short_help="Show the settings in effect and where each comes from.")
@path_arguments
@settings_options
def config(paths: tuple[str, ...], **options: Any) -> None:
    """Show the settings a run over PATH (the current folder by default) has, and where each comes from."""
    effective = settings(paths or (os.curdir,), **options)
    click.echo(f"file: {effective.file or 'none'}")
    click.echo(f"root: {effective.root}")
    for field in dataclasses.fields(Config):
        if field.name not in _ABOUT_THE_RUN:
            value = getattr(effective, field.name)
            click.echo(f"{field.name.replace('_', '-')} = {_shown(value)}  ({_origin(effective, field.name)})")


def _origin(effective: Config, name: str) -> str:
    if name in effective.overridden:
        return "command line"
    changed = getattr(effective, name) != getattr(Config(root=effective.root), name)
    return str(effective.file) if changed else "default"


def _shown(value: Any) -> str:
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(_shown, value))}]"
    return "not set" if value is None else str(value)
