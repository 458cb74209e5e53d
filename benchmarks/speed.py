"""Time and memory of the whole program, beside its budgets.

Run by hand: `python benchmarks/speed.py [PATH] [--lines N] [--jobs N] [--profile]`. `README.md` here says how the
figures are taken.
"""

import argparse
import cProfile
import os
import pstats
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
MEBIBYTE = 1 << 20
SOURCES = {".cu", ".cuh", ".hip", ".h", ".hpp", ".cpp", ".cc"}
REPETITIONS = 5
SAMPLE_SECONDS = 0.05
BUDGET_FILE_CPU = 0.35
BUDGET_LINES = 1_000_000
BUDGET_TREE_WALL = 20.0
BUDGET_RERUN_WALL = 2.0
BUDGET_MEBIBYTES = 1024
STAGES = {"tree_sitter": "parse", "cudalint/frontends": "lower", "cudalint/analysis": "link", "rules": "rules"}
TOP = 8


@dataclass(frozen=True)
class Cost:
    """Seconds of wall clock and of CPU, children included, and MiB of memory at the peak over all processes."""

    wall: float
    cpu: float
    memory: float


def measure(arguments: Sequence[str]) -> Cost:
    """The cost of one run of the program as a user starts it."""
    command = [sys.executable, "-m", "cudalint", *arguments, "--output-format", "json", "--fail-on", "never"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    peak = 0.0
    with tempfile.TemporaryFile() as output, subprocess.Popen(command, stdout=output, cwd=ROOT) as process:
        while process.poll() is None:
            peak = max(peak, sum(map(proportional_memory, processes_below(process.pid))))
            time.sleep(SAMPLE_SECONDS)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if process.returncode:
        raise SystemExit(f"exit code {process.returncode}: {' '.join(command)}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(wall, cpu, peak)


def processes_below(pid: int) -> Iterator[int]:
    """The process and all it started, as far as the system tells."""
    yield pid
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    except OSError:
        return
    for child in children:
        yield from processes_below(int(child))


def proportional_memory(pid: int) -> float:
    """MiB of a process, what it shares with others counted in part; 0 where the system does not tell."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    except OSError:
        return 0.0
    match = re.search(r"^Pss:\s+(\d+) kB", text, re.MULTILINE)
    return int(match[1]) / 1024 if match else 0.0


def sources(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    return sorted(file for file in path.rglob("*") if file.suffix in SOURCES and file.is_file())


def count_lines(path: Path) -> int:
    return sum(file.read_bytes().count(b"\n") for file in sources(path))


def replicate(origin: Path, folder: Path, lines: int) -> None:
    """Copies of the sources under `origin` until there are `lines` lines; each copy's kernels have names of their own."""
    texts = {file.relative_to(origin): file.read_text(encoding="utf-8") for file in sources(origin)}
    kernels = {name for text in texts.values() for name in re.findall(r"__global__[^;{]*?\b(\w+)\s*\(", text)}
    pattern = re.compile(rf"\b({'|'.join(sorted(kernels))})\b")
    written = copy = 0
    while written < lines:
        for name, text in texts.items():
            target = folder / f"copy{copy}" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(pattern.sub(rf"\g<1>_{copy}", text), encoding="utf-8")
            written += text.count("\n")
        copy += 1


def one_file(path: Path) -> float:
    """Median CPU seconds of a cold run over one file."""
    file = str(sources(path)[0])
    costs = sorted(measure([file, "--no-cache"]).cpu for _ in range(REPETITIONS))
    return costs[REPETITIONS // 2]


def tree(path: Path, jobs: int) -> tuple[Cost, Cost]:
    """The first run over a tree, without a cache, and a run over the unchanged tree with one."""
    with tempfile.TemporaryDirectory() as cache:
        common = [str(path), "--jobs", str(jobs)]
        cold = measure([*common, "--no-cache"])
        kept = [*common, "--cache-dir", cache]
        measure(kept)
        return cold, measure(kept)


def report(path: Path, jobs: int) -> None:
    lines = count_lines(path)
    cpu = one_file(path)
    cold, again = tree(path, jobs)
    share = lines / BUDGET_LINES
    print(f"{lines:,} lines, {jobs} processes; budgets for a tree are scaled from {BUDGET_LINES:,} lines")
    print(f"one file, cold, CPU of the whole process   {cpu:8.2f} s    budget {BUDGET_FILE_CPU} s")
    print(f"tree, no cache, wall clock                 {cold.wall:8.2f} s    budget {BUDGET_TREE_WALL * share:.2f} s")
    print(f"tree, no cache, CPU                        {cold.cpu:8.2f} s")
    print(f"tree, no cache, peak memory                {cold.memory:8.0f} MiB  budget {BUDGET_MEBIBYTES} MiB")
    print(f"tree, unchanged, wall clock                {again.wall:8.2f} s    budget {BUDGET_RERUN_WALL * share:.2f} s")
    print(f"tree, unchanged, peak memory               {again.memory:8.0f} MiB")


def profile(path: Path) -> None:
    """The functions that take the most time themselves, for each stage, in one process."""
    from cudalint.config import load_config  # noqa: PLC0415 - not needed to measure a process from outside
    from cudalint.engine import check  # noqa: PLC0415

    profiler = cProfile.Profile()
    config = load_config([path]).merged(cache=False, jobs=1)
    profiler.runcall(check, [str(path)], config)
    stages: dict[str, list[tuple[float, int, str]]] = defaultdict(list)
    for (file, line, function), (_, calls, own, _, _) in pstats.Stats(profiler).stats.items():  # type: ignore[attr-defined]
        stages[stage_of(file, function)].append((own, calls, f"{function} ({Path(file).name}:{line})"))
    for stage, functions in sorted(stages.items(), key=lambda item: -sum(own for own, _, _ in item[1])):
        print(f"{stage}: {sum(own for own, _, _ in functions):.2f} s")
        for own, calls, name in sorted(functions, reverse=True)[:TOP]:
            print(f"  {own:8.3f} s  {calls:9} calls  {name}")


def stage_of(file: str, function: str) -> str:
    """The stage that a function of the profile belongs to."""
    place = os.path.relpath(file, ROOT) if file.startswith(str(ROOT)) else f"{file} {function}"
    return next((stage for start, stage in STAGES.items() if place.startswith(start) or start in place), "other")


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", nargs="?", type=Path, help="a file or folder; by default copies of the corpus")
    parser.add_argument("--lines", type=int, default=100_000, help="how many lines of the corpus to make (100,000)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (one for each core)")
    parser.add_argument("--profile", action="store_true", help="show the costs of each stage instead")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        path = options.path or Path(folder)
        if options.path is None:
            replicate(ROOT / "corpus", path, options.lines)
        if options.profile:
            profile(path.resolve())
        else:
            report(path.resolve(), options.jobs)


if __name__ == "__main__":
    main(sys.argv[1:])
