"""A block reads what another block writes in the same launch, as if blocks ran in order.

Blocks run in any order and side by side. A stencil that is updated in place finds old values of its neighbours in one run
and new ones in the next; what block 0 initialises is not there when another block looks; `__syncthreads()` changes
nothing, as it waits for one block only.

Reported as an error where a block reads an element that another block stores, with nothing that waits between; as a
warning where the grid may be one block, and for a chain in which each block waits for the one before it: that hangs
when a later block is started first, so the block has to take its number from an atomic counter. Not
reported: elements that each thread keeps to itself, flags that are only ever set to one value, volatile and atomic
accesses, values that all blocks store alike, kernels that wait for other blocks, and indices that depend on data.

## How it is computed

The kernel is run over all threads of a few neighbouring blocks, with the launch's block, and a few turns of each loop;
what one stores and another loads is compared element by element. Parameters that are not known must cancel out. Different
parameters are different memory unless the launch passes the same expression for them.

## Example

```cuda bad
__global__ void smooth(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) x[i] = 0.25f * x[i - 1] + 0.5f * x[i] + 0.25f * x[i + 1];
}

cudaError_t run(float *x, int n) {
  if (n <= 0) return cudaSuccess;
  smooth<<<(n + 255) / 256, 256>>>(x, n);
  return cudaGetLastError();
}
```

```cuda good
__global__ void smooth(float *y, const float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) y[i] = 0.25f * x[i - 1] + 0.5f * x[i] + 0.25f * x[i + 1];
}

cudaError_t run(float *y, const float *x, int n) {
  if (n <= 0) return cudaSuccess;
  smooth<<<(n + 255) / 256, 256>>>(y, x, n);
  return cudaGetLastError();
}
```
"""

from collections.abc import Iterator

from cudalint.analysis.device.between_blocks import Meeting, meetings
from cudalint.analysis.device.explain import calls_to, span_of
from cudalint.analysis.device.launched import same_memory
from cudalint.analysis.device.told import block_name, element_at
from cudalint.analysis.device.waiting import Wait, waits
from cudalint.ir import Instance
from cudalint.rule import Confidence, Context, Finding, Related, Severity, rule


@rule(
    on=Instance, severity=Severity.ERROR, confidence=Confidence.LIKELY, since="0.1", silences=("spin-on-other-block",)
)
def check(instance: Instance, ctx: Context) -> Iterator[Finding]:
    if instance.launch is None:
        return
    trace = ctx.trace(instance)
    for meeting in meetings(trace, same_memory(instance)):
        yield _met(meeting)
    if not instance.launch.cooperative:
        for wait in waits(trace):
            if wait.steps is not None and wait.steps < 0:
                yield _chained(wait)


def _met(meeting: Meeting) -> Finding:
    load, store = meeting.load, meeting.store
    reader, writer = block_name(meeting.reader, meeting.writer), block_name(meeting.writer, meeting.reader)
    element = element_at(store.buffer, meeting.element)
    return Finding(
        at=span_of(load.place),
        message=f"{reader} reads {element}, which {writer} writes at line {span_of(store.place).line} in the same launch: "
        "blocks run in any order",
        remedy="write to another buffer, or end the kernel between the two",
        related=(
            Related(span_of(store.place), "the store of another block"),
            *(Related(span, "called here") for span in calls_to(load)),
        ),
        severity=Severity.ERROR if meeting.certain else Severity.WARNING,
    )


def _chained(wait: Wait) -> Finding:
    back = -(wait.steps or 0)
    return Finding(
        at=span_of(wait.loop.place),
        message=f"each block waits here for the one {back} before it to change {wait.poll.buffer.name}: it hangs if later "
        "blocks are started first",
        remedy="let the block take its number from an atomic counter (a ticket) in place of blockIdx",
        related=(Related(span_of(wait.writer.place), "what it waits for"),),
        severity=Severity.WARNING,
    )
