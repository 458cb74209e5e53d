// cudalint-test: gpu=mi300x
// A ballot of 64 lanes kept in 32 bits.
#include <hip/hip_runtime.h>

__global__ void count(const int *x, int *out) {
  const unsigned set = __ballot(x[blockIdx.x * blockDim.x + threadIdx.x] > 0);  //~ warp-size-hardcoded
  if (threadIdx.x % warpSize == 0) atomicAdd(out, __popc(set));
}

hipError_t run(const int *x, int *out) {
  count<<<1024, 256>>>(x, out);
  return hipGetLastError();
}
