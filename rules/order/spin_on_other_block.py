"""A block waits in a loop for another block that may never run.

A block stays on its SM until it is done. When all SMs are full of blocks that wait for one which has not started, none
ends and that one never starts: the kernel hangs. Grid barriers made by hand out of a counter, and flags that one block
sets for others, work only while every block of the grid is resident at once, which an ordinary launch does not promise.

An error where the known grid is larger than what the GPU holds, else a warning. Not reported: cooperative launches, grids
that surely fit, locks that the thread releases which took them, loops that look for a free slot, and blocks that
take a number from an atomic counter first and wait for lower ones only. A chain in which each block waits for the one
before it is `block-order-assumed`.

## How it is computed

A loop waits when it does nothing but read global memory at one place, every way out of it depends on what is read, and a
store or atomic of the same kernel that another block can run changes that place. What the GPU holds is the blocks per
SM that registers, shared memory and threads allow at most, times its SMs.

## Example

```cuda bad
__global__ void two_steps(float *x, int n, unsigned *arrived) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 0.5f;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1);
    while (atomicAdd(arrived, 0) < gridDim.x) {}
  }
  __syncthreads();
  if (i < n) x[i] += 1.0f;
}

cudaError_t run(float *x, int n, unsigned *arrived) {
  if (n <= 0) return cudaSuccess;
  two_steps<<<(n + 255) / 256, 256>>>(x, n, arrived);
  return cudaGetLastError();
}
```

```cuda good
#include <cooperative_groups.h>

__global__ void two_steps(float *x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] *= 0.5f;
  cooperative_groups::this_grid().sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] += 1.0f;
}

cudaError_t run(float *x, int n) {
  int sms = 0, fit = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, two_steps, 256, 0);
  void *args[] = {&x, &n};
  return cudaLaunchCooperativeKernel((void *)two_steps, dim3(fit * sms), dim3(256), args, 0, 0);
}
```
"""

from collections.abc import Iterator

from cudalint.analysis.device.explain import span_of
from cudalint.analysis.device.waiting import Wait, waits
from cudalint.ir import Instance, Launch
from cudalint.rule import Confidence, Context, Fact, Finding, Related, Severity, rule


@rule(on=Instance, severity=Severity.ERROR, confidence=Confidence.LIKELY, since="0.1")
def check(instance: Instance, ctx: Context) -> Iterator[Finding]:
    launch = instance.launch
    if launch is None or launch.cooperative or not launch.reachable:
        return
    for wait in waits(ctx.trace(instance)):
        if wait.steps is None or wait.steps > 0:
            yield from _waiting(wait, launch, ctx)


def _waiting(wait: Wait, launch: Launch, ctx: Context) -> Iterator[Finding]:
    grid, resident, units = ctx.blocks(launch), ctx.residency(launch), ctx.device.multiprocessors
    if grid.hi is not None and grid.hi <= units * (resident[0].blocks_per_sm if resident else 1):
        return
    per_sm = resident[1].blocks_per_sm if resident else ctx.device.architecture.max_blocks_per_sm
    most = units * per_sm
    name, unit = wait.poll.buffer.name, ctx.device.unit_name
    hangs = grid.lo is not None and grid.lo > most
    if hangs:
        message = (
            f"this loop waits for another block to change {name}, but of {grid.lo} blocks {ctx.device.id} holds "
            f"{most} at once ({units} {unit}s × {per_sm}): the kernel hangs"
        )
    else:
        message = (
            f"this loop waits for another block to change {name}: with more blocks than are resident at once "
            f"({most} on {ctx.device.id}) the kernel hangs"
        )
    yield Finding(
        at=span_of(wait.loop.place),
        message=message,
        remedy="launch cooperatively and use grid.sync(), or end the kernel where its blocks have to meet",
        evidence={"grid": Fact.of(grid), "most_blocks": Fact(most, "model")},
        related=(
            Related(span_of(wait.writer.place), "what it waits for"),
            Related(launch.span, "an ordinary launch"),
        ),
        severity=Severity.ERROR if hangs else Severity.WARNING,
    )
