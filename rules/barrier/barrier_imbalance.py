"""Most warps of the block wait at a barrier for a few that still work.

A phase between two barriers takes as long as its slowest warp. Where one thread runs a loop for all, where a bound on the
thread index keeps whole warps out of it, or where one warp makes many times the turns of the others, the rest of the SM
idles meanwhile, unless another block happens to be there. The barrier is not the fault and must stay: share the work out.

Not reported: a few statements of one thread (there is nothing to share out), the shrinking steps of a tree reduction,
loops that the lanes of a warp go through together, loops whose turns the data decides, phases that call functions whose bodies are not visible, and blocks of unknown size.

## How it is computed

Each warp gathers what it does up to the barrier: instructions, and the cycles they take one after another, turns of loops
multiplied out, with the latencies of the GPU's profile. The warps of a sub-partition share its scheduler; a warp that is done
leaves its share to the others. On an H200 this is within 6 % of what was measured. The loss is what would be saved if all
warps made equally many turns of each uneven loop, with this block alone on its SM. A number that the launch does not tell
is varied: what depends on it is left alone, unless it stands in all loops and cancels. A loop of unknown length that only
some warps are in is a note, with the turns from which on it costs a fifth of the phase; so is a loss in a phase that is
itself less than a twentieth of the kernel.

## Example

```cuda bad
__global__ void normalise(float *d) {
  __shared__ float s[256];
  __shared__ float total;
  const int i = blockIdx.x * 256 + threadIdx.x;
  s[threadIdx.x] = d[i];
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0.0f;
    for (int k = 0; k < 256; k++) sum += s[k];
    total = sum;
  }
  __syncthreads();
  d[i] = s[threadIdx.x] / total;
}

cudaError_t run(float *d) {
  normalise<<<1024, 256>>>(d);
  return cudaGetLastError();
}
```

```cuda good
__global__ void normalise(float *d) {
  __shared__ float s[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  const float own = d[i];
  s[threadIdx.x] = own;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
    __syncthreads();
  }
  d[i] = own / s[0];
}

cudaError_t run(float *d) {
  normalise<<<1024, 256>>>(d);
  return cudaGetLastError();
}
```
"""

from collections.abc import Iterator

from cudalint.analysis.device.cost import candidate
from cudalint.analysis.device.counting import counted
from cudalint.analysis.device.events import Trace
from cudalint.analysis.device.explain import condition_text, span_of, why
from cudalint.analysis.device.imbalance import Imbalance, imbalances
from cudalint.analysis.evaluate import Evaluator
from cudalint.hw.target import Latency
from cudalint.ir import Instance
from cudalint.rule import Confidence, Context, Fact, Finding, Related, Severity, rule

_LARGE_FACTOR = 2
_ALIKE = Latency(arithmetic=1, shared_load=1, exchange=1, cached_load=1, global_load=1, issue=1)
_LEAST_SHARE = 0.05
"""The share of the kernel's time from which on a loss is worth a warning."""


@rule(on=Instance, severity=Severity.WARNING, confidence=Confidence.LIKELY, since="0.1")
def check(instance: Instance, ctx: Context) -> Iterator[Finding]:
    trace = ctx.trace(instance)
    reader, launch = instance.kernel.reader, instance.launch
    if launch is None or not isinstance(reader, Evaluator) or not candidate(trace):
        return
    found = trace.memo.get("imbalances")
    if found is None:
        seen = counted(instance.kernel.function, reader, trace.shape, launch.passed)
        found = trace.memo["imbalances"] = _found(seen, ctx)
    for one in found:
        large = (one.factor is None or one.factor >= _LARGE_FACTOR) and one.share >= _LEAST_SHARE
        yield Finding(
            at=span_of(one.barrier.place),
            message=_message(one),
            remedy="share the loop out among all warps of the block, or give the others other work meanwhile; the barrier must stay",
            severity=Severity.WARNING if large and one.from_turns is None else Severity.NOTE,
            evidence={
                "loss": Fact(round(one.loss, 3), "model"),
                "warps": Fact(one.warps, "launch"),
                "busy_warps": Fact(one.busy, "model"),
                "turns": Fact(one.turns if one.from_turns is None else f"{one.from_turns} or more", "model"),
            },
            related=_related(one),
        )


def _found(trace: Trace, ctx: Context) -> list[Imbalance]:
    """The imbalances of a counted trace. Latencies are only missed where turns alone would give some."""
    architecture = ctx.device.architecture
    found = [*imbalances(trace, architecture.latency or _ALIKE, architecture.schedulers)]
    if found:
        ctx.figure(architecture.latency.arithmetic if architecture.latency else None, "latencies of instructions")
    return found


def _message(one: Imbalance) -> str:
    if one.from_turns is not None:
        return f"{_who(one)} {_works(one)} a loop while the others wait: from {one.from_turns} turns on {one.loss:.0%} of the phase before this barrier is lost"
    if one.busy < one.warps:
        what = f"{_who(one)} {_works(one)} a loop of {one.turns} turns while the others wait"
    else:
        what = f"the slowest of {one.warps} warps makes {one.turns} turns of a loop, {one.factor or 0:.2g} times those of the others"
    return f"{one.loss:.0%} of the phase before this barrier is lost: {what}"


def _works(one: Imbalance) -> str:
    return "runs" if one.alone or one.busy == 1 else "run"


def _who(one: Imbalance) -> str:
    return f"one thread of {one.warps} warps" if one.alone else f"{one.busy} of {one.warps} warps"


def _related(one: Imbalance) -> tuple[Related, ...]:
    loop = Related(span_of(one.loop.place), "the loop")
    if one.control is None:
        return (loop, *(Related(span, text) for span, text in why(one.loop.cause)))
    condition = f"'{condition_text(one.control)}' keeps the others away"
    return (
        Related(span_of(one.control.place), condition),
        loop,
        *(Related(span, text) for span, text in why(one.control.cause)),
    )
