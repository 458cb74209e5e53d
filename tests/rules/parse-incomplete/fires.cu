// cudalint-test: min-severity=note
// A launch that is no launch.
#include <cuda_runtime.h>

__global__ void scale(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

void broken(float *x, int n) {
  if (n <= 0) return;
  scale<<<(n + 255) / 256, 256>>(x, n);  //~ parse-incomplete
}
