// cudalint-test: min-severity=note
// Fewer blocks than the GPU has SMs.
#include <cuda_runtime.h>

#define HEADS 9

__global__ void attend(const float *k, float *out, int past) {
  float sum = 0.0f;
  for (int t = threadIdx.x; t < past; t += blockDim.x) sum += k[(size_t)blockIdx.x * past + t];
  atomicAdd(&out[blockIdx.x], sum);
}

__global__ void clear(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 0.0f; }

void heads(const float *k, float *out, int past) {
  attend<<<HEADS, 128>>>(k, out, past);  //~ grid-underfills-device: 9 blocks on 132 SMs: 123 idle, the others hold 4 of 64 warps
}

void computed(const float *k, float *out) {
  const int n = 6400;
  attend<<<(n + 127) / 128, 128>>>(k, out, n);  //~ grid-underfills-device: 50 blocks
}

void two_dimensions(const float *k, float *out, int past) {
  attend<<<dim3(4, 8), 128>>>(k, out, past);  //~ grid-underfills-device: 32 blocks
}

void set_up(float *x) {
  clear<<<8, 128>>>(x);  //~ grid-underfills-device: 8 blocks
}
