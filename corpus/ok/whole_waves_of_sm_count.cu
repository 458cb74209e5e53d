// 32 blocks of 256 threads per SM are four whole waves of 8, not a thin fifth.
#include <cuda_runtime.h>

__global__ void __launch_bounds__(256, 8) scale(float *x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] *= 2.0f;
}

cudaError_t run(float *x, int n) {
  int sms = 0;
  cudaError_t status = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  if (status != cudaSuccess) return status;
  scale<<<32 * sms, 256>>>(x, n);
  return cudaGetLastError();
}
