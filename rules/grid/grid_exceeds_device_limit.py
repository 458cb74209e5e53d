"""The grid is larger than the GPU allows.

A grid can have 2³¹ − 1 blocks along x, but only 65,535 along y and z on NVIDIA; HIP also refuses 2³² or more threads
along any dimension. Such a launch is refused: the kernel never runs, the output keeps what it held, and without a check
of the launch's error nothing tells.

Sizes that are not known are left alone; a size that is known to be at least too large is reported.

## How it is computed

Each dimension of the grid is compared with the limit of the target's profile, and on AMD its product with the block's
dimension with the limit on threads.

## Example

```cuda bad
__global__ void fill(float *x, int rows) {
  int row = blockIdx.y * 2 + threadIdx.y;
  if (row < rows) x[row * 32 + threadIdx.x] = 1.0f;
}

cudaError_t run(float *x) {
  const int rows = 131072;
  fill<<<dim3(1, (rows + 1) / 2), dim3(32, 2)>>>(x, rows);
  return cudaGetLastError();
}
```

```cuda good
__global__ void fill(float *x, int rows) {
  int row = blockIdx.x * 2 + threadIdx.y;
  if (row < rows) x[row * 32 + threadIdx.x] = 1.0f;
}

cudaError_t run(float *x) {
  const int rows = 131072;
  fill<<<dim3((rows + 1) / 2, 1), dim3(32, 2)>>>(x, rows);
  return cudaGetLastError();
}
```

```hip bad
__global__ void fill(float *x, long long n) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) x[i] = 1.0f;
}

hipError_t run(float *x) {
  const long long n = 1LL << 33;
  fill<<<(n + 255) / 256, 256>>>(x, n);
  return hipGetLastError();
}
```
"""

from collections.abc import Iterator

from cudalint.ir import Launch
from cudalint.rule import Context, Fact, Finding, Severity, places, rule


@rule(on=Launch, severity=Severity.ERROR, since="0.1")
def check(launch: Launch, ctx: Context) -> Iterator[Finding]:
    target = ctx.device.architecture
    axes = zip("xyz", launch.grid.axes, launch.block.axes, target.max_grid_dim, strict=True)
    for axis, grid, block, most in axes:
        blocks = ctx.valued(grid, launch).lo or 0
        threads, lanes = blocks * (block.lo or 0), target.max_grid_threads
        if blocks > most:
            message, limit = f"{blocks} blocks along {axis}; {target.id} allows {most}", most
            remedy = "put the long dimension along x, or loop over it in the kernel"
        elif lanes is not None and threads > lanes:
            message, limit = f"{threads} threads along {axis}; {target.id} allows {lanes}", lanes
            remedy = "give each thread more than one item in a grid-stride loop, or split the launch"
        else:
            continue
        yield Finding(
            at=launch.span,
            message=message,
            remedy=remedy,
            evidence={"grid": Fact.of(grid), "block": Fact.of(block), "limit": Fact(limit, "hardware")},
            related=places(launch, grid),
        )
        return
