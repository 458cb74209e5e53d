// cudalint-test: gpu=h200
// The last block reads what others stored, and nothing made their stores visible before they counted themselves.
#include <cuda_runtime.h>

__global__ void largest(const float *x, float *part, unsigned *done, float *out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    part[blockIdx.x] = x[blockIdx.x];
    last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;  //~ last-block-missing-fence
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    float best = part[0];
    for (int b = 1; b < gridDim.x; ++b) best = fmaxf(best, part[b]);
    *out = best;
  }
}

cudaError_t run(const float *x, float *part, unsigned *done, float *out) {
  largest<<<264, 64>>>(x, part, done, out);
  return cudaGetLastError();
}
