// Small rows get small blocks and large rows large ones: the host chooses, so neither size is a mistake by itself.
#include <cuda_runtime.h>

__global__ void normalise(float *x, int columns) {
  float sum = 0.0f;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) sum += x[blockIdx.x * columns + c];
  if (sum != 0.0f)
    for (int c = threadIdx.x; c < columns; c += blockDim.x) x[blockIdx.x * columns + c] /= sum;
}

cudaError_t run(float *x, int rows, int columns) {
  if (rows <= 0) return cudaSuccess;
  if (columns < 1024) {
    normalise<<<rows, 32>>>(x, columns);
  } else {
    normalise<<<rows, 256>>>(x, columns);
  }
  return cudaGetLastError();
}
