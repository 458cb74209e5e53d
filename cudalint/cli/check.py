"""`cudalint check`: findings out, an exit code back."""

import os
import sys
from pathlib import Path
from typing import Any

import click

from cudalint.cli.app import FAULT
from cudalint.cli.options import (
    SEVERITIES,
    analysis_options,
    names,
    path_arguments,
    settings,
    settings_options,
    verbosity_options,
)
from cudalint.cli.run import analyse
from cudalint.cli.terminal import use_colour
from cudalint.config import NEVER, Config
from cudalint.discovery import discover
from cudalint.report import Report
from cudalint.reporters import FORMATS
from cudalint.reporters.concise import concise
from cudalint.reporters.full import full, suppressed
from cudalint.reporters.github import github
from cudalint.reporters.json_report import json_report
from cudalint.reporters.step_summary import step_summary
from cudalint.reporters.wording import statistics
from cudalint.rule import Severity


def _report_file(text: str) -> tuple[str, Path]:
    """`FORMAT=FILE`."""
    kind, _, file = text.partition("=")
    if kind not in FORMATS or not file:
        raise click.BadParameter(f"{text!r} is not FORMAT=FILE with a format of {', '.join(FORMATS)}")
    return kind, Path(file)


def _severity(_ctx: click.Context, _parameter: click.Parameter, name: str | None) -> Severity | None:
    return None if name is None else Severity(name)


@click.command(short_help="Report faults in launch code.")
@path_arguments
@analysis_options
@click.option("--select", type=names, metavar="NAMES", help="Only these rules and groups.")
@click.option("--ignore", type=names, metavar="NAMES", help="Not these rules and groups.")
@click.option("--extend-select", type=names, metavar="NAMES", help="These rules and groups besides the selected ones.")
@click.option(
    "--min-severity",
    type=click.Choice(SEVERITIES),
    callback=_severity,
    help="Report nothing below this severity (warning).",
)
@click.option("--fail-on", type=click.Choice([*SEVERITIES, NEVER]), help="Exit with 1 from this severity on (warning).")
@click.option("--exit-zero", is_flag=True, help="The same as --fail-on never.")
@click.option(
    "--output-format",
    type=click.Choice(list(FORMATS)),
    default="full",
    envvar="CUDALINT_OUTPUT_FORMAT",
    show_default=True,
    help="What to write to standard output.",
)
@click.option(
    "--report",
    "reports",
    type=_report_file,
    multiple=True,
    metavar="FORMAT=FILE",
    help="Write a file in another format; repeatable.",
)
@click.option("--show-suppressed", is_flag=True, help="List what suppressions silenced (full, concise).")
@click.option("--show-files", is_flag=True, help="List the files that would be read, and stop.")
@click.option("--statistics", "wants_statistics", is_flag=True, help="Count the findings of each rule.")
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Colours in text.")
@settings_options
@verbosity_options
def check(
    paths: tuple[str, ...],
    *,
    resources: dict[str, dict[str, int]] | None,
    output_format: str,
    reports: tuple[tuple[str, Path], ...],
    show_suppressed: bool,
    show_files: bool,
    wants_statistics: bool,
    color: str,
    quiet: bool,
    verbose: bool,
    exit_zero: bool,
    **options: Any,
) -> int:
    """Report faults in the CUDA and HIP launch code of files and folders (the current one by default).

    Exit code: 0 nothing at or above --fail-on, 1 findings, 2 the run could not answer.
    """
    paths = paths or (os.curdir,)
    if exit_zero:
        options["fail_on"] = NEVER
    config = settings(paths, **options)
    if show_files:
        sys.stdout.writelines(f"{file.display}\n" for file in discover(paths, config))
        return 0
    report = analyse(paths, config, resources, quiet=quiet, verbose=verbose)
    for kind, file in reports:
        file.write_text(FORMATS[kind](report), encoding="utf-8", errors="backslashreplace")
    sys.stdout.write(_answer(report, output_format, color, totals=not quiet, with_suppressed=show_suppressed))
    if wants_statistics:
        stream = sys.stdout if output_format in {"full", "concise"} else sys.stderr
        stream.write(statistics(report.findings))
    return _exit_code(report, config)


def _answer(report: Report, output_format: str, color: str, *, totals: bool, with_suppressed: bool) -> str:
    if output_format == "json":
        return json_report(report)
    colour = use_colour(color, sys.stdout)
    text = (concise if output_format == "concise" else full)(report, colour=colour, totals=totals)
    if with_suppressed:
        text = suppressed(report, colour=colour) + text
    if output_format == "github":
        _append_step_summary(report)
        text += github(report)
    return text


def _append_step_summary(report: Report) -> None:
    page = os.environ.get("GITHUB_STEP_SUMMARY")
    if page:
        with Path(page).open("a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(step_summary(report))


def _exit_code(report: Report, config: Config) -> int:
    if report.crashed:
        return FAULT
    return int(any(config.fails(finding.severity) for finding in report.findings))
