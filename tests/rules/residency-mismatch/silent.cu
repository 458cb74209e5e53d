// The occupancy query, k that may be right, and kernels that do not loop over the grid.
#include <cuda_runtime.h>

__global__ void stride(float *x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] *= 2.0f;
}

__global__ void __launch_bounds__(256, 8) full(float *x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] *= 2.0f;
}

__global__ void each(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

void run(float *x, int n, int per_sm) {
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  const int sms = p.multiProcessorCount;
  int fit = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, stride, 256, 0);
  stride<<<sms * fit, 256>>>(x, n);
  stride<<<sms * 2, 256>>>(x, n);
  stride<<<sms * per_sm, 256>>>(x, n);
  full<<<sms * 32, 256>>>(x, n);
  each<<<sms * 2, 64>>>(x, n);
}
