"""Reading `--resources FILE`: what each kernel takes, as a table."""

import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

_KEYS = ("registers", "static_shared", "local")
_READERS: dict[str, Callable[[str], Any]] = {".toml": tomllib.loads, ".json": json.loads}


def read_resources(file: str) -> dict[str, dict[str, int]]:
    """The TOML or JSON table of a file: kernel (or "*") -> registers a thread, bytes of static shared and local memory."""
    path = Path(file)
    if path.suffix not in _READERS:
        raise click.BadParameter(f"{file}: not supported yet: give a table of kernels as .toml or .json")
    try:
        table = _READERS[path.suffix](path.read_text(encoding="utf-8"))
    except OSError as error:
        raise click.BadParameter(f"{file}: {error.strerror}") from error
    except ValueError as error:
        raise click.BadParameter(f"{file}: {error}") from error
    if fault := _fault(table):
        raise click.BadParameter(f"{file}: {fault}")
    return dict(table)


def _fault(table: Any) -> str:
    """What is wrong with a table, in words; nothing where it can be used."""
    if not isinstance(table, dict):
        return "not a table of kernels"
    for kernel, figures in table.items():
        if not isinstance(figures, dict):
            return f"{kernel}: not a table with {', '.join(_KEYS)}"
        for key, figure in figures.items():
            if key not in _KEYS:
                return f"{kernel}: unknown key {key!r}; the keys are {', '.join(_KEYS)}"
            if not isinstance(figure, int) or isinstance(figure, bool) or figure < 0:
                return f"{kernel}: {key}: {figure!r} is not a whole number of at least 0"
    return ""
