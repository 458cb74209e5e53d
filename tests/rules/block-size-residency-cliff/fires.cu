// Block sizes that leave a quarter or more of the warp slots empty.
#include <cuda_runtime.h>

__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

__global__ void per_row(const float *m, float *sums, int cols) {
  float s = 0.0f;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) s += m[(size_t)blockIdx.x * cols + c];
  atomicAdd(&sums[blockIdx.x], s);
}

void rounding(float *x, int n) {
  if (n <= 0) return;
  scale<<<(n + 767) / 768, 768>>>(x, n);  //~ block-size-residency-cliff: leave 16 of 64 warp slots
}

void cap_on_blocks(const float *m, float *sums, int rows, int cols) {
  if (rows <= 0) return;
  per_row<<<rows, 32>>>(m, sums, cols);  //~ block-size-residency-cliff: leave 32 of 64 warp slots
}

void long_known_grid(const float *m, float *sums, int cols) {
  per_row<<<8192, 32>>>(m, sums, cols);  //~ block-size-residency-cliff
}
