// Launches within the bounds. The second argument of the bounds is not a number of threads.
#include <cuda_runtime.h>

__global__ void __launch_bounds__(512, 2) scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

template <int Block>
__global__ void __launch_bounds__(Block) shift(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 1.0f;
}

void at_the_bound(float *x, int n) {
  if (n > 0) scale<<<(n + 511) / 512, 512>>>(x, n);
}

void below(float *x, int n) {
  if (n > 0) scale<<<(n + 127) / 128, 128>>>(x, n);
}

template <int Block>
void by_its_own(float *x, int n) {
  if (n > 0) shift<Block><<<(n + Block - 1) / Block, Block>>>(x, n);
}

template void by_its_own<1024>(float *, int);
template void by_its_own<256>(float *, int);
