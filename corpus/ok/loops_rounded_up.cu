// Every thread makes as many turns as every other: bounds rounded up to whole blocks or grids, and starts that stand in the bound too.
#include <cuda_runtime.h>

__global__ void padded(const float *in, float *out, int n) {
  __shared__ float s[256];
  const int padded = (n + 255) / 256 * 256;
  for (int i = threadIdx.x; i < padded; i += 256) {
    s[threadIdx.x] = i < n ? in[blockIdx.x * n + i] : 0.0f;
    __syncthreads();
    if (i < n) out[blockIdx.x * n + i] = s[threadIdx.x ^ 1];
    __syncthreads();
  }
}

__global__ void steps(const float *in, float *out, int count, int width) {
  __shared__ float s[64];
  for (int t = blockIdx.x * count * width + threadIdx.x; t < (blockIdx.x + 1) * count * width + threadIdx.x; t += width) {
    __syncthreads();
    s[threadIdx.x] = in[t];
    __syncthreads();
    out[t] = s[63 - threadIdx.x];
  }
}

void run(const float *in, float *out, int n, int rows, int width) {
  padded<<<rows, 256>>>(in, out, n);
  steps<<<rows, 64>>>(in, out, n, width);
}
