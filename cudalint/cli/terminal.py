"""What the two output streams can show, decided once."""

import os
import sys
from typing import TextIO


def use_colour(choice: str, stream: TextIO) -> bool:
    """Whether to write colours to a stream: as the option says, else NO_COLOR, FORCE_COLOR, a terminal, in that order."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") != "0":
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def tolerate_any_text() -> None:
    """Write what the streams' encoding cannot hold as escapes, in place of failing."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def drop_output() -> None:
    """Let nothing more reach a reader that is gone, the flush at interpreter exit included."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
