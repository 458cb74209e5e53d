"""The block is smaller than a warp.

The hardware issues whole warps. A block of 25 threads still takes a warp slot, its share of registers and one of the
few blocks an SM can hold, and leaves at least 7 of 32 lanes idle in every instruction, whatever the grid.

Not reported, because nothing waits for the lanes: a launch with no more threads than one warp in all (`<<<1, 1>>>`,
set-up and reduction of a few values), and a grid with fewer blocks than the GPU has SMs whose kernel does little more
than set something up. Nor is one case of several, where the host chooses among block sizes at run time (the arms of an `if`
or a `switch`).

## How it is computed

The threads of a block are the product of its dimensions, compared with the target's warp: 32 lanes on NVIDIA, 64 on
CDNA and GCN. A kernel counts as real work where one of its loops goes on for as long as the data says, or where a
thread runs some hundreds of statements.

## Example

```cuda bad
__global__ void gather(const float *in, const int *at, float *out, int n) {
  int i = blockIdx.x * 16 + threadIdx.x;
  if (i < n) out[i] = in[at[i]];
}

cudaError_t run(const float *in, const int *at, float *out, int n) {
  if (n <= 0) return cudaErrorInvalidValue;
  gather<<<(n + 15) / 16, 16>>>(in, at, out, n);
  return cudaGetLastError();
}
```

```cuda good
__global__ void gather(const float *in, const int *at, float *out, int n) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i < n) out[i] = in[at[i]];
}

cudaError_t run(const float *in, const int *at, float *out, int n) {
  if (n <= 0) return cudaErrorInvalidValue;
  gather<<<(n + 127) / 128, 128>>>(in, at, out, n);
  return cudaGetLastError();
}
```

A block of one NVIDIA warp is half a wavefront:

```hip bad
__global__ void gather(const float *in, const int *at, float *out, int n) {
  int i = blockIdx.x * 32 + threadIdx.x;
  if (i < n) out[i] = in[at[i]];
}

hipError_t run(const float *in, const int *at, float *out, int n) {
  if (n <= 0) return hipErrorInvalidValue;
  gather<<<(n + 31) / 32, 32>>>(in, at, out, n);
  return hipGetLastError();
}
```
"""

from collections.abc import Iterator

from cudalint.ir import Launch
from cudalint.rule import Context, Fact, Finding, Severity, places, rule


@rule(on=Launch, severity=Severity.WARNING, since="0.1", silences=("block-size-residency-cliff",))
def check(launch: Launch, ctx: Context) -> Iterator[Finding]:
    device, block, grid = ctx.device, launch.block.volume, launch.grid.volume
    threads, blocks, warp = block.exact, grid.exact, device.architecture.warp_size
    if threads is None or not 0 < threads < warp or launch.chosen:
        return
    real_work = launch.kernel is not None and launch.kernel.substantial
    if blocks is not None and (blocks * threads <= warp or (blocks < device.multiprocessors and not real_work)):
        return
    yield Finding(
        at=launch.span,
        message=f"{threads} threads are less than a {device.warp_name} of {warp}: "
        f"{warp - threads} lanes idle in every block",
        remedy=f"give each block a multiple of {warp} threads, with several of today's blocks in one",
        evidence={
            "block": Fact.of(block),
            "grid": Fact.of(grid),
            "warp_size": Fact(warp, "hardware"),
            "idle_lanes": Fact(warp - threads, "model"),
        },
        related=places(launch, block),
    )
