// A size that starts as 0 and is read from a file afterwards: the grid computed from it is not known to be empty.
#include <cuda_runtime.h>
#include <fstream>

__global__ void scale(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

cudaError_t run(float *x, const char *path) {
  int n = 0;
  std::ifstream file(path);
  file >> n;
  if (n <= 0) return cudaSuccess;
  scale<<<(n + 127) / 128, 128>>>(x, n);
  return cudaGetLastError();
}
