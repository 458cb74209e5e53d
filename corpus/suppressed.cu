// Suppressions: used, unused and misspelt.
#include <cuda_runtime.h>

__global__ void scale(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

void used(float *x, int n) {
  if (n <= 0) return;
  scale<<<(n + 99) / 100, 100>>>(x, n);  // cudalint: ignore[block-not-warp-multiple] measured: the tail is free here
}

void used_by_group(float *x, int n) {
  if (n <= 0) return;
  // cudalint: ignore[block] measured: the tail is free here
  scale<<<(n + 99) / 100, 100>>>(x, n);
}

void unused(float *x, int n) {
  if (n <= 0) return;
  scale<<<(n + 127) / 128, 128>>>(x, n);  // cudalint: ignore[block-not-warp-multiple] was 100 once //~ unused-suppression
}

void misspelt(float *x, int n) {
  if (n <= 0) return;
  scale<<<(n + 99) / 100, 100>>>(x, n);  // cudalint: ignore[block-not-wrap-multiple] no //~ unknown-rule //~ block-not-warp-multiple
}
