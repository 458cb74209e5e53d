// From source alone the number of registers is not known.
#include <cuda_runtime.h>

__global__ void shade(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

void run(float *x, int n) {
  if (n <= 0) return;
  shade<<<(n + 1023) / 1024, 1024>>>(x, n);
}
