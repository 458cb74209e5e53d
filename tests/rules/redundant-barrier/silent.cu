// Barriers that order something, or may.
#include <cuda_runtime.h>

__device__ void unseen(float *d);

__global__ void through_global_memory(float *d) {
  d[threadIdx.x] *= 2.0f;
  __syncthreads();
  const float other = d[255 - threadIdx.x];
  __syncthreads();
  d[threadIdx.x] = other;
}

__global__ void from_turn_to_turn(float *d, const float *x, int n) {
  __shared__ float s[256];
  for (int i = 0; i < n; ++i) {
    __syncthreads();
    s[threadIdx.x] = x[i * 256 + threadIdx.x];
    __syncthreads();
    d[threadIdx.x] += s[255 - threadIdx.x];
  }
}

__global__ void before_what_is_not_seen(float *d) {
  __syncthreads();
  unseen(d);
  __syncthreads();
  unseen(d);
}

__global__ void in_place_or_not(float *out, const float *in) {
  const float mine = in[threadIdx.x];
  if (out == in) __syncthreads();
  out[255 - threadIdx.x] = mine;
}

__global__ void voted(int *d, const int *x) {
  const int any = __syncthreads_or(x[threadIdx.x]);
  d[threadIdx.x] = any;
}

__device__ int left_early(const float *s) {
  if (s[0] > 0.0f) return 1;
  return 2;
}

__global__ void behind_a_call(float *d) {
  __shared__ float s[256];
  s[threadIdx.x] = d[threadIdx.x];
  __syncthreads();
  const int way = left_early(s);
  d[threadIdx.x] = s[255 - threadIdx.x];
  __syncthreads();
  s[threadIdx.x] = way;
  __syncthreads();
  d[threadIdx.x] += s[255 - threadIdx.x];
}

template <int THREADS>
__global__ void unrolled(float *d) {
  __shared__ float s[THREADS];
  s[threadIdx.x] = d[threadIdx.x];
  __syncthreads();
  if (THREADS >= 256 && threadIdx.x < 128) s[threadIdx.x] += s[threadIdx.x + 128];
  __syncthreads();
  if (THREADS >= 128 && threadIdx.x < 64) s[threadIdx.x] += s[threadIdx.x + 64];
  __syncthreads();
  if (threadIdx.x == 0) d[0] = s[0];
}

void run(float *d, const float *x, int *k, int n) {
  through_global_memory<<<1, 256>>>(d);
  from_turn_to_turn<<<1, 256>>>(d, x, n);
  before_what_is_not_seen<<<1, 256>>>(d);
  in_place_or_not<<<1, 256>>>(d, x);
  voted<<<1, 256>>>(k, k);
  behind_a_call<<<1, 256>>>(d);
  unrolled<128><<<1, 128>>>(d);
  unrolled<256><<<1, 256>>>(d);
}
