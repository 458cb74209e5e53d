"""A cooperative launch has more blocks than the GPU can hold at once.

Blocks that wait for each other must all be resident. `cudaLaunchCooperativeKernel` therefore refuses a grid of more than
SMs × blocks per SM with `cudaErrorCooperativeLaunchTooLarge`; how many that is depends on the GPU, the block, the
registers and the shared memory, so it has to be asked for and not written down.

A kernel is taken at its best: only a grid that cannot be resident with any number of registers is reported. Grids that
are not known are left alone.

## How it is computed

With the exact occupancy model, at the fewest registers and the least shared memory the launch can have. A grid of
SM count × k is judged by the SM count of each GPU. Numba launches a kernel that waits for its grid cooperatively by
itself, and is judged alike.

## Example

```cuda bad
#include <cooperative_groups.h>

__global__ void settle(float *x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] *= 0.5f;
  cooperative_groups::this_grid().sync();
  if (blockIdx.x == 0 && threadIdx.x == 0) x[n] = 1.0f;
}

cudaError_t run(float *x, int n) {
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  void *args[] = {&x, &n};
  return cudaLaunchCooperativeKernel((void *)settle, dim3(16 * sms), dim3(256), args, 0, 0);
}
```

```cuda good
#include <cooperative_groups.h>

__global__ void settle(float *x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] *= 0.5f;
  cooperative_groups::this_grid().sync();
  if (blockIdx.x == 0 && threadIdx.x == 0) x[n] = 1.0f;
}

cudaError_t run(float *x, int n) {
  int sms = 0, fit = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, settle, 256, 0);
  void *args[] = {&x, &n};
  return cudaLaunchCooperativeKernel((void *)settle, dim3(fit * sms), dim3(256), args, 0, 0);
}
```
"""

from collections.abc import Iterator

from cudalint.ir import Launch
from cudalint.rule import Context, Fact, Finding, Severity, places, rule


@rule(on=Launch, severity=Severity.ERROR, since="0.1", silences=("residency-mismatch", "grid-underfills-device"))
def check(launch: Launch, ctx: Context) -> Iterator[Finding]:
    device, grid, resident = ctx.device, ctx.blocks(launch), ctx.residency(launch)
    if not launch.cooperative or grid.lo is None:
        return
    per_sm = resident[1].blocks_per_sm if resident else device.architecture.max_blocks_per_sm
    most = device.multiprocessors * per_sm
    if grid.lo <= most:
        return
    unit = device.unit_name
    yield Finding(
        at=launch.span,
        message=f"{grid.lo} blocks must be resident at once; {device.id} holds {most} "
        f"({device.multiprocessors} {unit}s × {per_sm})",
        remedy=f"launch {unit} count × what the occupancy query answers, and loop over the grid in the kernel",
        evidence={
            "grid": Fact.of(grid),
            "block": Fact.of(launch.block.volume),
            "registers": Fact.of(launch.registers),
            "blocks_per_sm": Fact(per_sm, "model"),
            "most_blocks": Fact(most, "model"),
        },
        related=places(launch, grid),
    )
