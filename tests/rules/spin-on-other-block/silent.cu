// cudalint-test: gpu=h200
// Waits that no other block has to end: a lock its holder gives back, a probe of a table, a block's own flag.
#include <cuda_runtime.h>

__global__ void locked(int *lock, float *sum, const float *x) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {}
    *sum += x[blockIdx.x];
    __threadfence();
    atomicExch(lock, 0);
  }
}

__global__ void probe(const int *keys, int *table, int n, unsigned mask) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned at = keys[i] & mask;
  while (atomicCAS(&table[at], -1, keys[i]) != -1) at = (at + 1) & mask;
}

cudaError_t run(int *lock, float *sum, const float *x, const int *keys, int *table, int n) {
  if (n <= 0) return cudaSuccess;
  locked<<<264, 64>>>(lock, sum, x);
  probe<<<(n + 255) / 256, 256>>>(keys, table, n, 1023);
  return cudaGetLastError();
}
