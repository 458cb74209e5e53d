// Cooperative grids that cannot be resident, however few registers the kernel has.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

__global__ void relax(float *x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] *= 0.5f;
  cooperative_groups::this_grid().sync();
  if (blockIdx.x == 0 && threadIdx.x == 0) x[n] = 1.0f;
}

__global__ void staged(float *x, int n) {
  __shared__ float tile[12000];
  for (int i = threadIdx.x; i < 12000; i += blockDim.x) tile[i] = x[i];
  cooperative_groups::this_grid().sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] = tile[i % 12000];
}

cudaError_t literal(float *x, int n) {
  void *arguments[] = {&x, &n};
  return cudaLaunchCooperativeKernel((void *)relax, dim3(2000), dim3(256), arguments, 0, 0);  //~ cooperative-launch-too-large: 2000 blocks must be resident at once; h200 holds 1056 (132 SMs × 8)
}

cudaError_t assumed(float *x, int n) {
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  void *arguments[] = {&x, &n};
  return cudaLaunchCooperativeKernel((void *)relax, dim3(sms * 16), dim3(256), arguments, 0, 0);  //~ cooperative-launch-too-large: 2112 blocks
}

// 48,000 bytes of shared memory: four blocks fit on an SM.
cudaError_t shared_memory(float *x, int n) {
  void *arguments[] = {&x, &n};
  return cudaLaunchCooperativeKernel((void *)staged, dim3(800), dim3(256), arguments, 0, 0);  //~ cooperative-launch-too-large: h200 holds 528 (132 SMs × 4)
}
