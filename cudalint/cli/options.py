"""The options that several commands share, and the settings they make."""

import functools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from cudalint.cli.resources_file import read_resources
from cudalint.config import Config, integer, load_config
from cudalint.errors import ConfigError
from cudalint.rule import Severity

Command = TypeVar("Command", bound=Callable[..., Any])

SEVERITIES = [str(severity) for severity in Severity]


def assumption(text: str) -> tuple[str, int]:
    """`NAME=VALUE`, the value a whole number as in C or Python, or a product, power or shift of some."""
    name, equals, number = text.partition("=")
    if not (name.strip() and equals):
        raise click.BadParameter(f"{text!r} is not NAME=VALUE")
    try:
        return name.strip(), integer(number)
    except ConfigError as error:
        raise click.BadParameter(str(error)) from error


def names(text: str) -> tuple[str, ...]:
    """Names separated by commas."""
    found = tuple(name.strip() for name in text.split(",") if name.strip())
    if not found:
        raise click.BadParameter("names nothing")
    return found


def path_arguments(command: Command) -> Command:
    """Files and folders; the current folder where none is named."""
    return click.argument("paths", nargs=-1, metavar="[PATH]...")(command)


def settings_options(command: Command) -> Command:
    """Where settings come from, and which files count."""
    return _stack(
        command,
        click.option(
            "--config", "config_file", type=click.Path(path_type=Path), metavar="FILE", help="Read settings from FILE."
        ),
        click.option("--isolated", is_flag=True, help="Read no settings from files."),
        click.option(
            "--force-exclude",
            is_flag=True,
            default=None,
            help="Apply exclusions to files named on the command line too.",
        ),
    )


def analysis_options(command: Command) -> Command:
    """What is assumed of the machine and the run."""
    return _stack(
        command,
        click.option("--gpu", multiple=True, metavar="NAME", help="A GPU the code runs on; repeatable."),
        click.option(
            "--gpu-file", "gpu_files", multiple=True, metavar="FILE", help="A GPU described in a TOML file; repeatable."
        ),
        click.option(
            "--assume",
            multiple=True,
            type=assumption,
            metavar="NAME=VALUE",
            help="The value of a name the code does not fix; repeatable.",
        ),
        click.option(
            "--resources",
            type=read_resources,
            metavar="FILE",
            help="Registers and shared memory of kernels, TOML or JSON.",
        ),
        click.option(
            "-j", "--jobs", type=click.IntRange(min=1), metavar="N", help="Processes; one for each core by default."
        ),
        click.option("--no-cache", is_flag=True, help="Neither use nor keep earlier results."),
        cache_options,
    )


def cache_options(command: Command) -> Command:
    return click.option(
        "--cache-dir",
        type=click.Path(file_okay=False, resolve_path=True),
        metavar="FOLDER",
        help="Where earlier results are kept.",
    )(command)


def verbosity_options(command: Command) -> Command:
    return _stack(
        command,
        click.option("-q", "--quiet", is_flag=True, help="Nothing but the answer."),
        click.option("-v", "--verbose", is_flag=True, help="Say more about the run; show where a crash happened."),
    )


def settings(
    paths: Sequence[str], *, config_file: Path | None = None, isolated: bool = False, **overrides: Any
) -> Config:
    """The settings for a run over `paths` with what the command line says on top."""
    if isolated and config_file is not None:
        raise click.UsageError("--isolated and --config exclude each other")
    config = load_config(paths, file=config_file, isolated=isolated)
    no_cache = overrides.pop("no_cache", False)
    overrides["cache"] = False if no_cache else None
    assume = overrides.pop("assume", ())
    overrides["assume"] = dict(assume) or None
    return config.merged(**{name: None if value == () else value for name, value in overrides.items()})


def _stack(command: Command, *decorators: Callable[[Command], Command]) -> Command:
    """The decorators applied so that help shows them in the order given."""
    return functools.reduce(lambda wrapped, decorate: decorate(wrapped), reversed(decorators), command)
