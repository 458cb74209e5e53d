// Loops of a few turns and long straight code do not make a launch-bound kernel worth spreading over the GPU.
#include <cuda_runtime.h>

#define STEPS 8

__device__ float polynomial(float x, const float *c) {
  float y = 0.0f;
  for (int k = 0; k < 6; ++k) y = y * x + c[k];
  return y;
}

__global__ void evaluate(const float *x, float *y, const float *c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int s = 0; s < STEPS; ++s) sum += polynomial(x[i * STEPS + s], c);
  y[i] = sum;
}

__global__ void faces(const float *in, float *out, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const float u = (x + 0.5f) / width * 2 - 1, v = (y + 0.5f) / width * 2 - 1;
  float a = u, b = v, c = 1;
  if (u > v) {
    a = v;
    b = u;
  }
  a *= 2;
  b *= 3;
  c *= a + b;
  a += c;
  b += a;
  c += b;
  out[y * width + x] = in[y * width + x] + a * b * c;
}

void run(const float *x, float *y, const float *c) {
  evaluate<<<16, 128>>>(x, y, c);
  faces<<<dim3(8, 8), dim3(8, 8)>>>(x, y, 64);
}
