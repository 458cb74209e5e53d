// Sizes that fill the slots, and launches that something else limits first.
#include <cuda_runtime.h>

__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

__global__ void tiled(const float *in, float *out, int n) {
  __shared__ float tile[8192];
  for (int k = threadIdx.x; k < 8192; k += 32) tile[k] = in[(size_t)blockIdx.x * 8192 + k];
  __syncwarp();
  for (int k = threadIdx.x; k < n; k += 32) out[(size_t)blockIdx.x * n + k] = tile[8191 - k];
}

__global__ void stride(float *x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] *= 2.0f;
}

void full(float *x, int n) {
  if (n > 0) scale<<<(n + 1023) / 1024, 1024>>>(x, n);
}

// 640 threads lose 4 of 64 warps.
void nearly_full(float *x, int n) {
  if (n > 0) scale<<<(n + 639) / 640, 640>>>(x, n);
}

// 32 KB of shared memory allow 6 blocks, whatever their size.
void shared_memory_first(const float *in, float *out, int n, int blocks) {
  tiled<<<blocks, 32>>>(in, out, n);
}

// 512 blocks are four on each SM of 132: the cap of 32 is never met.
void short_grid(float *x, int n) {
  stride<<<512, 32>>>(x, n);
}
