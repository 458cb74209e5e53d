"""Reads source files into units, whatever language they are in."""

import re
from pathlib import Path

from cudalint.errors import SourceError
from cudalint.frontends.cuda_syntax.decoding import decode
from cudalint.frontends.cuda_syntax.includes import Project
from cudalint.frontends.python_syntax.relevance import SUFFIXES as PYTHON
from cudalint.frontends.python_syntax.relevance import relevant_python
from cudalint.ir.unit import Unit

__all__ = ["Project", "is_python", "language_of", "read", "relevant"]

_RELEVANT = (
    b"<<<", b"__global__", b"LaunchKernel", b"LaunchCooperative", b"LaunchMultiKernel", b"FuncSetAttribute", b"__shared__",
    b"__launch_bounds__", b"cudalint:",
)  # fmt: skip
_HIP = re.compile(rb"hip/hip_runtime|\bhip(?:LaunchKernel|Malloc|Memcpy|DeviceSynchronize|GetLastError|Module)")
_CUDA = re.compile(rb"\bcuda_runtime|\bcuda(?:Malloc|Memcpy|DeviceSynchronize|LaunchKernel)")
_LARGEST = 16 << 20
_LONG_HEADER = 200_000
_SUFFIXES = {".cu": "cuda", ".cuh": "cuda", ".hip": "hip", ".hiph": "hip"}


def is_python(path: str) -> bool:
    """Whether a file is Python, by its name."""
    return path[path.rfind(".") :].lower() in PYTHON


def relevant(data: bytes, path: str = "") -> bool:
    """Whether a file of these bytes can hold a kernel, a launch, or a comment to the linter.

    Bytes with a NUL among them can be UTF-16, or no text at all, which has to be said.
    """
    if is_python(path):
        return relevant_python(data)
    return any(word in data for word in _RELEVANT) or b"\0" in data


def language_of(path: Path, data: bytes) -> str:
    """cuda, hip or cpp. A file named for CUDA is HIP where it uses the HIP runtime and nothing of CUDA's."""
    named = _SUFFIXES.get(path.suffix.lower(), "cpp")
    if named == "hip" or b"hip" not in data or not _HIP.search(data):
        return named
    return "cuda" if named == "cuda" and _CUDA.search(data) else "hip"


def read(
    path: Path,
    display: str,
    project: Project,
    *,
    wanted: frozenset[str] = frozenset(),
    callees: frozenset[str] = frozenset(),
    included: bool = False,
) -> Unit:
    """The unit of the file at `path`, called `display` to people. `wanted` names functions to lower whatever they hold, and
    so is what calls one of `callees`.

    Of a long file that matters only because it is `included`, and that holds no code for a GPU, only the directives are read.

    Raises SourceError where the file cannot be read at all; what is no text, or too much, becomes a unit with a problem.
    """
    if is_python(str(path)):
        return _read_python(path, display, project)
    from cudalint.frontends.cuda_syntax.unit import (  # noqa: PLC0415 - loads the whole lowering
        read_directives_only,
        read_unit,
        unreadable,
    )

    try:
        size = path.stat().st_size
        raw = path.read_bytes() if size <= _LARGEST else b""
    except OSError as error:
        raise SourceError(f"{display}: {error.strerror or error}") from error
    if size > _LARGEST:
        return unreadable(display, _SUFFIXES.get(path.suffix.lower(), "cpp"), f"file of {size >> 20} MiB, not read")
    data = decode(raw)
    if data is None:
        return unreadable(display, _SUFFIXES.get(path.suffix.lower(), "cpp"), "binary file, not read")
    if included and len(data) > _LONG_HEADER and not relevant(data):
        return read_directives_only(data, path, display, language_of(path, data), project)
    return read_unit(data, path, display, language_of(path, data), project, wanted=wanted, callees=callees)


def _read_python(path: Path, display: str, project: Project) -> Unit:
    """The unit of a Python file."""
    from cudalint.frontends.python_syntax.unit import read_python, unreadable  # noqa: PLC0415 - loads the whole lowering

    try:
        size = path.stat().st_size
        raw = path.read_bytes() if size <= _LARGEST else b""
    except OSError as error:
        raise SourceError(f"{display}: {error.strerror or error}") from error
    if size > _LARGEST:
        return unreadable(display, f"file of {size >> 20} MiB, not read")
    return read_python(raw, path, display, project)
