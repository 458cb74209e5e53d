"""Some threads of the block do not reach a barrier that others wait at.

`__syncthreads()` waits for every thread of the block that has not left the kernel. Under a condition that holds for some
threads only, those wait for threads that never come, or meet them at another barrier: the block hangs, or goes on with
data that is not there yet. It makes no difference that both arms of an `if` have a barrier.

Not reported: conditions that are the same for all threads of a block, whatever they are made of: parameters, `blockIdx`,
constants, values that every thread reads from one place in memory, results of `__syncthreads_or` and its like, and
comparisons that the launch decides (`threadIdx.x < 256` in a block of 256).

## How it is computed

Every value is followed from `threadIdx` on, through assignments, calls, loops and memory. A condition differs between
threads where a value in it does; the finding shows on which way it got there. Device functions are followed into.

## Example

```cuda bad
__global__ void halve(float *d, int n) {
  __shared__ float s[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    s[threadIdx.x] = d[i];
    __syncthreads();
    d[i] = s[threadIdx.x ^ 1] * 0.5f;
  }
}

cudaError_t run(float *d, int n) {
  if (n <= 0) return cudaSuccess;
  halve<<<(n + 255) / 256, 256>>>(d, n);
  return cudaGetLastError();
}
```

```cuda good
__global__ void halve(float *d, int n) {
  __shared__ float s[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i < n ? d[i] : 0.0f;
  __syncthreads();
  if (i < n) d[i] = s[threadIdx.x ^ 1] * 0.5f;
}

cudaError_t run(float *d, int n) {
  if (n <= 0) return cudaSuccess;
  halve<<<(n + 255) / 256, 256>>>(d, n);
  return cudaGetLastError();
}
```
"""

from collections.abc import Iterator

from cudalint.analysis.device.divergence import divergences
from cudalint.analysis.device.explain import condition_text, span_of, why
from cudalint.ir import Instance
from cudalint.rule import Confidence, Context, Finding, Related, Severity, rule


@rule(on=Instance, severity=Severity.ERROR, confidence=Confidence.LIKELY, since="0.1")
def check(instance: Instance, ctx: Context) -> Iterator[Finding]:
    for found in divergences(ctx.trace(instance), "block"):
        if found.kind != "branch":
            continue
        condition = condition_text(found.control)
        yield Finding(
            at=span_of(found.barrier.place),
            message=f"barrier under '{condition}', which differs between threads of the block: some threads never arrive",
            remedy="move the barrier out of the condition; let the threads it excludes skip the work only",
            related=(
                Related(span_of(found.control.place), "the condition"),
                *(Related(span, text) for span, text in why(found.control.cause)),
            ),
        )
