"""Judging a large program in parallel processes."""

import pickle
from collections.abc import Sequence

from cudalint.engine.examine import AnyRule, Failures, Said, Subject, examine
from cudalint.engine.targets import Targets
from cudalint.ir import Instance, Kernel, Launch
from cudalint.pipeline.forks import in_forks
from cudalint.rule import Finding

_PARTS_EACH = 12
_Answer = tuple[int, int, str, Finding, int]
"""A rule and a subject by number, a GPU by name, the finding and its ordinal."""


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
    def __init__(self, rules: Sequence[AnyRule], subjects: Sequence[Subject], targets: Targets, parts: int) -> None:
        self.rules = rules
        self.subjects = subjects
        self.targets = targets
        self.parts = _parts(subjects, parts)

    def part(self, number: int) -> bytes:
        """What is said of one part of the subjects."""
        rules = {id(rule): number for number, rule in enumerate(self.rules)}
        failures = Failures()
        answers: list[_Answer] = []
        for position in self.parts[number]:
            answers += [
                (rules[id(said.rule)], position, said.device.id, said.finding, said.ordinal)
                for said in examine(self.rules, [self.subjects[position]], self.targets, failures)
            ]
        return pickle.dumps((answers, failures), pickle.HIGHEST_PROTOCOL)

    def read(self, packed: Sequence[bytes], failures: Failures) -> list[Said]:
        devices = {context.device.id: context.device for context in self.targets.all()}
        answers: list[_Answer] = []
        for part in packed:
            found, failed = pickle.loads(part)  # noqa: S301 - made by a copy of this process
            answers += found
            failures.add(failed)
        answers.sort(key=lambda answer: answer[1])
        return [
            Said(self.rules[rule], self.subjects[subject], devices[device], finding, ordinal)
            for rule, subject, device, finding, ordinal in answers
        ]


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
