// cudalint-test: gpu=h200
// A fence before the count; a count that decides nothing; results handed on by atomics.
#include <cuda_runtime.h>

__global__ void largest(const float *x, float *part, unsigned *done, float *out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    part[blockIdx.x] = x[blockIdx.x];
    __threadfence();
    last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    float best = part[0];
    for (int b = 1; b < gridDim.x; ++b) best = fmaxf(best, part[b]);
    *out = best;
  }
}

__global__ void counted(const float *x, float *part, unsigned *done) {
  if (threadIdx.x == 0) {
    part[blockIdx.x] = x[blockIdx.x];
    atomicAdd(done, 1);
  }
}

cudaError_t run(const float *x, float *part, unsigned *done, float *out) {
  largest<<<264, 64>>>(x, part, done, out);
  counted<<<264, 64>>>(x, part, done);
  return cudaGetLastError();
}
