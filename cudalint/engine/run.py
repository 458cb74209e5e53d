"""From paths to the report."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from cudalint.cache import FOLDER, Cache
from cudalint.catalogue import catalogue, names, select
from cudalint.config import Config
from cudalint.discovery import discover
from cudalint.engine.examine import AnyRule, Failures, Said, Subject, examine
from cudalint.engine.heap import Heap
from cudalint.engine.launches import reported_launches
from cudalint.engine.merge import Merged, in_order, merge
from cudalint.engine.remember import Memory
from cudalint.engine.silence import unsilenced
from cudalint.engine.targets import Targets, asked_devices, covers_project
from cudalint.ir import Program
from cudalint.pipeline import Loaded, load
from cudalint.pipeline.linking import linked
from cudalint.report import Report, ReportedFinding, Summary
from cudalint.rule import Severity, Suppression, Unread
from cudalint.suppress import Suppressions, complete_names
from cudalint.version import VERSION

Resources = Mapping[str, Mapping[str, int]]
_SUBJECTS_EACH = 75
"""For fewer subjects another process costs about as much as it saves."""


def check(paths: Sequence[str | os.PathLike[str]], config: Config, *, resources: Resources | None = None) -> Report:
    """Everything the rules find in the files at and below `paths`.

    `resources` gives, for kernels by name ("*": all others), registers per thread and bytes of static shared memory.
    Raises SourceError for a path that does not exist, ConfigError and ProfileError for settings that cannot be used. What
    goes wrong inside the run is told in the report.
    """
    rules = select(catalogue(), config)
    asked_devices(config)
    files = discover(paths, config)
    cache = Cache(cache_folder(config))
    whole_project = any(Path(path).resolve() == config.root.resolve() for path in paths)
    memory = Memory(cache, files, config, (sorted((resources or {}).items()), whole_project))
    known = memory.recall()
    if known is not None:
        return known
    with Heap() as heap:
        loaded = load(files, config.root, jobs=config.jobs, cache=cache)
        heap.settled()
        requested = frozenset(file.display for file in files)
        program = linked(
            loaded.units.values(),
            assume=config.assume,
            resources=resources or {},
            requested=requested,
            jobs=config.jobs,
        )
        judged = judge(program, config, rules, catalogue(), whole_project=whole_project)
    report = _with_reading(judged, loaded)
    memory.keep(report, loaded)
    return report


def _with_reading(report: Report, loaded: Loaded) -> Report:
    """The report with what became of the files."""
    return replace(
        report,
        summary=replace(report.summary, files=len(loaded.relevant)),
        failures=(*loaded.failures, *report.failures),
        crashed=report.crashed or bool(loaded.failures),
    )


def cache_folder(config: Config) -> Path | None:
    """Where results are kept: `CUDALINT_CACHE_DIR`, the settings' folder, else one in the project; None: nowhere.

    Nothing is kept with `CUDALINT_NO_CACHE`, nor in a folder that is neither a project's nor the current one.
    """
    if not config.cache or os.environ.get("CUDALINT_NO_CACHE"):
        return None
    named = config.cache_dir or os.environ.get("CUDALINT_CACHE_DIR")
    if named:
        return config.root / named
    is_project = config.file is not None or (config.root / ".git").exists() or config.root == Path.cwd()
    return config.root / FOLDER if is_project else None


def judge(
    program: Program,
    config: Config,
    rules: Sequence[AnyRule],
    existing: Sequence[AnyRule] | None = None,
    *,
    whole_project: bool = True,
) -> Report:
    """What `rules`, some of the `existing` ones, find in a linked program.

    `whole_project` says that the program is all of the project, so that unused `[[ignore]]` tables can be told.
    """
    return _Run(program, config, rules, rules if existing is None else existing, whole_project=whole_project).report()


class _Run:
    """One pass of the rules over a program."""

    def __init__(
        self,
        program: Program,
        config: Config,
        rules: Sequence[AnyRule],
        existing: Sequence[AnyRule],
        *,
        whole_project: bool,
    ) -> None:
        self._program = program
        self._config = config
        self._rules = rules
        self._existing = existing
        self._targets = Targets(program, config, names(existing))
        self._suppressions = Suppressions(program, config, whole_project=whole_project)
        self._failures = Failures()
        self._kept: list[ReportedFinding] = []
        self._suppressed: list[ReportedFinding] = []

    def report(self) -> Report:
        said = [one for one in self._examine_all() if one.finding.at.file in self._program.requested]
        heard = unsilenced(said)
        self._sort_out(merge(heard, self._config))
        self._count_uses(merge(_without(said, heard), self._config))
        self._sort_out(merge(self._examine(self._judged()), self._config))
        launches = [launch for launch in self._program.launches if launch.span.file in self._program.requested]
        findings = tuple(sorted(self._kept, key=in_order))
        return Report(
            version=VERSION,
            gpus=self._targets.gpus,
            findings=findings,
            launches=reported_launches(launches, self._targets),
            summary=_summary(len(self._program.requested), len(launches), findings, len(self._suppressed)),
            suppressed=tuple(sorted(self._suppressed, key=in_order)),
            failures=self._failures.lines(),
            crashed=bool(self._failures.crashed),
        )

    def _subjects(self) -> Iterator[Subject]:
        program = self._program
        yield from (way for launch in program.launches for way in launch.ways)
        yield from (kernel for kernel in program.kernels if kernel.span.file in program.requested)
        yield from (one for one in program.instances() if not program.requested.isdisjoint(one.files))
        yield from (Unread(span, problem) for span, problem in program.problems() if span.file in program.requested)

    def _judged(self) -> Sequence[Suppression]:
        """What became of the suppressions, as far as the rules that ran everywhere can tell."""
        failed = self._failures.rules()
        ran = [
            (rule.slug, rule.group) for rule in self._rules if rule.slug not in failed and rule.on is not Suppression
        ]
        complete = complete_names(ran, [(rule.slug, rule.group) for rule in self._existing])
        return self._suppressions.judged(complete if covers_project(self._targets.gpus, self._config) else ())

    def _examine_all(self) -> Iterable[Said]:
        """What is said of all but the suppressions, by several processes for a large program."""
        subjects = list(self._subjects())
        processes = min(self._config.jobs or os.cpu_count() or 1, len(subjects) // _SUBJECTS_EACH)
        if processes > 1:
            from cudalint.engine.spread import spread  # noqa: PLC0415 - slow to import, for large programs only

            said = spread(self._rules, subjects, self._targets, self._failures, processes)
            if said is not None:
                return said
        return self._examine(subjects)

    def _examine(self, subjects: Iterable[Subject]) -> Iterator[Said]:
        return examine(self._rules, subjects, self._targets, self._failures)

    def _sort_out(self, merged: Iterable[Merged]) -> None:
        for finding, place in merged:
            ignored = self._config.ignored_in(place.path) if self._config.per_file_ignores else frozenset()
            if finding.rule in ignored or finding.group in ignored:
                continue
            silenced = self._suppressions.silences(finding.rule, finding.group, place)
            if finding.severity.rank >= self._config.min_severity.rank:
                (self._suppressed if silenced else self._kept).append(finding)

    def _count_uses(self, merged: Iterable[Merged]) -> None:
        """A suppression of what another rule's finding silences is not unused."""
        for finding, place in merged:
            self._suppressions.silences(finding.rule, finding.group, place)


def _without(said: Iterable[Said], heard: Iterable[Said]) -> list[Said]:
    kept = {id(one) for one in heard}
    return [one for one in said if id(one) not in kept]


def _summary(files: int, launches: int, findings: Sequence[ReportedFinding], suppressed: int) -> Summary:
    counts = Counter(finding.severity for finding in findings)
    return Summary(files, launches, counts[Severity.ERROR], counts[Severity.WARNING], counts[Severity.NOTE], suppressed)
