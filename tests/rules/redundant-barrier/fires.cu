// Barriers with nothing to order.
#include <cuda_runtime.h>

__global__ void at_the_end(float *d) {
  __shared__ float s[256];
  s[threadIdx.x] = d[threadIdx.x];
  __syncthreads();
  d[threadIdx.x] = s[255 - threadIdx.x];
  __syncthreads();  //~ redundant-barrier: between this barrier and the end of the kernel
}

__global__ void at_the_start(float *d, const float *x) {
  __shared__ float s[256];
  const float mine = x[threadIdx.x];
  __syncthreads();  //~ redundant-barrier: between the start of the kernel and this one
  s[threadIdx.x] = mine;
  __syncthreads();
  d[threadIdx.x] = s[255 - threadIdx.x];
}

__global__ void twice(float *d, const float *x, int n) {
  __shared__ float s[256];
  for (int i = 0; i < n; ++i) {
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    const float factor = x[i];
    __syncthreads();  //~ redundant-barrier: between the barrier before and this one
    d[threadIdx.x] += factor * s[255 - threadIdx.x];
    __syncthreads();
  }
}

void run(float *d, const float *x, int n) {
  at_the_end<<<1, 256>>>(d);
  at_the_start<<<1, 256>>>(d, x);
  twice<<<1, 256>>>(d, x, n);
}
