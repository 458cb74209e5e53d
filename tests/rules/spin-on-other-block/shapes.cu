// Blocks that wait for others in an ordinary launch.
#include <cuda_runtime.h>

__device__ void everybody(unsigned *arrived, unsigned blocks) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1);
    while (atomicAdd(arrived, 0) < blocks) {}  //~ spin-on-other-block: of 5000 blocks h200 holds 1056 at once (132 SMs × 8)
  }
  __syncthreads();
}

__global__ void two_steps(float *y, const float *x, unsigned *arrived) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i] * 0.5f;
  everybody(arrived, gridDim.x);
  y[i] += 1.0f;
}

__global__ void published(float *y, const float *x, volatile int *ready) {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) ready[0] = 1;
  } else {
    for (;;) {  //~ spin-on-other-block: with more blocks than are resident at once
      const int seen = ready[0];
      if (seen != 0) break;
    }
    y[blockIdx.x * blockDim.x + threadIdx.x] = x[threadIdx.x];
  }
}

cudaError_t run(float *y, const float *x, unsigned *arrived) {
  two_steps<<<5000, 256>>>(y, x, arrived);
  return cudaGetLastError();
}

cudaError_t run_published(float *y, const float *x, int *ready, int blocks) {
  if (blocks <= 0) return cudaSuccess;
  published<<<blocks, 256>>>(y, x, ready);
  return cudaGetLastError();
}
