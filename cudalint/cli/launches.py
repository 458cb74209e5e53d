"""`cudalint launches`: every launch site with what is known of it."""

import os
import sys
from typing import Any

import click

from cudalint.cli.app import FAULT
from cudalint.cli.options import analysis_options, path_arguments, settings, settings_options, verbosity_options
from cudalint.cli.run import analyse
from cudalint.reporters.json_report import json_report
from cudalint.reporters.launch_table import SORTS, launch_table


@click.command(short_help="List every launch site with what is known of it.")
@path_arguments
@analysis_options
@click.option("--output-format", type=click.Choice(["full", "json"]), default="full", show_default=True)
@click.option("--sort", type=click.Choice(list(SORTS)), default="place", show_default=True, help="Order of the table.")
@settings_options
@verbosity_options
def launches(
    paths: tuple[str, ...],
    *,
    resources: dict[str, dict[str, int]] | None,
    output_format: str,
    sort: str,
    quiet: bool,
    verbose: bool,
    **options: Any,
) -> int:
    """List every launch site of files and folders: grid, block, shared memory and registers with the origin of each,
    and for each GPU the resident blocks per SM (CU, WGP) and the waves. "? =" stands before a formula or an expression
    whose value is not known.
    """
    paths = paths or (os.curdir,)
    report = analyse(paths, settings(paths, **options), resources, quiet=quiet, verbose=verbose)
    sys.stdout.write(json_report(report) if output_format == "json" else launch_table(report, sort=sort))
    return FAULT if report.crashed else 0
