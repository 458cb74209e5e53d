// Grids at the limits, along x, and of unknown size.
#include <cuda_runtime.h>

__global__ void rows(float *x, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < n) x[row] = 2.0f;
}

__global__ void fill(float *x, long long n) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) x[i] = 1.0f;
}

void at_the_limit(float *x) {
  rows<<<dim3(1, 65535, 65535), dim3(32, 2)>>>(x, 131070);
}

void along_x(float *x) {
  const long long n = 1LL << 34;
  fill<<<(n + 255) / 256, 256>>>(x, n);
}

void unknown(float *x, int n) {
  if (n > 0) rows<<<dim3(1, (n + 1) / 2), dim3(32, 2)>>>(x, n);
}
