// Opt-ins in place, in a helper, of unknown size; and bytes that need none or are not known.
#include <cuda_runtime.h>

__global__ void here(const float *in, float *out, int n) {
  extern __shared__ float tile[];
  for (int k = threadIdx.x; k < n; k += blockDim.x) tile[k] = in[k];
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = tile[threadIdx.x];
}

__global__ void helped(const float *in, float *out, int n) {
  extern __shared__ float tile[];
  for (int k = threadIdx.x; k < n; k += blockDim.x) tile[k] = in[k];
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = tile[threadIdx.x];
}

template <typename T>
__global__ void generic(const T *in, T *out, int n) {
  extern __shared__ char raw[];
  T *tile = reinterpret_cast<T *>(raw);
  for (int k = threadIdx.x; k < n; k += blockDim.x) tile[k] = in[k];
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = tile[threadIdx.x];
}

__global__ void small(const float *in, float *out, int n) {
  extern __shared__ float tile[];
  for (int k = threadIdx.x; k < n; k += blockDim.x) tile[k] = in[k];
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = tile[threadIdx.x];
}

template <typename Kernel>
static void allow(Kernel kernel, int bytes) {
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
}

void in_place(const float *in, float *out, int n, int blocks) {
  const int bytes = 96 * 1024;
  cudaFuncSetAttribute(here, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  here<<<blocks, 256, bytes>>>(in, out, n);
}

void in_a_helper(const float *in, float *out, int n, int blocks) {
  allow(helped, 96 * 1024);
  helped<<<blocks, 256, 96 * 1024>>>(in, out, n);
}

void of_unknown_size(const float *in, float *out, int n, int blocks) {
  int most = 0;
  cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
  cudaFuncSetAttribute(generic<float>, cudaFuncAttributeMaxDynamicSharedMemorySize, most);
  generic<float><<<blocks, 256, 100 * 1024>>>(in, out, n);
}

void at_the_default(const float *in, float *out, int n, int blocks) {
  small<<<blocks, 256, 48 * 1024>>>(in, out, n);
}

void unknown(const float *in, float *out, int n, int blocks) {
  small<<<blocks, 256, n * sizeof(float)>>>(in, out, n);
}
