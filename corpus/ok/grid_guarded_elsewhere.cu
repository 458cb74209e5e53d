// cudalint-test: min-severity=note
// The grid is positive, but one has to look: a clamp, one block more, a check of the grid itself.
#include <cuda_runtime.h>
#include <algorithm>

__global__ void scale(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

void clamped(float *x, int n) {
  scale<<<std::max(1, (n + 255) / 256), 256>>>(x, n);
}

void plus_one(float *x, unsigned n) {
  scale<<<n / 256 + 1, 256>>>(x, n);
}

void checked_grid(float *x, int n) {
  const int blocks = (n + 255) / 256;
  if (blocks > 0) scale<<<blocks, 256>>>(x, n);
}
