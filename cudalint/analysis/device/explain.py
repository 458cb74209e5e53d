"""How a trace is told to people: places, conditions as written, and why a value differs between threads."""

from collections.abc import Iterator
from itertools import pairwise

from cudalint.analysis.device.events import Control, Event
from cudalint.analysis.device.values import Cause, Place, chain
from cudalint.source import Span

_LONGEST = 60


def span_of(place: Place) -> Span:
    return Span.unpack(*place)


def condition_text(control: Control) -> str:
    """A condition as written, cut off where it is long."""
    text = str(control.source) if control.source is not None else "the condition"
    if text.startswith("(") and text.endswith(")"):
        text = text[1:-1]
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def why(cause: Cause | None) -> Iterator[tuple[Span, str]]:
    """The steps by which a value came to differ between threads, nearest first."""
    steps = chain(cause)
    for step, source in pairwise(steps):
        yield span_of(step.place), f"'{step.name}' comes from {source.name}"


def calls_to(event: Event) -> Iterator[Span]:
    """The calls that lead into the device function an event stands in, innermost first."""
    return (span_of(place) for place in reversed(event.path))
