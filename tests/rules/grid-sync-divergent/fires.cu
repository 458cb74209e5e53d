// Grid-wide barriers that some blocks or threads do not reach, or reach less often.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void some_blocks(float *d) {
  cg::grid_group grid = cg::this_grid();
  if (blockIdx.x % 2 == 0) grid.sync();  //~ grid-sync-divergent: which differs between blocks: some never arrive
  d[blockIdx.x] = 1.0f;
}

__global__ void some_threads(float *d) {
  if (threadIdx.x == 0) cg::this_grid().sync();  //~ grid-sync-divergent: which differs between threads
  d[blockIdx.x] = 1.0f;
}

__global__ void gone(float *d, int n) {
  if (blockIdx.x * blockDim.x + threadIdx.x >= n) return;
  cg::sync(cg::this_grid());  //~ grid-sync-divergent: never come to this grid-wide barrier
  d[blockIdx.x] = 1.0f;
}

__global__ void less_often(float *d, int n) {
  for (int i = blockIdx.x; i < n; i += gridDim.x) {
    d[i] = 1.0f;
    cg::this_grid().sync();  //~ grid-sync-divergent: a loop whose number of turns depends on 'i < n'
  }
}

cudaError_t launch(float *d, int n) {
  void *one[] = {&d}, *both[] = {&d, &n};
  cudaLaunchCooperativeKernel((void *)some_blocks, dim3(132), dim3(256), one, 0, 0);
  cudaLaunchCooperativeKernel((void *)some_threads, dim3(132), dim3(256), one, 0, 0);
  cudaLaunchCooperativeKernel((void *)gone, dim3(132), dim3(256), both, 0, 0);
  return cudaLaunchCooperativeKernel((void *)less_often, dim3(132), dim3(256), both, 0, 0);
}
