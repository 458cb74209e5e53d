"""Rules over programs made by hand: merging, silencing, suppressing, failing."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cudalint.config import Config, IgnoreEntry
from cudalint.engine import judge
from cudalint.ir import Comment, Kernel, Launch, Problem, Program, Unit
from cudalint.report import Report
from cudalint.rule import (
    Confidence,
    Context,
    Fact,
    Finding,
    MissingFigureError,
    Related,
    Rule,
    Severity,
    Suppression,
    Unread,
)
from cudalint.source import Span, pack
from tests.rules.launches import kernel, launch

Check = Callable[[Any, Context], Iterable[Finding]]
AT = Span("a.cu", 20, 3, 20, 30)


def rule(slug: str, check: Check, *, on: type = Launch, group: str = "wave", severity: Severity = Severity.WARNING,
         silences: tuple[str, ...] = ()) -> Rule[Any]:  # fmt: skip
    return Rule(slug, group, on, severity, Confidence.PROVEN, "0.1", silences, "Title.", check)


def says(message: str = "wrong", **details: Any) -> Check:
    """A rule that finds the same in every subject."""

    def check(subject: Any, _ctx: Context) -> Iterator[Finding]:
        yield Finding(at=subject.span, message=message, **details)

    return check


def by_gpu(**messages: Finding | None) -> Check:
    """A rule that finds something else on each GPU."""

    def check(subject: Any, ctx: Context) -> Iterator[Finding]:
        found = messages.get(ctx.device.id)
        if found is not None:
            yield replace(found, at=subject.span)

    return check


def fails(error: Exception) -> Check:
    def check(_subject: Any, _ctx: Context) -> Iterator[Finding]:
        raise error
        yield

    return check


def site(line: int = 20, grid: int = 100, file: str = "a.cu", of: Kernel | None = None) -> Launch:
    span = Span(file, line, 3, line, 30)
    return replace(launch(grid, 100, of=of), span=span, configuration=span)


def program(*launches: Launch, units: Iterable[Unit] = (), kernels: tuple[Kernel, ...] = ()) -> Program:
    known = {unit.path: unit for unit in (Unit("a.cu", "cuda"), *units)}
    return Program(known, kernels, launches, frozenset(known))


def config(**settings: Any) -> Config:
    return Config(root=Path.cwd()).merged(**{"gpu": ("h200",), **settings})


def commented(*comments: tuple[str, int], covers: int | None = 20) -> Unit:
    """A file with comments at the ends of lines, all belonging to the statement on one line."""
    extent = None if covers is None else pack(covers, 1, covers, 60)
    return Unit(
        "a.cu", "cuda", comments=tuple(Comment(text, pack(line, 40, line, 70), extent) for text, line in comments)
    )


def told(report: Report) -> list[tuple[str, int]]:
    return [(finding.rule, finding.line) for finding in report.findings]


def test_one_launch_is_one_finding_whatever_the_number_of_gpus() -> None:
    same = {"block": Fact(100, "literal")}
    check = by_gpu(
        h200=Finding(AT, "4 warps", "use 128", {**same, "warps": Fact(4, "model")}),
        mi300x=Finding(AT, "2 wavefronts", "use 128", {**same, "warps": Fact(2, "model")}, severity=Severity.ERROR),
    )
    report = judge(program(site()), config(gpu=("h200", "mi300x", "a100")), [rule("one", check)])
    (finding,) = report.findings
    assert finding.message == "h200 (warning): 4 warps; mi300x: 2 wavefronts"
    assert finding.remedy == "use 128"
    assert finding.severity is Severity.ERROR
    assert finding.gpus == ("h200", "mi300x")
    assert finding.evidence == same
    assert finding.targets == {"h200": {"warps": Fact(4, "model")}, "mi300x": {"warps": Fact(2, "model")}}
    assert (report.summary.errors, report.summary.warnings) == (1, 0)


def test_the_same_message_on_all_gpus_is_said_once() -> None:
    report = judge(program(site()), config(gpu=("h200", "mi300x")), [rule("one", says("odd"))])
    assert [(finding.message, finding.gpus) for finding in report.findings] == [("odd", ("h200", "mi300x"))]


def test_several_ways_to_reach_a_launch_are_one_place() -> None:
    def check(subject: Launch, _ctx: Context) -> Iterator[Finding]:
        grave = subject.grid.volume.exact == 7
        yield Finding(subject.span, f"{subject.grid}", severity=Severity.ERROR if grave else Severity.WARNING)

    report = judge(program(site(grid=5), site(grid=7), site(grid=9)), config(), [rule("one", check)])
    assert [finding.message for finding in report.findings] == ["7"]
    assert report.summary.launches == 3


def test_a_rule_that_says_two_things_of_one_place_is_heard_twice() -> None:
    def check(subject: Launch, _ctx: Context) -> Iterator[Finding]:
        yield Finding(subject.span, "first")
        yield Finding(subject.span, "second")

    report = judge(program(site()), config(gpu=("h200", "mi300x")), [rule("one", check)])
    assert [finding.message for finding in report.findings] == ["first", "second"]


def test_findings_come_in_order_of_place_and_rule() -> None:
    rules = [rule("b-rule", says()), rule("a-rule", says())]
    report = judge(program(site(30), site(20)), config(), rules)
    assert told(report) == [("a-rule", 20), ("b-rule", 20), ("a-rule", 30), ("b-rule", 30)]


def test_a_crash_is_told_once_and_the_other_rules_still_run() -> None:
    rules = [rule("bad", fails(ZeroDivisionError("division by zero"))), rule("good", says())]
    report = judge(program(site(20), site(30)), config(gpu=("h200", "mi300x")), rules)
    assert told(report) == [("good", 20), ("good", 30)]
    assert report.failures == ("rule bad crashed at a.cu:20:3: ZeroDivisionError: division by zero",)
    assert report.crashed


def test_a_figure_that_is_missing_is_told_for_each_gpu_and_is_no_crash() -> None:
    report = judge(
        program(site(20), site(30)),
        config(gpu=("h200", "mi300x")),
        [rule("one", fails(MissingFigureError("no clock")))],
    )
    assert report.failures == ("skipped rule one on h200: no clock", "skipped rule one on mi300x: no clock")
    assert not report.crashed


def test_the_more_specific_rule_silences_the_general_one_on_the_same_launch() -> None:
    def only_first(subject: Launch, _ctx: Context) -> Iterator[Finding]:
        if subject.span.line == 20:
            yield Finding(subject.span, "specific")

    rules = [rule("general-rule", says()), rule("one-specific", only_first, silences=("general-rule",))]
    assert told(judge(program(site(20), site(30)), config(), rules)) == [("one-specific", 20), ("general-rule", 30)]


def test_silence_holds_for_one_gpu_at_a_time() -> None:
    rules = [
        rule("general-rule", says()),
        rule("one-specific", by_gpu(h200=Finding(AT, "x")), silences=("general-rule",)),
    ]
    report = judge(program(site()), config(gpu=("h200", "mi300x")), rules)
    assert {finding.rule: finding.gpus for finding in report.findings} == {
        "general-rule": ("mi300x",),
        "one-specific": ("h200",),
    }


@pytest.mark.parametrize(("severity", "left"), [(Severity.ERROR, 1), (Severity.WARNING, 2)])
def test_a_group_is_silenced_by_errors_only(severity: Severity, left: int) -> None:
    rules = [rule("one", says()), rule("two", says(), group="block", severity=severity, silences=("wave",))]
    assert len(judge(program(site()), config(), rules).findings) == left


def test_what_is_said_of_a_kernel_counts_for_its_launches() -> None:
    work = kernel()
    rules = [rule("launch-rule", says()), rule("kernel-rule", says(), on=Kernel, silences=("launch-rule",))]
    report = judge(program(site(of=work), site(30, of=None), kernels=(work,)), config(), rules)
    assert "launch-rule" not in {finding.rule for finding in report.findings if finding.line == 20}


def test_settings_replace_the_severity_of_a_rule() -> None:
    rules = [rule("one", says()), rule("two", says(severity=Severity.NOTE))]
    settings = config(severity={"one": Severity.ERROR, "two": Severity.ERROR}, min_severity=Severity.NOTE)
    report = judge(program(site()), settings, rules)
    assert [finding.severity for finding in report.findings] == [Severity.ERROR, Severity.NOTE]


def test_notes_are_left_out_unless_asked_for() -> None:
    rules = [rule("one", says(), severity=Severity.NOTE)]
    assert judge(program(site()), config(), rules).findings == ()
    assert len(judge(program(site()), config(min_severity=Severity.NOTE), rules).findings) == 1


def test_only_requested_files_are_reported() -> None:
    whole = program(site(), site(20, file="header.cuh"), units=[Unit("header.cuh", "cuda")])
    report = judge(replace(whole, requested=frozenset({"a.cu"})), config(), [rule("one", says())])
    assert [finding.file for finding in report.findings] == ["a.cu"]
    assert [one.file for one in report.launches] == ["a.cu"]


def test_rules_can_be_left_out_of_some_files() -> None:
    units = [Unit("tests/b.cu", "cuda")]
    settings = config(per_file_ignores={"tests": ("wave",)})
    report = judge(program(site(), site(file="tests/b.cu"), units=units), settings, [rule("one", says())])
    assert [finding.file for finding in report.findings] == ["a.cu"]


def test_without_a_gpu_the_language_decides() -> None:
    units = [Unit("b.hip", "hip")]
    report = judge(program(site(), site(file="b.hip"), units=units), Config(root=Path.cwd()), [rule("one", says())])
    assert {finding.file: finding.gpus for finding in report.findings} == {"a.cu": ("h200",), "b.hip": ("mi300x",)}
    assert report.gpus == ("h200", "mi300x")
    assert [list(one.targets) for one in report.launches] == [["h200"], ["mi300x"]]


def test_launches_tell_blocks_limits_and_waves() -> None:
    (told_launch,) = judge(
        program(replace(site(), registers=launch(1, 1, registers=24).registers)), config(), []
    ).launches
    target = told_launch.targets["h200"]
    assert (target.blocks_per_sm, target.blocks_per_sm_range, target.limiter) == (16, (16, 16), ("warps",))
    assert target.waves == pytest.approx(100 / (132 * 16))
    assert (told_launch.grid.value, told_launch.grid.dims) == (100, (100, 1, 1))


def test_blocks_are_a_range_where_registers_are_unknown() -> None:
    (told_launch,) = judge(program(site()), config(), []).launches
    target = told_launch.targets["h200"]
    assert target.blocks_per_sm is None
    assert target.blocks_per_sm_range is not None
    assert target.blocks_per_sm_range[0] < target.blocks_per_sm_range[1] == 16


def test_identity_ignores_lines_and_messages_and_tells_twins_apart() -> None:
    def prints(*launches: Launch, message: str = "x", settings: Config | None = None) -> list[str]:
        report = judge(program(*launches), settings or config(), [rule("one", says(message))])
        return [finding.fingerprint for finding in report.findings]

    first, second = prints(site(20), site(30))
    assert first != second
    assert prints(site(120), site(130), message="y") == [first, second]
    assert prints(site(20, grid=7)) != [first]
    assert len(first) == 16
    assert prints(site(20), site(30), settings=config(gpu=("mi300x",))) == [first, second]


def test_what_could_not_be_read_is_a_subject() -> None:
    unit = Unit("a.cu", "cuda", problems=(Problem("unbalanced", pack(3, 1, 4, 1), "launch"),))
    parse = rule("parse-incomplete", lambda unread, _: [Finding(unread.span, unread.problem.message)], on=Unread)
    report = judge(program(units=[unit]), config(), [parse])
    assert [(finding.line, finding.message) for finding in report.findings] == [(3, "unbalanced")]


UNUSED = rule(
    "unused-suppression",
    lambda one, _: [Finding(one.span, name) for name in one.rules if name in one.judged and name not in one.used],
    on=Suppression, group="lint",
)  # fmt: skip


def suppressing(unit: Unit, rules: list[Rule[Any]] | None = None, **settings: Any) -> Report:
    found = rules or [rule("one", says()), UNUSED]
    return judge(
        program(site(), units=[unit]), config(**settings), found, [*found, rule("never-run", says(), group="other")]
    )


def test_a_suppressed_finding_is_kept_apart() -> None:
    report = suppressing(commented(("// cudalint: ignore[one] measured", 20)))
    assert report.findings == ()
    assert [finding.rule for finding in report.suppressed] == ["one"]
    assert report.summary.suppressed == 1


def test_a_suppression_that_does_nothing_is_told() -> None:
    assert told(suppressing(commented(("// cudalint: ignore[one]", 25)), [rule("one", says("x")), UNUSED])) == []
    elsewhere = commented(("// cudalint: ignore[one]", 25), covers=25)
    assert told(suppressing(elsewhere)) == [("one", 20), ("unused-suppression", 25)]


def test_a_suppression_of_a_rule_that_did_not_answer_is_not_judged() -> None:
    comment = commented(("// cudalint: ignore[never-run, other, one]", 20))
    assert told(suppressing(comment)) == []
    crashed = [rule("one", fails(ValueError("x"))), UNUSED]
    assert told(suppressing(commented(("// cudalint: ignore[one]", 20)), crashed)) == []


def test_a_suppression_is_judged_only_when_every_gpu_of_the_project_was_asked_for() -> None:
    rules = [rule("one", by_gpu(mi300x=Finding(AT, "x"))), UNUSED]
    comment = commented(("// cudalint: ignore[one]", 20))
    assert told(suppressing(comment, rules, project_gpu=("h200", "mi300x"))) == []
    assert told(suppressing(comment, rules, gpu=("h200", "mi300x"), project_gpu=("h200", "mi300x"))) == []
    assert told(suppressing(comment, rules)) == [("unused-suppression", 20)]


def test_a_suppression_of_what_another_rule_silences_counts_as_used() -> None:
    rules = [rule("general-rule", says()), rule("one", says(), silences=("general-rule",)), UNUSED]
    assert told(suppressing(commented(("// cudalint: ignore[general-rule]", 20)), rules)) == [("one", 20)]


def test_a_suppression_works_on_what_computed_the_launch_but_not_on_its_kernel() -> None:
    made = Related(Span("a.cu", 12, 5, 12, 20), "computed here")
    rules = [rule("one", says(related=(made, Related(kernel().span, "defined here")))), UNUSED]
    assert told(suppressing(commented(("// cudalint: ignore[one]", 12), covers=12), rules)) == []
    on_kernel = commented(("// cudalint: ignore[one]", 1), covers=1)
    assert told(suppressing(on_kernel, rules)) == [("unused-suppression", 1), ("one", 20)]


def test_a_table_of_the_settings_suppresses_by_kernel_and_path() -> None:
    def entry(kernel_pattern: str, path: str = "*") -> tuple[IgnoreEntry, ...]:
        return (IgnoreEntry(("one",), "vendored", kernel_pattern, path, Span("cudalint.toml", 3, 1, 3, 11)),)

    plain = Unit("a.cu", "cuda")
    assert told(suppressing(plain, ignore_entries=entry("wor*"))) == []
    assert told(suppressing(plain, ignore_entries=entry("*", "a.cu"))) == []
    unused = suppressing(plain, ignore_entries=entry("other"))
    assert [(finding.rule, finding.file) for finding in unused.findings] == [
        ("one", "a.cu"),
        ("unused-suppression", "cudalint.toml"),
    ]
    partial = judge(program(site()), config(ignore_entries=entry("other")), [UNUSED], whole_project=False)
    assert partial.findings == ()
