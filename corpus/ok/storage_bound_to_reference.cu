// Dynamic shared memory handed on by reference to an operator that may keep nothing in it: no access is certain.
#include <cuda_runtime.h>

extern __shared__ int base[];

struct Direct {
  struct Storage {};
  __device__ void operator()(float *x, int n, Storage &) const {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= 2.0f;
  }
};

template <typename Operator>
__global__ void apply(float *x, int n) {
  auto *storage = reinterpret_cast<typename Operator::Storage *>(base);
  Operator op;
  op(x, n, *storage);
}

cudaError_t run(float *x, int n) {
  if (n <= 0) return cudaSuccess;
  apply<Direct><<<(n + 127) / 128, 128>>>(x, n);
  return cudaGetLastError();
}
