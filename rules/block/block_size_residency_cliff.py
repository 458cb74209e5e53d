"""The block size leaves a quarter or more of an SM's warp slots unusable.

An SM holds whole blocks. On a GPU with 1536 threads per SM, one block of 1024 fits and a second does not: a third of the
warp slots stay empty, whatever the kernel does. Small blocks lose slots to the cap on resident blocks instead: 32 blocks
of 32 threads fill 32 of the 64 warp slots of an H100. With fewer warps there is less to run while others wait for
memory. Another block size costs nothing.

Not reported: a launch where known registers or shared memory allow fewer blocks anyway, where no other block size holds
more warps, whose grid is known to bring fewer blocks to an SM than fit, or that is one case of several where the host
chooses among block sizes at run time (the arms of an `if` or a `switch`). Unknown registers do not silence the rule: it
is about what the block size loses by itself.

## How it is computed

The occupancy model gives the warps resident with this block when nothing but the block size limits them. At 25 % of the
slots lost, or more, the rule sweeps all multiples of the warp, with the registers and the shared memory known of
the launch, for the sizes that hold the most warps.

## Example

```cuda bad
__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

cudaError_t run(float *x, int n) {
  if (n <= 0) return cudaErrorInvalidValue;
  scale<<<(n + 767) / 768, 768>>>(x, n);
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
  scale<<<(n + 511) / 512, 512>>>(x, n);
  return cudaGetLastError();
}
```
"""

from collections.abc import Iterator

from cudalint.ir import Launch
from cudalint.model import occupancy, sweep
from cudalint.rule import Context, Fact, Finding, Severity, places, rule

_MOST_LOST = 0.25


@rule(on=Launch, severity=Severity.WARNING, since="0.1")
def check(launch: Launch, ctx: Context) -> Iterator[Finding]:
    device, block, resident, grid = ctx.device, launch.block.volume, ctx.residency(launch), ctx.blocks(launch)
    threads = block.exact
    if threads is None or resident is None or launch.chosen:
        return
    alone, known = occupancy(device, block=threads, registers=0), resident[1]
    short = grid.hi is not None and grid.hi < device.multiprocessors * alone.blocks_per_sm
    if 1 - alone.fraction < _MOST_LOST or known.blocks_per_sm < alone.blocks_per_sm or short:
        return
    slots, registers = device.architecture.max_warps_per_sm, launch.least_registers or 0
    shared = (launch.static_shared.lo or 0) + (launch.dynamic_shared.lo or 0)
    sizes = {size: there.warps_per_sm for size, there in sweep(device, registers=registers, dynamic_shared=shared)}
    best = max(sizes.values())
    if best <= alone.warps_per_sm:
        return
    near = sorted((size for size in sizes if sizes[size] == best), key=lambda size: abs(size - threads))
    yield Finding(
        at=launch.span,
        message=f"blocks of {threads} threads leave {slots - alone.warps_per_sm} of {slots} {device.warp_name} slots "
        f"empty: {device.unit_name}s of {device.id} hold {alone.blocks_per_sm}",
        remedy=f"{best} {device.warp_name}s fit with {' or '.join(map(str, sorted(near[:3])))} threads per block",
        evidence={
            "block": Fact.of(block),
            "blocks_per_sm": Fact(alone.blocks_per_sm, "model"),
            "occupancy": Fact(alone.fraction, "model"),
            "limiter": Fact(", ".join(alone.limiters), "model"),
        },
        related=places(launch, block),
    )
