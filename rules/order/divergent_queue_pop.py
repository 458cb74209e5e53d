"""Each thread pops an item of its own from a queue that the block works off together.

A persistent kernel takes items from a counter in global memory until there are none left. Where every thread calls `atomicAdd`, every thread gets another
item, and the threads of a block leave the loop at different turns: a barrier in the loop waits for threads that are gone, and
tiles that the threads fill together are a mixture of items. Where one thread pops for all, the others learn of the item only
if it is handed to them, through shared memory between two barriers or with a shuffle.

Not reported: loops in which each thread works its own item off alone, with nothing in them that threads do together; pops
by one thread that are handed on.

## How it is computed

Every value is followed from the atomic operation on. A finding is a barrier that is reached or not as that value decides,
in the loop that pops, or a loop that only the popping thread's variable ends.

## Example

```cuda bad
__global__ void work(const float *items, float *out, int n, int *next) {
  __shared__ float s[128];
  for (;;) {
    const int item = atomicAdd(next, 1);
    if (item >= n) break;
    s[threadIdx.x] = items[item * 128 + threadIdx.x];
    __syncthreads();
    out[item * 128 + threadIdx.x] = s[127 - threadIdx.x];
    __syncthreads();
  }
}

cudaError_t run(const float *items, float *out, int n, int *next) {
  work<<<264, 128>>>(items, out, n, next);
  return cudaGetLastError();
}
```

```cuda good
__global__ void work(const float *items, float *out, int n, int *next) {
  __shared__ float s[128];
  __shared__ int item;
  for (;;) {
    if (threadIdx.x == 0) item = atomicAdd(next, 1);
    __syncthreads();
    if (item >= n) break;
    s[threadIdx.x] = items[item * 128 + threadIdx.x];
    __syncthreads();
    out[item * 128 + threadIdx.x] = s[127 - threadIdx.x];
    __syncthreads();
  }
}

cudaError_t run(const float *items, float *out, int n, int *next) {
  work<<<264, 128>>>(items, out, n, next);
  return cudaGetLastError();
}
```
"""

from collections.abc import Iterator

from cudalint.analysis.device.explain import condition_text, span_of
from cudalint.analysis.device.queues import Pop, pops
from cudalint.ir import Instance
from cudalint.rule import Confidence, Context, Finding, Related, Severity, rule


@rule(on=Instance, severity=Severity.ERROR, confidence=Confidence.LIKELY, since="0.1")
def check(instance: Instance, ctx: Context) -> Iterator[Finding]:
    for pop in pops(ctx.trace(instance)):
        yield Finding(
            at=span_of(pop.access.place),
            message=_message(pop),
            remedy="let one thread pop, and hand the item to the block through shared memory between two barriers",
            related=(
                *(Related(span_of(barrier.place), "the barrier") for barrier in pop.barriers),
                Related(span_of(pop.control.place), "the condition that ends the loop"),
            ),
        )


def _message(pop: Pop) -> str:
    counter, condition = pop.access.buffer.name, condition_text(pop.control)
    if pop.alone is not None:
        return f"only threads under '{condition_text(pop.alone)}' know what they pop from {counter}, yet '{condition}' asks all threads"
    return f"each thread pops an item of its own from {counter}, yet there is a barrier in the loop that '{condition}' ends"
