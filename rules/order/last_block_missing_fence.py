"""The last block reads results of other blocks with no fence between their store and their count.

Blocks store partial results and count themselves with an atomic; the one that comes last reads them all. Nothing makes
the store visible to other SMs before the atomic is: the last block may read old memory, and the sum is wrong now and
then. `__syncthreads()` and `__threadfence_block()` order what the block's own threads see, no more.

Not reported: counts behind `__threadfence()` or any fence of device or system scope, atomics with a memory order of their
own (`fetch_add`), counts that call functions which may hold a fence, and last blocks that read only what they stored themselves.

## How it is computed

In the order in which a thread comes to them: a store to global memory, an atomic whose result is compared with the
number of blocks (also when shared memory hands it to the whole block), and, under that condition, a load from the buffer
of the store. The mark is on the atomic, where the fence has to stand.

## Example

```cuda bad
__global__ void total(const float *x, float *partial, unsigned *done, float *sum) {
  __shared__ bool last;
  const float own = x[blockIdx.x * 64 + threadIdx.x];
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = own;
    last = atomicAdd(done, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    float all = 0;
    for (int b = 0; b < gridDim.x; ++b) all += partial[b];
    *sum = all;
  }
}

cudaError_t run(const float *x, float *partial, unsigned *done, float *sum) {
  total<<<264, 64>>>(x, partial, done, sum);
  return cudaGetLastError();
}
```

```cuda good
__global__ void total(const float *x, float *partial, unsigned *done, float *sum) {
  __shared__ bool last;
  const float own = x[blockIdx.x * 64 + threadIdx.x];
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = own;
    __threadfence();
    last = atomicAdd(done, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    float all = 0;
    for (int b = 0; b < gridDim.x; ++b) all += partial[b];
    *sum = all;
  }
}

cudaError_t run(const float *x, float *partial, unsigned *done, float *sum) {
  total<<<264, 64>>>(x, partial, done, sum);
  return cudaGetLastError();
}
```
"""

from collections.abc import Iterator

from cudalint.analysis.device.explain import calls_to, span_of
from cudalint.analysis.device.last_block import unfenced
from cudalint.ir import Instance
from cudalint.rule import Confidence, Context, Finding, Related, Severity, rule


@rule(on=Instance, severity=Severity.ERROR, confidence=Confidence.LIKELY, since="0.1")
def check(instance: Instance, ctx: Context) -> Iterator[Finding]:
    for found in unfenced(ctx.trace(instance)):
        name = found.store.buffer.name
        yield Finding(
            at=span_of(found.count.place),
            message=f"the block that is last by this count reads {name}, which others stored with no __threadfence() before "
            "they counted: it may read old values",
            remedy="put __threadfence() between the store and the atomic",
            related=(
                Related(span_of(found.store.place), "stored here"),
                Related(span_of(found.load.place), "read by the last block"),
                *(Related(span, "called here") for span in calls_to(found.count)),
            ),
        )
