"""The grid can be empty.

A launch with no blocks is not a launch of nothing: it is refused with an invalid configuration, and the error stays for
the next call that asks. Empty inputs reach such launches sooner or later.

An error is a grid that is 0 whatever happens, as `n / block` is where n is known to be less than the block. A note is
a grid computed by a division from a size that nothing before the launch says is positive. An early return, a check
around the launch or a `max(1, …)` is enough to silence it. A grid that is just a variable is left alone.

## How it is computed

From the interval of each dimension of the grid, narrowed by the conditions that lead to the launch.

## Example

```cuda bad
__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

cudaError_t run(float *x, int n) {
  scale<<<(n + 255) / 256, 256>>>(x, n);
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

from cudalint.ir import Launch
from cudalint.rule import Confidence, Context, Fact, Finding, Severity, places, rule


@rule(on=Launch, severity=Severity.ERROR, since="0.1")
def check(launch: Launch, ctx: Context) -> Iterator[Finding]:
    for axis, written in zip("xyz", launch.grid.axes, strict=True):
        grid = ctx.valued(written, launch)
        divisions = grid.form.quotients() if grid.form is not None else ()
        if grid.hi is not None and grid.hi <= 0:
            message, severity, confidence = f"the grid has {grid.hi} blocks along {axis}", None, None
        elif divisions and (grid.lo is None or grid.lo <= 0) and not grid.nonzero:
            least = "0" if divisions[0].up else f"less than {divisions[0].divisor}"
            message = f"the grid is empty where {divisions[0].dividend} is {least}, and nothing before rules it out"
            severity, confidence = Severity.NOTE, Confidence.LIKELY
        else:
            continue
        yield Finding(
            at=launch.span,
            message=message,
            remedy="return early, or skip the launch, when there is nothing to do",
            evidence={"grid": Fact.of(grid)},
            related=places(launch, written),
            severity=severity,
            confidence=confidence,
        )
        return
