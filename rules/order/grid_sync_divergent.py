"""Some blocks or threads do not reach a grid-wide barrier that others wait at, or reach it less often.

`grid.sync()` waits for every block of the grid. Under a condition that holds for some blocks only (`blockIdx.x % 2 == 0`), behind a
return that some take, or in a loop whose turns differ from block to block (a grid-stride loop over a number that is no
multiple of the stride), those that come wait for ever for those that do not.

Not reported: conditions that are the same for the whole grid (parameters, values that all threads read from one place),
and loops that the launch proves to run equally often in all blocks.

## How it is computed

As `barrier-in-divergent-branch`, with `blockIdx` as one more thing that values differ by.

## Example

```cuda bad
#include <cooperative_groups.h>

__global__ void smooth(float *x, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    y[i] = 0.5f * x[i];
    cooperative_groups::this_grid().sync();
    x[i] = y[n - 1 - i];
  }
}

cudaError_t run(float *x, float *y, int n) {
  void *args[] = {&x, &y, &n};
  return cudaLaunchCooperativeKernel((void *)smooth, dim3(108), dim3(256), args, 0, 0);
}
```

```cuda good
#include <cooperative_groups.h>

__global__ void smooth(float *x, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = 0.5f * x[i];
  cooperative_groups::this_grid().sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] = y[n - 1 - i];
}

cudaError_t run(float *x, float *y, int n) {
  void *args[] = {&x, &y, &n};
  return cudaLaunchCooperativeKernel((void *)smooth, dim3(108), dim3(256), args, 0, 0);
}
```
"""

from collections.abc import Iterator

from cudalint.analysis.device.divergence import Divergence, divergences
from cudalint.analysis.device.explain import condition_text, span_of, why
from cudalint.analysis.device.values import BLOCK
from cudalint.ir import Instance
from cudalint.rule import Confidence, Context, Finding, Related, Severity, rule


@rule(on=Instance, severity=Severity.ERROR, confidence=Confidence.LIKELY, since="0.1")
def check(instance: Instance, ctx: Context) -> Iterator[Finding]:
    for found in divergences(ctx.trace(instance), "grid"):
        control = found.control
        yield Finding(
            at=span_of(found.barrier.place),
            message=_message(found),
            remedy="let every thread of every block come to the barrier equally often; put only the work under the condition",
            related=(
                Related(span_of(control.place), "the condition"),
                *((Related(span_of(control.exit), "some leave here"),) if control.exit is not None else ()),
                *(Related(span, text) for span, text in why(control.cause)),
            ),
        )


def _message(found: Divergence) -> str:
    condition = condition_text(found.control)
    who = "blocks" if found.control.varies & BLOCK else "threads"
    if found.kind == "branch":
        return f"grid-wide barrier under '{condition}', which differs between {who}: some never arrive"
    if found.kind == "return":
        return f"{who} that return on '{condition}' never come to this grid-wide barrier"
    return f"grid-wide barrier in a loop whose number of turns depends on '{condition}', which differs between {who}"
