// Elements that threads keep to themselves, flags, colours, and blocks that do not meet.
#include <cuda_runtime.h>

__global__ void scaled(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] * 0.5f;
}

__global__ void pairs(float *x, int phase) {
  const int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + phase;
  const float a = x[i], b = x[i + 1];
  x[i] = fminf(a, b);
  x[i + 1] = fmaxf(a, b);
}

__global__ void red(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1 && i % 2 == 0) x[i] = 0.5f * (x[i - 1] + x[i + 1]);
}

__global__ void own_tile(float *x) {
  float *tile = x + blockIdx.x * 256;
  const float next = tile[(threadIdx.x + 1) % 256];
  __syncthreads();
  tile[threadIdx.x] = next;
}

__global__ void marked(int *seen, const int *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && seen[i + 1] == 0 && x[i] > 0) seen[i] = 1;
}

__global__ void other_buffer(float *y, const float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1) y[i] = x[i + 1];
}

__global__ void repeated(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i % 8];
}

cudaError_t run(float *x, float *y, int *seen, int n) {
  if (n <= 0) return cudaSuccess;
  scaled<<<(n + 255) / 256, 256>>>(x, n);
  pairs<<<4096, 256>>>(x, 1);
  red<<<(n + 255) / 256, 256>>>(x, n);
  own_tile<<<4096, 256>>>(x);
  marked<<<(n + 255) / 256, 256>>>(seen, seen, n);
  other_buffer<<<(n + 255) / 256, 256>>>(y, x, n);
  repeated<<<(n + 255) / 256, 256>>>(x, n);
  return cudaGetLastError();
}
