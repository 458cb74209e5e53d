// Grids and indices that look as if they left something out or went past the end, and do not: a size with slack for
// rounding, a tile of as many rows as a warp has lanes, one block that is guarded by its thread index, arrays handed over
// from their second element, and neighbours a row of known length away.
#include <cuda_runtime.h>
#include <stdexcept>

constexpr int kBlock = 256;
constexpr int kRow = 256;

struct Input {
  float *raw;
  float *values;
};

unsigned round_up(unsigned step, unsigned n);

__global__ void scale(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

void with_slack(float *x, int n) {
  if (n <= 0) return;
  const int blocks = (n + kBlock) / kBlock;
  scale<<<blocks, kBlock>>>(x, n);
  const int offsets = n + 1;
  scale<<<dim3((offsets + kBlock - 1) / kBlock), kBlock>>>(x, offsets);
}

void rounded_elsewhere(float *x, int n) {
  const unsigned threads = round_up(kBlock, n);
  if (threads >= kBlock) scale<<<threads / kBlock, kBlock>>>(x, n);
}

template <int kRows>
__global__ void rows(float *x) {
  x[blockIdx.x * kRows + threadIdx.x] = 0.0f;
}

void as_many_rows_as_lanes(float *x, int n, int lanes) {
  if (n >= 32) rows<32><<<n / 32, dim3(lanes, 4)>>>(x);
}

__global__ void halo_columns(float *x, int halo, int height) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column < halo && row < height) x[row * halo + column] = 0.0f;
}

void one_block_across(float *x, int height) {
  if (height <= 0) return;
  const int halo = 2;
  halo_columns<<<dim3((halo + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(x, halo, height);
}

__global__ void behind(float *out, const float *values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = values[i - 1];
}

void from_the_second(float *out, Input &input, int n) {
  if (n <= 0) return;
  input.values = input.raw + 1;
  behind<<<(n + kBlock - 1) / kBlock, kBlock>>>(out, input.values, n);
}

__global__ void slope(float2 *out, const float *in, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const int i = y * kRow + x;
  if (x > 0 && y > 0 && x < kRow - 1 && y < height - 1) {
    out[i].x = in[i + 1] - in[i - 1];
    out[i].y = in[i + kRow] - in[i - kRow];
  }
}

void rows_of_known_length(float2 *out, const float *in, int height) {
  if (height > 2) slope<<<dim3(kRow / 32, (height + 7) / 8), dim3(32, 8)>>>(out, in, height);
}
