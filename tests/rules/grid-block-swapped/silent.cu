// The right way round, a fixed number of blocks that share the work, and blocks that are only too large.
#include <cuda_runtime.h>

#define NUM_BLOCKS 64

__global__ void scale(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

void right(float *x, int n) {
  if (n > 0) scale<<<(n + 255) / 256, 256>>>(x, n);
}

void shared_out(float *x, int n) {
  if (n > 0) scale<<<NUM_BLOCKS, (n + NUM_BLOCKS - 1) / NUM_BLOCKS>>>(x, n);
}

void within_the_limit(float *x, int n) {
  if (n <= 0 || n > 64 * 1024) return;
  scale<<<64, (n + 63) / 64>>>(x, n);
}

void ten_blocks(float *x, int n) {
  if (n > 0) scale<<<10, (n + 9) / 10>>>(x, n);
}

void one_block(float *x) {
  scale<<<1, 2048>>>(x, 2048);  //~ block-exceeds-device-limit
}
