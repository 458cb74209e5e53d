// Loops that all threads of a block run equally often.
#include <cuda_runtime.h>

__global__ void equal(float *d, const int *rows, int n) {
  __shared__ float s[256];
  __shared__ int more;
  d += blockIdx.x * 1024;
  for (int i = threadIdx.x; i < 1024; i += 256) {
    s[threadIdx.x] = d[i];
    __syncthreads();
    d[i] = s[255 - threadIdx.x];
    __syncthreads();
  }
  for (int i = threadIdx.x; i < (n + 255) / 256 * 256; i += 256) __syncthreads();
  for (int i = n * blockIdx.x + threadIdx.x; i < n * (blockIdx.x + 1) + threadIdx.x; i += 7) __syncthreads();
  for (int k = rows[blockIdx.x]; k < rows[blockIdx.x + 1]; ++k) __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) s[threadIdx.x] += s[threadIdx.x + stride];
    __syncthreads();
  }
  do {
    __syncthreads();
    if (threadIdx.x == 0) more = s[n % 256] < 1.0f;
    __syncthreads();
  } while (more);
  while (__syncthreads_or(d[threadIdx.x] < 1.0f)) d[threadIdx.x] += 1.0f;
}

void launch(float *d, const int *rows, int n, int blocks) { equal<<<blocks, 256>>>(d, rows, n); }
