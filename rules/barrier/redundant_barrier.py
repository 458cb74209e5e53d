"""A barrier has nothing to order.

A block-wide barrier makes what threads did before it visible to what others do after it. Where nothing in memory that
threads share is touched between it and the barrier before, or between it and the end of the kernel, all warps of the block
wait for the slowest without need: the end of a kernel orders everything by itself.

Not reported: barriers that some threads do not reach, votes such as `__syncthreads_or`, and anything next to calls that are
not visible, fences and stores to global memory, which other blocks may read; barriers that are needed with other template
arguments or another block.

## How it is computed

All ways through the kernel that lead to the barrier, or on from it, are followed to the next barrier, the start or the
end. Loads of global memory that the kernel does not write count as nothing.

## Example

```cuda bad
__global__ void shift(float *out, const float *in) {
  __shared__ float s[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  s[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = s[threadIdx.x ^ 64];
  __syncthreads();
}

cudaError_t run(float *out, const float *in, int blocks) {
  if (blocks <= 0) return cudaSuccess;
  shift<<<blocks, 256>>>(out, in);
  return cudaGetLastError();
}
```

```cuda good
__global__ void shift(float *out, const float *in) {
  __shared__ float s[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  s[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = s[threadIdx.x ^ 64];
}

cudaError_t run(float *out, const float *in, int blocks) {
  if (blocks <= 0) return cudaSuccess;
  shift<<<blocks, 256>>>(out, in);
  return cudaGetLastError();
}
```
"""

from collections.abc import Iterator

from cudalint.analysis.device.explain import calls_to, span_of
from cudalint.analysis.device.phases import idle_barriers
from cudalint.analysis.device.values import Place
from cudalint.ir import Instance
from cudalint.rule import Confidence, Context, Finding, Related, Severity, rule


@rule(on=Instance, severity=Severity.NOTE, confidence=Confidence.LIKELY, since="0.1")
def check(instance: Instance, ctx: Context) -> Iterator[Finding]:
    found = [*idle_barriers(ctx.trace(instance))]
    always = _in_every_instance(instance, ctx) if found else frozenset()
    for idle in found:
        if idle.barrier.place not in always:
            continue
        if idle.side == "after":
            where = "between this barrier and the end of the kernel"
        else:
            where = f"between {'the start of the kernel' if idle.ends else 'the barrier before'} and this one"
        yield Finding(
            at=span_of(idle.barrier.place),
            message=f"nothing that threads share is touched {where}: it orders nothing",
            remedy="remove the barrier"
            if not idle.barrier.path
            else "leave the barrier to the callers of this function that need it",
            related=tuple(Related(span, "called here") for span in calls_to(idle.barrier)),
        )


def _in_every_instance(instance: Instance, ctx: Context) -> frozenset[Place]:
    """The barriers that order nothing whatever the launch and the template arguments are."""
    span = instance.kernel.span
    unbound = next((kernel for kernel in ctx.program.kernels if kernel.span == span), instance.kernel)
    return frozenset(idle.barrier.place for idle in idle_barriers(ctx.trace(Instance(unbound))))
