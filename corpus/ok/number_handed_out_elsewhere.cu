// Where the code that hands out the places of a chain is not seen, they may come from a counter, in the order of starting.
#include <cuda_runtime.h>

struct Share {
  int *next, *handed;
  int now;
};

__device__ Share share_of(int parts, int *next);
__device__ int first_part(Share *share);
__device__ int next_part(Share *share);

__global__ void pass_on(float *y, const float *x, int *arrived, int parts, int *next) {
  Share share = share_of(parts, next);
  for (int part = first_part(&share); part < parts; part = next_part(&share)) {
    const int i = part * blockDim.x + threadIdx.x;
    const float v = x[i];
    __syncthreads();
    if (threadIdx.x == 0) {
      while (atomicAdd(&arrived[part], 0) == 0) {}
      atomicAdd(&arrived[part + 1], 1);
    }
    __syncthreads();
    y[i + 1] = v;
  }
}

void run(float *y, const float *x, int *arrived, int parts, int *next, int blocks) {
  pass_on<<<blocks, 256>>>(y, x, arrived, parts, next);
}
