"""A part of a file that holds a kernel or a launch could not be read.

Nothing was concluded about those lines: no finding there does not mean that they are right. The usual cause is a macro
that changes what the code looks like, or a construct the parser does not know. A kernel whose source is put together
at run time is reported where it is compiled.

## How it is computed

The parser recovers after what it cannot read; what lies in between is searched for words that only kernels and launches
have. Other unread parts are passed over in silence.

## Example

```cuda bad
__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

void run(float *x, int n) {
  if (n <= 0) return;
  scale<<<(n + 255) / 256, 256>>(x, n);
}
```

```cuda good
__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

cudaError_t run(float *x, int n) {
  if (n <= 0) return cudaErrorInvalidValue;
  scale<<<(n + 255) / 256, 256>>>(x, n);
  return cudaGetLastError();
}
```
"""

from collections.abc import Iterator

from cudalint.rule import Context, Finding, Severity, Unread, rule


@rule(on=Unread, severity=Severity.NOTE, since="0.1")
def check(unread: Unread, ctx: Context) -> Iterator[Finding]:  # noqa: ARG001
    if unread.problem.holds:
        yield Finding(
            at=unread.span,
            message=f"{unread.problem.message}; nothing was concluded about it",
            remedy="see whether the macro or the construct can be written more plainly",
        )
