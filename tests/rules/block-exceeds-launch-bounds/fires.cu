// Launches that break the promise of the kernel's launch bounds.
#include <cuda_runtime.h>

#define BOUND 256

__global__ void __launch_bounds__(BOUND, 4) scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

template <int Block>
__global__ void __launch_bounds__(Block) shift(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 1.0f;
}

void direct(float *x, int n) {
  if (n <= 0) return;
  scale<<<(n + 511) / 512, 512>>>(x, n);  //~ block-exceeds-launch-bounds: 512 threads per block, but scale is compiled for at most 256
}

static dim3 threads_for(int wanted) { return dim3(wanted); }

void through_a_helper(float *x, int n) {
  if (n <= 0) return;
  scale<<<(n + 1023) / 1024, threads_for(1024)>>>(x, n);  //~ block-exceeds-launch-bounds
}

void through_a_template(float *x, int n) {
  if (n <= 0) return;
  shift<128><<<(n + 255) / 256, 256>>>(x, n);  //~ block-exceeds-launch-bounds
}
