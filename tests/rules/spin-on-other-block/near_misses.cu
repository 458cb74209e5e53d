// Locks, probing, tickets, grids that fit, and loops that work.
#include <cuda_runtime.h>

__global__ void locked(int *lock, float *total, const float *x) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
  }
  __syncthreads();
  atomicAdd(total, x[threadIdx.x]);
  if (threadIdx.x == 0) {
    __threadfence();
    atomicExch(lock, 0);
  }
}

__global__ void inserted(int *slots, const int *keys, int size) {
  const int key = keys[blockIdx.x * blockDim.x + threadIdx.x];
  int at = key % size;
  while (atomicCAS(&slots[at], 0, key) != 0) at = (at + 1) % size;
}

__global__ void added(double *sum, const double *x) {
  unsigned long long *bits = (unsigned long long *)sum;
  unsigned long long old = *bits, seen;
  do {
    seen = old;
    old = atomicCAS(bits, seen, seen + (unsigned long long)x[threadIdx.x]);
  } while (seen != old);
}

__global__ void by_ticket(int *next, volatile int *done, float *y, const float *x) {
  __shared__ int number;
  if (threadIdx.x == 0) number = atomicAdd(next, 1);
  __syncthreads();
  const int own = number;
  if (threadIdx.x == 0 && own > 0) {
    while (done[own - 1] == 0) {}
  }
  __syncthreads();
  y[own * blockDim.x + threadIdx.x] = x[own * blockDim.x + threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    done[own] = 1;
  }
}

__global__ void few(int *flag, float *y) {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) {}
    y[blockIdx.x * blockDim.x + threadIdx.x] = 1.0f;
  }
}

cudaError_t run(int *lock, float *total, const float *x, int *slots, const int *keys, int size, double *sum, const double *d) {
  locked<<<5000, 256>>>(lock, total, x);
  inserted<<<5000, 256>>>(slots, keys, size);
  added<<<5000, 256>>>(sum, d);
  by_ticket<<<5000, 256>>>(lock, slots, total, x);
  few<<<132, 256>>>(lock, total);
  return cudaGetLastError();
}
