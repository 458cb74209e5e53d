"""The launch asks for more shared memory than a block may have.

A block gets at most what the target's profile says (227 KB on H100, 99 KB on RTX 30 and 40, 64 KB on MI300X). On NVIDIA
GPUs since Volta the kernel also has to be opted in to anything over 48 KB, with
`cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)` before the launch. Without it the
launch is refused: the kernel never runs, and without a check of the launch's error nothing tells.

An opt-in anywhere in the linked program that reaches the launch counts, also in a helper or another file, and one of an
unknown size is taken to suffice. Bytes that are not known are left alone, and so is the need of an opt-in where the
kernel is not among the files read. AMD GPUs need no opt-in.

## How it is computed

The least that static arrays and the launch's dynamic bytes can come to is compared with the limit of a block, with
the 48 KB (static and dynamic together) where no opt-in is seen, and the dynamic bytes with the size opted in to.

## Example

```cuda bad
__global__ void blend(const float *in, float *out, int n) {
  extern __shared__ float tile[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = threadIdx.x; k < 16384; k += blockDim.x) tile[k] = in[k];
  __syncthreads();
  if (i < n) out[i] = tile[i % 16384];
}

cudaError_t run(const float *in, float *out, int n) {
  if (n <= 0) return cudaErrorInvalidValue;
  blend<<<(n + 255) / 256, 256, 16384 * sizeof(float)>>>(in, out, n);
  return cudaGetLastError();
}
```

```cuda good
__global__ void blend(const float *in, float *out, int n) {
  extern __shared__ float tile[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = threadIdx.x; k < 16384; k += blockDim.x) tile[k] = in[k];
  __syncthreads();
  if (i < n) out[i] = tile[i % 16384];
}

cudaError_t run(const float *in, float *out, int n) {
  if (n <= 0) return cudaErrorInvalidValue;
  const size_t bytes = 16384 * sizeof(float);
  cudaError_t rc = cudaFuncSetAttribute(blend, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  if (rc != cudaSuccess) return rc;
  blend<<<(n + 255) / 256, 256, bytes>>>(in, out, n);
  return cudaGetLastError();
}
```

A CU of an MI300X has 64 KB in all:

```hip bad
__global__ void blend(const float *in, float *out, int n) {
  extern __shared__ float tile[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = threadIdx.x; k < 20480; k += blockDim.x) tile[k] = in[k];
  __syncthreads();
  if (i < n) out[i] = tile[i % 20480];
}

hipError_t run(const float *in, float *out, int n) {
  if (n <= 0) return hipErrorInvalidValue;
  blend<<<(n + 255) / 256, 256, 20480 * sizeof(float)>>>(in, out, n);
  return hipGetLastError();
}
```
"""

from collections.abc import Iterator

from cudalint.ir import Launch
from cudalint.rule import Context, Fact, Finding, Severity, places, rule


@rule(on=Launch, severity=Severity.ERROR, since="0.1", silences=("cooperative-launch-too-large", "launch-does-not-fit"))
def check(launch: Launch, ctx: Context) -> Iterator[Finding]:
    target, opted, asked = ctx.device.architecture, launch.shared_limit, launch.dynamic_shared.lo or 0
    total = (launch.static_shared.lo or 0) + asked
    if total > target.max_shared_per_block:
        limit, why = target.max_shared_per_block, f"a block on {target.id} can have {target.max_shared_per_block}"
        remedy = f"keep static and dynamic shared memory within {limit} bytes per block"
    elif opted is None and launch.kernel is not None and total > target.default_shared_per_block:
        limit = target.default_shared_per_block
        why = f"without an opt-in a block gets {limit}"
        remedy = (
            "call cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) before the launch"
        )
    elif opted is not None and opted.hi is not None and asked > max(opted.hi, target.default_shared_per_block):
        limit, why = opted.hi, f"the kernel is opted in to {opted.hi} of dynamic shared memory"
        remedy = f"opt in to {asked} bytes, or launch with at most {opted.hi}"
    else:
        return
    yield Finding(
        at=launch.span,
        message=f"{total} bytes of shared memory per block, but {why}",
        remedy=remedy,
        evidence={
            "static_shared": Fact.of(launch.static_shared),
            "dynamic_shared": Fact.of(launch.dynamic_shared),
            "limit": Fact(limit, "hardware" if opted is None or limit != opted.hi else str(opted.origin)),
        },
        related=places(launch, launch.dynamic_shared, opted),
    )
