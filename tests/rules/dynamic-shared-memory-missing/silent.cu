// Enough bytes, unknown bytes, and arrays that this launch does not use.
#include <cuda_runtime.h>

__global__ void reverse(int *d) {
  extern __shared__ int s[];
  const int t = threadIdx.x;
  s[t] = d[t];
  __syncthreads();
  d[t] = s[blockDim.x - 1 - t];
}

__global__ void optional(const float *in, float *out, int n, bool staged) {
  extern __shared__ float s[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (staged) s[threadIdx.x] = i < n ? in[i] : 0.0f;
  __syncthreads();
  if (i < n) out[i] = staged ? s[threadIdx.x] : in[i];
}

__global__ void leaves_first(const float *in, float *out, bool staged) {
  extern __shared__ float s[];
  if (!staged) return;
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

template <bool Staged>
__global__ void chosen(const float *in, float *out) {
  extern __shared__ float s[];
  if constexpr (Staged) {
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
  } else {
    out[threadIdx.x] = in[threadIdx.x];
  }
}

void enough(int *d) { reverse<<<1, 256, 256 * sizeof(int)>>>(d); }

void unknown(int *d, size_t bytes) { reverse<<<1, 256, bytes>>>(d); }

void unknown_block(int *d, int n) { reverse<<<1, n, n * sizeof(int)>>>(d); }

void unused(const float *in, float *out, int n) {
  if (n <= 0) return;
  optional<<<(n + 255) / 256, 256>>>(in, out, n, false);
  leaves_first<<<1, 256>>>(in, out, false);
  chosen<false><<<1, 256>>>(in, out);
}
