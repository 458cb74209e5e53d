// Trees that stop at the size of a warp, and loops that are no trees.
#include <cuda_runtime.h>

__global__ void down_to_a_warp(float *d) {
  __shared__ float s[256];
  s[threadIdx.x] = d[threadIdx.x];
  __syncthreads();
  for (int i = blockDim.x / 2; i >= 32; i >>= 1) {
    if (threadIdx.x < i) s[threadIdx.x] += s[threadIdx.x + i];
    __syncthreads();
  }
  if (threadIdx.x < 32) {
    float v = s[threadIdx.x];
    for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffff, v, o);
    if (threadIdx.x == 0) d[0] = v;
  }
}

__global__ void sorted(float *d) {
  __shared__ float s[256];
  s[threadIdx.x] = d[threadIdx.x];
  __syncthreads();
  for (int size = 2; size <= 256; size *= 2) {
    for (int stride = size / 2; stride > 0; stride /= 2) {
      const float mine = s[threadIdx.x], other = s[threadIdx.x ^ stride];
      __syncthreads();
      s[threadIdx.x] = (threadIdx.x & stride) ? fmaxf(mine, other) : fminf(mine, other);
      __syncthreads();
    }
  }
  d[threadIdx.x] = s[threadIdx.x];
}

__global__ void tiled(float *d, const float *x, int n) {
  __shared__ float s[256];
  float sum = 0.0f;
  for (int base = 0; base < n; base += 256) {
    s[threadIdx.x] = x[base + threadIdx.x];
    __syncthreads();
    sum += s[threadIdx.x ^ 64];
    __syncthreads();
  }
  d[threadIdx.x] = sum;
}

void run(float *d, const float *x, int n) {
  down_to_a_warp<<<1, 256>>>(d);
  sorted<<<1, 256>>>(d);
  tiled<<<1, 256>>>(d, x, n);
}
