"""Two threads use the same element of shared memory, and no barrier orders them.

Between two block-wide barriers the warps of a block run in any order. A thread that reads what another warp writes in the
same stretch gets the old value or the new one as it happens; a tile that is overwritten while slower warps still read it
is wrong now and then, on one GPU and not on the next. A loop joins its end to its start: what is read in the last lines of
its body meets what the next turn writes in the first.

Reported where two threads of different warps surely touch one element, whatever the unknown sizes are. Not reported: what
each thread does with an element of its own, stores of one value by all, atomics, conditions that exclude each other, and
kernels that call what may hold a barrier and is not visible. What happens inside one warp is `implicit-warp-synchrony`.

## How it is computed

The kernel is run over all threads of one block, a few turns of each loop, with the launch's block where it is known and
else with several usual ones, in all of which the two must meet. Parameters that are not known cancel out of the two
indices, or nothing is said.

## Example

```cuda bad
__global__ void mirror(float *d) {
  __shared__ float s[256];
  float *mine = d + blockIdx.x * 256;
  s[threadIdx.x] = mine[threadIdx.x];
  mine[threadIdx.x] = s[255 - threadIdx.x];
}

cudaError_t run(float *d, int blocks) {
  if (blocks <= 0) return cudaSuccess;
  mirror<<<blocks, 256>>>(d);
  return cudaGetLastError();
}
```

```cuda good
__global__ void mirror(float *d) {
  __shared__ float s[256];
  float *mine = d + blockIdx.x * 256;
  s[threadIdx.x] = mine[threadIdx.x];
  __syncthreads();
  mine[threadIdx.x] = s[255 - threadIdx.x];
}

cudaError_t run(float *d, int blocks) {
  if (blocks <= 0) return cudaSuccess;
  mirror<<<blocks, 256>>>(d);
  return cudaGetLastError();
}
```
"""

from collections.abc import Iterator

from cudalint.analysis.device.explain import calls_to, span_of
from cudalint.analysis.device.hazards import hazards
from cudalint.analysis.device.told import happening
from cudalint.ir import Instance
from cudalint.rule import Confidence, Context, Finding, Related, Severity, rule


@rule(on=Instance, severity=Severity.ERROR, confidence=Confidence.LIKELY, since="0.1")
def check(instance: Instance, ctx: Context) -> Iterator[Finding]:
    for hazard in hazards(ctx.trace(instance)):
        if hazard.warp:
            continue
        yield Finding(
            at=span_of(hazard.second.place),
            message=f"{happening(hazard)}, with no barrier between",
            remedy="put __syncthreads() between the two, where all threads of the block come by",
            related=(
                Related(span_of(hazard.first.place), "the other access"),
                *(Related(span, "called here") for span in calls_to(hazard.second)),
            ),
        )
