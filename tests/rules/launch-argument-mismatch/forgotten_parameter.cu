__global__ void blend(float *out, const float *a, const float *b, float share, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = share * a[i] + (1 - share) * b[i];
}

__global__ void fill(float *out, int n, float value = 0, int first = 0) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[first + i] = value;
}

template <typename T>
__global__ void scale(T *x, T by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}

__global__ void tick(void) {}

cudaError_t run(float *out, const float *a, const float *b, int n) {
  if (n <= 0) return cudaErrorInvalidValue;
  const int blocks = (n + 255) / 256;
  blend<<<blocks, 256>>>(out, a, b, 0.5f, n);
  blend<<<blocks, 256>>>(out, a, b, n);  //~ launch-argument-mismatch: blend takes 5 arguments, this launch passes 4
  fill<<<blocks, 256>>>(out, n);
  fill<<<blocks, 256>>>(out, n, 1.0f, 0);
  fill<<<blocks, 256>>>(out);  //~ launch-argument-mismatch: fill takes 2 to 4 arguments, this launch passes 1
  scale<float><<<blocks, 256>>>(out, 2.0f, n);
  scale<float><<<blocks, 256>>>(out, n);  //~ launch-argument-mismatch
  tick<<<1, 1>>>();
  tick<<<1, 1>>>(n);  //~ launch-argument-mismatch: tick takes 0 arguments
  return cudaGetLastError();
}
