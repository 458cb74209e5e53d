// cudalint-test: gpu=mi300x
// All 64 bits of a ballot, and lanes counted by warpSize.
#include <hip/hip_runtime.h>

__global__ void count(const int *x, int *out) {
  const unsigned long long set = __ballot(x[blockIdx.x * blockDim.x + threadIdx.x] > 0);
  if (threadIdx.x % warpSize == 0) atomicAdd(out, __popcll(set));
}

__global__ void sums(const float *x, float *out) {
  float v = x[blockIdx.x * blockDim.x + threadIdx.x];
  for (int k = warpSize / 2; k > 0; k /= 2) v += __shfl_down(v, k);
  if (threadIdx.x % warpSize == 0) atomicAdd(out, v);
}

hipError_t run(const int *x, int *out, const float *y, float *sum) {
  count<<<1024, 256>>>(x, out);
  sums<<<1024, 256>>>(y, sum);
  return hipGetLastError();
}
