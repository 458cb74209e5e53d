// Launches with the block where the grid belongs.
#include <cuda_runtime.h>

#define TPB 128

__global__ void scale(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

__global__ void plane(float *x, int w, int h) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col < w && row < h) x[row * w + col] *= 2.0f;
}

void macro(float *x, int n) {
  if (n <= 0) return;
  scale<<<TPB, (n + TPB - 1) / TPB>>>(x, n);  //~ grid-block-swapped: 128 blocks of ceil(n / 128) threads
}

void named(float *x, int n) {
  if (n <= 0) return;
  const int threads = 256;
  const int blocks = (n + threads - 1) / threads;
  scale<<<threads, blocks>>>(x, n);  //~ grid-block-swapped
}

void known_size(float *x) {
  const int n = 1 << 20, block = 256, grid = n / block;
  scale<<<block, grid>>>(x, n);  //~ grid-block-swapped: 256 blocks of 4096 threads
}

void two_dimensions(float *x, int w, int h) {
  if (w <= 0 || h <= 0) return;
  const dim3 tile(16, 16), tiles((w + 15) / 16, (h + 15) / 16);
  plane<<<tile, tiles>>>(x, w, h);  //~ grid-block-swapped
}
