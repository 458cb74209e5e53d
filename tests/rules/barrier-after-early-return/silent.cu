// Returns that the threads of a block take together, and barriers before a return.
#include <cuda_runtime.h>

__global__ void together(float *d, const int *active, int n) {
  __shared__ float s[256];
  if (blockIdx.x >= n || active[blockIdx.x] == 0) return;
  s[threadIdx.x] = d[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  if (threadIdx.x >= 256) return;
  __syncthreads();
  if (__syncthreads_and(s[threadIdx.x] > 0.0f)) return;
  __syncthreads();
  const float sum = s[threadIdx.x] + s[threadIdx.x ^ 1];
  if (threadIdx.x >= n) return;
  d[blockIdx.x * 256 + threadIdx.x] = sum;
}

// The block is as large as the number of rows.
__global__ void as_many_as_rows(float *d, int rows) {
  if (threadIdx.x >= rows) return;
  __syncthreads();
  d[threadIdx.x] = 0.0f;
}

void launch(float *d, const int *active, int n, int blocks) {
  together<<<blocks, 256>>>(d, active, n);
  as_many_as_rows<<<blocks, n>>>(d, n);
}
