"""`cudalint cache`: what earlier runs kept."""

import os
import shutil
from typing import Any

import click

from cudalint.cli.options import cache_options, path_arguments, settings, settings_options
from cudalint.engine.run import cache_folder


@click.group(short_help="Remove what earlier runs kept.")
def cache() -> None:
    """Handle the results that earlier runs kept, by default in .cudalint_cache of the project."""


@cache.command(short_help="Remove it.")
@path_arguments
@cache_options
@settings_options
def clean(paths: tuple[str, ...], **options: Any) -> None:
    """Remove the results that runs over PATH (the current folder by default) kept."""
    folder = cache_folder(settings(paths or (os.curdir,), **options))
    if folder is None or not (folder / "CACHEDIR.TAG").is_file():
        click.echo("cudalint: nothing is kept", err=True)
        return
    shutil.rmtree(folder)
    click.echo(f"removed {folder}")
