// Whole warps, blocks smaller than one, single blocks, and sizes nobody knows.
#include <cuda_runtime.h>

__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

__global__ void blur(const float *in, float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[y * w + x] = in[y * w + x] * 0.25f;
}

void whole_warps(const float *a, const float *b, float *c, int n) {
  if (n <= 0) return;
  add<<<(n + 159) / 160, 160>>>(a, b, c, n);
}

// 24 x 8 is six whole warps although 24 is not one.
void product_counts(const float *in, float *out, int w, int h) {
  if (w <= 0 || h <= 0) return;
  blur<<<dim3((w + 23) / 24, (h + 7) / 8), dim3(24, 8)>>>(in, out, w, h);
}

void unknown(const float *a, const float *b, float *c, int n, int threads) {
  if (n <= 0 || threads <= 0) return;
  add<<<(n + threads - 1) / threads, threads>>>(a, b, c, n);
}

void rounded_up(const float *a, const float *b, float *c, int n, int threads) {
  if (n <= 0 || threads <= 0) return;
  const int block = (threads + 31) / 32 * 32;
  add<<<(n + block - 1) / block, block>>>(a, b, c, n);
}

void one_block(const float *a, const float *b, float *c) {
  add<<<1, 100>>>(a, b, c, 100);
}
