// Rules and groups by their names, and comments that only mention the linter.
#include <cuda_runtime.h>

__global__ void scale(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

// cudalint says that 100 threads are no whole warps.
void by_rule(float *x, int n) {
  if (n <= 0) return;
  scale<<<(n + 99) / 100, 100>>>(x, n);  // cudalint: ignore[block-not-warp-multiple] measured
}

void by_group(float *x, int n) {
  if (n <= 0) return;
  scale<<<(n + 99) / 100, 100>>>(x, n);  /* cudalint: ignore[block] measured */
}
