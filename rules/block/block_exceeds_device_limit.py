"""The block is larger than the GPU allows, or empty.

A launch with more than 1024 threads in a block, with a dimension over its own limit (64 along z on NVIDIA), or with a
dimension of zero is refused: the kernel never runs, and without a check of the launch's error nothing tells.

Sizes that are not known are left alone; a size that is known to be at least too large is reported.

## How it is computed

Each dimension and their product are compared with the limits of the target's profile.

## Example

```cuda bad
__global__ void halve(const float *in, float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[y * w + x] = in[y * w + x] * 0.5f;
}

cudaError_t run(const float *in, float *out, int w, int h) {
  if (w <= 0 || h <= 0) return cudaErrorInvalidValue;
  dim3 block(32, 64), grid((w + 31) / 32, (h + 63) / 64);
  halve<<<grid, block>>>(in, out, w, h);
  return cudaGetLastError();
}
```

```cuda good
__global__ void halve(const float *in, float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[y * w + x] = in[y * w + x] * 0.5f;
}

cudaError_t run(const float *in, float *out, int w, int h) {
  if (w <= 0 || h <= 0) return cudaErrorInvalidValue;
  dim3 block(32, 8), grid((w + 31) / 32, (h + 7) / 8);
  halve<<<grid, block>>>(in, out, w, h);
  return cudaGetLastError();
}
```
"""

from collections.abc import Iterator

from cudalint.ir import Launch
from cudalint.rule import Context, Fact, Finding, Severity, places, rule


@rule(
    on=Launch,
    severity=Severity.ERROR,
    since="0.1",
    silences=(
        "block-exceeds-launch-bounds",
        "block-not-warp-multiple",
        "block-size-residency-cliff",
        "launch-does-not-fit",
    ),
)
def check(launch: Launch, ctx: Context) -> Iterator[Finding]:
    target, block = ctx.device.architecture, launch.block
    sizes = [("", block.volume, target.max_threads_per_block)]
    sizes += [(f" along {a}", q, most) for a, q, most in zip("xyz", block.axes, target.max_block_dim, strict=True)]
    for where, size, most in sizes:
        if size.hi is not None and size.hi <= 0:
            message = f"a block of {size.hi} threads{where} cannot be launched"
        elif size.lo is not None and size.lo > most:
            message = (
                f"{'' if size.exact else 'at least '}{size.lo} threads per block{where}; {target.id} allows {most}"
            )
        else:
            continue
        yield Finding(
            at=launch.span,
            message=message,
            remedy=f"keep the block between 1 and {most} threads{where} and let the grid cover the rest",
            evidence={"block": Fact(str(block), str(size.origin)), "limit": Fact(most, "hardware")},
            related=places(launch, size),
        )
        return
