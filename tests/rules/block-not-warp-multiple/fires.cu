// Blocks that end in a partly filled warp.
#include <cuda_runtime.h>

#define THREADS 100

template <int Block>
__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * Block + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

__global__ void blur(const float *in, float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[y * w + x] = in[y * w + x] * 0.25f;
}

void literal(const float *a, const float *b, float *c, int n) {
  if (n <= 0) return;
  add<100><<<(n + 99) / 100, 100>>>(a, b, c, n);  //~ block-not-warp-multiple: 100 threads occupy 4 warps; 28 of 128
}

void macro(const float *a, const float *b, float *c, int n) {
  if (n <= 0) return;
  add<THREADS><<<(n + THREADS - 1) / THREADS, THREADS>>>(a, b, c, n);  //~ block-not-warp-multiple
}

void variable(const float *a, const float *b, float *c, int n) {
  if (n <= 0) return;
  const int warps = 3, extra = 4;
  const int threads = warps * 32 + extra;
  add<100><<<(n + threads - 1) / threads, threads>>>(a, b, c, n);  //~ block-not-warp-multiple
}

void two_dimensions(const float *in, float *out, int w, int h) {
  if (w <= 0 || h <= 0) return;
  dim3 block(15, 15);
  dim3 grid((w + 14) / 15, (h + 14) / 15);
  blur<<<grid, block>>>(in, out, w, h);  //~ block-not-warp-multiple: 225 threads occupy 8 warps; 31 of 256
}
