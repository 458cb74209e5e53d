"""A bounds check lets one element too many through.

`if (i <= n)` and `if (i > n) return;` let the thread with i = n through, one past the last element. The same in a queue:
`int i = atomicAdd(&next, 1); if (i > count) break;` takes the item `count`, which there is none of.

Not reported: a bound that is one less than the count (`i <= last`, `i <= n - 1`), indices that start at 1, arrays that
have an element more (prefix sums of n + 1), and grids computed from that larger count.

## How it is computed

The condition is turned into a limit on the global thread id, the kernel's parameters are replaced by what the launch
passes, and the limit is set against the count the grid was computed from and the memory that was allocated. It is
reported where the limit is that count plus one and an access really gets there.

## Example

```cuda bad
__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > n) return;
  x[i] *= 2.0f;
}

cudaError_t run(float *x, int n) {
  if (n <= 0) return cudaSuccess;
  scale<<<(n + 255) / 256, 256>>>(x, n);
  return cudaGetLastError();
}
```

```cuda good
__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  x[i] *= 2.0f;
}

cudaError_t run(float *x, int n) {
  if (n <= 0) return cudaSuccess;
  scale<<<(n + 255) / 256, 256>>>(x, n);
  return cudaGetLastError();
}
```
"""

from collections.abc import Iterator

from cudalint.analysis.device.explain import condition_text, span_of
from cudalint.analysis.device.launched import launched
from cudalint.analysis.device.off_by_one import off_by_one
from cudalint.ir import Instance
from cudalint.rule import Confidence, Context, Finding, Related, Severity, rule


@rule(on=Instance, severity=Severity.ERROR, confidence=Confidence.LIKELY, since="0.1")
def check(instance: Instance, ctx: Context) -> Iterator[Finding]:
    run = launched(instance, ctx.trace(instance))
    if run is None or instance.launch is None:
        return
    for found in off_by_one(run):
        control = found.control
        does = "holds" if control.holds else "does not hold"
        yield Finding(
            at=span_of(control.place),
            message=f"'{condition_text(control)}' {does} for the thread at {found.count}, one past the last element of '{found.access.buffer.name}'",
            remedy="compare with < instead of <=, or with >= instead of >",
            related=(
                Related(span_of(found.access.place), "the access it lets through"),
                Related(instance.launch.span, "launched here"),
            ),
        )
