"""Neighbours are accessed under a check that only covers the element itself.

`if (i < n) out[i] = in[i - 1] + in[i + 1];` reads before the array in the first thread and past it in the last. In two
dimensions the same happens with the row above and the row below.

Not reported: accesses that are clamped, wrapped around (`% n`), chosen by a condition (`i > 0 ? in[i - 1] : 0`), or
counted from inside of a padded array; and arrays that are only looked ahead into, as the row offsets of a sparse matrix
(`row[i]` to `row[i + 1]`), unless they are seen to be allocated without the element more.

## How it is computed

Each index is split into the global thread id along each axis and what is added to it. The conditions the access stands
under are turned into bounds on that id; an access behind it needs a lower bound, one ahead of it an upper bound below the
element count of the launch.

## Example

```cuda bad
__global__ void smooth(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1];
}

cudaError_t run(float *out, const float *in, int n) {
  if (n <= 0) return cudaSuccess;
  smooth<<<(n + 255) / 256, 256>>>(out, in, n);
  return cudaGetLastError();
}
```

```cuda good
__global__ void smooth(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) out[i] = 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1];
}

cudaError_t run(float *out, const float *in, int n) {
  if (n <= 0) return cudaSuccess;
  smooth<<<(n + 255) / 256, 256>>>(out, in, n);
  return cudaGetLastError();
}
```
"""

from collections.abc import Iterator

from cudalint.analysis.device.explain import condition_text, span_of
from cudalint.analysis.device.halo import halos
from cudalint.analysis.device.launched import launched
from cudalint.ir import Instance
from cudalint.rule import Confidence, Context, Finding, Related, Severity, rule


@rule(on=Instance, severity=Severity.ERROR, confidence=Confidence.LIKELY, since="0.1")
def check(instance: Instance, ctx: Context) -> Iterator[Finding]:
    run = launched(instance, ctx.trace(instance))
    found = next(halos(run), None) if run is not None else None
    if found is None or instance.launch is None:
        return
    end = "first" if found.offset < 0 else "last"
    yield Finding(
        at=span_of(found.access.place),
        message=f"the {end} thread along {found.axis} accesses '{found.access.buffer.name}' {abs(found.offset)} past the end: "
        f"'{condition_text(found.guard)}' covers its own element only",
        remedy="bound the neighbour too, clamp it, or pad the array",
        related=(
            Related(span_of(found.guard.place), "the condition"),
            Related(instance.launch.site or instance.launch.span, "launched here"),
        ),
    )
