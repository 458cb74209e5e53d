"""Some threads of the block return before a barrier that others wait at.

A thread that has left the kernel takes part in no barrier. Since compute capability 7.0 `__syncthreads()` counts the threads that are left;
before, it waited for all, and the block hung. And whatever the threads that left should have done before the barrier, such as
load their part of a tile, is missing behind it.

An error where shared memory that the threads that left would have filled is read behind the barrier, and for GPUs before
compute capability 7.0; else a warning: the code rests on what the barrier does with threads that are gone.

Not reported: returns that all threads of the block take together (conditions on `blockIdx`, parameters, or values that
every thread reads from one place).

## How it is computed

As `barrier-in-divergent-branch`. Data counts as missing where each thread stores an element of its own between the return and
the barrier, and elements of other threads are read behind it, under no bound that the return has too.

## Example

```cuda bad
__global__ void blend(float *d, int n) {
  __shared__ float s[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  s[threadIdx.x] = d[i];
  __syncthreads();
  d[i] = 0.5f * (s[threadIdx.x] + s[threadIdx.x ^ 1]);
}

cudaError_t run(float *d, int n) {
  if (n <= 0) return cudaSuccess;
  blend<<<(n + 255) / 256, 256>>>(d, n);
  return cudaGetLastError();
}
```

```cuda good
__global__ void blend(float *d, int n) {
  __shared__ float s[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i < n ? d[i] : 0.0f;
  __syncthreads();
  if (i < n) d[i] = 0.5f * (s[threadIdx.x] + s[threadIdx.x ^ 1]);
}

cudaError_t run(float *d, int n) {
  if (n <= 0) return cudaSuccess;
  blend<<<(n + 255) / 256, 256>>>(d, n);
  return cudaGetLastError();
}
```
"""

from collections.abc import Iterator

from cudalint.analysis.device.divergence import divergences
from cudalint.analysis.device.explain import condition_text, span_of, why
from cudalint.analysis.device.leavers import read_after
from cudalint.hw import NvidiaArchitecture
from cudalint.ir import Instance
from cudalint.rule import Confidence, Context, Finding, Related, Severity, rule


@rule(on=Instance, severity=Severity.ERROR, confidence=Confidence.LIKELY, since="0.1")
def check(instance: Instance, ctx: Context) -> Iterator[Finding]:
    trace, target = ctx.trace(instance), ctx.device.architecture
    needs_all = isinstance(target, NvidiaArchitecture) and not target.independent_threads
    for found in divergences(trace, "block"):
        if found.kind != "return":
            continue
        control, read = found.control, read_after(trace, found)
        effect = (
            f", and {read.buffer.name} is read behind it, which they should have filled" if read is not None
            else f": on {ctx.device.id} the others wait for them" if needs_all else ""
        )  # fmt: skip
        yield Finding(
            at=span_of(found.barrier.place),
            message=f"threads that return on '{condition_text(control)}' never come to this barrier{effect}",
            remedy="keep all threads to the last barrier; let those with nothing to do skip the work only",
            related=(
                Related(span_of(control.exit or control.place), "some threads leave here"),
                *(Related(span, text) for span, text in why(control.cause)),
                *([Related(span_of(read.place), "their data is read here")] if read is not None else []),
            ),
            severity=Severity.ERROR if read is not None or needs_all else Severity.WARNING,
        )
