// More shared memory than a block gets, or than the kernel was opted in to.
#include <cuda_runtime.h>

constexpr size_t kTile = 64 * 1024;

__global__ void never_opted(const float *in, float *out, int n) {
  extern __shared__ float tile[];
  for (int k = threadIdx.x; k < n; k += blockDim.x) tile[k] = in[k];
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = tile[threadIdx.x];
}

__global__ void static_and_dynamic(const float *in, float *out, int n) {
  __shared__ float fixed[4096];
  extern __shared__ float rest[];
  for (int k = threadIdx.x; k < n; k += blockDim.x) fixed[k % 4096] = rest[k] = in[k];
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = fixed[threadIdx.x] + rest[threadIdx.x];
}

__global__ void opted_too_low(const float *in, float *out, int n) {
  extern __shared__ float tile[];
  for (int k = threadIdx.x; k < n; k += blockDim.x) tile[k] = in[k];
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = tile[threadIdx.x];
}

__global__ void too_much(const float *in, float *out, int n) {
  extern __shared__ float tile[];
  for (int k = threadIdx.x; k < n; k += blockDim.x) tile[k] = in[k];
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = tile[threadIdx.x];
}

void no_opt_in(const float *in, float *out, int n, int blocks) {
  never_opted<<<blocks, 256, kTile>>>(in, out, n);  //~ shared-memory-exceeds-limit: 65536 bytes of shared memory per block, but without an opt-in
}

void together(const float *in, float *out, int n, int blocks) {
  static_and_dynamic<<<blocks, 256, 40 * 1024>>>(in, out, n);  //~ shared-memory-exceeds-limit: 57344 bytes
}

void short_opt_in(const float *in, float *out, int n, int blocks) {
  cudaFuncSetAttribute(opted_too_low, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024);
  opted_too_low<<<blocks, 256, 96 * 1024>>>(in, out, n);  //~ shared-memory-exceeds-limit: opted in to 65536
}

void beyond_the_limit(const float *in, float *out, int n, int blocks) {
  cudaFuncSetAttribute(too_much, cudaFuncAttributeMaxDynamicSharedMemorySize, 256 * 1024);
  too_much<<<blocks, 256, 256 * 1024>>>(in, out, n);  //~ shared-memory-exceeds-limit
}
