"""`cudalint ir`: what the frontends read."""

import sys
from pathlib import Path
from typing import Any

import click

from cudalint.cli.options import settings, settings_options
from cudalint.discovery import discover
from cudalint.frontends import Project, read
from cudalint.ir.dump import dump


@click.command(short_help="Dump what is read from source files.")
@click.argument("paths", nargs=-1, required=True, metavar="FILE...")
@settings_options
def ir(paths: tuple[str, ...], **options: Any) -> None:
    """Dump what is read from source files: functions, launches, macros, and what could not be read."""
    config = settings(paths, **options)
    files = discover(paths, config)
    project = Project([config.root], [Path(file.path) for file in files])
    for file in files:
        sys.stdout.write(dump(read(Path(file.path), file.display, project)))
