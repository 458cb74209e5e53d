// SM count x k with a k that the kernel does not achieve, whatever its registers.
#include <cuda_runtime.h>

__global__ void stride(float *x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] *= 2.0f;
}

__global__ void __launch_bounds__(256, 8) full(float *x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] *= 2.0f;
}

__global__ void staged(float *x, int n) {
  __shared__ float tile[8192];
  for (int i = threadIdx.x; i < 8192; i += blockDim.x) tile[i] = x[i];
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] = tile[i % 8192];
}

void few_small_blocks(float *x, int n) {
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  stride<<<6 * p.multiProcessorCount, 32>>>(x, n);  //~ residency-mismatch: 6 blocks per SM assumed, but h200 holds between 8 and 32
}

void a_quarter(float *x, int n) {
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  const int blocks = sms * 2;
  full<<<blocks, 256>>>(x, n);  //~ residency-mismatch: 2 blocks per SM assumed, but h200 holds 8
}
