// Warps of 32 lanes supposed on GPUs with 64.
#include <hip/hip_runtime.h>

__device__ float warp_sum(float v) {
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffff, v, offset);  //~ warp-size-hardcoded: names the lower 32 lanes of 64
  return v;
}

__global__ void masked(float *y, const float *x) {
  const float sum = warp_sum(x[blockIdx.x * blockDim.x + threadIdx.x]);
  if (threadIdx.x % 32 == 0) y[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = sum;
}

__global__ void mixed(float *y, const float *x) {
  float v = x[blockIdx.x * blockDim.x + threadIdx.x];
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down(v, offset);  //~ warp-size-hardcoded: half of them are lost
  if (threadIdx.x % warpSize == 0) atomicAdd(y, v);
}

__global__ void handed(float *y, int *next) {
  const int lane = threadIdx.x % 32;
  int at = 0;
  if (lane == 0) at = atomicAdd(next, 32);
  at = __shfl(at, 0);  //~ warp-size-hardcoded: the upper half gets what is not its own
  y[at + lane] = 1.0f;
}

__global__ void consistent(float *y, const float *x) {
  float v = x[blockIdx.x * blockDim.x + threadIdx.x];
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down(v, offset);  //~ warp-size-hardcoded: with no width that says so
  if ((threadIdx.x & 31) == 0) atomicAdd(y, v);
}

__global__ void sized(float *y) {
  __shared__ float s[1024 / warpSize];  //~ warp-size-hardcoded: warpSize stands as the size of an array
  if (threadIdx.x == 0) s[0] = 1.0f;
  __syncthreads();
  y[blockIdx.x * blockDim.x + threadIdx.x] = s[0];
}

hipError_t run(float *y, const float *x, int *next) {
  masked<<<4096, 256>>>(y, x);
  mixed<<<4096, 256>>>(y, x);
  handed<<<4096, 256>>>(y, next);
  consistent<<<4096, 256>>>(y, x);
  sized<<<4096, 256>>>(y);
  return hipGetLastError();
}
