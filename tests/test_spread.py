"""Judging in forked processes says what judging in one process says."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cudalint.config import Config
from cudalint.engine import judge, run
from cudalint.ir import Instance, Kernel, Launch, Program, Unit
from cudalint.report import Report
from cudalint.rule import Confidence, Context, Finding, Rule, Severity
from cudalint.source import Span
from tests.rules.launches import kernel, launch

MANY = 400


def rule(slug: str, on: type, check: Any) -> Rule[Any]:
    return Rule(slug, "wave", on, Severity.WARNING, Confidence.PROVEN, "0.1", (), "Title.", check)


def of_launches(subject: Launch, ctx: Context) -> Iterator[Finding]:
    yield Finding(at=subject.span, message=f"{subject.kernel_name} on {ctx.device.id}")
    if subject.span.line % 7 == 0:
        yield Finding(at=subject.span, message="again")


def of_instances(subject: Instance, _ctx: Context) -> Iterator[Finding]:
    if subject.kernel.name.endswith("3"):
        yield Finding(at=subject.span, message="three")


def fails_somewhere(subject: Launch, _ctx: Context) -> Iterator[Finding]:
    if subject.span.line == 300:
        raise ValueError("wrong")
    yield from ()


def named(number: int) -> Kernel:
    made = kernel()
    return replace(made, name=f"k{number}", function=replace(made.function, name=f"k{number}"))


def program() -> Program:
    kernels = [named(number) for number in range(20)]
    launches = [at(number + 1, kernels[number % 20]) for number in range(MANY)]
    return Program({"a.cu": Unit("a.cu", "cuda")}, tuple(kernels), tuple(launches), frozenset({"a.cu"}))


def at(line: int, of: Kernel) -> Launch:
    span = Span("a.cu", line, 3, line, 30)
    return replace(launch(100, 100, of=of), span=span, configuration=span, kernel_name=of.name)


def judged(jobs: int) -> Report:
    rules = [rule("a-launch", Launch, of_launches), rule("b-body", Instance, of_instances)]
    failing = rule("c-fails", Launch, fails_somewhere)
    return judge(program(), Config(root=Path.cwd()).merged(gpu=("h200", "mi300x"), jobs=jobs), [*rules, failing])


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "_MANY_SUBJECTS", 10)


def test_forked_processes_say_the_same() -> None:
    alone, together = judged(1), judged(3)
    assert alone == together
    assert len(alone.findings) > MANY


def test_a_crash_is_reported_once() -> None:
    assert [line for line in judged(3).failures if "c-fails" in line] == list(judged(1).failures)


def test_a_process_that_dies_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    from cudalint.engine import spread

    monkeypatch.setattr(spread._Work, "part", lambda *_: os._exit(1))
    assert judged(3) == judged(1)


def test_what_concerns_one_kernel_is_judged_in_one_process() -> None:
    from cudalint.engine.spread import _parts

    made = program()
    subjects = [*made.launches, *made.instances()]
    homes: dict[str, set[int]] = {}
    for number, part in enumerate(_parts(subjects, 8)):
        for position in part:
            subject = subjects[position]
            name = subject.kernel_name if isinstance(subject, Launch) else subject.kernel.name
            homes.setdefault(name, set()).add(number)
    assert all(len(parts) == 1 for parts in homes.values())
    assert len(set().union(*homes.values())) > 1
