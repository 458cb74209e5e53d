// cudalint-test: registers=40
// With 40 registers, six blocks of 256 threads are resident.
#include <cuda_runtime.h>

__global__ void stride(float *x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] *= 2.0f;
}

__global__ void each(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

void run(float *x, int n) {
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  const int sms = p.multiProcessorCount;
  stride<<<sms * 8, 256>>>(x, n);  //~ residency-mismatch: 8 blocks per SM assumed, but h200 holds 6: a last wave runs nearly empty
  stride<<<sms * 6, 256>>>(x, n);
  stride<<<sms * 24, 256>>>(x, n);
  each<<<sms * 8, 256>>>(x, n);
}
