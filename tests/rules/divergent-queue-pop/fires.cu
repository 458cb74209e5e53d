// Queues whose items are popped by each thread for itself although the block works on them together.
#include <cuda_runtime.h>

__global__ void each_for_itself(const float *items, float *out, int n, int *next) {
  __shared__ float s[128];
  for (;;) {
    const int item = atomicAdd(next, 1);  //~ divergent-queue-pop: each thread pops an item of its own from next
    if (item >= n) break;
    s[threadIdx.x] = items[item * 128 + threadIdx.x];
    __syncthreads();
    out[item * 128 + threadIdx.x] = s[127 - threadIdx.x];
    __syncthreads();
  }
}

__global__ void ahead(float *out, int n, int *next) {
  int item = atomicAdd(next, 1);  //~ divergent-queue-pop
  while (item < n) {
    out[item] += 1.0f;
    __syncthreads();
    item = atomicAdd(next, 1);
  }
}

__global__ void returns(float *out, int n, int *next) {
  while (true) {
    const int item = atomicInc((unsigned *)next, 1u << 30);  //~ divergent-queue-pop
    if (item >= n) return;
    __syncthreads();
    out[item] += 1.0f;
  }
}

__global__ void kept(float *out, int n, int *next) {
  int item = 0;
  while (item < n) {
    if (threadIdx.x == 0) item = atomicAdd(next, 1);  //~ divergent-queue-pop: only threads under 'threadIdx.x == 0' know
    out[item * 128 + threadIdx.x] = 1.0f;
  }
}

void launch(const float *items, float *out, int n, int *next) {
  each_for_itself<<<264, 128>>>(items, out, n, next);
  ahead<<<264, 128>>>(out, n, next);
  returns<<<264, 128>>>(out, n, next);
  kept<<<264, 128>>>(out, n, next);
}
