// Blocks at the limit, and sizes that are only possibly too large.
#include <cuda_runtime.h>

__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

__global__ void plane(float *x, int w, int h) {
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col < w && row < h) x[row * w + col] *= 2.0f;
}

void largest(float *x, int n) {
  if (n > 0) scale<<<(n + 1023) / 1024, 1024>>>(x, n);
}

void largest_square(float *x, int w, int h) {
  if (w > 0 && h > 0) plane<<<dim3((w + 31) / 32, (h + 31) / 32), dim3(32, 32)>>>(x, w, h);
}

void unknown(float *x, int n, int threads) {
  if (n > 0 && threads > 0) scale<<<(n + threads - 1) / threads, threads>>>(x, n);
}
