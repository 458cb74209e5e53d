"""Traces of kernels in small programs."""

from pathlib import Path

import cudalint.hw
from cudalint.analysis import link
from cudalint.analysis.device.events import Trace
from cudalint.frontends import Project, read
from cudalint.ir import Instance
from cudalint.rule import Context


def instances(folder: Path, text: str, gpu: str = "h200", suffix: str = ".cu") -> list[tuple[Instance, Context]]:
    """Every kernel of a program as its launches run it, with what a rule is told on a GPU."""
    path = folder / f"program{suffix}"
    path.write_text(text, encoding="utf-8")
    program = link([read(path, str(path), Project((folder,), [path]))])
    context = Context(program, cudalint.hw.device(gpu))
    return [(instance, context) for instance in program.instances()]


def traced(folder: Path, text: str, gpu: str = "h200") -> Trace:
    """The trace of the only kernel."""
    ((instance, context),) = instances(folder, text, gpu)
    return context.trace(instance)
