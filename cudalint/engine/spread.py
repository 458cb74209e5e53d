"""Judging a large program in parallel processes."""

from collections.abc import Iterable, Sequence

from cudalint.engine.examine import AnyRule, Failures, Said, Subject, examine
from cudalint.engine.targets import Targets
from cudalint.hw import Device
from cudalint.ir import Instance, Kernel, Launch
from cudalint.pipeline.forks import in_forks
from cudalint.rule import Finding

_PARTS_EACH = 12
_Found = tuple[int, int, str, Finding, int]
"""A subject and a rule by number, a GPU by name, the finding and its ordinal."""
_Failed = tuple[int, Failures]
"""A subject by number, and what failed there."""
_Answer = tuple[list[_Found], list[_Failed]]


def spread(
    rules: Sequence[AnyRule], subjects: Sequence[Subject], targets: Targets, failures: Failures, processes: int
) -> list[Said] | None:
    """Everything the rules say about the subjects, in their order; None, and nothing noted, where no process can be
    forked. What concerns one kernel is judged in one process, which looks into the kernel once.
    """
    work = _Work(rules, subjects, targets, _PARTS_EACH * processes)
    answers = in_forks(work.part, len(work.parts), processes)
    return None if answers is None else work.read(answers, failures)


class _Work:
    """The subjects, and their numbers in `parts`."""

    def __init__(self, rules: Sequence[AnyRule], subjects: Sequence[Subject], targets: Targets, parts: int) -> None:
        self.rules = rules
        self.subjects = subjects
        self.targets = targets
        self.parts = _parts(subjects, parts)
        self.numbers = {id(rule): number for number, rule in enumerate(rules)}

    def part(self, number: int) -> _Answer:
        """What is said of one part of the subjects."""
        found: list[_Found] = []
        failed: list[_Failed] = []
        for position in self.parts[number]:
            failures = Failures()
            said = examine(self.rules, [self.subjects[position]], self.targets, failures)
            found += [(position, self.numbers[id(one.rule)], one.device.id, one.finding, one.ordinal) for one in said]
            if failures.lines():
                failed.append((position, failures))
        return found, failed

    def read(self, answers: Iterable[_Answer], failures: Failures) -> list[Said]:
        """What one process would have said, in the same order; what failed is added to `failures` in that order too."""
        found: list[_Found] = []
        failed: list[_Failed] = []
        for answer in answers:
            found += answer[0]
            failed += answer[1]
        for _, one in sorted(failed, key=lambda pair: pair[0]):
            failures.add(one)
        return [
            Said(self.rules[rule], self.subjects[position], self._device(position, device), finding, ordinal)
            for position, rule, device, finding, ordinal in sorted(found, key=lambda one: one[0])
        ]

    def _device(self, position: int, name: str) -> Device:
        contexts = self.targets.of(self.subjects[position].span.file)
        return next(context.device for context in contexts if context.device.id == name)


def _parts(subjects: Sequence[Subject], parts: int) -> list[list[int]]:
    """The numbers of the subjects in about so many parts, those of one kernel together."""
    groups: dict[int, list[int]] = {}
    for number, subject in enumerate(subjects):
        groups.setdefault(_kernel_key(subject), []).append(number)
    size = -(-len(subjects) // parts)
    made: list[list[int]] = [[]]
    for group in groups.values():
        if len(made[-1]) >= size:
            made.append([])
        made[-1] += group
    return made


def _kernel_key(subject: Subject) -> int:
    match subject:
        case Kernel(function=function) | Instance(kernel=Kernel(function=function)):
            return id(function)
        case Launch(kernel=Kernel(function=function)):
            return id(function)
    return id(subject)
