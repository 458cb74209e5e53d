"""`cudalint explain`: a rule's page, or the derivation of one launch."""

import os
import re
import sys
from typing import Any

import click

from cudalint.catalogue import catalogue
from cudalint.cli.options import analysis_options, settings, settings_options, verbosity_options
from cudalint.cli.run import analyse
from cudalint.cli.terminal import use_colour
from cudalint.config import Config, suggestion
from cudalint.hw import Device, device, load_device_file
from cudalint.report import Report, ReportedLaunch
from cudalint.reporters.derivation import derivation
from cudalint.reporters.rule_page import rule_page

_PLACE = re.compile(r"(?P<file>.+?):(?P<line>\d+)(?::\d+)?")


@click.command(short_help="Show a rule's page, or how the figures of a launch follow.")
@click.argument("subject", metavar="SLUG|PATH:LINE")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@analysis_options
@settings_options
@verbosity_options
def explain(
    subject: str,
    paths: tuple[str, ...],
    *,
    resources: dict[str, dict[str, int]] | None,
    quiet: bool,
    verbose: bool,
    **options: Any,
) -> int:
    """Show the page of a rule, or how the figures of the launch at PATH:LINE follow.

    Further PATHs are read too: the kernel may be in another file than the launch.
    """
    place = _PLACE.fullmatch(subject)
    if place is None:
        sys.stdout.write(_page(subject))
        return 0
    paths = (place["file"], *paths)
    config = settings(paths, **options)
    report = analyse(paths, config, resources, quiet=quiet, verbose=verbose)
    devices = _devices(report, config)
    for launch in _launches_at(report, place["file"], int(place["line"])):
        sys.stdout.write(derivation(launch, devices))
    return 0


def _page(slug: str) -> str:
    known = {rule.slug: rule for rule in catalogue()}
    if slug not in known:
        raise click.UsageError(f"{slug!r} is no rule and no PATH:LINE{suggestion(slug, known)}")
    return rule_page(known[slug], colour=use_colour("auto", sys.stdout))


def _launches_at(report: Report, file: str, line: int) -> list[ReportedLaunch]:
    in_file = [launch for launch in report.launches if os.path.realpath(launch.file) == os.path.realpath(file)]
    found = [launch for launch in in_file if launch.span.line <= line <= launch.span.end_line]
    if not found:
        lines = sorted({launch.line for launch in in_file})
        where = f"; launches are at line {', '.join(map(str, lines))}" if lines else "; the file has none"
        raise click.UsageError(f"no launch at {file}:{line}{where}")
    return found


def _devices(report: Report, config: Config) -> dict[str, Device]:
    extra = [load_device_file(file) for file in config.gpu_files]
    return {gpu: device(gpu, extra) for gpu in report.gpus}
