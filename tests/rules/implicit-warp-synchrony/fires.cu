// What lanes of a warp hand to each other through shared memory without waiting.
#include <cuda_runtime.h>

__device__ void last_warp(volatile float *s, int t) {
  s[t] += s[t + 32];
  s[t] += s[t + 16];  //~ implicit-warp-synchrony: thread 0 reads s[16], which thread 16 writes at line 5: both are of one warp
  s[t] += s[t + 8];
  s[t] += s[t + 4];
  s[t] += s[t + 2];
  s[t] += s[t + 1];
}

__global__ void total(float *out, const float *x) {
  __shared__ float s[256];
  const int t = threadIdx.x;
  s[t] = x[t] + x[t + 256];
  __syncthreads();
  if (t < 128) s[t] += s[t + 128];
  __syncthreads();
  if (t < 64) s[t] += s[t + 64];
  __syncthreads();
  if (t < 32) last_warp(s, t);
  if (t == 0) out[0] = s[0];
}

__global__ void leaders(float *out, const float *x) {
  __shared__ float first[8];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (lane == 0) first[warp] = x[warp];
  out[threadIdx.x] = first[warp];  //~ implicit-warp-synchrony: thread 1 reads first[0], which thread 0 writes
}

void run(float *out, const float *x) {
  total<<<1, 256>>>(out, x);
  leaders<<<1, 256>>>(out, x);
}
