// Set-up launches, whole warps and unknown sizes.
#include <cuda_runtime.h>

struct Node { Node *next; int value; };

__global__ void construct(Node *root) { root->next = nullptr; }

__global__ void add(const int *a, const int *b, int *c) { c[blockIdx.x] = a[blockIdx.x] + b[blockIdx.x]; }

__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

__global__ void solve(float *x, int n) {
  for (int i = 1; i < n; ++i) x[i] += x[i - 1];
}

void set_up(Node *root) { construct<<<1, 1>>>(root); }

void serial_tail(float *x, int n) { solve<<<1, 1>>>(x, n); }

void warp(float *x, int n) {
  if (n > 0) scale<<<(n + 63) / 64, 64>>>(x, n);
}

void unknown(float *x, int n, int threads) {
  if (n > 0 && threads > 0) scale<<<(n + threads - 1) / threads, threads>>>(x, n);
}
