// Trees over shared memory with a barrier at each step.
#include <cuda_runtime.h>

__global__ void halving(float *d) {
  __shared__ float s[256];
  s[threadIdx.x] = d[threadIdx.x];
  __syncthreads();
  for (int i = blockDim.x / 2; i > 0; i >>= 1) {
    if (threadIdx.x < i) s[threadIdx.x] += s[threadIdx.x + i];
    __syncthreads();  //~ barrier-per-iteration: each of the 8 steps of the tree over s
  }
  if (threadIdx.x == 0) d[0] = s[0];
}

__global__ void in_a_while(float *d) {
  __shared__ float s[256];
  s[threadIdx.x] = d[threadIdx.x];
  __syncthreads();
  unsigned i = blockDim.x / 2;
  while (i != 0) {
    if (threadIdx.x < i) s[threadIdx.x] = fmaxf(s[threadIdx.x], s[threadIdx.x + i]);
    __syncthreads();  //~ barrier-per-iteration
    i /= 2;
  }
  if (threadIdx.x == 0) d[0] = s[0];
}

__global__ void scan(float *d) {
  __shared__ float s[256];
  s[threadIdx.x] = d[threadIdx.x];
  __syncthreads();
  for (int o = 1; o < 256; o *= 2) {
    const float before = threadIdx.x >= o ? s[threadIdx.x - o] : 0.0f;
    __syncthreads();
    s[threadIdx.x] += before;
    __syncthreads();  //~ barrier-per-iteration: every step of the tree over s
  }
  d[threadIdx.x] = s[threadIdx.x];
}

void run(float *d) {
  halving<<<1, 256>>>(d);
  in_a_while<<<1, 256>>>(d);
  scan<<<1, 256>>>(d);
}
