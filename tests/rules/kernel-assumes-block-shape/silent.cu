// cudalint-test: gpu=h200
// Blocks that fit, arrays that only some threads use, and a reduction that pads.
#include <cuda_runtime.h>

__global__ void shifted(const float *x, float *y) {
  __shared__ float s[128];
  if (threadIdx.x < 128) s[threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  y[blockIdx.x * blockDim.x + threadIdx.x] = s[0];
}

__global__ void halves(const float *x, float *sum) {
  __shared__ float s[256];
  s[threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(sum, s[0]);
}

cudaError_t run(const float *x, float *y, float *sum) {
  shifted<<<528, 256>>>(x, y);
  halves<<<528, 256>>>(x, sum);
  return cudaGetLastError();
}
