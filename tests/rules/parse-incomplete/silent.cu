// cudalint-test: min-severity=note
// Words of launches where there are none: comments, strings, shifts, templates that close threefold.
#include <cuda_runtime.h>
#include <vector>

template <typename T>
struct Box {
  T value;
};

__global__ void scale(float *x, int n) {
  // not a launch: scale<<<1, 1>>>(x, n)
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

const char *usage() { return "write kernel<<<grid, block>>>(...) and mark it __global__"; }

int shifted(int a, int b) { return a << b >> 1; }

Box<Box<std::vector<int>>> nested() { return {}; }

void run(float *x, int n) {
  if (n > 0) scale<<<(n + 255) / 256, 256>>>(x, n);
}
