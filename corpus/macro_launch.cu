// A project that launches through macros: the configuration is an argument of one, or hidden in it.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define THREADS 192
#define BLOCKS(n) (((n) + THREADS - 1) / THREADS)

#define LAUNCH(kernel, n, ...)                                              \
  do {                                                                      \
    kernel<<<BLOCKS(n), THREADS>>>(__VA_ARGS__, n);                         \
    cudaError_t status = cudaGetLastError();                                \
    if (status != cudaSuccess) {                                            \
      std::fprintf(stderr, #kernel ": %s\n", cudaGetErrorString(status));   \
      std::abort();                                                         \
    }                                                                       \
  } while (0)

#define LAUNCH_SHAPED(kernel, grid, block, ...)                             \
  do {                                                                      \
    kernel<<<grid, block>>>(__VA_ARGS__);                                   \
    if (cudaGetLastError() != cudaSuccess) std::abort();                    \
  } while (0)

__global__ void negate(float *x, int n) {
  const int i = blockIdx.x * THREADS + threadIdx.x;
  if (i < n) x[i] = -x[i];
}

__global__ void rotate(const uchar4 *in, uchar4 *out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[x * h + (h - 1 - y)] = in[y * w + x];
}

void negate_all(float *x, int n) {
  if (n > 0) LAUNCH(negate, n, x);
}

void rotate_image(const uchar4 *in, uchar4 *out, int w, int h) {
  if (w <= 0 || h <= 0) return;
  const dim3 block(32, 8), grid((w + 31) / 32, (h + 7) / 8);
  LAUNCH_SHAPED(rotate, grid, block, in, out, w, h);
}

void rotate_in_large_blocks(const uchar4 *in, uchar4 *out, int w, int h) {
  if (w <= 0 || h <= 0) return;
  const dim3 block(64, 32), grid((w + 63) / 64, (h + 31) / 32);
  LAUNCH_SHAPED(rotate, grid, block, in, out, w, h);  //~ block-exceeds-device-limit: 2048 threads per block
}
