// Launches whose block is not the one the kernel is written for.
#include <cuda_runtime.h>

__global__ void staged(float *y, const float *x) {
  __shared__ float s[128];
  s[threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  y[blockIdx.x * blockDim.x + threadIdx.x] = s[0];
}

__global__ void halved(float *sum, const float *x) {
  extern __shared__ float s[];
  s[threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half >>= 1) {
    if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(sum, s[0]);
}

__global__ void strided(float *sum, const float *x, int n) {
  float own = 0;
  for (int i = threadIdx.x; i < n; i += 512) own += x[i];
  atomicAdd(sum, own);
}

__global__ void tile(float *c, const float *a, int rows, int columns) {
  const int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  if (row < rows && column < columns) c[row * columns + column] = a[row * columns + column];
}

cudaError_t run(float *y, const float *x, int n) {
  if (n <= 0) return cudaSuccess;
  staged<<<4096, 256>>>(y, x);  //~ kernel-assumes-block-shape: blocks of 256 threads: thread 128 uses element 128 of 's', which has 128
  halved<<<4096, 192, 192 * sizeof(float)>>>(y, x);  //~ kernel-assumes-block-shape: meets 3 elements
  strided<<<4096, 256>>>(y, x, n);  //~ kernel-assumes-block-shape: what the threads 256 to 511 would do is left out
  tile<<<dim3((n + 15) / 16, (n + 15) / 16), 256>>>(y, x, n, n);  //~ kernel-assumes-block-shape: a block stands for 16 threads along y and has 1
  return cudaGetLastError();
}
