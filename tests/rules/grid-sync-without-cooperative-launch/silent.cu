// Cooperative launches, and grid-wide barriers that an ordinary launch does not come to.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

template <bool Sync>
__global__ void when_asked(float *d) {
  d[blockIdx.x * blockDim.x + threadIdx.x] = 1.0f;
  if (Sync) cg::this_grid().sync();
}

__global__ void when_possible(float *d) {
  cg::grid_group grid = cg::this_grid();
  d[blockIdx.x * blockDim.x + threadIdx.x] = 1.0f;
  if (grid.is_valid()) grid.sync();
}

__global__ void when_told(float *d, bool persistent) {
  d[blockIdx.x * blockDim.x + threadIdx.x] = 1.0f;
  if (persistent) cg::this_grid().sync();
}

__global__ void always(float *d) {
  cg::this_grid().sync();
  d[blockIdx.x * blockDim.x + threadIdx.x] = 1.0f;
}

cudaError_t launch(float *d, bool persistent, int blocks, cudaLaunchConfig_t *config) {
  when_asked<false><<<blocks, 256>>>(d);
  when_possible<<<blocks, 256>>>(d);
  when_told<<<blocks, 256>>>(d, persistent);
  cudaLaunchKernelEx(config, always, d);
  void *arguments[] = {&d};
  return cudaLaunchCooperativeKernel((void *)always, dim3(132), dim3(256), arguments, 0, 0);
}
