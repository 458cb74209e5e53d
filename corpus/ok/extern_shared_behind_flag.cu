// The dynamic array is only touched where the host says so, and the launch without bytes says no.
#include <cuda_runtime.h>

template <bool Staged>
__global__ void gather(const float *table, const int *at, float *out, int n, int size) {
  extern __shared__ float staged[];
  if constexpr (Staged) {
    for (int k = threadIdx.x; k < size; k += blockDim.x) staged[k] = table[k];
    __syncthreads();
  }
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = Staged ? staged[at[i]] : table[at[i]];
}

__global__ void lookup(const float *table, const int *at, float *out, int n, int staged_size) {
  extern __shared__ float staged[];
  if (staged_size > 0) {
    for (int k = threadIdx.x; k < staged_size; k += blockDim.x) staged[k] = table[k];
    __syncthreads();
  }
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = at[i] < staged_size ? staged[at[i]] : table[at[i]];
}

cudaError_t run(const float *table, const int *at, float *out, int n, int size) {
  if (n <= 0) return cudaSuccess;
  const int blocks = (n + 255) / 256;
  if (size <= 8192)
    gather<true><<<blocks, 256, size * sizeof(float)>>>(table, at, out, n, size);
  else
    gather<false><<<blocks, 256>>>(table, at, out, n, size);
  return cudaGetLastError();
}

cudaError_t run_plain(const float *table, const int *at, float *out, int n) {
  if (n <= 0) return cudaSuccess;
  lookup<<<(n + 255) / 256, 256>>>(table, at, out, n, 0);
  return cudaGetLastError();
}
