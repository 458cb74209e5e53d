// Whole wavefronts of 64, and a guard for the targets with 32.
#include <hip/hip_runtime.h>

__global__ void scale(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

hipError_t run(float *x, int n) {
  if (n <= 0) return hipSuccess;
  scale<<<(n + 191) / 192, 192>>>(x, n);
  return hipGetLastError();
}

hipError_t run_asked(float *x, int n) {
  if (n <= 0) return hipSuccess;
  hipDeviceProp_t properties;
  hipError_t status = hipGetDeviceProperties(&properties, 0);
  if (status != hipSuccess) return status;
  const int threads = 4 * properties.warpSize;
  scale<<<(n + threads - 1) / threads, threads>>>(x, n);
  return hipGetLastError();
}
