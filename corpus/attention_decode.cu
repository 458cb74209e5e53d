// Attention for one new token: a block per head, and the same split over the past.
#include <cuda_runtime.h>

constexpr int kHeads = 32;
constexpr int kDim = 128;
constexpr int kSplits = 16;

__device__ float block_sum(float v, float *warp_sums) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
  if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = v;
  __syncthreads();
  v = 0.0f;
  for (int w = 0; w < kDim / 32; ++w) v += warp_sums[w];
  __syncthreads();
  return v;
}

__global__ void __launch_bounds__(kDim) decode(const float *q, const float *k, const float *v, float *out, int past) {
  __shared__ float warp_sums[kDim / 32];
  const int head = blockIdx.x, d = threadIdx.x;
  const int part = (past + gridDim.y - 1) / gridDim.y, from = blockIdx.y * part, to = min(past, from + part);
  float top = -1e30f, total = 0.0f, acc = 0.0f;
  for (int t = from; t < to; ++t) {
    const size_t at = ((size_t)head * past + t) * kDim + d;
    const float score = block_sum(q[head * kDim + d] * k[at], warp_sums) * 0.0883883f;
    const float higher = fmaxf(top, score), old = __expf(top - higher), now = __expf(score - higher);
    total = total * old + now;
    acc = acc * old + now * v[at];
    top = higher;
  }
  out[((size_t)head * gridDim.y + blockIdx.y) * kDim + d] = acc / total;
}

cudaError_t decode_by_heads(const float *q, const float *k, const float *v, float *out, int past, cudaStream_t s) {
  decode<<<kHeads, kDim, 0, s>>>(q, k, v, out, past);  //~ grid-underfills-device: 32 blocks on 132 SMs: 100 idle
  return cudaGetLastError();
}

cudaError_t decode_split(const float *q, const float *k, const float *v, float *out, int past, cudaStream_t s) {
  decode<<<dim3(kHeads, kSplits), kDim, 0, s>>>(q, k, v, out, past);
  return cudaGetLastError();
}
