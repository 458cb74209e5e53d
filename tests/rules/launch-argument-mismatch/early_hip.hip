// Kernels of early HIP had a handle as their first parameter, which a launch does not pass.

__global__ void copy(hipLaunchParm lp, float *out, const float *in, int n) {
  int i = hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x;
  if (i < n) out[i] = in[i];
}

__global__ void move(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

hipError_t run(float *out, const float *in, int n) {
  if (n <= 0) return hipErrorInvalidValue;
  hipLaunchKernelGGL(copy, dim3((n + 255) / 256), dim3(256), 0, 0, out, in, n);
  hipLaunchKernelGGL(move, dim3((n + 255) / 256), dim3(256), 0, 0, out, in, n);
  hipLaunchKernelGGL(move, dim3((n + 255) / 256), dim3(256), 0, out, in, n);  //~ launch-argument-mismatch: move takes 3
  return hipGetLastError();
}
