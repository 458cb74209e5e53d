// Kernels that use dynamic shared memory, launched with none or with too little.
#include <cuda_runtime.h>

__global__ void reverse(int *d) {
  extern __shared__ int s[];
  const int t = threadIdx.x;
  s[t] = d[t];
  __syncthreads();
  d[t] = s[blockDim.x - 1 - t];
}

__global__ void guarded(const float *in, float *out, int n) {
  extern __shared__ float s[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) s[threadIdx.x] = in[i];
  __syncthreads();
  if (i < n) out[i] = s[threadIdx.x];
}

__global__ void two_parts(const double *in, double *out) {
  extern __shared__ char raw[];
  double *values = reinterpret_cast<double *>(raw);
  values[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = values[blockDim.x - 1 - threadIdx.x];
}

void none(int *d) {
  reverse<<<1, 256>>>(d);  //~ dynamic-shared-memory-missing: reverse uses at least 1024 bytes of dynamic shared memory; the launch gives it none
}

void elements_for_bytes(int *d) {
  reverse<<<1, 256, 256>>>(d);  //~ dynamic-shared-memory-missing: the launch gives it 256 bytes
}

void under_a_guard(const float *in, float *out, int n) {
  if (n <= 0) return;
  guarded<<<(n + 255) / 256, 256>>>(in, out, n);  //~ dynamic-shared-memory-missing
}

void through_a_cast(const double *in, double *out) {
  two_parts<<<1, 256, 256 * sizeof(float)>>>(in, out);  //~ dynamic-shared-memory-missing: at least 2048 bytes
}
