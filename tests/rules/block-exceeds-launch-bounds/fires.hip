// AMD's attributes are the same promise.
#include <hip/hip_runtime.h>

__global__ __attribute__((amdgpu_flat_work_group_size(64, 256))) void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

void flat(float *x, int n) {
  if (n <= 0) return;
  hipLaunchKernelGGL(scale, dim3((n + 511) / 512), dim3(512), 0, 0, x, n);  //~ block-exceeds-launch-bounds
}

void within(float *x, int n) {
  if (n <= 0) return;
  hipLaunchKernelGGL(scale, dim3((n + 255) / 256), dim3(256), 0, 0, x, n);
}
