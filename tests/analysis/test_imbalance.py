"""What uneven work before a barrier costs, from the source of a kernel on."""

import csv
from pathlib import Path

import pytest

from cudalint.analysis.device.cost import candidate, phases
from cudalint.analysis.device.counting import counted, size
from cudalint.analysis.device.imbalance import Imbalance, imbalances
from cudalint.analysis.evaluate import Evaluator
from cudalint.hw.target import Latency
from cudalint.ir import Evaluate
from cudalint.rules.barrier.barrier_imbalance import check
from tests.analysis.traces import instances

MEASURED = {
    (int(row["block_threads"]), int(row["factor"])): float(row["ms"])
    for row in csv.DictReader((Path(__file__).parents[1] / "data/barrier_imbalance_h200.csv").open(encoding="utf-8"))
}
FACTS = """
__global__ void imbal(float *o, int it, int k, int rounds) {
  int w = threadIdx.x >> 5;
  float a = threadIdx.x;
  for (int r = 0; r < rounds; r++) {
    int n = (w == 0) ? it * k : it;
    for (int i = 0; i < n; i++) a = a * 1.0001f + 0.5f;
    __syncthreads();
  }
  if (a == -1) o[0] = a;
}
"""


def latency_of(context: object) -> Latency:
    latency = context.device.architecture.latency  # type: ignore[attr-defined]
    assert isinstance(latency, Latency)
    return latency


def found(folder: Path, text: str) -> list[Imbalance]:
    """The imbalances of the only kernel."""
    ((instance, context),) = instances(folder, text)
    reader, launch = instance.kernel.reader, instance.launch
    assert isinstance(reader, Evaluator)
    assert launch is not None
    trace = context.trace(instance)
    if not candidate(trace):
        return []
    seen = counted(instance.kernel.function, reader, trace.shape, launch.passed)
    return [*imbalances(seen, latency_of(context), 4)]


def body(code: str, block: str = "256", arguments: str = "d, n") -> str:
    return f"""
        __device__ float unseen(float x);
        __global__ void k(float *d, int n) {{
          __shared__ float s[4096];
          const int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
          float a = d[blockIdx.x * 256 + tid];
          s[tid] = a;
          __syncthreads();
          {code}
          __syncthreads();
          d[blockIdx.x * 256 + tid] = a + s[tid];
        }}
        void run(float *d, int n) {{ k<<<100, {block}>>>({arguments}); }}
        """


@pytest.mark.parametrize("factor", [2, 4, 8, 16, 32])
def test_time_from_the_source_is_what_was_measured(tmp_path: Path, factor: int) -> None:
    """With one warp to a scheduler, two blocks of two warps take as long as one."""
    launch = f"void run(float *o) {{ imbal<<<264, 64>>>(o, 2000, {factor}, 20); }}"
    ((instance, context),) = instances(tmp_path, FACTS + launch)
    reader = instance.kernel.reader
    assert isinstance(reader, Evaluator)
    assert instance.launch is not None
    seen = counted(instance.kernel.function, reader, context.trace(instance).shape, instance.launch.passed)
    _, phase = phases(seen, latency_of(context), 4, {})[0]
    milliseconds = 0.00415 + 20 * phase.cycles / (context.device.boost_clock_mhz or 0) / 1000
    assert milliseconds == pytest.approx(MEASURED[64, factor], rel=0.1)
    assert phase.times == 19
    assert phase.share == pytest.approx(phase.loss, abs=0.1)


@pytest.mark.parametrize("turns", ["2000", "n"], ids=["known", "cancels"])
def test_one_warp_with_four_times_the_turns(tmp_path: Path, turns: str) -> None:
    launch = f"void run(float *o, int n) {{ imbal<<<264, 256>>>(o, {turns}, 4, 20); }}"
    (one,) = found(tmp_path, FACTS + launch)
    assert one.factor == pytest.approx(4)
    assert one.busy == one.warps == 8
    assert 0.5 < one.loss < 0.75
    assert one.from_turns is None


SERIAL = "for (int i = 0; i < 256; i++) a += s[i];"


@pytest.mark.parametrize(
    ("code", "busy", "alone", "turns"),
    [
        (f"if (tid == 0) {{ {SERIAL} }}", 1, True, 256),
        (f"if (!tid) {{ {SERIAL} }}", 1, True, 256),
        (f"if (warp == 2 && lane == 0) {{ {SERIAL} }}", 1, True, 256),
        ("if (tid == 0) { int i = 0; while (i < 300) { a += s[i]; i += 1; } }", 1, True, 300),
        ("if (tid == 0) { int i = 0; do { a += s[i]; } while (++i < 300); }", 1, True, 300),
        ("if (tid == 0) for (int i = 255; i >= 0; --i) a += s[i];", 1, True, 256),
        ("if (tid == 0) for (int i = 0; i != 512; i += 2) a += s[i];", 1, True, 256),
        ("if (tid == 0) for (int i = 0; i < blockDim.x; i++) a += s[i];", 1, True, 256),
        ("if (tid == 0) for (int i = 0; i < gridDim.x; i++) a += d[i];", 1, True, 100),
        ("if (tid < 64) for (int i = tid; i < 4096; i += 64) s[i] = d[i];", 2, False, 64),
        ("if (warp == 0) for (int i = lane; i < 4096; i += 32) s[i] = d[i];", 1, False, 128),
        ("for (int i = tid; i < 4096 && tid < 32; i += 32) s[i] = d[i];", 0, False, 0),
        ("if (tid < 32) for (int i = 0; i < 8; i++) for (int j = 0; j < 32; j++) a += s[i * 512 + j * 16 + tid];", 1, False, 8),
    ],
    ids=[
        "thread 0", "negation", "another warp", "while", "do", "downwards", "unequal", "block size", "grid size", "two warps",
        "one warp", "condition of the loop: not known", "nested",
    ],
)  # fmt: skip
def test_loops_that_some_warps_are_in(tmp_path: Path, code: str, busy: int, alone: bool, turns: int) -> None:
    told = [(one.busy, one.alone, one.turns) for one in found(tmp_path, body(code))]
    assert told == ([(busy, alone, turns)] if busy else [])


@pytest.mark.parametrize(
    "code",
    [
        "if (tid == 0) s[0] = a;",
        "if (tid == 0) for (int i = 0; i < 4; i++) a += s[i];",
        "if (tid < 128) a += s[tid + 128];",
        "if (lane == 0) for (int i = 0; i < 256; i++) a += s[i];",
        "for (int i = tid; i < 300; i += 256) s[i] = d[i];",
        "for (int i = 0; i < 256; i++) a += s[i];",
        f"a = unseen(a); if (tid == 0) {{ {SERIAL} }}",
        "if (tid == 0) for (int i = 0; i < 256; i++) a += unseen(s[i]);",
        "if (tid == 0) for (int i = 0; i < 256; i++) { if (s[i] < 0) break; a += s[i]; }",
        "if (warp == 0) for (int i = 1; i < 32; i *= 2) a += __shfl_xor_sync(~0u, a, i);",
        f"if (tid == 0) {{ {SERIAL} }} for (int i = tid; i < n; i += 256) a += d[i];",
        f"for (int i = tid; i < 65536; i += 256) a += d[i]; if (tid == 0) {{ {SERIAL} }}",
        "if (tid < n) for (int i = 0; i < 256; i++) a += s[i];",
        "for (int i = 0; i < d[tid]; i++) a += s[i];",
        "if (tid < 32) for (int i = 0; i < 64; i++) a = a * a + 1.0f;",
    ],
    ids=[
        "one store", "few turns", "no loop", "one lane of every warp", "as even as it can be", "all", "callee unseen",
        "callee in the loop", "left early", "lanes together", "the others as long", "small beside the rest", "bound not known",
        "data decides", "nothing of its own for each thread",
    ],
)  # fmt: skip
def test_what_is_no_loss_or_not_known(tmp_path: Path, code: str) -> None:
    assert found(tmp_path, body(code)) == []


def test_blocks_of_unknown_size_and_of_one_warp_are_left_alone(tmp_path: Path) -> None:
    code = f"if (tid == 0) {{ {SERIAL} }}"
    assert found(tmp_path, body(code, "n")) == []
    assert found(tmp_path, body(code, "32")) == []
    assert found(tmp_path, body(code, "64"))


def test_a_loop_of_unknown_length_tells_from_when_on_it_costs(tmp_path: Path) -> None:
    (one,) = found(tmp_path, body("if (tid == 0) for (int i = 0; i < n; i++) a += s[i];"))
    assert one.from_turns == 64
    ((instance, context),) = instances(tmp_path, body("if (tid == 0) for (int i = 0; i < n; i++) a += s[i];"))
    (finding,) = check.check(instance, context)
    assert finding.severity == "note"
    assert "from 64 turns on 20%" in finding.message


def test_a_loss_in_a_small_part_of_the_kernel_is_a_note(tmp_path: Path) -> None:
    serial = f"if (tid == 0) {{ {SERIAL} }}"
    ((instance, context),) = instances(tmp_path, body(serial))
    assert [finding.severity for finding in check.check(instance, context)] == ["warning"]
    long = "__syncthreads(); for (int i = 0; i < 20000; i++) a = a * d[i * 256 + tid] + 1.0f;"
    ((instance, context),) = instances(tmp_path, body(serial + long))
    assert [finding.severity for finding in check.check(instance, context)] == ["note"]


def test_a_gpu_without_latencies_is_skipped(tmp_path: Path) -> None:
    ((instance, context),) = instances(tmp_path, body(f"if (tid == 0) {{ {SERIAL} }}"), "mi300x")
    with pytest.raises(Exception, match="mi300x has no latencies"):
        list(check.check(instance, context))


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("a * b + c", (1, 1)),
        ("a + b + c + d", (3, 3)),
        ("(a + b) * (c + d)", (2, 3)),
        ("a * b + c * d", (1, 2)),
        ("x += a * b", (1, 1)),
        ("a", (0, 0)),
        ("a / b", (8, 8)),
        ("i / 4", (1, 1)),
        ("sqrtf(a)", (8, 8)),
        ("fmaf(a, b, c)", (1, 1)),
        ("a < b ? a : b", (2, 2)),
    ],
)
def test_instructions_of_an_expression(tmp_path: Path, code: str, expected: tuple[int, int]) -> None:
    ((instance, _),) = instances(
        tmp_path, f"__global__ void k(float a, float b, float c, float d, float x, int i) {{ {code}; }}"
    )
    (statement,) = instance.kernel.function.body or ()
    assert isinstance(statement, Evaluate)
    assert size(statement.value) == expected
