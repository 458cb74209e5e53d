// Sum of an array: per-block partial sums in dynamic shared memory, then one block over the partial sums.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

template <typename T>
__global__ void partial_sums(const T *in, T *out, size_t n) {
  extern __shared__ float scratch[];
  const unsigned t = threadIdx.x;
  T sum = 0;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + t; i < n; i += (size_t)gridDim.x * blockDim.x) sum += in[i];
  scratch[t] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) scratch[t] += scratch[t + half];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = scratch[0];
}

__global__ void total(const float *parts, float *result, int count) {
  __shared__ float scratch[kThreads];
  float sum = 0;
  for (int i = threadIdx.x; i < count; i += blockDim.x) sum += parts[i];
  scratch[threadIdx.x] = sum;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) scratch[threadIdx.x] += scratch[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) *result = scratch[0];
}

cudaError_t sum(const float *in, float *parts, float *result, size_t n, int blocks, cudaStream_t stream) {
  if (n == 0 || blocks <= 0) return cudaErrorInvalidValue;
  partial_sums<float><<<blocks, kThreads, kThreads * sizeof(float), stream>>>(in, parts, n);
  cudaError_t status = cudaGetLastError();
  if (status != cudaSuccess) return status;
  total<<<1, kThreads, 0, stream>>>(parts, result, blocks);
  return cudaGetLastError();
}

// The size of the shared array was left out.
cudaError_t sum_without_scratch(const float *in, float *parts, size_t n, int blocks) {
  if (n == 0 || blocks <= 0) return cudaErrorInvalidValue;
  partial_sums<float><<<blocks, kThreads>>>(in, parts, n);  //~ dynamic-shared-memory-missing: the launch gives it none
  return cudaGetLastError();
}

// Elements where bytes are meant.
cudaError_t sum_with_a_quarter(const float *in, float *parts, size_t n, int blocks) {
  if (n == 0 || blocks <= 0) return cudaErrorInvalidValue;
  partial_sums<float><<<blocks, kThreads, kThreads>>>(in, parts, n);  //~ dynamic-shared-memory-missing: at least 1024 bytes
  return cudaGetLastError();
}

// 768 threads: two blocks leave 512 of an SM's 2048 thread slots.
cudaError_t sum_by_768(const float *in, float *parts, size_t n, int blocks) {
  if (n == 0 || blocks <= 0) return cudaErrorInvalidValue;
  partial_sums<float><<<blocks, 768, 768 * sizeof(float)>>>(in, parts, n);  //~ block-size-residency-cliff //~ kernel-assumes-block-shape: an odd number
  return cudaGetLastError();
}
