// 32-thread blocks, but shared memory or the grid keeps the cap on blocks out of reach.
#include <cuda_runtime.h>

__global__ void in_shared(const float *in, float *out, int n) {
  __shared__ float tile[6144];
  for (int k = threadIdx.x; k < 6144; k += 32) tile[k] = in[(size_t)blockIdx.x * 6144 + k];
  __syncwarp();
  for (int k = threadIdx.x; k < n; k += 32) out[(size_t)blockIdx.x * n + k] = tile[6143 - k % 6144];
}

__global__ void solve(const float *in, float *out, int n) {
  float sum = 0.0f;
  for (int k = threadIdx.x; k < n; k += 32) sum += in[(size_t)blockIdx.x * n + k];
  atomicAdd(&out[blockIdx.x], sum);
}

cudaError_t run(const float *in, float *out, int n, int blocks) {
  if (blocks <= 0) return cudaErrorInvalidValue;
  in_shared<<<blocks, 32>>>(in, out, n);
  solve<<<1024, 32>>>(in, out, n);
  return cudaGetLastError();
}
