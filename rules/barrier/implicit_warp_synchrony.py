"""Lanes of a warp read what other lanes wrote, and nothing makes the warp wait for them.

Up to compute capability 6 the threads of a warp ran in step, and the last steps of a reduction were written without any
barrier, through a `volatile` pointer. From 7.0 on every thread has its own program counter: the compiler and the hardware
may let one lane run ahead of another, and the sum is wrong now and then. `volatile` keeps values out of registers but makes
nobody wait.

One finding per stretch of such code, at the first access that reads what another lane wrote. Not reported: AMD, whose
wavefronts run in step, NVIDIA GPUs before 7.0, and anything between lanes with a `__syncwarp()`, a tile's `sync()` or a
shuffle between. What happens between warps is `missing-barrier`.

## How it is computed

As for `missing-barrier`: the kernel is run over all threads of a block, and the two threads found are of one warp.

## Example

```cuda bad
__global__ void last_warp(float *out, const float *x) {
  __shared__ float s[64];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 32) {
    volatile float *v = s;
    v[threadIdx.x] += v[threadIdx.x + 32];
    v[threadIdx.x] += v[threadIdx.x + 16];
    v[threadIdx.x] += v[threadIdx.x + 8];
  }
  if (threadIdx.x < 8) out[threadIdx.x] = s[threadIdx.x];
}

cudaError_t run(float *out, const float *x) {
  last_warp<<<1, 64>>>(out, x);
  return cudaGetLastError();
}
```

```cuda good
__global__ void last_warp(float *out, const float *x) {
  __shared__ float s[64];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 32) {
    float v = s[threadIdx.x] + s[threadIdx.x + 32];
    v += __shfl_down_sync(0xffffffff, v, 16);
    v += __shfl_down_sync(0xffffffff, v, 8);
    if (threadIdx.x < 8) out[threadIdx.x] = v;
  }
}

cudaError_t run(float *out, const float *x) {
  last_warp<<<1, 64>>>(out, x);
  return cudaGetLastError();
}
```
"""

from collections.abc import Iterator

from cudalint.analysis.device.explain import calls_to, span_of
from cudalint.analysis.device.hazards import hazards
from cudalint.analysis.device.told import happening
from cudalint.hw import NvidiaArchitecture
from cudalint.ir import Instance
from cudalint.rule import Confidence, Context, Finding, Related, Severity, rule


@rule(on=Instance, severity=Severity.ERROR, confidence=Confidence.LIKELY, since="0.1")
def check(instance: Instance, ctx: Context) -> Iterator[Finding]:
    target = ctx.device.architecture
    if not isinstance(target, NvidiaArchitecture) or not target.independent_threads:
        return
    for hazard in hazards(ctx.trace(instance)):
        if not hazard.warp:
            continue
        yield Finding(
            at=span_of(hazard.second.place),
            message=f"{happening(hazard)}: both are of one warp, and no __syncwarp() makes one wait for the other",
            remedy="put __syncwarp() between the store and the load, or hand the values on with __shfl_down_sync",
            related=(
                Related(span_of(hazard.first.place), "the store"),
                *(Related(span, "called here") for span in calls_to(hazard.second)),
            ),
        )
