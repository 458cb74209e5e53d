"""The machines a command line names."""

from collections.abc import Sequence

import click

from cudalint.errors import ProfileError
from cudalint.hw import Architecture, Device, architecture, device, load_device_file


class Refusal(click.ClickException):
    """Input a command cannot work with: one line, exit code 2."""

    exit_code = 2


def named_targets(names: Sequence[str], files: Sequence[str]) -> list[Device | Architecture]:
    """The devices, or bare architectures, with these names; without names, the devices of the files.

    Raises Refusal where a file is wrong or a name unknown.
    """
    try:
        own = [load_device_file(file) for file in files]
        return [_target(name, own) for name in names] or list(own)
    except ProfileError as error:
        raise Refusal(str(error)) from error


def _target(name: str, own: Sequence[Device]) -> Device | Architecture:
    try:
        return device(name, own)
    except ProfileError:
        if found := _architecture(name):
            return found
        raise


def _architecture(name: str) -> Architecture | None:
    try:
        return architecture(name)
    except ProfileError:
        return None
