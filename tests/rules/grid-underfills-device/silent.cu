// cudalint-test: min-severity=note
// A full GPU, a single block, grids that are not known or follow the GPU.
#include <cuda_runtime.h>

__global__ void attend(const float *k, float *out, int past) {
  float sum = 0.0f;
  for (int t = threadIdx.x; t < past; t += blockDim.x) sum += k[(size_t)blockIdx.x * past + t];
  atomicAdd(&out[blockIdx.x], sum);
}

void full(const float *k, float *out, int past) { attend<<<132, 128>>>(k, out, past); }

void last_step(const float *k, float *out, int past) { attend<<<1, 256>>>(k, out, past); }

void unknown(const float *k, float *out, int past, int heads) { attend<<<heads, 128>>>(k, out, past); }

void split(const float *k, float *out, int past) { attend<<<dim3(9, 16), 128>>>(k, out, past); }

void one_per_sm(const float *k, float *out, int past) {
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  attend<<<p.multiProcessorCount, 128>>>(k, out, past);
}
