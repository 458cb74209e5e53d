"""The kernel supposes warps of 32 lanes on a GPU whose warps have 64.

AMD's CDNA and GCN run wavefronts of 64 lanes. A mask of 32 bits names half of them, a ballot kept in 32 bits forgets the
other half, lane 0 of the hardware is not lane 0 of every group of 32, and a reduction over 32 lanes whose result only
one lane in 64 writes loses half of the sum. ROCm 7 refuses masks of 32 bits, and `warpSize` where a constant is needed.

An error where lanes exchange data wrongly or the code does not compile, a note where a scheme of 32 lanes is right on 64
as well. Not reported: shuffles with a width, tiles (`tiled_partition<32>`), code that the build compiles for one
architecture only, and anything on GPUs with 32 lanes.

## How it is computed

Masks and distances of shuffles are followed through variables and loops; they are set against the number by which the
kernel takes `threadIdx` to lanes and warps. Ballots are looked for where a 32-bit variable gets their result, `warpSize`
in array sizes, template arguments, `constexpr` and constants of file scope.

## Example

```hip bad
#include <hip/hip_runtime.h>

__global__ void count(const int *x, int *out) {
  const unsigned set = __ballot(x[blockIdx.x * blockDim.x + threadIdx.x] > 0);
  if (threadIdx.x % warpSize == 0) atomicAdd(out, __popc(set));
}

hipError_t run(const int *x, int *out) {
  count<<<1024, 256>>>(x, out);
  return hipGetLastError();
}
```

```hip good
#include <hip/hip_runtime.h>

__global__ void count(const int *x, int *out) {
  const unsigned long long set = __ballot(x[blockIdx.x * blockDim.x + threadIdx.x] > 0);
  if (threadIdx.x % warpSize == 0) atomicAdd(out, __popcll(set));
}

hipError_t run(const int *x, int *out) {
  count<<<1024, 256>>>(x, out);
  return hipGetLastError();
}
```
"""

from collections.abc import Iterator

from cudalint.analysis.device.explain import span_of
from cudalint.analysis.device.wavefront import assumptions
from cudalint.analysis.device.wavefront_code import in_code, replacing
from cudalint.ir import Instance
from cudalint.rule import Confidence, Context, Finding, Severity, rule

_WIDE = 64


@rule(on=Instance, severity=Severity.ERROR, confidence=Confidence.LIKELY, since="0.1")
def check(instance: Instance, ctx: Context) -> Iterator[Finding]:
    if ctx.device.architecture.warp_size != _WIDE:
        return
    seen = set()
    for found in (*assumptions(ctx.trace(instance), replacing(instance)), *in_code(instance)):
        if found.place in seen:
            continue
        seen.add(found.place)
        yield Finding(
            at=span_of(found.place),
            message=f"{found.text}: a warp of {ctx.device.id} has {_WIDE} lanes",
            remedy="take the number of lanes from warpSize and use 64-bit masks, or give shuffles a width of 32",
            severity=Severity.ERROR if found.wrong else Severity.NOTE,
        )
