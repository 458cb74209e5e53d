// Grids that fit or may fit, and ordinary launches of any size.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

__global__ void relax(float *x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] *= 0.5f;
  cooperative_groups::this_grid().sync();
  if (blockIdx.x == 0 && threadIdx.x == 0) x[n] = 1.0f;
}

__global__ void plain(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

cudaError_t asked(float *x, int n) {
  int sms = 0, fit = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, relax, 256, 0);
  void *arguments[] = {&x, &n};
  return cudaLaunchCooperativeKernel((void *)relax, dim3(sms * fit), dim3(256), arguments, 0, 0);
}

cudaError_t one_per_sm(float *x, int n) {
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  void *arguments[] = {&x, &n};
  return cudaLaunchCooperativeKernel((void *)relax, dim3(p.multiProcessorCount), dim3(1024), arguments, 0, 0);
}

cudaError_t exactly_full(float *x, int n) {
  void *arguments[] = {&x, &n};
  return cudaLaunchCooperativeKernel((void *)relax, dim3(1056), dim3(256), arguments, 0, 0);
}

cudaError_t given(float *x, int n, int blocks) {
  void *arguments[] = {&x, &n};
  return cudaLaunchCooperativeKernel((void *)relax, dim3(blocks), dim3(256), arguments, 0, 0);
}

void ordinary(float *x) { plain<<<1 << 16, 256>>>(x, 1 << 24); }
