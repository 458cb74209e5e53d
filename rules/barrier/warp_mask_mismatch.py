"""A mask names lanes that do not take part.

The functions that end in `_sync`, and `__syncwarp()`, wait for every lane their mask names. Under a condition that differs between the lanes of a warp,
`0xffffffff` names lanes that never come: the result is undefined, and the warp may hang. Lanes that left the kernel are not
waited for, but what a shuffle reads of them is undefined.

Not reported: conditions that whole warps meet or miss together (`threadIdx.x < 64`, `threadIdx.x / 32 == 0`, rows of a block whose rows
are whole warps), the missing lanes of a last warp that is not full, masks made by `__ballot_sync` or `__activemask()` that
nothing contradicts, cooperative groups, and HIP's functions without a mask.

## How it is computed

Conditions are followed as for `barrier-in-divergent-branch`; what is a thread's number divided by a warp, or compared with a multiple of
one, is the same for all lanes. Where the block is known and nothing else decides, each thread is asked.

## Example

```cuda bad
__global__ void sum(const float *d, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float v = d[i];
    for (int k = 16; k > 0; k /= 2) v += __shfl_down_sync(0xffffffff, v, k);
    if (threadIdx.x % 32 == 0) atomicAdd(out, v);
  }
}

cudaError_t run(const float *d, float *out, int n) {
  if (n <= 0) return cudaSuccess;
  sum<<<(n + 255) / 256, 256>>>(d, out, n);
  return cudaGetLastError();
}
```

```cuda good
__global__ void sum(const float *d, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = i < n ? d[i] : 0.0f;
  for (int k = 16; k > 0; k /= 2) v += __shfl_down_sync(0xffffffff, v, k);
  if (threadIdx.x % 32 == 0) atomicAdd(out, v);
}

cudaError_t run(const float *d, float *out, int n) {
  if (n <= 0) return cudaSuccess;
  sum<<<(n + 255) / 256, 256>>>(d, out, n);
  return cudaGetLastError();
}
```
"""

from collections.abc import Iterator

from cudalint.analysis.device.arrival import Mismatch, mismatches
from cudalint.analysis.device.explain import calls_to, condition_text, span_of, why
from cudalint.ir import Instance
from cudalint.rule import Confidence, Context, Finding, Related, Severity, rule


@rule(on=Instance, severity=Severity.ERROR, confidence=Confidence.LIKELY, since="0.1")
def check(instance: Instance, ctx: Context) -> Iterator[Finding]:
    for found in mismatches(ctx.trace(instance)):
        control = found.control
        yield Finding(
            at=span_of(found.event.place),
            message=_message(found),
            remedy="let all lanes come, those with nothing to give with a neutral value; or take the mask from __ballot_sync before",
            related=(
                Related(span_of(control.exit or control.place), "some leave here" if control.exit else "the condition"),
                *(Related(span, text) for span, text in why(control.cause)),
                *(Related(span, "called here") for span in calls_to(found.event)),
            ),
        )


def _message(found: Mismatch) -> str:
    condition, name = condition_text(found.control), found.event.name
    mask = f"mask 0x{found.mask:x}" if found.mask is not None else "the mask of the vote"
    if not found.named:
        return f"thread {found.thread} comes to {name} under '{condition}', but {mask} does not name it"
    who = "lanes of the same warp" if found.thread is None else f"thread {found.thread}"
    if found.control.kind == "return":
        return f"{name} with {mask} reads what {who} would give, gone where '{condition}'"
    return f"{name} with {mask} waits for {who}, kept away by '{condition}'"
