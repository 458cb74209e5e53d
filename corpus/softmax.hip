// Row-wise softmax, ported from CUDA: what was three warps is one and a half wavefronts.
#include <hip/hip_runtime.h>

#define HIP_TRY(x)                      \
  do {                                  \
    hipError_t status_ = (x);           \
    if (status_ != hipSuccess) return status_; \
  } while (0)

template <int Block>
__device__ float block_reduce(float v, float *scratch, bool maximum) {
  scratch[threadIdx.x] = v;
  __syncthreads();
  for (int half = Block / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      const float other = scratch[threadIdx.x + half];
      scratch[threadIdx.x] = maximum ? fmaxf(scratch[threadIdx.x], other) : scratch[threadIdx.x] + other;
    }
    __syncthreads();
  }
  const float result = scratch[0];
  __syncthreads();
  return result;
}

template <int Block>
__global__ void __launch_bounds__(Block) softmax(const float *in, float *out, int cols) {
  __shared__ float scratch[Block];
  const float *row = in + (size_t)blockIdx.x * cols;
  float top = -1e30f, sum = 0.0f;
  for (int c = threadIdx.x; c < cols; c += Block) top = fmaxf(top, row[c]);
  top = block_reduce<Block>(top, scratch, true);
  for (int c = threadIdx.x; c < cols; c += Block) sum += __expf(row[c] - top);
  sum = block_reduce<Block>(sum, scratch, false);
  for (int c = threadIdx.x; c < cols; c += Block) out[(size_t)blockIdx.x * cols + c] = __expf(row[c] - top) / sum;
}

__global__ void scale(float *x, float by, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}

hipError_t run(const float *in, float *out, int rows, int cols, hipStream_t s) {
  if (rows <= 0) return hipSuccess;
  softmax<256><<<rows, 256, 0, s>>>(in, out, cols);
  HIP_TRY(hipGetLastError());
  return hipSuccess;
}

hipError_t run_small(float *x, float by, int n, hipStream_t s) {
  if (n <= 0) return hipSuccess;
  hipLaunchKernelGGL(scale, dim3((n + 95) / 96), dim3(96), 0, s, x, by, n);  //~ block-not-warp-multiple: 96 threads occupy 2 wavefronts; 32 of 128
  HIP_TRY(hipGetLastError());
  return hipSuccess;
}

hipError_t run_warp(float *x, float by, int n, hipStream_t s) {
  if (n <= 0) return hipSuccess;
  hipLaunchKernelGGL(scale, dim3((n + 31) / 32), dim3(32), 0, s, x, by, n);  //~ block-smaller-than-warp: 32 threads are less than a wavefront of 64
  HIP_TRY(hipGetLastError());
  return hipSuccess;
}
