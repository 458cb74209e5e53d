// cudalint-test: registers=200
// The compiler keeps a kernel within its launch bounds or its cap on registers.
#include <cuda_runtime.h>

__global__ void __launch_bounds__(1024) bounded(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

__global__ void __maxnreg__(64) capped(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

void run(float *x, int n, int threads) {
  if (n <= 0 || threads <= 0) return;
  bounded<<<(n + 1023) / 1024, 1024>>>(x, n);
  capped<<<(n + 1023) / 1024, 1024>>>(x, n);
  bounded<<<(n + threads - 1) / threads, threads>>>(x, n);
}
