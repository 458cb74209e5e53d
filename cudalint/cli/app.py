"""The command group: which commands there are, and what every outcome is as an exit code."""

import importlib
import sys
from collections.abc import Sequence
from typing import Any

import click

from cudalint.cli.terminal import drop_output, tolerate_any_text
from cudalint.errors import CudalintError
from cudalint.version import VERSION

FAULT = 2
_INTERRUPTED = 130

_COMMANDS = {
    "check": "Report faults in launch code (what runs where no command is named).",
    "launches": "List every launch site with what is known of it.",
    "explain": "Show a rule's page, or how the figures of the launch at PATH:LINE follow.",
    "occupancy": "Calculate how many blocks are resident, with the next cliffs.",
    "gpus": "List the GPUs that are known.",
    "rules": "List the rules.",
    "config": "Show the settings in effect and where each comes from.",
    "ir": "Dump what is read from source files.",
    "cache": "Remove what earlier runs kept (clean).",
}


class Commands(click.Group):
    """Imports a command's module when the command runs, and runs `check` where no command is named."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command = getattr(importlib.import_module(f"cudalint.cli.{cmd_name}"), cmd_name)
        assert isinstance(command, click.Command)
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own = {*_COMMANDS, *(name for parameter in self.get_params(ctx) for name in parameter.opts)}
        return super().parse_args(ctx, args if not args or args[0] in own else ["check", *args])

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        try:
            code = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            drop_output()
            return 0
        return code


def _print_version(ctx: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if wanted:
        click.echo(f"cudalint {VERSION}")
        ctx.exit()


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="'cudalint PATH…' is 'cudalint check PATH…'.",
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version, help="Show the version."
)
def group() -> None:
    """Find faults in CUDA and HIP launch code before anything runs."""


def run(arguments: Sequence[str]) -> int:
    """Run one command line; the exit code: 0 clean, 1 findings, 2 anything that kept the run from its answer."""
    tolerate_any_text()
    try:
        return int(group.main(list(arguments), prog_name="cudalint", standalone_mode=False) or 0)
    except click.Abort:
        return _INTERRUPTED
    except click.ClickException as error:
        error.show()
        return FAULT
    except CudalintError as error:
        click.echo(f"cudalint: {error}", err=True)
        return FAULT
    except OSError as error:
        click.echo(f"cudalint: {error.filename or 'input or output'}: {error.strerror}", err=True)
        return FAULT
    except Exception as error:  # noqa: BLE001  a user is owed one line, not a traceback
        return _crash(error, arguments)


def _crash(error: Exception, arguments: Sequence[str]) -> int:
    if {"-v", "--verbose"} & set(arguments):
        sys.__excepthook__(type(error), error, error.__traceback__)
    advice = "please report it with the code that shows it; -v shows where it happened"
    click.echo(f"cudalint: internal error: {type(error).__name__}: {error} ({advice})", err=True)
    return FAULT
