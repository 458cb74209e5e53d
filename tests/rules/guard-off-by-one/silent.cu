// Bounds that only look one too high.
#include <cuda_runtime.h>

__global__ void last(float *x, int last) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > last) return;
  x[i] = 0.0f;
}

__global__ void one_based(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  if (i <= n) x[i - 1] = 0.0f;
}

__global__ void prefix(int *offsets, int rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= rows) offsets[i] = 0;
}

__global__ void again(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) {
    if (i == n) return;
    x[i] = 0.0f;
  }
}

__global__ void queue(float *out, int *next, int last) {
  while (true) {
    int item = atomicAdd(next, 1);
    if (item > last) break;
    out[item] = 1.0f;
  }
}

void run(float *x, int *offsets, int n, int *next) {
  if (n <= 0) return;
  last<<<(n + 255) / 256, 256>>>(x, n - 1);
  one_based<<<(n + 255) / 256, 256>>>(x, n);
  prefix<<<(n + 1 + 255) / 256, 256>>>(offsets, n);
  again<<<(n + 255) / 256, 256>>>(x, n);
  queue<<<132, 256>>>(x, next, n - 1);
}

void one_more(int n) {
  if (n <= 0) return;
  int *offsets;
  cudaMalloc(&offsets, (n + 1) * sizeof(int));
  prefix<<<n / 256 + 1, 256>>>(offsets, n);
}
