"""One run of the engine, with what has to be said beside its answer."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import click

from cudalint.config import Config
from cudalint.engine import check
from cudalint.report import Report

_CLEAR_LINE = "\r\x1b[K"


def analyse(
    paths: Sequence[str],
    config: Config,
    resources: Mapping[str, Mapping[str, int]] | None = None,
    *,
    quiet: bool = False,
    verbose: bool = False,
) -> Report:
    """The engine's report on `paths`; progress and warnings go to standard error."""
    if verbose:
        click.echo(f"cudalint: settings from {config.file or 'no file'}, project root {config.root}", err=True)
    with _progress(f"reading {' '.join(paths)}", shown=not quiet and sys.stderr.isatty()):
        report = check(paths, config, resources=resources)
    for failure in report.failures:
        click.echo(f"cudalint: {failure}", err=True)
    if not report.summary.files and not quiet:
        click.echo("cudalint: no CUDA or HIP code found", err=True)
    return report


@contextmanager
def _progress(message: str, *, shown: bool) -> Iterator[None]:
    """Says on a terminal what takes so long, and takes it back."""
    if shown:
        click.echo(f"cudalint: {message} …", err=True, nl=False)
    try:
        yield
    finally:
        if shown:
            click.echo(_CLEAR_LINE, err=True, nl=False)
