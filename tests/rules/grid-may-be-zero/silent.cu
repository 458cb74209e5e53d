// cudalint-test: min-severity=note
// Something before the launch makes sure that there is work, or nothing is known of the grid.
#include <cuda_runtime.h>
#include <algorithm>

__global__ void scale(float *x, size_t n) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

__global__ void stride(float *x, size_t n) {
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) x[i] *= 2.0f;
}

void early_return(float *x, size_t n) {
  if (n == 0) return;
  scale<<<(n + 255) / 256, 256>>>(x, n);
}

cudaError_t early_error(float *x, int n) {
  if (n <= 0) return cudaErrorInvalidValue;
  scale<<<(n + 255) / 256, 256>>>(x, n);
  return cudaGetLastError();
}

void around(float *x, size_t n) {
  if (n > 0) {
    const unsigned blocks = (n + 255) / 256;
    scale<<<blocks, 256>>>(x, n);
  }
}

void on_the_grid(float *x, size_t n) {
  const unsigned blocks = (n + 255) / 256;
  if (blocks > 0) scale<<<blocks, 256>>>(x, n);
}

void at_least_one(float *x, size_t n) {
  const size_t blocks = std::max<size_t>(1, (n + 255) / 256);
  scale<<<(unsigned)blocks, 256>>>(x, n);
}

void known(float *x) { scale<<<(100000 + 255) / 256, 256>>>(x, 100000); }

void given(float *x, size_t n, int blocks) { stride<<<blocks, 256>>>(x, n); }
