// cudalint-test: gpu=h200
// Blocks that read what blocks beside them write in the same launch.
#include <cuda_runtime.h>

__global__ void in_place(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1) x[i] = 0.5f * (x[i] + x[i + 1]);  //~ block-order-assumed
}

__global__ void set_up(float *scale, float *out) {
  if (blockIdx.x == 0 && threadIdx.x == 0) *scale = 2.0f;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = *scale;  //~ block-order-assumed
}

__global__ void relative(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] / x[0];  //~ block-order-assumed
}

cudaError_t run(float *x, int n, float *scale, float *out) {
  in_place<<<1024, 256>>>(x, n);
  set_up<<<264, 256>>>(scale, out);
  relative<<<1024, 256>>>(x, n);
  return cudaGetLastError();
}
