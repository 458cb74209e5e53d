// HIP refuses 2^32 threads or more along a dimension.
#include <hip/hip_runtime.h>

__global__ void fill(float *x, long long n) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) x[i] = 1.0f;
}

void eight_billion(float *x) {
  const long long n = 1LL << 33;
  fill<<<(n + 255) / 256, 256>>>(x, n);  //~ grid-exceeds-device-limit: 8589934592 threads along x
}

void three_billion(float *x) {
  const long long n = 3LL << 30;
  fill<<<(n + 255) / 256, 256>>>(x, n);
}
