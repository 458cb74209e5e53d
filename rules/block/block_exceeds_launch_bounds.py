"""The block has more threads than the kernel was compiled for.

`__launch_bounds__(640)` promises the compiler that no block has more than 640 threads; it may use as many registers
per thread as that allows. A launch with 1024 threads breaks the promise and is refused: the kernel never runs. AMD's
`amdgpu_flat_work_group_size` is the same promise, `reqd_work_group_size` demands one shape exactly.

The second argument of `__launch_bounds__` is not a limit on the block, and it means different things on CUDA (blocks
per SM) and HIP (wavefronts per SIMD); it is not looked at. Sizes that are not known are left alone.

## How it is computed

The least number of threads the block can have is compared with the most the kernel's attribute can allow.

## Example

```cuda bad
__global__ void __launch_bounds__(256) scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

cudaError_t run(float *x, int n) {
  if (n <= 0) return cudaErrorInvalidValue;
  scale<<<(n + 511) / 512, 512>>>(x, n);
  return cudaGetLastError();
}
```

```cuda good
__global__ void __launch_bounds__(512) scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

cudaError_t run(float *x, int n) {
  if (n <= 0) return cudaErrorInvalidValue;
  scale<<<(n + 511) / 512, 512>>>(x, n);
  return cudaGetLastError();
}
```

```hip bad
__global__ __attribute__((amdgpu_flat_work_group_size(64, 128))) void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

hipError_t run(float *x, int n) {
  if (n <= 0) return hipErrorInvalidValue;
  scale<<<(n + 255) / 256, 256>>>(x, n);
  return hipGetLastError();
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
        "block-not-warp-multiple",
        "block-size-residency-cliff",
        "launch-does-not-fit",
        "kernel-assumes-block-shape",
    ),
)
def check(launch: Launch, ctx: Context) -> Iterator[Finding]:  # noqa: ARG001
    kernel, block = launch.kernel, launch.block
    threads, bound = block.volume, kernel.max_threads if kernel else None
    shape, wanted = block.exact, kernel.required_block if kernel else None
    if kernel is None:
        return
    if wanted is not None and shape is not None and wanted.exact not in {shape, None}:
        message = f"a block of {block}, but {kernel.name} is compiled for blocks of exactly {wanted}"
        limit, remedy = wanted.volume, f"launch blocks of {wanted}"
    elif bound is not None and bound.hi is not None and threads.lo is not None and threads.lo > bound.hi:
        message = f"{threads.lo} threads per block, but {kernel.name} is compiled for at most {bound.hi}"
        limit, remedy = bound, f"launch at most {bound.hi} threads per block, or raise the bound to {threads.lo}"
    else:
        return
    yield Finding(
        at=launch.span,
        message=message,
        remedy=remedy,
        evidence={"block": Fact.of(threads), "launch_bounds": Fact.of(limit)},
        related=places(launch, threads, limit),
    )
