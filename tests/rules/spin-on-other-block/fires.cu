// cudalint-test: gpu=h200
// Blocks that wait for what other blocks of the same plain launch do.
#include <cuda_runtime.h>

__global__ void counted(float *x, unsigned *arrived) {
  x[blockIdx.x * blockDim.x + threadIdx.x] = 0.5f;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1);
    while (atomicAdd(arrived, 0) < gridDim.x) {}  //~ spin-on-other-block
  }
  __syncthreads();
}

__global__ void flagged(volatile int *ready, float *out) {
  if (blockIdx.x == 0 && threadIdx.x == 0) *ready = 1;
  if (blockIdx.x != 0) {
    while (*ready == 0) {}  //~ spin-on-other-block
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1.0f;
  }
}

cudaError_t run(float *x, unsigned *arrived, int *ready, float *out, int blocks) {
  if (blocks <= 0) return cudaSuccess;
  counted<<<4000, 1024>>>(x, arrived);
  flagged<<<blocks, 256>>>(ready, out);
  return cudaGetLastError();
}
