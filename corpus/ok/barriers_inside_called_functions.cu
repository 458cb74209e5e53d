// A block-wide reduction whose instances have shared memory of their own, a flag handed on by reference, and a swap of tiles.
#include <cuda_runtime.h>

#include <utility>

__device__ float larger(float a, float b) { return fmaxf(a, b); }
__device__ float added(float a, float b) { return a + b; }

using Combine = float (*)(float, float);

template <Combine combine>
__device__ float over_block(float v, float none) {
  __shared__ float partial[32];
  for (int o = 16; o > 0; o /= 2) v = combine(v, __shfl_xor_sync(0xffffffffu, v, o));
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = v;
  __syncthreads();
  v = threadIdx.x % 32 < blockDim.x / 32 ? partial[threadIdx.x % 32] : none;
  for (int o = 16; o > 0; o /= 2) v = combine(v, __shfl_xor_sync(0xffffffffu, v, o));
  return v;
}

__global__ void __launch_bounds__(512) normalised(float *d, const float *x) {
  const float mine = x[blockIdx.x * blockDim.x + threadIdx.x];
  const float top = over_block<larger>(mine, -INFINITY);
  const float share = expf(mine - top);
  const float sum = over_block<added>(share, 0.0f);
  d[blockIdx.x * blockDim.x + threadIdx.x] = share / sum;
}

__device__ void look(const float *tile, int n, int &busy) {
  if (threadIdx.x < n && tile[threadIdx.x] > 0.5f) busy = 1;
}

__global__ void relaxed(float *d, int n) {
  __shared__ float a[256], b[256];
  __shared__ int busy;
  float *from = a, *to = b;
  from[threadIdx.x] = d[threadIdx.x];
  if (threadIdx.x == 0) busy = 1;
  __syncthreads();
  while (busy) {
    __syncthreads();
    if (threadIdx.x == 0) busy = 0;
    to[threadIdx.x] = 0.5f * (from[threadIdx.x] + from[(threadIdx.x + 1) % 256]);
    __syncthreads();
    look(to, n, busy);
    std::swap(from, to);
    __syncthreads();
  }
  d[threadIdx.x] = from[threadIdx.x];
}

cudaError_t run(float *d, const float *x, int blocks, int n) {
  if (blocks <= 0) return cudaSuccess;
  normalised<<<blocks, 512>>>(d, x);
  if (cudaError_t status = cudaGetLastError()) return status;
  relaxed<<<1, 256>>>(d, n);
  return cudaGetLastError();
}
