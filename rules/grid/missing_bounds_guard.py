"""The grid is rounded up to whole blocks, and nothing keeps the threads past the end from memory.

A grid of `ceil(n / 256)` blocks has up to 255 threads more than there are elements. A kernel that uses their index
without asking reads and writes past the end of its arrays: silently as long as the memory there belongs to somebody, and
wrongly always.

Any condition on the index is taken for the guard, wherever it stands: around the access, before it with a `return`, in a
function or a macro, or as a `min` in the index itself. Not reported either: sizes known to divide, sizes whose remainder
the host asks for, and memory allocated with room for whole blocks.

It is an error where the numbers are known, and a warning where the size is not.

## How it is computed

The index of each access to global memory is followed as a formula. Where that is made of `blockIdx * blockDim +
threadIdx`, the conditions it stands under are searched for one on that id, and the grid of the launch is set against the
size it was computed from and against the memory that was allocated.

## Example

```cuda bad
__global__ void scale(float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] *= 2.0f;
}

cudaError_t run(float *x, int n) {
  if (n <= 0) return cudaSuccess;
  scale<<<(n + 255) / 256, 256>>>(x);
  return cudaGetLastError();
}
```

```cuda good
__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

cudaError_t run(float *x, int n) {
  if (n <= 0) return cudaSuccess;
  scale<<<(n + 255) / 256, 256>>>(x, n);
  return cudaGetLastError();
}
```
"""

from collections.abc import Iterator

from cudalint.analysis.device.explain import span_of
from cudalint.analysis.device.launched import launched
from cudalint.analysis.device.overrun import unguarded
from cudalint.ir import Instance
from cudalint.rule import Confidence, Context, Finding, Related, Severity, rule


@rule(on=Instance, severity=Severity.ERROR, since="0.1")
def check(instance: Instance, ctx: Context) -> Iterator[Finding]:
    run = launched(instance, ctx.trace(instance))
    found = next(unguarded(run), None) if run is not None else None
    if found is None or instance.launch is None:
        return
    share, name = found.share, found.access.buffer.name
    if share.total is not None and share.step:
        threads = -(-share.total // share.step) * share.step
        message = f"{threads} threads along {share.axis} for {share.total} elements, and no condition keeps the last {threads - share.total} from '{name}'"
    else:
        message = f"the grid is rounded up from {share.count} to whole blocks, and no condition keeps the threads past the end from '{name}'"
    yield Finding(
        at=span_of(found.access.place),
        message=message,
        remedy="hand the number of elements to the kernel, and let threads past it skip the access",
        related=(Related(instance.launch.span, "launched here"),),
        severity=None if found.proven else Severity.WARNING,
        confidence=None if found.proven else Confidence.LIKELY,
    )
