"""A launch passes more or fewer arguments than its kernel has parameters.

In C++ the compiler refuses it, in whatever configuration comes to compile this launch. Code behind a switch that nobody
has turned on for a while is where such launches live: the kernel got one more parameter, this launch did not.

Not reported: kernels and launches with a parameter pack, an `#if` or a macro among their parameters or arguments, kernels of
which another declaration in sight takes that many, arguments packed in an array, and kernels that cannot be seen from the
launch.

## How it is computed

Every kernel of that name that the file of the launch sees, or that is seen by files including it, is counted; parameters
with a default may be left out. The launch is reported where none of them takes what it passes.

## Example

```cuda bad
__global__ void axpy(float *y, const float *x, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}

cudaError_t run(float *y, const float *x, int n) {
  if (n <= 0) return cudaErrorInvalidValue;
  axpy<<<(n + 255) / 256, 256>>>(y, x, n);
  return cudaGetLastError();
}
```

```cuda good
__global__ void axpy(float *y, const float *x, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}

cudaError_t run(float *y, const float *x, int n) {
  if (n <= 0) return cudaErrorInvalidValue;
  axpy<<<(n + 255) / 256, 256>>>(y, x, 2.0f, n);
  return cudaGetLastError();
}
```
"""

from collections.abc import Iterator

from cudalint.analysis.signatures import arity, overloads
from cudalint.ir import Launch
from cudalint.rule import Context, Fact, Finding, Severity, places, rule


@rule(on=Launch, severity=Severity.ERROR, since="0.1")
def check(launch: Launch, ctx: Context) -> Iterator[Finding]:  # noqa: ARG001
    if launch.arguments is None or not launch.counted:
        return
    given = len(launch.arguments)
    taken = [arity(kernel) for kernel in overloads(launch) or ()]
    known = [one for one in taken if one is not None]
    if not known or len(known) < len(taken) or any(one.takes(given) for one in known):
        return
    wanted = " or ".join(dict.fromkeys(map(str, known)))
    yield Finding(
        at=launch.site or launch.span,
        message=f"{launch.kernel_name} takes {wanted} arguments, this launch passes {given}",
        remedy="pass what the kernel's parameters ask for",
        evidence={"parameters": Fact(wanted, "literal"), "arguments": Fact(given, "literal")},
        related=places(launch),
    )
