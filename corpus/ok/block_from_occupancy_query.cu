// The block comes from cudaOccupancyMaxPotentialBlockSize: it is not known, but it fits.
#include <cuda_runtime.h>

__global__ void scale(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

cudaError_t run(float *x, int n) {
  if (n <= 0) return cudaSuccess;
  int least_grid = 0, block = 0;
  cudaError_t status = cudaOccupancyMaxPotentialBlockSize(&least_grid, &block, scale, 0, 0);
  if (status != cudaSuccess) return status;
  scale<<<(n + block - 1) / block, block>>>(x, n);
  return cudaGetLastError();
}
