"""The grid has fewer blocks than the GPU has SMs.

Each block runs on one SM. Nine blocks on an H200 keep 9 of its 132 SMs busy, and those nine hold only a few of the warps
they could: the kernel takes as long as its slowest block while most of the GPU waits. Splitting the work of a block over
several (over the sequence, over k, over a tile) puts the rest to use.

It is a warning where the kernel does real work and would run at least a quarter faster spread over all SMs. It is a note
for a kernel that does little more than set something up, which the launch costs more than the work anyway, and for a
grid that nearly fills the GPU. Not reported: a single block, which usually finishes what others began, no more threads
than one warp has, a grid that is not known, and a kernel that is not among the files read.

## How it is computed

The blocks of the grid are compared with the SMs, CUs or WGPs of the device; with fewer blocks than those each has one
for itself. A kernel counts as real work where one of its loops goes on for as long as the data says, or where a thread
runs some hundreds of statements, which is what a launch takes; the loops of what it calls count too.

## Example

```cuda bad
__global__ void row_sums(const float *m, float *sums, int cols) {
  float s = 0.0f;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) s += m[(size_t)blockIdx.x * cols + c];
  atomicAdd(&sums[blockIdx.x], s);
}

cudaError_t run(const float *m, float *sums, int cols) {
  row_sums<<<12, 256>>>(m, sums, cols);
  return cudaGetLastError();
}
```

```cuda good
__global__ void row_sums(const float *m, float *sums, int cols) {
  float s = 0.0f;
  for (int c = blockIdx.y * blockDim.x + threadIdx.x; c < cols; c += gridDim.y * blockDim.x)
    s += m[(size_t)blockIdx.x * cols + c];
  atomicAdd(&sums[blockIdx.x], s);
}

cudaError_t run(const float *m, float *sums, int cols) {
  row_sums<<<dim3(12, 88), 256>>>(m, sums, cols);
  return cudaGetLastError();
}
```
"""

from collections.abc import Iterator

from cudalint.ir import Launch
from cudalint.rule import Confidence, Context, Fact, Finding, Severity, places, rule

_FASTER = 1.25


@rule(on=Launch, severity=Severity.WARNING, confidence=Confidence.LIKELY, since="0.1")
def check(launch: Launch, ctx: Context) -> Iterator[Finding]:
    device, block, units = ctx.device, launch.block.volume, ctx.device.multiprocessors
    grid = ctx.blocks(launch)
    blocks, threads = grid.exact, block.exact
    if blocks is None or threads is None or not 1 < blocks < units or launch.kernel is None:
        return
    if blocks * threads <= device.architecture.warp_size:
        return
    warps, slots = -(-threads // device.architecture.warp_size), device.architecture.max_warps_per_sm
    costs = launch.kernel.substantial and units >= _FASTER * blocks
    yield Finding(
        at=launch.span,
        message=f"{blocks} blocks on {units} {device.unit_name}s: {units - blocks} idle, "
        f"the others hold {warps} of {slots} {device.warp_name}s",
        remedy="split the work of each block over more blocks, or make the blocks smaller",
        evidence={
            "grid": Fact.of(grid),
            "block": Fact.of(block),
            "multiprocessors": Fact(units, "hardware"),
            "waves": Fact(round(blocks / units, 3), "model"),
        },
        related=places(launch, launch.grid.volume),
        severity=Severity.WARNING if costs else Severity.NOTE,
    )
