"""A kernel with a grid-wide barrier is started with an ordinary launch.

`this_grid().sync()` works only in a kernel that was launched cooperatively (`cudaLaunchCooperativeKernel`, or the cooperative attribute
of `cudaLaunchKernelEx`): only then are all blocks sure to be resident, and only then is there a barrier for the grid. After an
ordinary launch the grid group is not valid, and its `sync()` traps or hangs.

Not reported: barriers under `grid.is_valid()` or under another condition on what the launch passes; launches through
`cudaLaunchKernelEx` and its like, whose attributes are not followed.

## How it is computed

The kernel is followed, device functions included, as the launch runs it.

## Example

```cuda bad
#include <cooperative_groups.h>

__global__ void settle(float *x, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = 0.5f * x[i];
  cooperative_groups::this_grid().sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] = y[n - 1 - i];
}

cudaError_t run(float *x, float *y, int n) {
  settle<<<264, 256>>>(x, y, n);
  return cudaGetLastError();
}
```

```cuda good
#include <cooperative_groups.h>

__global__ void settle(float *x, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = 0.5f * x[i];
  cooperative_groups::this_grid().sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] = y[n - 1 - i];
}

cudaError_t run(float *x, float *y, int n) {
  void *args[] = {&x, &y, &n};
  return cudaLaunchCooperativeKernel((void *)settle, dim3(264), dim3(256), args, 0, 0);
}
```
"""

from collections.abc import Iterator

from cudalint.analysis.device.events import Barrier, Event
from cudalint.analysis.device.explain import span_of
from cudalint.analysis.device.values import EVERY
from cudalint.ir import Instance
from cudalint.rule import Confidence, Context, Finding, Related, Severity, rule


@rule(on=Instance, severity=Severity.ERROR, confidence=Confidence.LIKELY, since="0.1")
def check(instance: Instance, ctx: Context) -> Iterator[Finding]:
    launch = instance.launch
    if launch is None or launch.cooperative or "LaunchKernelEx" in launch.form:
        return
    barriers = (event for event in ctx.trace(instance).walk() if isinstance(event, Barrier) and event.scope == "grid")
    first = next((barrier for barrier in barriers if _certain(barrier)), None)
    if first is not None:
        yield Finding(
            at=launch.span,
            message=f"{launch.kernel_name} waits for the whole grid, but this launch is not cooperative",
            remedy="launch it with cudaLaunchCooperativeKernel, and with no more blocks than can be resident",
            related=(
                Related(span_of(first.place), "the grid-wide barrier"),
                *(Related(span_of(place), "called here") for place in reversed(first.path)),
                Related(instance.kernel.span, f"{instance.kernel.name} is defined here"),
            ),
        )


def _certain(barrier: Event) -> bool:
    """Whether some thread comes to a barrier whatever the launch passes."""
    return all(control.loop is not None or control.varies & EVERY for control in barrier.controls())
