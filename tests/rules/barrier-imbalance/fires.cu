// cudalint-test: gpu=h200
#define THREADS 256

// One thread adds up what the block wrote.
__global__ void serial_sum(const float *in, float *out) {
  __shared__ float s[THREADS];
  __shared__ float total;
  s[threadIdx.x] = in[blockIdx.x * THREADS + threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0.0f;
    for (int i = 0; i < THREADS; ++i) sum += s[i];
    total = sum;
  }
  __syncthreads();  //~ barrier-imbalance: one thread of 8 warps runs a loop of 256 turns
  out[blockIdx.x * THREADS + threadIdx.x] = s[threadIdx.x] / total;
}

// The same in a device function, over the block's own size, counted by hand.
__device__ void offsets(int *counts) {
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    int i = 1;
    while (i < blockDim.x * blockDim.y) {
      counts[i] += counts[i - 1];
      i++;
    }
  }
  __syncthreads();  //~ barrier-imbalance: one thread of 16 warps
}

__global__ void scan_counts(const int *in, int *out) {
  __shared__ int counts[512];
  const int t = threadIdx.y * blockDim.x + threadIdx.x;
  counts[t] = in[blockIdx.x * 512 + t];
  __syncthreads();
  offsets(counts);
  out[blockIdx.x * 512 + t] = counts[t];
}

// Two warps copy for eight.
__global__ void few_copy(const float *in, float *out) {
  __shared__ float tile[4096];
  if (threadIdx.x < 64)
    for (int i = threadIdx.x; i < 4096; i += 64) tile[i] = in[blockIdx.x * 4096 + i];
  __syncthreads();  //~ barrier-imbalance: 2 of 8 warps run a loop of 64 turns
  float sum = 0.0f;
  for (int i = 0; i < 16; ++i) sum += tile[i * 256 + threadIdx.x];
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}

// The first warp makes four times the turns of the others, whatever the number is: it cancels.
__global__ void first_warp_more(float *out, int turns, int rounds) {
  const int warp = threadIdx.x / 32;
  float a = threadIdx.x;
  for (int r = 0; r < rounds; ++r) {
    const int n = warp == 0 ? turns * 4 : turns;
    for (int i = 0; i < n; ++i) a = a * 1.0001f + 0.5f;
    __syncthreads();  //~ barrier-imbalance: the slowest of 8 warps makes
  }
  out[threadIdx.x] = a;
}

// Thread t goes round t times.
__global__ void triangle(const float *in, float *out) {
  __shared__ float s[256];
  float sum = 0.0f;
  for (int i = 0; i <= threadIdx.x; ++i) sum += in[i * 256 + threadIdx.x];
  s[threadIdx.x] = sum;
  __syncthreads();  //~ barrier-imbalance: 256 turns
  out[threadIdx.x] = s[255 - threadIdx.x];
}

// Nobody knows how many parts there are; from some number on it costs.
__global__ void parts_unknown(const float *parts, float *out, int count) {
  __shared__ float total;
  if (threadIdx.x == 0) {
    float sum = 0.0f;
    for (int i = 0; i < count; ++i) sum += parts[i];
    total = sum;
  }
  __syncthreads();  //~ barrier-imbalance: turns on 20%
  out[blockIdx.x * 256 + threadIdx.x] = total;
}

// A sixteenth of the threads, in steps of a loop over tiles.
__global__ void loader(const float *in, float *out, int tiles) {
  __shared__ float tile[2048];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    if (threadIdx.x / 32 == 3)
      for (int i = threadIdx.x % 32; i < 2048; i += 32) tile[i] = in[t * 2048 + i];
    __syncthreads();  //~ barrier-imbalance: 1 of 16 warps runs a loop of 64 turns
    for (int i = 0; i < 4; ++i) sum += tile[i * 512 + threadIdx.x];
    __syncthreads();
  }
  out[blockIdx.x * 512 + threadIdx.x] = sum;
}

cudaError_t run(const float *in, const int *counts, float *out, int *sums, int n, int rounds) {
  serial_sum<<<1000, THREADS>>>(in, out);
  scan_counts<<<1000, dim3(32, 16)>>>(counts, sums);
  few_copy<<<1000, 256>>>(in, out);
  first_warp_more<<<264, 256>>>(out, n, rounds);
  triangle<<<1, 256>>>(in, out);
  parts_unknown<<<1000, 256>>>(in, out, n);
  loader<<<132, 512>>>(in, out, rounds);
  return cudaGetLastError();
}
