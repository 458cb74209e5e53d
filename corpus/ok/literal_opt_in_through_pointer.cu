// The kernel is opted in through a variable that holds it, in another function than the launch.
#include <cuda_runtime.h>

constexpr int kBytes = 96 * 1024;

__global__ void blend(const float *in, float *out, int n) {
  extern __shared__ float tile[];
  for (int k = threadIdx.x; k < n; k += blockDim.x) tile[k] = in[k];
  __syncthreads();
  for (int k = threadIdx.x; k < n; k += blockDim.x) out[(size_t)blockIdx.x * n + k] = tile[n - 1 - k];
}

cudaError_t prepare() {
  auto kernel = &blend;
  return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes);
}

cudaError_t run(const float *in, float *out, int n, int blocks) {
  if (prepare() != cudaSuccess || blocks <= 0) return cudaErrorInvalidValue;
  blend<<<blocks, 256, kBytes>>>(in, out, n);
  return cudaGetLastError();
}
