"""SM count × k with another k than the kernel achieves.

A kernel that loops over its data with the stride of the grid wants as many blocks as are resident at once. With 8 blocks
per SM assumed and 6 resident, a second wave runs with a third of the GPU; with 2 assumed and 8 resident, three quarters
of the warp slots are never used. Ask `cudaOccupancyMaxActiveBlocksPerMultiprocessor` (or its HIP twin) for k.

Registers that are not known are taken as they may be: the finding holds for every possible number of them. So k
is too small only if even the lowest possible residency is a third larger, and too large only if every possible one
leaves a thin last wave. Whole waves are fine, and so is a kernel that does not loop over the grid.

## How it is computed

k is the constant factor of the SM count in the grid's formula. The occupancy model gives the fewest and the most blocks
an SM can hold over all that is unknown of the launch. At 25 % of the slots lost, or more, the rule reports.

## Example

```cuda bad
__global__ void scale(float *x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] *= 2.0f;
}

cudaError_t run(float *x, int n) {
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, 0);
  scale<<<prop.multiProcessorCount * 3, 64>>>(x, n);
  return cudaGetLastError();
}
```

```cuda good
__global__ void scale(float *x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] *= 2.0f;
}

cudaError_t run(float *x, int n) {
  int sms = 0, fit = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, scale, 64, 0);
  scale<<<sms * fit, 64>>>(x, n);
  return cudaGetLastError();
}
```
"""

from collections.abc import Iterator

from cudalint.ir import Launch
from cudalint.rule import Context, Fact, Finding, Severity, places, rule

_MOST_LOST = 0.25


@rule(on=Launch, severity=Severity.WARNING, since="0.1", silences=("grid-underfills-device",))
def check(launch: Launch, ctx: Context) -> Iterator[Finding]:
    device, grid, resident = ctx.device, launch.grid.volume, ctx.residency(launch)
    assumed = grid.per_multiprocessor
    if assumed is None or resident is None or launch.kernel is None or not launch.kernel.grid_stride:
        return
    least, most = max(1, resident[0].blocks_per_sm), resident[1].blocks_per_sm
    lost = min((1 - assumed / (-(-assumed // fit) * fit) for fit in range(least, most + 1)), default=0)
    if lost < _MOST_LOST:
        return
    holds = f"{most}" if least == most else f"between {least} and {most}"
    waves = "the rest of its slots stay empty" if assumed < least else "a last wave runs nearly empty"
    yield Finding(
        at=launch.span,
        message=f"{assumed} blocks per {device.unit_name} assumed, but {device.id} holds {holds}: {waves}",
        remedy="multiply the SM count by what the occupancy query answers for this kernel and block",
        evidence={
            "grid": Fact.of(grid),
            "block": Fact.of(launch.block.volume),
            "registers": Fact.of(launch.registers),
            "blocks_per_sm": Fact(holds, "model"),
            "loss": Fact(round(lost, 3), "model"),
        },
        related=places(launch, grid),
    )
