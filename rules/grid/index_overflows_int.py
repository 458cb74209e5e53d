"""An index does not fit the 32 bits that hold it.

`blockIdx`, `blockDim` and `threadIdx` are unsigned: `blockIdx.x * blockDim.x` is computed in 32 bits and wraps at 2^32,
also where the result goes into a 64-bit variable. An `int` holds it to 2^31 only. The threads past that access the
beginning of the array, or what lies before it.

Reported only where the sizes of the launch are known and get there.

## How it is computed

The grid, the block and the numbers passed to the kernel give the range of every integer in it. An operation or a
conversion whose range does not fit its type is reported if an index of global memory is made of it, and the conditions on
the way to that access still let a value through that is too large.

## Example

```cuda bad
__global__ void scale(float *x, long long n) {
  long long i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

cudaError_t run(float *x) {
  const long long n = 6000000000;
  scale<<<(n + 255) / 256, 256>>>(x, n);
  return cudaGetLastError();
}
```

```cuda good
__global__ void scale(float *x, long long n) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

cudaError_t run(float *x) {
  const long long n = 6000000000;
  scale<<<(n + 255) / 256, 256>>>(x, n);
  return cudaGetLastError();
}
```
"""

from collections.abc import Iterator

from cudalint.analysis.device.explain import span_of
from cudalint.analysis.device.launched import launched
from cudalint.analysis.device.overflow import wrapped
from cudalint.ir import Instance
from cudalint.rule import Context, Finding, Related, Severity, rule

_HOLDS = {"int": "2^31 - 1", "unsigned": "2^32 - 1"}


@rule(on=Instance, severity=Severity.ERROR, since="0.1")
def check(instance: Instance, ctx: Context) -> Iterator[Finding]:
    trace = ctx.trace(instance)
    run = launched(instance, trace) if trace.overflows else None
    found = next(wrapped(run), None) if run is not None else None
    if found is None or instance.launch is None:
        return
    kind = found.overflow.kind
    yield Finding(
        at=span_of(found.overflow.place),
        message=f"the index reaches {found.most}, but it is computed in 32 bits: {kind} holds up to {_HOLDS[kind]}",
        remedy="convert blockIdx to a 64-bit type before it is multiplied",
        related=(
            Related(span_of(found.access.place), f"'{found.access.buffer.name}' is accessed with it"),
            Related(instance.launch.site or instance.launch.span, "launched here"),
        ),
    )
