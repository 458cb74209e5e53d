"""The kernel is written for another block than its launch gives it.

The shape of the block stands twice: in the launch, and in what the kernel takes for granted. Where the two part, threads
run past the end of shared arrays, a reduction leaves elements out, or whole rows of the result are never computed.
Nothing fails at the launch.

Reported: a shared array indexed by threads it has no elements for; a reduction by halves over a block that is no power of
two; a constant in the place of `blockDim` that differs from the block, in loops and global ids; `threadIdx.y` of a
tile in a block that has only one row. A warning where elements are only done twice. Not reported: blocks that are not
known, conditions that may keep the threads out, threads that do several elements each, and tiles with a rim.

## How it is computed

The kernel is run over the threads of the launch's block as far as no parameter decides, and the indices of arrays are
compared with their sizes; loops that halve are counted down from the block. What stands in the place of `blockDim` is seen
in the kernel's formulas with a block of any size. The mark is on the launch.

## Example

```cuda bad
__global__ void total(const float *x, float *sum) {
  __shared__ float s[256];
  s[threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    float all = 0;
    for (int i = 0; i < blockDim.x; ++i) all += s[i];
    atomicAdd(sum, all);
  }
}

cudaError_t run(const float *x, float *sum) {
  total<<<1024, 512>>>(x, sum);
  return cudaGetLastError();
}
```

```cuda good
template <int BLOCK>
__global__ void total(const float *x, float *sum) {
  __shared__ float s[BLOCK];
  s[threadIdx.x] = x[blockIdx.x * BLOCK + threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    float all = 0;
    for (int i = 0; i < BLOCK; ++i) all += s[i];
    atomicAdd(sum, all);
  }
}

cudaError_t run(const float *x, float *sum) {
  total<512><<<1024, 512>>>(x, sum);
  return cudaGetLastError();
}
```
"""

from collections.abc import Iterator

from cudalint.analysis.device.explain import span_of
from cudalint.analysis.device.shape import misfits
from cudalint.ir import Instance
from cudalint.rule import Confidence, Context, Fact, Finding, Related, Severity, rule


@rule(on=Instance, severity=Severity.ERROR, confidence=Confidence.LIKELY, since="0.1")
def check(instance: Instance, ctx: Context) -> Iterator[Finding]:
    launch = instance.launch
    if launch is None or not launch.reachable:
        return
    trace = ctx.trace(instance)
    block = "×".join(str(size) for size in trace.shape.block if size != 1) or "1"
    for misfit in misfits(trace, lambda: ctx.trace(Instance(instance.kernel))):
        yield Finding(
            at=launch.span,
            message=f"{launch.kernel_name} is not written for blocks of {block} threads: {misfit.text}",
            remedy="launch the block the kernel is written for, or let the kernel take it from blockDim",
            evidence={"block": Fact.of(launch.block.volume)},
            related=(Related(span_of(misfit.place), "in the kernel"),),
            severity=Severity.ERROR if misfit.wrong else Severity.WARNING,
        )
