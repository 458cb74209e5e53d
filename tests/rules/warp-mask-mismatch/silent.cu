// Whole warps that come or stay away together, masks that fit, and what nobody can tell.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#define FULL 0xffffffffu

__device__ float warp_sum(float v) {
  for (int k = 16; k > 0; k /= 2) v += __shfl_down_sync(FULL, v, k);
  return v;
}

__global__ void whole_warps(const float *d, float *out, int n) {
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  out += blockIdx.x * blockDim.x;
  float v = d[threadIdx.x];
  if (warp >= n) return;
  if (threadIdx.x < 64) v = warp_sum(v);
  if (threadIdx.x / 32 == 0) v = warp_sum(v);
  for (int row = warp; row < n; row += 8) v = warp_sum(v);
  if (lane < 16) v += __shfl_xor_sync(0xffffu, v, 1);
  const unsigned mask = __ballot_sync(FULL, lane < n);
  if (lane < n) v += __shfl_sync(mask, v, 0);
  if (lane < n) __syncwarp(__activemask());
  if (out[lane] > v) v = cooperative_groups::coalesced_threads().shfl(v, 0);
  out[threadIdx.x] = v;
}

// The last warp of the block has four lanes.
__global__ void partial(float *d) { d[threadIdx.x] = warp_sum(d[threadIdx.x]); }

__global__ void rows(float *d, int n) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= n) return;
  d[row * 64 + threadIdx.x] = warp_sum(d[row * 64 + threadIdx.x]);
}

// Those that left are not waited for, and nothing is read of them.
__global__ void vote_of_the_rest(float *d, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (__any_sync(FULL, d[i] > 0.0f)) d[i] = 1.0f;
  __syncwarp();
}

void launch(const float *d, float *out, int n, int blocks) {
  whole_warps<<<blocks, 256>>>(d, out, n);
  partial<<<blocks, 100>>>(out);  //~ block-not-warp-multiple
  rows<<<blocks, dim3(64, 4)>>>(out, n);
  vote_of_the_rest<<<(n + 255) / 256, 256>>>(out, n);
}
