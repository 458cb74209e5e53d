"""The threads of the block do not all make the same number of turns of a loop that holds a barrier.

`__syncthreads()` waits for every thread of the block that has not left the kernel. Where the number of turns depends on the thread
(a loop up to a value of its own, a `break` or `continue` that only some take), those that are done wait elsewhere, or
come to another barrier: the block hangs, or goes on with data that is not there yet.

Not reported: loops over parameters, `blockIdx`, or values that all threads read from one place; loops that start at the
thread's own index and yet run equally often for all (`for (i = threadIdx.x; i < 1024; i += 256)` in a block of 256). What
each thread pops from a queue is `divergent-queue-pop`.

## How it is computed

Every value is followed from `threadIdx` on, through assignments, calls, loops and memory. The number of turns differs where
the loop's condition does, or that of a `break` in it; a `continue` counts for the barriers behind it.

## Example

```cuda bad
__global__ void relax(const int *rows, float *x) {
  __shared__ float s[256];
  const int r = blockIdx.x * 256 + threadIdx.x;
  for (int k = rows[r]; k < rows[r + 1]; ++k) {
    s[threadIdx.x] = x[k];
    __syncthreads();
    x[k] = 0.5f * (s[threadIdx.x] + s[threadIdx.x ^ 1]);
    __syncthreads();
  }
}

cudaError_t run(const int *rows, float *x, int blocks) {
  if (blocks <= 0) return cudaSuccess;
  relax<<<blocks, 256>>>(rows, x);
  return cudaGetLastError();
}
```

```cuda good
__global__ void relax(const int *rows, float *x) {
  __shared__ float s[256];
  const int r = blockIdx.x * 256 + threadIdx.x;
  for (int k = rows[r]; __syncthreads_or(k < rows[r + 1]); ++k) {
    const bool mine = k < rows[r + 1];
    s[threadIdx.x] = mine ? x[k] : 0.0f;
    __syncthreads();
    if (mine) x[k] = 0.5f * (s[threadIdx.x] + s[threadIdx.x ^ 1]);
    __syncthreads();
  }
}

cudaError_t run(const int *rows, float *x, int blocks) {
  if (blocks <= 0) return cudaSuccess;
  relax<<<blocks, 256>>>(rows, x);
  return cudaGetLastError();
}
```
"""

from collections.abc import Iterator

from cudalint.analysis.device.divergence import divergences
from cudalint.analysis.device.explain import condition_text, span_of, why
from cudalint.ir import Instance
from cudalint.rule import Confidence, Context, Finding, Related, Severity, rule

_SKIPPED = {"continue": "skipped with 'continue'", "break": "left with 'break'"}


@rule(on=Instance, severity=Severity.ERROR, confidence=Confidence.LIKELY, since="0.1")
def check(instance: Instance, ctx: Context) -> Iterator[Finding]:
    for found in divergences(ctx.trace(instance), "block"):
        if found.kind != "loop":
            continue
        control = found.control
        how = _SKIPPED.get(control.kind, "whose number of turns depends on")
        yield Finding(
            at=span_of(found.barrier.place),
            message=f"barrier in a loop {how} '{condition_text(control)}', which differs between threads of the block",
            remedy="let all threads make the same number of turns, and those with nothing to do skip the work only",
            related=(
                Related(span_of(control.place), "the condition"),
                *(Related(span, text) for span, text in why(control.cause)),
            ),
        )
