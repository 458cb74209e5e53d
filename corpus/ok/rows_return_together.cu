// A block as large as the number of columns has no thread that returns, and none that a barrier misses.
#include <cuda_runtime.h>

__global__ void columns(float *d, int count) {
  __shared__ float s[1024];
  if (threadIdx.x >= count) return;
  s[threadIdx.x] = d[blockIdx.x * count + threadIdx.x];
  __syncthreads();
  d[blockIdx.x * count + threadIdx.x] = s[count - 1 - threadIdx.x];
}

void run(float *d, int rows, int count) { columns<<<rows, count>>>(d, count); }
