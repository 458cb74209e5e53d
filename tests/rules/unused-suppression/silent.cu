// Suppressions that suppress.
#include <cuda_runtime.h>

__global__ void scale(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

void at_the_end(float *x, int n) {
  if (n <= 0) return;
  scale<<<(n + 99) / 100, 100>>>(x, n);  // cudalint: ignore[block-not-warp-multiple] measured
}

void before(float *x, int n) {
  if (n <= 0) return;
  // cudalint: ignore[block-not-warp-multiple] measured
  scale<<<(n + 99) / 100,
          100>>>(x, n);
}
