// Nothing is left over, or something else takes care of the rest.
#include <cuda_runtime.h>
#include <cassert>
#include <cmath>

constexpr int kBlock = 256;

__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

__global__ void stride(float *x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] *= 2.0f;
}

__global__ void tile(float *x, int n) {
  __shared__ float s[64];
  s[threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  x[blockIdx.x * 64 + (threadIdx.x ^ 1)] = s[threadIdx.x];
}

void whole(float *x) {
  const int n = 1 << 20;
  scale<<<n / kBlock, kBlock>>>(x, n);
}

void rounded(float *x, int n) {
  if (n <= 0) return;
  int padded = (n + kBlock - 1) / kBlock * kBlock;
  scale<<<padded / kBlock, kBlock>>>(x, padded);
}

void rounded_in_place(float *x, int n) {
  if (n <= 0) return;
  int total = n;
  if (total & 255) total = (total | 255) + 1;
  scale<<<total / kBlock, kBlock>>>(x, n);
}

void checked(float *x, int n) {
  assert(n > 0 && n % kBlock == 0);
  scale<<<n / kBlock, kBlock>>>(x, n);
}

void one_more(float *x, int n) {
  if (n > 0) scale<<<(n + kBlock) / kBlock, kBlock>>>(x, n);
}

void power(float *x, int log) {
  int size = pow(2, log);
  if (size >= kBlock) scale<<<size / kBlock, kBlock>>>(x, size);
}

void loops(float *x, int m) {
  if (m >= kBlock) stride<<<m / kBlock, kBlock>>>(x, m);
}

void rest(float *x, int count) {
  if (count < kBlock) return;
  int blocks = count / kBlock;
  scale<<<blocks, kBlock>>>(x, count);
  scale<<<1, kBlock>>>(x + blocks * kBlock, count - blocks * kBlock);
}

void tiles(float *x, int length, int threads) {
  if (length >= 64) tile<<<length / 64, threads>>>(x, length);
}
