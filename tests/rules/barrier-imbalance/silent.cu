// cudalint-test: gpu=h200
__device__ float unseen(float x);

// One thread writes what it knows: there is nothing to share out.
__global__ void one_store(const float *in, float *out, unsigned *ticket) {
  __shared__ unsigned block;
  __shared__ float first, last;
  if (threadIdx.x == 0) {
    block = atomicAdd(ticket, 1u);
    first = in[block * 256];
    last = in[block * 256 + 255];
  }
  __syncthreads();
  out[block * 256 + threadIdx.x] = first + last;
}

// A tree: ever fewer warps have something to do, and none has a loop.
__global__ void tree(const float *in, float *out) {
  __shared__ float s[256];
  s[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}

// The first warp adds up what the others left: a few turns, and its lanes work together in each.
__global__ void by_warps(const float *in, float *out) {
  __shared__ float s[8];
  float own = in[blockIdx.x * 256 + threadIdx.x];
  for (int step = 16; step > 0; step /= 2) own += __shfl_down_sync(0xffffffffu, own, step);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = own;
  __syncthreads();
  if (threadIdx.x < 32) {
    own = threadIdx.x < 8 ? s[threadIdx.x] : 0.0f;
    for (int step = 16; step > 0; step /= 2) own += __shfl_down_sync(0xffffffffu, own, step);
    if (threadIdx.x == 0) s[0] = own;
  }
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = s[0];
}

// Eight numbers are added by one thread before a tree would be through.
__global__ void eight_numbers(const float *in, float *out) {
  __shared__ float s[8];
  __shared__ float total;
  float own = 0.0f;
  for (int i = threadIdx.x; i < 4096; i += 256) own += in[blockIdx.x * 4096 + i];
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = own;
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0.0f;
    for (int i = 0; i < 8; ++i) sum += s[i];
    total = sum;
  }
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = total;
}

// 100 elements for 256 threads: one turn at most, as even as it can be.
__global__ void short_copy(const float *in, float *out) {
  __shared__ float s[300];
  for (int i = threadIdx.x; i < 300; i += 256) s[i] = in[blockIdx.x * 300 + i];
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x] + s[299 - threadIdx.x];
}

// How long the others work is not known: it may be as long.
__global__ void two_numbers(const float *in, float *out, int serial, int shared_out) {
  __shared__ float total;
  float own = 0.0f;
  if (threadIdx.x == 0) {
    float sum = 0.0f;
    for (int i = 0; i < serial; ++i) sum += in[i];
    total = sum;
  }
  for (int i = threadIdx.x; i < shared_out; i += 256) own += in[i];
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = own + total;
}

// The data says how long each row is.
__global__ void rows(const int *start, const float *in, float *out) {
  __shared__ float s[256];
  const int row = blockIdx.x * 256 + threadIdx.x;
  float sum = 0.0f;
  for (int i = start[row]; i < start[row + 1]; ++i) sum += in[i];
  s[threadIdx.x] = sum;
  __syncthreads();
  out[row] = s[threadIdx.x ^ 1];
}

// What the others do meanwhile is not visible.
__global__ void calls_unseen(const float *in, float *out) {
  __shared__ float s[256];
  __shared__ float total;
  s[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  const float own = unseen(s[threadIdx.x]);
  if (threadIdx.x == 0) {
    float sum = 0.0f;
    for (int i = 0; i < 256; ++i) sum += s[i];
    total = sum;
  }
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = own + total;
}

// No barrier follows: nobody waits.
__global__ void at_the_end(const float *in, float *out) {
  __shared__ float s[256];
  s[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0.0f;
    for (int i = 0; i < 256; ++i) sum += s[i];
    out[blockIdx.x] = sum;
  }
}

// A block of one warp has nobody to wait.
__global__ void one_warp(const float *in, float *out) {
  __shared__ float s[32];
  __shared__ float total;
  s[threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0.0f;
    for (int i = 0; i < 32; ++i) sum += s[i];
    total = sum;
  }
  __syncthreads();
  out[blockIdx.x * 32 + threadIdx.x] = total;
}

// Both halves of the block have a loop of the same length.
__global__ void two_halves(const float *a, const float *b, float *out, int n) {
  __shared__ float s[256];
  float sum = 0.0f;
  if (threadIdx.x < 128) {
    for (int i = 0; i < n; ++i) sum += a[i * 128 + threadIdx.x];
  } else {
    for (int i = 0; i < n; ++i) sum += b[i * 128 + threadIdx.x - 128];
  }
  s[threadIdx.x] = sum;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x ^ 128];
}

cudaError_t run(const float *in, float *out, const int *start, unsigned *ticket, int n, int m) {
  one_store<<<1320, 256>>>(in, out, ticket);
  tree<<<1320, 256>>>(in, out);
  by_warps<<<1320, 256>>>(in, out);
  eight_numbers<<<1320, 256>>>(in, out);
  short_copy<<<1320, 256>>>(in, out);
  two_numbers<<<1320, 256>>>(in, out, n, m);
  rows<<<1320, 256>>>(start, in, out);
  calls_unseen<<<1320, 256>>>(in, out);
  at_the_end<<<1320, 256>>>(in, out);
  one_warp<<<1320, 32>>>(in, out);
  two_halves<<<1, 256>>>(in, in, out, n);
  return cudaGetLastError();
}
