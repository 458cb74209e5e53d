"""A tree reduction or scan waits for the whole block at every step.

With 256 threads the tree has eight steps, and the last five happen inside one warp while seven warps wait at barriers with
nothing to do. Reducing inside each warp first, with shuffles, leaves one value for each warp: one or two barriers are all
that is needed.

Not reported: trees that stop at the size of a warp, sorts and transforms (each thread stores several elements a step),
blocks of one warp.

## How it is computed

A loop with a barrier, in which a stride is doubled or halved and passes the size of a warp, and one element is stored that
is combined with another a stride away.

## Example

```cuda bad
__global__ void total(float *out, const float *in) {
  __shared__ float s[256];
  s[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  for (int d = 128; d > 0; d >>= 1) {
    if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}

cudaError_t run(float *out, const float *in, int blocks) {
  if (blocks <= 0) return cudaSuccess;
  total<<<blocks, 256>>>(out, in);
  return cudaGetLastError();
}
```

```cuda good
__global__ void total(float *out, const float *in) {
  __shared__ float s[8];
  float v = in[blockIdx.x * 256 + threadIdx.x];
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffff, v, d);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < 8; ++w) v += s[w];
    out[blockIdx.x] = v;
  }
}

cudaError_t run(float *out, const float *in, int blocks) {
  if (blocks <= 0) return cudaSuccess;
  total<<<blocks, 256>>>(out, in);
  return cudaGetLastError();
}
```
"""

from collections.abc import Iterator

from cudalint.analysis.device.explain import calls_to, span_of
from cudalint.analysis.device.trees import trees
from cudalint.ir import Instance
from cudalint.rule import Confidence, Context, Finding, Related, Severity, rule


@rule(on=Instance, severity=Severity.NOTE, confidence=Confidence.LIKELY, since="0.1")
def check(instance: Instance, ctx: Context) -> Iterator[Finding]:
    for tree in trees(ctx.trace(instance)):
        each = f"each of the {tree.steps} steps" if tree.steps is not None else "every step"
        yield Finding(
            at=span_of(tree.barrier.place),
            message=f"{each} of the tree over {tree.buffer.name} waits for the whole block, also those inside one "
            f"{ctx.device.warp_name} of {ctx.device.architecture.warp_size}",
            remedy="combine inside each warp with shuffles first, then the results of the warps: one or two barriers in all",
            related=(
                Related(span_of(tree.loop.place), "the loop"),
                *(Related(span, "called here") for span in calls_to(tree.barrier)),
            ),
        )
