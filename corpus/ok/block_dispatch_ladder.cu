// One case for each block size the host may choose: the small ones are for small inputs, and only one ever runs.
#include <cuda_runtime.h>

template <int Block>
__global__ void reduce(const float *in, float *out, int n) {
  __shared__ float scratch[Block];
  float sum = 0.0f;
  for (int i = blockIdx.x * Block + threadIdx.x; i < n; i += gridDim.x * Block) sum += in[i];
  scratch[threadIdx.x] = sum;
  __syncthreads();
  for (int half = Block / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) scratch[threadIdx.x] += scratch[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = scratch[0];
}

cudaError_t run(const float *in, float *out, int n, int threads, int blocks) {
  const dim3 grid(blocks), block(threads);
  switch (threads) {
    case 1024: reduce<1024><<<grid, block>>>(in, out, n); break;
    case 256: reduce<256><<<grid, block>>>(in, out, n); break;
    case 64: reduce<64><<<grid, block>>>(in, out, n); break;
    case 32: reduce<32><<<grid, block>>>(in, out, n); break;
    case 16: reduce<16><<<grid, block>>>(in, out, n); break;
    case 1: reduce<1><<<grid, block>>>(in, out, n); break;
    default: return cudaErrorInvalidValue;
  }
  return cudaGetLastError();
}
