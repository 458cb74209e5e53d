// Widths that are given, built-in widths, and code for one architecture.
#include <hip/hip_runtime.h>

__global__ void with_width(float *y, const float *x) {
  float v = x[blockIdx.x * blockDim.x + threadIdx.x];
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down(v, offset, 32);
  if (threadIdx.x % 32 == 0) atomicAdd(y, v);
}

__global__ void whole(float *y, const float *x) {
  float v = x[blockIdx.x * blockDim.x + threadIdx.x];
  for (int offset = warpSize / 2; offset > 0; offset /= 2) v += __shfl_down(v, offset);
  if (threadIdx.x % warpSize == 0) atomicAdd(y, v);
}

__global__ void chosen(float *y, const float *x) {
  float v = x[blockIdx.x * blockDim.x + threadIdx.x];
#ifdef __HIP_PLATFORM_NVIDIA__
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffff, v, offset);
#else
  for (int offset = 32; offset > 0; offset /= 2) v += __shfl_down(v, offset);
#endif
  if (threadIdx.x % warpSize == 0) atomicAdd(y, v);
}

hipError_t run(float *y, const float *x) {
  with_width<<<4096, 256>>>(y, x);
  whole<<<4096, 256>>>(y, x);
  chosen<<<4096, 256>>>(y, x);
  return hipGetLastError();
}
