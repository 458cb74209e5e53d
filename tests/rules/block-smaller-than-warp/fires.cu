// Real work in blocks of less than a warp.
#include <cuda_runtime.h>

__global__ void per_row(const float *m, float *sums, int cols) {
  float s = 0.0f;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) s += m[(size_t)blockIdx.x * cols + c];
  atomicAdd(&sums[blockIdx.x], s);
}

__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

void window(const float *m, float *sums, int rows, int cols) {
  if (rows <= 0) return;
  const dim3 cells(5, 5);
  per_row<<<rows, cells>>>(m, sums, cols);  //~ block-smaller-than-warp: 25 threads are less than a warp of 32
}

void thread_per_block(float *x) {
  const int n = 1 << 20;
  scale<<<n, 1>>>(x, n);  //~ block-smaller-than-warp
}

void few_blocks_that_work(const float *m, float *sums, int cols) {
  per_row<<<200, 16>>>(m, sums, cols);  //~ block-smaller-than-warp
}
