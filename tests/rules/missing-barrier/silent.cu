// Shared memory with a barrier where one is needed, and where none is.
#include <cuda_runtime.h>

#include <utility>

#define TILE 16
#define SYNC __syncthreads()
#define CELL(x, y, n) ((y+1)*(n)+(x+1))

__device__ void wait_for_all(float *s);

__global__ void own_slots(float *d) {
  __shared__ float s[256];
  s[threadIdx.x] = d[threadIdx.x];
  s[threadIdx.x] *= 2.0f;
  d[threadIdx.x] = s[threadIdx.x];
}

__global__ void one_value(float *d, int n) {
  __shared__ int found;
  found = n;
  d[threadIdx.x] = found;
}

__global__ void by_macro(float *d) {
  __shared__ float s[256];
  s[threadIdx.x] = d[threadIdx.x];
  SYNC;
  d[threadIdx.x] = s[255 - threadIdx.x];
}

__global__ void by_unseen(float *d) {
  __shared__ float s[256];
  s[threadIdx.x] = d[threadIdx.x];
  wait_for_all(s);
  d[threadIdx.x] = s[255 - threadIdx.x];
}

__global__ void excluded(float *d, bool first) {
  __shared__ float s[256];
  if (first) {
    s[threadIdx.x] = d[threadIdx.x];
  } else {
    d[threadIdx.x] = s[255 - threadIdx.x];
  }
}

__global__ void single_thread(float *d) {
  __shared__ float s[8];
  if (threadIdx.x == 37) {
    for (int i = 0; i < 8; ++i) s[i] = d[i];
    float sum = 0.0f;
    for (int i = 0; i < 8; ++i) sum += s[7 - i];
    d[8] = sum;
  }
}

__global__ void two_buffers(float *d, const float *x, int n) {
  __shared__ float s[2][256];
  int buf = 0;
  float sum = 0.0f;
  for (int i = 0; i < n; ++i) {
    s[buf][threadIdx.x] = x[i * 256 + threadIdx.x];
    __syncthreads();
    sum += s[buf][255 - threadIdx.x];
    buf ^= 1;
  }
  d[threadIdx.x] = sum;
}

__global__ void swapped(float *d, const float *x, int n) {
  __shared__ float a[256], b[256];
  float *in = a, *out = b;
  in[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int i = 0; i < n; ++i) {
    out[threadIdx.x] = in[threadIdx.x ^ 64];
    __syncthreads();
    std::swap(in, out);
  }
  d[threadIdx.x] = in[threadIdx.x];
}

__global__ void carved(float *d, int n) {
  extern __shared__ float pool[];
  float *left = pool, *right = pool + n;
  left[threadIdx.x] = d[threadIdx.x];
  right[threadIdx.x] = 0.0f;
  __syncthreads();
  d[threadIdx.x] = left[threadIdx.x ^ 32] + right[threadIdx.x ^ 32];
}

__global__ void tiles(float *d, const float *x, int width) {
  __shared__ float s[TILE][TILE + 1];
  float sum = 0.0f;
  for (int t = 0; t < width; t += TILE) {
    s[threadIdx.y][threadIdx.x] = x[threadIdx.y * width + t + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < TILE; ++k) sum += s[k][threadIdx.x];
    __syncthreads();
  }
  d[threadIdx.y * width + threadIdx.x] = sum;
}

__device__ void clear(int &flag) { flag = 0; }

__global__ void by_reference(int *d, int n) {
  __shared__ int running;
  running = 1;
  __syncthreads();
  while (true) {
    clear(running);
    __syncthreads();
    if (running == n) break;
    __syncthreads();
  }
  d[threadIdx.x] = running;
}

template <int KIND>
__device__ float first_of(float v) {
  __shared__ float s[1];
  if (threadIdx.x == 0) s[0] = v;
  __syncthreads();
  return s[0];
}

__global__ void instances(float *d) { d[threadIdx.x] = first_of<0>(d[threadIdx.x]) + first_of<1>(d[threadIdx.x]); }

__global__ void padded(float *d, int n) {
  __shared__ float s[18 * 18];
  s[CELL(threadIdx.x, threadIdx.y, 18)] = d[threadIdx.y * n + threadIdx.x];
  __syncthreads();
  d[threadIdx.y * n + threadIdx.x] = s[CELL(threadIdx.x, threadIdx.y, 18) + 1];
}

__global__ void first_of_a_loop(float *d, int n) {
  __shared__ float s[256];
  for (int i = 0; i < n; ++i) {
    if (i > 0) __syncthreads();
    s[threadIdx.x] = d[i * 256 + threadIdx.x];
    __syncthreads();
    d[i * 256 + threadIdx.x] = s[255 - threadIdx.x];
  }
}

__global__ void polled(int *d, int limit) {
  __shared__ int hits;
  if (threadIdx.x == 0) hits = 0;
  __syncthreads();
  while (hits < limit) atomicAdd(&hits, d[threadIdx.x]);
}

void run(float *d, const float *x, int *k, int n) {
  own_slots<<<1, 256>>>(d);
  one_value<<<1, 256>>>(d, n);
  by_macro<<<1, 256>>>(d);
  by_unseen<<<1, 256>>>(d);
  excluded<<<1, 256>>>(d, n > 1);
  single_thread<<<1, 256>>>(d);
  two_buffers<<<1, 256>>>(d, x, n);
  swapped<<<1, 256>>>(d, x, n);
  carved<<<1, 256, 2 * 256 * sizeof(float)>>>(d, 256);
  tiles<<<1, dim3(TILE, TILE)>>>(d, x, n);
  by_reference<<<1, 256>>>(k, n);
  instances<<<1, 256>>>(d);
  padded<<<1, dim3(16, 16)>>>(d, n);
  first_of_a_loop<<<1, 256>>>(d, n);
  polled<<<1, 256>>>(k, n);
}
