"""For tests of rules: sources that carry the findings expected of them, and the examples of rules' pages.

A line ending in `//~ slug` (`#~ slug` in Python) has exactly that finding; `//~ slug: text` also wants the text in the
message; several are separated by commas or by another `//~`. All other lines have none. A finding that is a note may be
left unmarked, unless the first line says otherwise:

    // cudalint-test: gpu=mi300x,h200 assume=n=1<<20 registers=64 min-severity=note

`registers` and `static_shared` are those of every kernel.
"""

import re
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path

from cudalint.catalogue import AnyRule, Example, examples
from cudalint.config import Config, integer
from cudalint.discovery import discover
from cudalint.engine import check
from cudalint.record import mutable_record, record
from cudalint.report import Report, ReportedFinding
from cudalint.rule import Severity

_MARK = re.compile(r"(?://|#)~\s*(.*?)\s*(?=(?://|#)~|$)")
_NEXT = re.compile(r",\s*(?=[a-z]+(?:-[a-z]+)*\s*(?::|,|$))")
_DIRECTIVE = re.compile(r"(?://|#)\s*cudalint-test:\s*(.*)")
_FUNCTION = re.compile(r"\)\s*(?:const\s*)?\{")
_LAUNCHED = re.compile(r"\b(\w+)\s*(?:<[^<>]*>\s*)?<<<|hipLaunchKernelGGL\(\s*\(?(\w+)")
_SUFFIXES = {"cuda": ".cu", "hip": ".hip", "python": ".py"}
_RESOURCES = ("registers", "static_shared")


@record
class Marker:
    """An expected finding."""

    rule: str
    fragment: str

    def __str__(self) -> str:
        return f"{self.rule}: {self.fragment}" if self.fragment else self.rule

    def fits(self, finding: ReportedFinding) -> bool:
        return self.rule == finding.rule and self.fragment in finding.message


@mutable_record
class Directive:
    """What a source's first line asks for."""

    gpus: tuple[str, ...] = ()
    assume: dict[str, int] = field(default_factory=dict)
    resources: dict[str, int] = field(default_factory=dict)
    all_notes: bool = False

    def read(self, words: Sequence[str]) -> None:
        """Add what words such as `gpu=h200` say. Raises ValueError for any other."""
        for word in words:
            name, _, value = word.partition("=")
            if name == "gpu":
                self.gpus = tuple(value.split(","))
            elif name == "assume":
                assumed, _, number = value.partition("=")
                self.assume[assumed] = integer(number)
            elif name in _RESOURCES:
                self.resources[name] = integer(value)
            elif word == "min-severity=note":
                self.all_notes = True
            else:
                raise ValueError(f"cudalint-test: {word!r} is not understood")


def markers(text: str) -> dict[int, list[Marker]]:
    """The expected findings of a source by line."""
    found: dict[int, list[Marker]] = defaultdict(list)
    for number, line in enumerate(text.splitlines(), 1):
        for mark in _MARK.finditer(line):
            for part in _NEXT.split(mark[1]):
                rule, _, fragment = part.partition(":")
                found[number].append(Marker(rule.strip(), fragment.strip()))
    return dict(found)


def check_markers(path: Path, gpus: Sequence[str] = ()) -> list[str]:
    """What differs between the marks in a file, or in all files of a folder linted together, and the findings there.

    `gpus` are used where no first line names any.
    """
    config = _config(path)
    sources = {file.display: Path(file.path).read_text(encoding="utf-8") for file in discover([path], config)}
    directive = Directive(tuple(gpus))
    for text in sources.values():
        first = _DIRECTIVE.match(text)
        directive.read(first[1].split() if first else ())
    report = _report(path, config, directive)
    mismatches = list(report.failures)
    for file, text in sources.items():
        findings = [finding for finding in report.findings if finding.file == file]
        mismatches += _mismatches(file, markers(text), findings, all_notes=directive.all_notes)
    return mismatches


def _mismatches(
    file: str, expected: Mapping[int, Sequence[Marker]], findings: Sequence[ReportedFinding], *, all_notes: bool
) -> Iterator[str]:
    left = list(findings)
    for line, marks in sorted(expected.items()):
        for mark in marks:
            hit = next((finding for finding in left if finding.line == line and mark.fits(finding)), None)
            if hit is None:
                yield f"{file}:{line}: missing {mark}"
            else:
                left.remove(hit)
    for finding in left:
        if all_notes or finding.severity is not Severity.NOTE:
            yield f"{finding.span}: unexpected {finding.rule} ({finding.severity}): {finding.message}"


def page_examples(rule: AnyRule) -> tuple[Example, ...]:
    """The bad and good code blocks of a rule's page."""
    return examples(rule.page)


def example_faults(rule: AnyRule, example: Example) -> list[str]:
    """What is wrong with an example: a bad one must show its rule and nothing else but notes, a good one nothing at all."""
    directive = Directive()
    directive.read([f"{name}={value}" for name, value in example.options.items()])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "example" + _SUFFIXES[example.language])
        path.write_text(complete(example), encoding="utf-8")
        report = _report(path, _config(path), directive)
    own = [finding for finding in report.findings if finding.rule == rule.slug]
    others = [one for one in report.findings if one.rule != rule.slug and one.severity is not Severity.NOTE]
    unwanted = others if example.verdict == "bad" else own + others
    faults = [*report.failures, *(f"line {one.line}: {one.rule}: {one.message}" for one in unwanted)]
    return faults if own or example.verdict == "good" else [*faults, f"does not show {rule.slug}"]


def complete(example: Example) -> str:
    """An example as a source file: a fragment in a function, with an empty kernel for each that it launches unseen."""
    code = example.code
    if example.language == "python":
        return code
    launched = dict.fromkeys(match[1] or match[2] for match in _LAUNCHED.finditer(code))
    unseen = [name for name in launched if not re.search(rf"__global__[^;{{]*\b{name}\s*\(", code)]
    kernels = "".join(f"template <class... T> __global__ void {name}(T... arguments) {{}}\n" for name in unseen)
    return kernels + (code if _FUNCTION.search(code) else f"void example() {{\n{code}}}\n")


def _config(path: Path) -> Config:
    return Config(root=path if path.is_dir() else path.parent, min_severity=Severity.NOTE, cache=False, jobs=1)


def _report(path: Path, config: Config, directive: Directive) -> Report:
    settings = config.merged(gpu=directive.gpus or None, assume=directive.assume)
    return check([path], settings, resources={"*": directive.resources} if directive.resources else None)
