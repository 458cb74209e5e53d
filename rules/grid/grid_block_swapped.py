"""Grid and block have changed places.

The launch configuration names the grid first. `<<<block, grid>>>` compiles: for small inputs it even runs, with the
wrong number of threads; as soon as the "block" passes 1024 the launch is refused.

Reported is a block that is a division rounded up, as grids are, or that is known to exceed the limit, next to a grid
that is a constant of whole warps within the limit of a block, as blocks are. Not reported is a fixed number of blocks
that share the work: where the names say that the grid counts blocks, or where the block is known to be allowed. A single
block is left alone.

## How it is computed

From the formulas of both. Where the block's size is known to be too large the finding is proven, where only its formula
gives it away it is likely.

## Example

```cuda bad
__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

cudaError_t run(float *x, int n) {
  if (n <= 0) return cudaErrorInvalidValue;
  const int threads = 256;
  const int blocks = (n + threads - 1) / threads;
  scale<<<threads, blocks>>>(x, n);
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
  const int threads = 256;
  const int blocks = (n + threads - 1) / threads;
  scale<<<blocks, threads>>>(x, n);
  return cudaGetLastError();
}
```
"""

import re
from collections.abc import Iterator

from cudalint.ir import Launch
from cudalint.rule import Confidence, Context, Fact, Finding, Severity, places, rule

_COUNTS_BLOCKS = re.compile(r"blocks(?!ize)|grid|ctas", re.IGNORECASE)


@rule(
    on=Launch,
    severity=Severity.ERROR,
    since="0.1",
    silences=(
        "block-exceeds-device-limit",
        "block-exceeds-launch-bounds",
        "block-not-warp-multiple",
        "block-size-residency-cliff",
        "block-smaller-than-warp",
        "grid-underfills-device",
    ),
)
def check(launch: Launch, ctx: Context) -> Iterator[Finding]:
    target, block, grid = ctx.device.architecture, launch.block.volume, launch.grid.volume
    blocks, most = grid.exact, target.max_threads_per_block
    looks_like_a_block = blocks is not None and target.warp_size <= blocks <= most and blocks % target.warp_size == 0
    if not looks_like_a_block or _COUNTS_BLOCKS.search(grid.text) or (block.hi is not None and block.hi <= most):
        return
    too_large = block.lo is not None and block.lo > most
    rounded_up = block.form is not None and any(quotient.up for quotient in block.form.quotients())
    if not too_large and not rounded_up:
        return
    yield Finding(
        at=launch.span,
        message=f"grid and block are swapped: {blocks} blocks of {block.exact or block.form or block} threads",
        remedy="write the grid first: <<<grid, block>>>",
        evidence={"grid": Fact.of(grid), "block": Fact.of(block)},
        related=places(launch, grid, block),
        confidence=None if too_large else Confidence.LIKELY,
    )
