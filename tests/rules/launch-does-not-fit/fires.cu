// cudalint-test: registers=200
// With 200 registers per thread, blocks of more than 256 threads are refused.
#include <cuda_runtime.h>

__global__ void shade(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

void ten_warps(float *x, int n) {
  if (n <= 0) return;
  shade<<<(n + 319) / 320, 320>>>(x, n);  //~ launch-does-not-fit: 320 threads with 200 registers each do not fit
}

void nine_warps(float *x, int n) {
  if (n <= 0) return;
  shade<<<(n + 287) / 288, 288>>>(x, n);  //~ launch-does-not-fit: 288 threads
}

void eight_warps(float *x, int n) {
  if (n <= 0) return;
  shade<<<(n + 255) / 256, 256>>>(x, n);
}
