// Masks that name lanes which do not come, and lanes that come without being named.
#include <cuda_runtime.h>

#define FULL 0xffffffffu

__device__ float warp_sum(float v) {
  for (int k = 16; k > 0; k /= 2) v += __shfl_down_sync(FULL, v, k);  //~ warp-mask-mismatch: kept away by 'i < n'
  return v;
}

__global__ void bound_around_shuffle(const float *d, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float sum = warp_sum(d[i]);
    if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
  }
}

__global__ void gone(const float *d, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = d[i];
  v += __shfl_xor_sync(FULL, v, 16);  //~ warp-mask-mismatch: gone where 'i >= n'
  out[i] = v;
}

__global__ void few_warps(float *part, float *out) {
  if (threadIdx.x < blockDim.x / 32) {
    float v = part[threadIdx.x];
    for (int k = 4; k > 0; k /= 2) v += __shfl_down_sync(FULL, v, k);  //~ warp-mask-mismatch: waits for thread 8
    out[threadIdx.x] = v;
  }
}

__global__ void one_lane(float *d) {
  if (threadIdx.x % 32 == 0) {
    d[threadIdx.x] = 1.0f;
    __syncwarp();  //~ warp-mask-mismatch: __syncwarp with mask 0xffffffff waits for thread 1
  }
}

__global__ void lower_half_only(float *d) {
  d += blockIdx.x * blockDim.x;
  if (threadIdx.x % 32 < 16) d[threadIdx.x] += __shfl_xor_sync(0xffu, d[threadIdx.x], 1);  //~ warp-mask-mismatch: thread 8 comes to __shfl_xor_sync
}

__global__ void against_the_vote(float *d) {
  d += blockIdx.x * blockDim.x;
  const unsigned mask = __ballot_sync(FULL, threadIdx.x % 32 < 16);
  if (threadIdx.x % 32 <= 16) d[threadIdx.x] = __shfl_sync(mask, d[threadIdx.x], 0);  //~ warp-mask-mismatch: thread 16 comes
}

__global__ void every_turn(const float *d, float *out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    if (__any_sync(FULL, d[i] > 0.0f)) out[i] = 1.0f;  //~ warp-mask-mismatch
  }
}

void launch(const float *d, float *out, int n, int blocks) {
  bound_around_shuffle<<<(n + 255) / 256, 256>>>(d, out, n);
  gone<<<(n + 255) / 256, 256>>>(d, out, n);
  few_warps<<<blocks, 256>>>(out, out);
  one_lane<<<blocks, 256>>>(out);
  lower_half_only<<<blocks, 256>>>(out);
  against_the_vote<<<blocks, 256>>>(out);
  every_turn<<<blocks, 256>>>(d, out, n);
}

__global__ void both_arms(const int *flag, int *low, int *high) {
  const int mine = flag[threadIdx.x];
  if (threadIdx.x % 32 < 16)
    low[threadIdx.x] = __all_sync(FULL, mine);  //~ warp-mask-mismatch
  else
    high[threadIdx.x] = __all_sync(FULL, mine);  //~ warp-mask-mismatch
}

void launch_both_arms(const int *flag, int *low, int *high) { both_arms<<<264, 128>>>(flag, low, high); }
