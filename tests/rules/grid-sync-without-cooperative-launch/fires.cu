// Grid-wide barriers in kernels that ordinary launches start.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__device__ void wait_for_all() { cg::this_grid().sync(); }

__global__ void in_a_function(float *d) {
  d[blockIdx.x * blockDim.x + threadIdx.x] = 1.0f;
  wait_for_all();
}

template <bool Sync>
__global__ void when_asked(float *d) {
  d[blockIdx.x * blockDim.x + threadIdx.x] = 1.0f;
  if (Sync) cg::sync(cg::this_grid());
}

cudaError_t launch(float *d, int blocks) {
  in_a_function<<<blocks, 256>>>(d);  //~ grid-sync-without-cooperative-launch: in_a_function waits for the whole grid
  when_asked<true><<<blocks, 256>>>(d);  //~ grid-sync-without-cooperative-launch
  void *arguments[] = {&d};
  return cudaLaunchKernel((void *)in_a_function, dim3(blocks), dim3(256), arguments, 0, 0);  //~ grid-sync-without-cooperative-launch
}
