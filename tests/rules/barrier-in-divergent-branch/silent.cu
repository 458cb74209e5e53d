// Barriers under conditions that are the same for all threads of a block.
#include <cuda_runtime.h>

__device__ int unseen(int i);

__global__ void uniform(float *d, const int *rows, int n) {
  __shared__ int found;
  d += blockIdx.x * blockDim.x;
  if (threadIdx.x == 0) found = rows[blockIdx.x];
  __syncthreads();
  if (found > 0) __syncthreads();
  if (blockIdx.x < n) __syncthreads();
  if (rows[blockIdx.x] < n) __syncthreads();
  if (threadIdx.x < 256) __syncthreads();
  if (__syncthreads_or(d[threadIdx.x] > 0.0f)) __syncthreads();
  d[threadIdx.x] = found;
}

// What a function that is not seen returns may be the same for all.
__global__ void not_known(float *d) {
  if (unseen(threadIdx.x)) __syncthreads();
  d[threadIdx.x] = 0.0f;
}

// Only some builds have the barrier.
__global__ void optional(float *d) {
  if (threadIdx.x == 0) {
#ifdef DEBUG_BARRIERS
    __syncthreads();
#endif
    d[blockIdx.x] = 0.0f;
  }
}

void launch(float *d, const int *rows, int n, int blocks) {
  uniform<<<blocks, 256>>>(d, rows, n);
  not_known<<<blocks, 256>>>(d);
  optional<<<blocks, 256>>>(d);
}
