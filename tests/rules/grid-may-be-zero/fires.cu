// cudalint-test: min-severity=note
// Grids that are empty, or are so for an empty input.
#include <cuda_runtime.h>

__global__ void scale(float *x, size_t n) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

static unsigned div_up(size_t n, unsigned d) { return (n + d - 1) / d; }

void always(float *x) {
  const int n = 100, block = 256;
  scale<<<n / block, block>>>(x, n);  //~ grid-may-be-zero: the grid has 0 blocks along x
}

void unchecked(float *x, size_t n) {
  scale<<<(n + 255) / 256, 256>>>(x, n);  //~ grid-may-be-zero: the grid is empty where n is 0
}

void unchecked_helper(float *x, size_t n) {
  scale<<<div_up(n, 256), 256>>>(x, n);  //~ grid-may-be-zero: the grid is empty where n is 0
}

void rounded_down(float *x, size_t n) {
  if (n % 256 != 0) return;
  scale<<<n / 256, 256>>>(x, n);  //~ grid-may-be-zero: the grid is empty where n is less than 256
}

void checked_for_another(float *x, size_t n, size_t m) {
  if (m == 0) return;
  scale<<<(n + 255) / 256, 256>>>(x, n);  //~ grid-may-be-zero
}
