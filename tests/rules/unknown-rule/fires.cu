// Suppressions that name no rule.
#include <cuda_runtime.h>

__global__ void scale(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

void misspelt(float *x, int n) {
  if (n <= 0) return;
  scale<<<(n + 99) / 100, 100>>>(x, n);  // cudalint: ignore[block-not-wrap-multiple] no matter //~ unknown-rule: there is no rule called block-not-wrap-multiple //~ block-not-warp-multiple
}

void one_of_two(float *x, int n) {
  if (n <= 0) return;
  // cudalint: ignore[block-not-warp-multiple, nonsense] measured //~ unknown-rule: nonsense
  scale<<<(n + 99) / 100, 100>>>(x, n);
}

void nothing_named(float *x, int n) {
  if (n <= 0) return;
  scale<<<(n + 127) / 128, 128>>>(x, n);  // cudalint: ignore[] all //~ unknown-rule: suppresses nothing
}
