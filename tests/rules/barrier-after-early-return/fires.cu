// cudalint-test: gpu=h200
// Barriers that some threads no longer come to: with data missing behind them, and without.
#include <cuda_runtime.h>

__global__ void tile_not_full(float *d, int n) {
  __shared__ float s[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  s[threadIdx.x] = d[i];
  __syncthreads();  //~ barrier-after-early-return: s is read behind it
  d[i] = s[threadIdx.x ^ 1];
}

__global__ void nobody_misses_them(float *d, int n) {
  __shared__ float s[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  s[threadIdx.x] = d[i];
  __syncthreads();  //~ barrier-after-early-return: threads that return on 'i >= n' never come to this barrier
  d[i] = s[0];
}

__global__ void in_a_loop(float *d, int n) {
  for (int i = 0; i < n; ++i) {
    __syncthreads();  //~ barrier-after-early-return
    if (d[i * blockDim.x + threadIdx.x] > 1.0f) return;
  }
}

void launch(float *d, int n) {
  tile_not_full<<<(n + 255) / 256, 256>>>(d, n);
  nobody_misses_them<<<(n + 255) / 256, 256>>>(d, n);
  in_a_loop<<<n, 256>>>(d, n);
}
