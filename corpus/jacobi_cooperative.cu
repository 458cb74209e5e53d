// A Jacobi solver that sweeps inside one cooperative launch.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <algorithm>
#include <utility>

namespace cg = cooperative_groups;

__global__ void __launch_bounds__(512) sweep(float *a, float *b, const float *rhs, int n, int sweeps) {
  cg::grid_group grid = cg::this_grid();
  for (int s = 0; s < sweeps; ++s) {
    for (int i = 1 + grid.thread_rank(); i < n - 1; i += grid.size()) b[i] = 0.5f * (a[i - 1] + a[i + 1] - rhs[i]);
    grid.sync();
    float *t = a;
    a = b;
    b = t;
  }
}

cudaError_t solve(float *a, float *b, const float *rhs, int n, int sweeps, cudaStream_t s) {
  int device = 0, sms = 0, fit = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, sweep, 512, 0);
  void *arguments[] = {&a, &b, &rhs, &n, &sweeps};
  return cudaLaunchCooperativeKernel((const void *)sweep, dim3(sms * fit), dim3(512), arguments, 0, s);
}

// Sized for the data instead of the GPU.
cudaError_t solve_large(float *a, float *b, const float *rhs, cudaStream_t s) {
  int n = 1 << 22, sweeps = 100;
  void *arguments[] = {&a, &b, &rhs, &n, &sweeps};
  const dim3 grid((n + 511) / 512), block(512);
  return cudaLaunchCooperativeKernel((const void *)sweep, grid, block, arguments, 0, s);  //~ cooperative-launch-too-large: 8192 blocks
}

// Eight blocks of 512 threads are twice what an SM has threads for.
cudaError_t solve_by_eight(float *a, float *b, const float *rhs, int n, int sweeps, cudaStream_t s) {
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  void *arguments[] = {&a, &b, &rhs, &n, &sweeps};
  return cudaLaunchCooperativeKernel((const void *)sweep, dim3(8 * p.multiProcessorCount), dim3(512), arguments, 0, s);  //~ cooperative-launch-too-large: 1056 blocks
}
