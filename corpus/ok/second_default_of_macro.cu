// Two defaults for one macro, each under the #ifndef of its name: only the first counts, and blocks have 256 threads.
#include <cuda_runtime.h>

#define LANES 4
#ifndef PACKAGES
#define PACKAGES 64
#endif

#ifndef PACKAGES
#define PACKAGES 4
#endif

__global__ void mix(const float *y, float *x, int n) {
  const int i = blockIdx.x * LANES * PACKAGES + threadIdx.x;
  for (int k = 0; k < n; ++k)
    if (i < n) x[i] += y[k];
}

cudaError_t run(const float *y, float *x, int n) {
  if (n <= 0) return cudaSuccess;
  mix<<<(n + LANES * PACKAGES - 1) / (LANES * PACKAGES), LANES * PACKAGES>>>(y, x, n);
  return cudaGetLastError();
}
