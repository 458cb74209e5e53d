// 100 is only the value before the device is asked: on no path does it reach the launch.
#include <cuda_runtime.h>

__global__ void scale(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

cudaError_t run(float *x, int n, bool wide) {
  if (n <= 0) return cudaSuccess;
  int threads = 100;
  if (wide) {
    threads = 512;
  } else {
    threads = 128;
  }
  scale<<<(n + threads - 1) / threads, threads>>>(x, n);
  return cudaGetLastError();
}
