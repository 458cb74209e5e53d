"""A report made by hand: three findings on two GPUs, two launches, one of them hardly known."""

from dataclasses import replace

from cudalint.report import Report, ReportedFinding, ReportedLaunch, Summary, Target, Value
from cudalint.rule import Confidence, Fact, Related, Severity
from cudalint.source import Span

SAXPY = """\
#include "saxpy.h"

__global__ void saxpy(int n, float a, float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = a * x[i] + y[i];
}

void run(int n, float *x, float *y) {
    const int threads = 100;
\tsaxpy<<<n / threads, threads>>>(n, 2.0f, x, y);
}
"""
SORT = "void sort(int *keys) {\n    odd_even<<<1, 2048>>>(keys);\n}\n"
FILES = {"src/saxpy.cu": SAXPY, "src/sort.hip": SORT}


def lines(file: str) -> list[str]:
    return FILES.get(file, "").split("\n")


PARTIAL = ReportedFinding(
    rule="block-not-warp-multiple",
    group="block",
    severity=Severity.WARNING,
    confidence=Confidence.PROVEN,
    message="a block of 100 threads leaves lanes of its last warp idle",
    span=Span("src/saxpy.cu", 10, 23, 10, 30),
    gpus=("h200", "mi300x"),
    evidence={"block": Fact(100, "constexpr")},
    targets={
        "h200": {"warp": Fact(32, "hardware"), "idle_lanes": Fact(28, "model")},
        "mi300x": {"warp": Fact(64, "hardware"), "idle_lanes": Fact(28, "model")},
    },
    related=(Related(Span("src/saxpy.cu", 9, 15, 9, 28), "the block size is computed here"),),
    remedy="launch 128 threads a block",
    fingerprint="5f0c3f1d9a7e2b44",
    kernel="saxpy",
)
TRUNCATES = ReportedFinding(
    rule="grid-truncates-work",
    group="grid",
    severity=Severity.WARNING,
    confidence=Confidence.LIKELY,
    message="n / threads blocks leave the last n % threads elements untouched",
    span=Span("src/saxpy.cu", 10, 10, 10, 21),
    gpus=("h200", "mi300x"),
    evidence={},
    targets={},
    related=(Related(Span("src/saxpy.cu", 3, 17, 3, 22), "the kernel takes one element a thread"),),
    remedy="round up: (n + threads - 1) / threads, with a guard in the kernel",
    fingerprint="77aa1b0c3e5d6f88",
    kernel="saxpy",
)
TOO_LARGE = ReportedFinding(
    rule="block-exceeds-device-limit",
    group="block",
    severity=Severity.ERROR,
    confidence=Confidence.PROVEN,
    message="a block of 2048 threads exceeds the limit of 1024",
    span=Span("src/sort.hip", 2, 5, 2, 32),
    gpus=("mi300x",),
    evidence={"block": Fact(2048, "literal"), "most_threads": Fact(1024, "hardware")},
    targets={},
    related=(),
    remedy="",
    fingerprint="0123456789abcdef",
    kernel="odd_even",
)
SILENCED = replace(TRUNCATES, severity=Severity.NOTE, fingerprint="aaaaaaaaaaaaaaaa")

KNOWN = ReportedLaunch(
    kernel="odd_even",
    span=Span("src/sort.hip", 2, 5, 2, 32),
    form="chevrons",
    grid=Value(1, "1", "literal", 1, 1, "1", (1, 1, 1)),
    block=Value(256, "dim3(16, 16)", "literal", 256, 256, "256", (16, 16, 1)),
    cluster=None,
    dynamic_shared=Value(0, "", "literal", 0, 0, "0"),
    registers=Value(32, "", "binary", 32, 32, None),
    static_shared=Value(0, "", "literal", 0, 0, "0"),
    cooperative=False,
    defined=Span("src/sort.h", 3, 1, 3, 9),
    function="sort",
    targets={
        "h200": Target(8, (8, 8), ("warps", "registers"), 1.0, 1 / (132 * 8), "latency", 0.0),
        "mi300x": Target(8, (8, 8), ("warps",), 1.0, 1 / (304 * 8)),
    },
)
UNKNOWN = ReportedLaunch(
    kernel="saxpy",
    span=Span("src/saxpy.cu", 10, 2, 10, 48),
    form="chevrons",
    grid=Value(None, "n / threads", "unknown", None, None, "n / 100"),
    block=Value(100, "threads", "constexpr", 100, 100, "100", (100, 1, 1)),
    cluster=None,
    dynamic_shared=Value(None, "bytes", "unknown"),
    registers=Value(None, "", "launch-bounds", 1, 255),
    static_shared=Value(0, "", "literal", 0, 0, "0"),
    cooperative=False,
    defined=Span("src/saxpy.cu", 3, 17, 3, 22),
    function="run",
    targets={
        "h200": Target(None, (2, 16), ("registers",), None, None),
        "mi300x": Target(None, None, (), None, None),
    },
)

REPORT = Report(
    version="1.2.3",
    gpus=("h200", "mi300x"),
    findings=(TRUNCATES, PARTIAL, TOO_LARGE),
    launches=(UNKNOWN, KNOWN),
    summary=Summary(files=2, launches=2, errors=1, warnings=2, notes=0, suppressed=1),
    suppressed=(SILENCED,),
)
CLEAN = Report("1.2.3", ("h200",), (), (), Summary(1, 0, 0, 0, 0, 0))


def many(severity: Severity, number: int) -> tuple[ReportedFinding, ...]:
    """Findings of one severity on lines of their own."""
    return tuple(
        replace(TRUNCATES, severity=severity, span=Span("src/saxpy.cu", line, 1, line, 2))
        for line in range(1, number + 1)
    )
