// Blocks no GPU accepts.
#include <cuda_runtime.h>

#define SIDE 33

constexpr int kThreads = 1 << 11;

__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 2.0f;
}

__global__ void plane(float *x, int w, int h) {
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col < w && row < h) x[row * w + col] *= 2.0f;
}

__global__ void volume(float *x, int n) {
  int i = blockIdx.x * blockDim.z + threadIdx.z;
  if (i < n) x[i] *= 2.0f;
}

void constant(float *x, int n) {
  if (n <= 0) return;
  scale<<<(n + kThreads - 1) / kThreads, kThreads>>>(x, n);  //~ block-exceeds-device-limit: 2048 threads per block
}

void square(float *x, int w, int h) {
  if (w <= 0 || h <= 0) return;
  dim3 block(SIDE, SIDE);
  dim3 grid((w + SIDE - 1) / SIDE, (h + SIDE - 1) / SIDE);
  plane<<<grid, block>>>(x, w, h);  //~ block-exceeds-device-limit: 1089 threads per block
}

void along_z(float *x, int n) {
  if (n <= 0) return;
  volume<<<(n + 127) / 128, dim3(1, 1, 128)>>>(x, n);  //~ block-exceeds-device-limit: along z
}

void empty(float *x, int n) {
  if (n <= 0) return;
  const int half = 1 / 2;
  scale<<<n, half>>>(x, n);  //~ block-exceeds-device-limit: a block of 0 threads
}
