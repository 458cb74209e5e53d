"""One defect, one finding: a rule that reports on a subject silences the rules its metadata names.

A rule that names a slug silences it whenever it reports; one that names a group silences the group where it reports an
error. What is said of a kernel counts for all its launches, each GPU for itself.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from cudalint.engine.examine import Said
from cudalint.ir import Instance, Kernel, Launch
from cudalint.rule import Severity

_Key = tuple[Any, ...]


def unsilenced(said: Iterable[Said]) -> list[Said]:
    """What is left to report."""
    everything = list(said)
    silenced: dict[_Key, set[str]] = defaultdict(set)
    for one in everything:
        if one.rule.silences:
            error = (one.finding.severity or one.rule.severity) is Severity.ERROR
            names = {name for name in one.rule.silences if error or "-" in name}
            silenced[one.device.id, *_own_key(one)] |= names
    return [one for one in everything if not any(_names(one, silenced.get(key, ())) for key in _keys(one))]


def _names(one: Said, silenced: Iterable[str]) -> bool:
    return one.rule.slug in silenced or one.rule.group in silenced


def _own_key(one: Said) -> _Key:
    match one.subject:
        case Launch(span=span, kernel_name=name) | Instance(launch=Launch(span=span, kernel_name=name)):
            return span, name
        case Kernel(span=span, name=name) | Instance(kernel=Kernel(span=span, name=name)):
            return "kernel", span, name
    return (one.finding.at,)


def _keys(one: Said) -> Iterator[_Key]:
    """Where something that silences this may have been said."""
    yield one.device.id, *_own_key(one)
    kernel = one.subject.kernel if isinstance(one.subject, Launch | Instance) else None
    if kernel is not None:
        yield one.device.id, "kernel", kernel.span, kernel.name
