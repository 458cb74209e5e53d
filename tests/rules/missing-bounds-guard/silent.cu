// Something bounds the index, or there is room for whole blocks, or nothing is left over.
#include <cuda_runtime.h>
#include <stdexcept>

#define CLAMPED(i, n) ((i) < (n) ? (i) : (n) - 1)

__global__ void plain(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1.0f; }

__global__ void clamped(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  i = min(i, n - 1);
  x[i] = 1.0f;
}

__global__ void by_macro(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[CLAMPED(i, n)] = 1.0f;
}

__device__ bool inside(int i, int n) { return i < n; }

__global__ void by_callee(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (!inside(i, n)) return;
  x[i] = 1.0f;
}

__global__ void by_quotient(float *x, int rows, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int row = i / columns;
  if (row >= rows) return;
  x[i] = 1.0f;
}

__global__ void by_rest(float *x, int n) {
  int left = n - blockIdx.x * 256;
  if (threadIdx.x < left) x[blockIdx.x * 256 + threadIdx.x] = 1.0f;
}

__global__ void one_block(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 1.0f;
}

void guarded(float *x, int n, int columns) {
  if (n <= 0) return;
  clamped<<<(n + 255) / 256, 256>>>(x, n);
  by_macro<<<(n + 255) / 256, 256>>>(x, n);
  by_callee<<<(n + 255) / 256, 256>>>(x, n);
  by_quotient<<<(n + 255) / 256, 256>>>(x, n / columns, columns);
  by_rest<<<(n + 255) / 256, 256>>>(x, n);
}

void few(float *x) {
  const int n = 100;
  one_block<<<(n + 255) / 256, 256>>>(x, n);
}

void divides() {
  const int n = 1 << 20;
  float *x;
  cudaMalloc(&x, n * sizeof(float));
  plain<<<(n + 255) / 256, 256>>>(x);
}

void padded(int n) {
  if (n <= 0) return;
  const int blocks = (n + 255) / 256;
  float *x;
  cudaMalloc(&x, blocks * 256 * sizeof(float));
  plain<<<blocks, 256>>>(x);
}

void checked(float *x, int n) {
  if (n <= 0 || n % 256 != 0) throw std::invalid_argument("n");
  plain<<<(n + 255) / 256, 256>>>(x);
}
