"""The block needs more registers than an SM has.

Registers are handed out per warp, in steps, from the part of the register file each scheduler owns, and a block counts
as a whole set of warps over all schedulers. 200 registers with 320 threads are 64,000 of 65,536, and yet the launch is
refused on every NVIDIA GPU: 10 warps count as 12, and 12 × 6,400 is more than there is. The kernel never runs, and
without a check of the launch's error nothing tells.

Only a known number of registers is judged (from a binary, a compiler log, a profile or `--resources`): from source alone
this rule is silent. So it is where launch bounds or `__maxnreg__` make the compiler keep within what the block can have.
Shared memory that does not fit is the business of `shared-memory-exceeds-limit`.

## How it is computed

With the exact occupancy model at the least number of registers the kernel can have; 0 resident blocks is a refused launch.

## Example

With 200 registers per thread:

```cuda bad registers=200
__global__ void shade(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

cudaError_t run(float *x, int n) {
  if (n <= 0) return cudaErrorInvalidValue;
  shade<<<(n + 319) / 320, 320>>>(x, n);
  return cudaGetLastError();
}
```

```cuda good registers=200
__global__ void shade(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

cudaError_t run(float *x, int n) {
  if (n <= 0) return cudaErrorInvalidValue;
  shade<<<(n + 255) / 256, 256>>>(x, n);
  return cudaGetLastError();
}
```
"""

from collections.abc import Iterator

from cudalint.ir import Launch
from cudalint.model import occupancy, sweep
from cudalint.rule import Context, Fact, Finding, Severity, places, rule


@rule(
    on=Launch,
    severity=Severity.ERROR,
    since="0.1",
    silences=("block-size-residency-cliff", "cooperative-launch-too-large"),
)
def check(launch: Launch, ctx: Context) -> Iterator[Finding]:
    device, kernel, block = ctx.device, launch.kernel, launch.block.volume
    threads, least = block.exact, launch.least_registers
    if threads is None or least is None or not 0 < threads <= device.architecture.max_threads_per_block:
        return
    bound = kernel.max_threads.hi if kernel and kernel.max_threads else None
    if bound is not None and bound >= threads:
        return
    if occupancy(device, block=threads, registers=least).blocks_per_sm:
        return
    fits = max(size for size, there in sweep(device, registers=least) if there.blocks_per_sm)
    cap = next(r for r in range(least, 0, -1) if occupancy(device, block=threads, registers=r).blocks_per_sm)
    yield Finding(
        at=launch.span,
        message=f"{threads} threads with {least} registers each do not fit on one {device.unit_name} of {device.id}",
        remedy=f"launch at most {fits} threads per block, or hold the kernel to {cap} registers "
        f"with __launch_bounds__({threads})",
        evidence={
            "block": Fact.of(block),
            "registers": Fact.of(launch.registers),
            "blocks_per_sm": Fact(0, "model"),
        },
        related=places(launch, block),
    )
