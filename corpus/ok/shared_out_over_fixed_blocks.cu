// A fixed number of blocks shares out the work: the block is rounded up, and that is meant.
#include <cuda_runtime.h>

#define NUM_BLOCKS 64

__global__ void scale(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

cudaError_t run(float *x, int n) {
  if (n <= 0 || n > NUM_BLOCKS * 1024) return cudaErrorInvalidValue;
  const int threads = (n + NUM_BLOCKS - 1) / NUM_BLOCKS;
  scale<<<NUM_BLOCKS, threads>>>(x, n);
  return cudaGetLastError();
}
