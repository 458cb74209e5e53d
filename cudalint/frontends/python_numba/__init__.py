"""Recognises what Numba runs on a GPU: `@cuda.jit` functions and their launches."""

from cudalint.frontends.python_syntax.recognisers import Recogniser


def recogniser() -> Recogniser:
    """What recognises Numba in one file."""
    return Recogniser()
