"""Judging in forked processes says what judging in one process says."""

import multiprocessing
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from cudalint.engine import judge
from cudalint.engine.run import _SUBJECTS_EACH
from cudalint.ir import Instance, Kernel, Launch, Problem, Program, Unit
from cudalint.report import Report
from cudalint.rule import Context, Fact, Finding, MissingFigureError, Rule, Severity, Unread
from cudalint.source import pack
from tests.rules.launches import kernel
from tests.test_engine import Check, config, rule, says, site

KERNELS = 23
LAUNCHES = 100 + 4 * _SUBJECTS_EACH
GPUS = ("h200", "mi300x")


def kernels() -> tuple[Kernel, ...]:
    made = (kernel() for _ in range(KERNELS))
    return tuple(
        replace(one, name=f"k{number}", function=replace(one.function, name=f"k{number}", file=f"k{number % 5}.cu"))
        for number, one in enumerate(made)
    )


def program(requested: Iterable[str] = ()) -> Program:
    """Launches of many kernels, mixed, in several files; some of kernels that are not there."""
    defined = kernels()
    launches = []
    for number in range(LAUNCHES):
        of = defined[number * 7 % KERNELS] if number % 11 else None
        one = site(1 + number, number % 13, f"{'abc'[number % 3]}.cu", of=of)
        launches.append(replace(one, kernel=of, kernel_name=of.name if of else "elsewhere"))
    units = [Unit(f"{name}.cu", "cuda") for name in "abc"] + [Unit(f"k{number}.cu", "cuda") for number in range(5)]
    units[1] = Unit("b.cu", "hip", problems=(Problem("what is that?", pack(3, 1, 3, 9)),))
    known = {unit.path: unit for unit in units}
    return Program(known, defined, tuple(launches), frozenset(requested) or frozenset(known))


def varied(subject: Launch, ctx: Context) -> Iterator[Finding]:
    """Findings of every kind: several in one place, other ones by GPU, none for some launches."""
    size = subject.grid.volume.exact or 0
    if size % 3 == 0:
        yield Finding(subject.span, f"{size} on {ctx.device.id}", evidence={"size": Fact(size, "literal")})
    if size % 4 == 0 and ctx.device.id == "mi300x":
        yield Finding(subject.span, f"still {size}", severity=Severity.ERROR)
    if subject.kernel is not None and size == 5:
        yield Finding(subject.kernel.span, "in the kernel")


def rules() -> list[Rule[Any]]:
    return [
        rule("varied", varied, silences=("of-instances",)),
        rule("of-kernels", says("a kernel"), on=Kernel),
        rule("of-instances", says("an instance"), on=Instance, severity=Severity.ERROR),
        rule("of-problems", says("a problem"), on=Unread),
    ]


def failing(error: Exception, size: int, after: int = 0) -> Check:
    """A rule that fails at launches of one size, from some line on."""

    def check(subject: Launch, _ctx: Context) -> Iterator[Finding]:
        if subject.grid.volume.exact == size and subject.span.line > after:
            raise error
        yield Finding(subject.span, "fine")

    return check


def judged(of: Program, by: list[Rule[Any]], jobs: int, gpus: tuple[str, ...] = GPUS) -> Report:
    return judge(of, config(gpu=gpus, jobs=jobs), by)


def dies_elsewhere() -> Check:
    """A rule that ends the process it is asked in, unless that is this one."""
    here = os.getpid()

    def check(subject: Any, _ctx: Context) -> Iterator[Finding]:
        if os.getpid() != here:
            os._exit(1)
        yield Finding(subject.span, "fine")

    return check


def asked_here(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows with every question that is put to rules in this process."""
    from cudalint.engine import examine

    asked: list[int] = []
    ask = examine._ask

    def counted(*given: Any) -> list[Finding]:
        asked.append(1)
        return ask(*given)

    monkeypatch.setattr(examine, "_ask", counted)
    return asked


def test_several_processes_say_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    of, asked = program(), asked_here(monkeypatch)
    serial = judged(of, rules(), jobs=1)
    assert len(asked) > LAUNCHES
    asked.clear()
    assert judged(of, rules(), jobs=3) == serial
    assert not asked
    assert len(serial.findings) > 100
    assert {finding.rule for finding in serial.findings} == {"varied", "of-kernels", "of-instances", "of-problems"}


def test_a_gpu_that_only_a_file_nobody_asked_about_has_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    of, asked = program(requested=("a.cu", "k1.cu")), asked_here(monkeypatch)
    spread = judged(of, rules(), jobs=2, gpus=())
    assert not asked
    assert spread == judged(of, rules(), jobs=1, gpus=())


def test_few_subjects_are_judged_here(monkeypatch: pytest.MonkeyPatch) -> None:
    of, asked = program(), asked_here(monkeypatch)
    few = replace(of, launches=of.launches[:10])
    assert judged(few, rules(), jobs=3).findings
    assert asked


def test_launches_of_one_kernel_are_judged_in_one_process() -> None:
    by = [
        rule(f"of-{on.__name__}", lambda subject, _: [Finding(subject.span, str(os.getpid()))], on=on)
        for on in (Launch, Kernel, Instance)
    ]
    found: dict[str, set[str]] = defaultdict(set)
    for finding in judged(program(), by, jobs=2).findings:
        found[finding.kernel].add(finding.message)
    del found["elsewhere"]
    assert len(found) == KERNELS
    assert all(len(processes) == 1 for processes in found.values())
    assert str(os.getpid()) not in set.union(*found.values())


def test_what_fails_is_told_once_and_as_in_one_process() -> None:
    by = [
        *rules(),
        rule("bad", failing(ZeroDivisionError("division by zero"), size=4, after=50)),
        rule("worse", failing(ValueError("no"), size=2)),
        rule("lacking", failing(MissingFigureError("no bandwidth"), size=7)),
    ]
    serial, spread = (judged(program(), by, jobs) for jobs in (1, 3))
    assert [line.partition(":")[0].split()[:3] for line in spread.failures] == [
        ["rule", "worse", "crashed"],
        ["rule", "bad", "crashed"],
        ["skipped", "rule", "lacking"],
        ["skipped", "rule", "lacking"],
    ]
    assert spread == serial


def test_a_process_that_dies_costs_nothing() -> None:
    by = [*rules(), rule("deadly", dies_elsewhere())]
    assert judged(program(), by, jobs=2) == judged(program(), by, jobs=1)


class Unsendable(str):
    __slots__ = ()

    def __reduce__(self) -> str:
        raise TypeError("not to be sent")


def test_what_cannot_be_sent_is_found_here() -> None:
    check = says("odd", evidence={"odd": Fact(Unsendable("here"), "literal")})
    by = [*rules(), rule("unsendable", check)]
    assert judged(program(), by, jobs=2) == judged(program(), by, jobs=1)


@pytest.mark.parametrize("how", ["no start method", "no process"])
def test_a_system_that_cannot_fork_judges_in_one_process(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    serial = judged(program(), rules(), jobs=1)
    if how == "no start method":
        monkeypatch.setattr(multiprocessing, "get_all_start_methods", lambda: ["spawn"])
    else:
        monkeypatch.setattr(os, "fork", lambda: (_ for _ in ()).throw(OSError("no more processes")))
    assert judged(program(), rules(), jobs=2) == serial
