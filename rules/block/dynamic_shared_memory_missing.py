"""The kernel uses dynamic shared memory that the launch does not give it.

An `extern __shared__` array has the size of the third launch argument, in bytes. Launched with none, or with a count of
elements where bytes are meant, the kernel reads and writes past its shared memory: an illegal access at best, otherwise
the data of whatever lies there.

Not reported: bytes that are not known, an array the kernel only touches where a parameter or a template argument says
so, and one that only functions it calls touch.

## How it is computed

An access counts where every launch of the kernel comes to it, whatever the host passes. One array element per thread of
the block (`buffer[threadIdx.x]`) needs as many elements as the block has threads, any other access at least one.

## Example

```cuda bad
__global__ void reverse(int *d) {
  extern __shared__ int s[];
  const int t = threadIdx.x;
  s[t] = d[t];
  __syncthreads();
  d[t] = s[blockDim.x - 1 - t];
}

cudaError_t run(int *d) {
  reverse<<<1, 256>>>(d);
  return cudaGetLastError();
}
```

```cuda good
__global__ void reverse(int *d) {
  extern __shared__ int s[];
  const int t = threadIdx.x;
  s[t] = d[t];
  __syncthreads();
  d[t] = s[blockDim.x - 1 - t];
}

cudaError_t run(int *d) {
  reverse<<<1, 256, 256 * sizeof(int)>>>(d);
  return cudaGetLastError();
}
```
"""

from collections.abc import Iterator

from cudalint.analysis.dynamic_shared import least_bytes
from cudalint.ir import Launch
from cudalint.rule import Context, Fact, Finding, Related, Severity, places, rule


@rule(on=Launch, severity=Severity.ERROR, since="0.1")
def check(launch: Launch, ctx: Context) -> Iterator[Finding]:  # noqa: ARG001
    kernel, given = launch.kernel, launch.dynamic_shared
    if kernel is None or not kernel.dynamic_arrays or given.hi is None:
        return
    needed = least_bytes(kernel, launch.block.x.lo or 1)
    if given.hi >= needed:
        return
    array = kernel.dynamic_arrays[0]
    given_text = f"{given.hi} bytes" if given.hi else "none"
    yield Finding(
        at=launch.span,
        message=f"{kernel.name} uses at least {needed} bytes of dynamic shared memory; the launch gives it {given_text}",
        remedy=f"pass the size of {array.name} in bytes as the third launch argument",
        evidence={
            "dynamic_shared": Fact.of(given),
            "needed": Fact(needed, "model"),
            "block": Fact.of(launch.block.volume),
        },
        related=(Related(array.span, f"{array.name} is declared here"), *places(launch, given)),
    )
