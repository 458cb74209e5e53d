// Indices that fit, or are 64 bits wide in time.
#include <cuda_runtime.h>
#include <cstdint>

__global__ void wide(float *out, int64_t total) {
  const int64_t id = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (id < total) out[id] = 0.0f;
}

__global__ void fits_unsigned(float *out, int64_t total) {
  const unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id < total) out[id] = 0.0f;
}

__global__ void excluded(float *out, int rows, int columns) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  const int at = row * columns + column;
  if (row < rows && column < columns) out[at] = 0.0f;
}

__global__ void hashed(float *out) {
  const unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned key = id * 2654435761u;
  out[id] = key & 255;
}

__global__ void unknown(float *out, int n) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id < n) out[id] = 0.0f;
}

void run(float *out, int64_t n) {
  const int64_t total = 6000000000, less = 3000000000;
  wide<<<(total + 255) / 256, 256>>>(out, total);
  fits_unsigned<<<(less + 255) / 256, 256>>>(out, less);
  excluded<<<dim3(1, 65535), dim3(32, 32)>>>(out, 2000, 32);
  hashed<<<4096, 256>>>(out);
  if (n > 0) unknown<<<(n + 255) / 256, 256>>>(out, n);
}
