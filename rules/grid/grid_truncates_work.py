"""The grid is rounded down, and the last elements are never touched.

`n / 256` blocks of 256 threads are enough for `n` elements only where 256 divides n. Of 1,000 elements, the last 232 keep
whatever was in them before, without any error.

It is an error where the numbers show a loss, and a warning where the size is not known. Not reported: sizes that are
multiples of the block as they are computed, sizes whose remainder the host looks at (`n % 256`, a power of two), kernels
that loop over the grid or ask for its size, and kernels that the same function launches again for the rest.

## How it is computed

From the formula of the grid, as far back as it was computed, and the kernel's accesses: one of them has to be made by
the global thread id along that axis, with blocks of just the size that the grid divides by.

## Example

```cuda bad
__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

cudaError_t run(float *x, int n) {
  if (n < 256) return cudaErrorInvalidValue;
  scale<<<n / 256, 256>>>(x, n);
  return cudaGetLastError();
}
```

```cuda good
__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

cudaError_t run(float *x, int n) {
  if (n < 256) return cudaErrorInvalidValue;
  scale<<<(n + 255) / 256, 256>>>(x, n);
  return cudaGetLastError();
}
```
"""

from collections.abc import Iterator

from cudalint.analysis.device.launched import launched
from cudalint.analysis.device.truncation import truncated
from cudalint.ir import Instance
from cudalint.rule import Confidence, Context, Finding, Severity, places, rule


@rule(on=Instance, severity=Severity.ERROR, since="0.1")
def check(instance: Instance, ctx: Context) -> Iterator[Finding]:
    launch = instance.launch
    run = launched(instance, ctx.trace(instance)) if launch is not None else None
    share = next(truncated(run, instance, ctx.program), None) if run is not None else None
    if share is None or launch is None:
        return
    if share.total is not None and share.step:
        lost = share.total % share.step
        message = f"{share.total // share.step} blocks of {share.step} along {share.axis} for {share.total} elements: the last {lost} are never touched"
    else:
        message = f"{share.count} / {share.size} blocks along {share.axis}: the last {share.count} % {share.size} elements are never touched"
    proven = share.divides is False
    yield Finding(
        at=launch.site or launch.span,
        message=message,
        remedy="round the grid up, and let threads past the end skip the work",
        related=places(launch, launch.grid.axes["xyz".index(share.axis)]),
        severity=None if proven else Severity.WARNING,
        confidence=None if proven else Confidence.LIKELY,
    )
