"""The block is not a whole number of warps.

A block is issued warp by warp. The last warp of a block of 100 threads takes a whole scheduler slot and a whole
register allocation, and 28 of its 32 lanes do nothing in every instruction; on AMD hardware with wavefronts of 64 it
is 28 of 64 lanes. Rounding the block up costs nothing and lets the idle lanes work.

Blocks smaller than one warp are the business of `block-smaller-than-warp`. Nothing is said of a block whose size is not
known, nor of a launch of a single block, where no other block waits for the lanes, nor where one case of a `switch` fixes
a size that the host chooses.

## How it is computed

The threads of a block are the product of its dimensions; a warp is as wide as the target's: 32 lanes on NVIDIA, 64 on
CDNA and GCN, 32 by default on RDNA. What is left of the last warp is idle.

## Example

```cuda bad
__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

cudaError_t run(float *x, int n) {
  if (n <= 0) return cudaErrorInvalidValue;
  scale<<<(n + 99) / 100, 100>>>(x, n);
  return cudaGetLastError();
}
```

```cuda good
__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

cudaError_t run(float *x, int n) {
  if (n <= 0) return cudaErrorInvalidValue;
  scale<<<(n + 127) / 128, 128>>>(x, n);
  return cudaGetLastError();
}
```

A block of 96 threads is three whole warps, but one and a half wavefronts:

```hip bad
__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

hipError_t run(float *x, int n) {
  if (n <= 0) return hipErrorInvalidValue;
  scale<<<(n + 95) / 96, 96>>>(x, n);
  return hipGetLastError();
}
```
"""

from collections.abc import Iterator

from cudalint.ir import Launch
from cudalint.rule import Context, Fact, Finding, Severity, places, rule


@rule(on=Launch, severity=Severity.WARNING, since="0.1")
def check(launch: Launch, ctx: Context) -> Iterator[Finding]:
    block, warp = launch.block.volume, ctx.device.architecture.warp_size
    threads = block.exact
    if threads is None or threads < warp or threads % warp == 0 or launch.grid.volume.exact == 1 or block.branched:
        return
    warps = -(-threads // warp)
    lanes = warps * warp
    yield Finding(
        at=launch.span,
        message=f"{threads} threads occupy {warps} {ctx.device.warp_name}s; {lanes - threads} of {lanes} lanes idle",
        remedy=f"launch {lanes} or {lanes - warp} threads per block and guard the tail",
        evidence={
            "block": Fact.of(block),
            "warp_size": Fact(warp, "hardware"),
            "warps_per_block": Fact(warps, "model"),
            "idle_lanes": Fact(lanes - threads, "model"),
        },
        related=places(launch, block),
    )
