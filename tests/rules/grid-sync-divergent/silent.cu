// Grid-wide barriers that every thread reaches equally often.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__device__ float residual;

__global__ void all(float *d, float *total, int n, int steps) {
  cg::grid_group grid = cg::this_grid();
  float error = 1.0f;
  for (int step = 0; step < steps && error > 0.0f; ++step) {
    if (blockIdx.x == 0 && threadIdx.x == 0) *total = 0.0f;
    grid.sync();
    for (int i = grid.thread_rank(); i < n; i += grid.size()) atomicAdd(total, d[i]);
    grid.sync();
    error = *total;
    grid.sync();
    if (grid.thread_rank() == 0) residual = error;
    grid.sync();
    if (residual < 1.0f) break;
  }
  if (n > steps) grid.sync();
  for (int i = blockIdx.x; i < 132 * 4; i += 132) grid.sync();
}

cudaError_t launch(float *d, float *total, int n, int steps) {
  void *arguments[] = {&d, &total, &n, &steps};
  return cudaLaunchCooperativeKernel((void *)all, dim3(132), dim3(256), arguments, 0, 0);
}
