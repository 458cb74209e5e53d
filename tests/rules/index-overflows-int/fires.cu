// Sizes past 32 bits in indices of 32 bits.
#include <cuda_runtime.h>
#include <cstdint>

constexpr int64_t kEdges = 100000000, kChannels = 64;

__global__ void messages(const float *in, float *out, int64_t total) {
  const int64_t id = blockIdx.x * blockDim.x + threadIdx.x;  //~ index-overflows-int: the index reaches 6399999999
  if (id < total) out[id] = in[id];
}

__global__ void signed_index(float *out, int64_t total) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;  //~ index-overflows-int: int holds up to 2^31 - 1
  if (id < total) out[id] = 0.0f;
}

__global__ void product(float *out, int rows, int columns) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  if (row < rows && column < columns) out[row * columns + column] = 0.0f;  //~ index-overflows-int
}

void run(const float *in, float *out) {
  messages<<<(kEdges * kChannels + 255) / 256, 256>>>(in, out, kEdges * kChannels);
  const int64_t total = 3000000000;
  signed_index<<<(total + 255) / 256, 256>>>(out, total);
  product<<<dim3((100000 + 255) / 256, 50000), 256>>>(out, 50000, 100000);
}
