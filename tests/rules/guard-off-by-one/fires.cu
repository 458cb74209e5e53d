// Conditions that let the thread one past the last element through.
#include <cuda_runtime.h>

__device__ float twice(float v) { return 2.0f * v; }

__global__ void early(float *x, size_t count) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i > count) return;  //~ guard-off-by-one: 'i > count' does not hold for the thread at n, one past the last element of 'x'
  x[i] = twice(x[i]);
}

__global__ void around(float *x, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= count) x[i] = 0.0f;  //~ guard-off-by-one: 'i <= count' holds
}

__global__ void rows(float *x, int width, int height) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width) return;
  if (row > height) return;  //~ guard-off-by-one
  x[row * width + column] = 0.0f;
}

void run(float *x, int n, int width, int height) {
  if (n <= 0 || width <= 0 || height <= 0) return;
  early<<<(n + 63) / 64, 64>>>(x, n);
  around<<<(n + 255) / 256, 256>>>(x, n);
  rows<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)>>>(x, width, height);
}

__global__ void stride(float *x, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= count) x[i] = 0.0f;  //~ guard-off-by-one
}

void as_allocated(int n) {
  if (n <= 0) return;
  float *x;
  cudaMalloc(&x, n * sizeof(float));
  stride<<<n / 128 + 1, 128>>>(x, n);
}

__global__ void queue(const float *in, float *out, int *next, int count) {
  while (true) {
    int item = atomicAdd(next, 1);
    if (item > count) break;  //~ guard-off-by-one
    out[item] = 2.0f * in[item];
  }
}

void drain(const float *in, float *out, int *next, int count) { queue<<<132, 256>>>(in, out, next, count); }
