"""A suppression suppresses nothing.

The finding it was written for is gone: the code was mended, or moved, or the comment stands on the wrong statement. Left
in place it will hide the next finding of that rule there.

A rule is only reported where it was run, on none of the configured GPUs, and found nothing the suppression covers.

## Example

```cuda bad
__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

cudaError_t run(float *x, int n) {
  if (n <= 0) return cudaErrorInvalidValue;
  scale<<<(n + 255) / 256, 256>>>(x, n);  // cudalint: ignore[block-not-warp-multiple] tuned by hand
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
  scale<<<(n + 99) / 100, 100>>>(x, n);  // cudalint: ignore[block-not-warp-multiple] tuned by hand
  return cudaGetLastError();
}
```
"""

from collections.abc import Iterator

from cudalint.rule import Context, Finding, Severity, Suppression, rule


@rule(on=Suppression, severity=Severity.WARNING, since="0.1")
def check(suppression: Suppression, ctx: Context) -> Iterator[Finding]:
    for name in suppression.rules:
        if name in ctx.known_rules and name in suppression.judged and name not in suppression.used:
            yield Finding(
                at=suppression.span,
                message=f"nothing here is reported by {name}",
                remedy="remove the suppression",
            )
