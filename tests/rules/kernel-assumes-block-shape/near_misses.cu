// Blocks that fit: guards, powers of two, several elements each, rims, and rows of warps.
#include <cuda_runtime.h>

__global__ void guarded(float *y, const float *x, int n) {
  __shared__ float s[128];
  if (threadIdx.x < 128) s[threadIdx.x] = x[threadIdx.x];
  if (threadIdx.x < n) s[threadIdx.x] = 0;
  __syncthreads();
  y[blockIdx.x * blockDim.x + threadIdx.x] = s[0];
}

__global__ void halved(float *sum, const float *x) {
  __shared__ float s[512];
  s[threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half >>= 1) {
    if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(sum, s[0]);
}

__global__ void two_each(float *y, const float *x, int n) {
  for (int i = threadIdx.x; i < n; i += 512) {
    y[i] = x[i];
    y[i + 256] = x[i + 256];
  }
}

__global__ void rim(float *y, const float *x, int n) {
  __shared__ float s[256];
  const int i = blockIdx.x * 254 + threadIdx.x;
  s[threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  if (threadIdx.x > 0 && threadIdx.x < 255 && i < n) y[i] = s[threadIdx.x - 1] + s[threadIdx.x + 1];
}

cudaError_t run(float *y, const float *x, int n) {
  if (n <= 0) return cudaSuccess;
  guarded<<<4096, 256>>>(y, x, n);
  halved<<<4096, 512>>>(y, x);
  two_each<<<4096, 256>>>(y, x, n);
  rim<<<(n + 253) / 254, 256>>>(y, x, n);
  return cudaGetLastError();
}
