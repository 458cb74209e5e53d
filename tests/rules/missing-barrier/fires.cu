// Shared memory that threads of two warps use between the same two barriers.
#include <cuda_runtime.h>

__global__ void mirrored(float *d) {
  __shared__ float s[256];
  s[threadIdx.x] = d[threadIdx.x];
  d[threadIdx.x] = s[255 - threadIdx.x];  //~ missing-barrier: thread 255 reads s[0], which thread 0 writes at line 6
}

__global__ void refilled(float *d, const float *x, int n) {
  __shared__ float tile[256];
  float sum = 0.0f;
  for (int base = 0; base < n; base += 256) {
    tile[threadIdx.x] = x[base + threadIdx.x];  //~ missing-barrier: may still have to read at line 17 in the turn before
    __syncthreads();
    for (int i = 0; i < 256; ++i) {
      sum += tile[i];
    }
  }
  d[threadIdx.x] = sum;
}

__device__ float block_sum(float v, float *partial) {
  for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(0xffffffff, v, o);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = v;  //~ missing-barrier: may still have to read
  __syncthreads();
  v = 0.0f;
  for (int w = 0; w < 8; ++w) v += partial[w];
  return v;
}

__global__ void summed_twice(float *d) {
  __shared__ float partial[8];
  const float mean = block_sum(d[threadIdx.x], partial) / 256;
  const float away = d[threadIdx.x] - mean;
  d[threadIdx.x] = block_sum(away * away, partial);
}

__global__ void counted_at_once(int *d) {
  __shared__ int hits;
  if (threadIdx.x == 0) hits = 0;
  atomicAdd(&hits, d[threadIdx.x]);  //~ missing-barrier: thread 1023 updates hits, which thread 0 writes
  __syncthreads();
  if (threadIdx.x == 0) d[0] = hits;
}

__global__ void halved(float *d) {
  __shared__ float s[256];
  s[threadIdx.x] = d[threadIdx.x];
  __syncthreads();
  int i = blockDim.x / 2;
  while (i != 0) {
    if (threadIdx.x < i) s[threadIdx.x] += s[threadIdx.x + i];  //~ missing-barrier
    i /= 2;
  }
  __syncthreads();
  if (threadIdx.x == 0) d[0] = s[0];
}

__global__ void one_buffer_of_two(float *d, const float *x, int n) {
  __shared__ float s[2][256];
  int buf = 0;
  float sum = 0.0f;
  for (int i = 0; i < n; ++i) {
    s[buf][threadIdx.x] = x[i * 256 + threadIdx.x];
    __syncthreads();
    sum += s[buf ^ 1][255 - threadIdx.x];
    s[buf ^ 1][threadIdx.x] = 0.0f;  //~ missing-barrier
    buf ^= 1;
    __syncthreads();
  }
  d[threadIdx.x] = sum;
}

__global__ void where_it_is_large(float *d) {
  __shared__ float s[256];
  s[threadIdx.x] = d[threadIdx.x];
  if (d[threadIdx.x] > 1.0f) d[threadIdx.x] = s[threadIdx.x ^ 32];  //~ missing-barrier
}

void run(float *d, const float *x, int *k, int n) {
  mirrored<<<1, 256>>>(d);
  refilled<<<1, 256>>>(d, x, n);
  summed_twice<<<1, 256>>>(d);
  counted_at_once<<<1, 1024>>>(k);
  halved<<<1, 256>>>(d);
  one_buffer_of_two<<<1, 256>>>(d, x, n);
  where_it_is_large<<<1, 256>>>(d);
}
