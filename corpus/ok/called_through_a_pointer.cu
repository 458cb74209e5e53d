// A launch wrapper that is called once directly and once through a pointer: the block is not what the one call passes.
#include <cuda_runtime.h>

__global__ void scale(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

void launch(float *x, int n, int threads) {
  if (n <= 0) return;
  scale<<<(n + threads - 1) / threads, threads>>>(x, n);
}

float benchmark(void (*run)(float *, int, int), float *x, int n, int threads);

float compare(float *x, int n) {
  launch(x, n, 128);
  float best = 1e30f;
  for (int threads = 64; threads <= 1024; threads *= 2) best = fminf(best, benchmark(launch, x, n, threads));
  return best;
}
