// Grids that are rounded up over kernels that take every thread for an element.
#include <cuda_runtime.h>

constexpr size_t kItems = 10000000;
constexpr unsigned kBlock = 512;
struct Config { unsigned grid, block; };

static Config config(unsigned count) {
  const unsigned block = 256;
  return {(count + block - 1) / block, block};
}

__global__ void increment(int *cells) {
  const size_t at = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  cells[at] += 1;  //~ missing-bounds-guard: 10000384 threads along x for 10000000 elements, and no condition keeps the last 384
}

void known(cudaStream_t stream) {
  int *cells;
  cudaMalloc(&cells, kItems * sizeof(int));
  const unsigned blocks = (unsigned)((kItems + kBlock - 1) / kBlock);
  increment<<<blocks, kBlock, 0, stream>>>(cells);
}

__global__ void clear(unsigned *elements) {
  unsigned k = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned w = elements[k];  //~ missing-bounds-guard: the grid is rounded up from count
  if (w == 0xffffffffu) w = 0;
  elements[k] = w;
}

void through_a_record(unsigned *elements, unsigned count) {
  if (count == 0) return;
  const Config chosen = config(count);
  clear<<<chosen.grid, chosen.block>>>(elements);
}

__global__ void rows_only(float *image, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width) image[y * width + x] = 0.0f;  //~ missing-bounds-guard: the grid is rounded up from height
}

void one_axis_guarded(float *image, int width, int height) {
  if (width <= 0 || height <= 0) return;
  rows_only<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)>>>(image, width, height);
}

__global__ void thread_guard(float *x) {
  if (threadIdx.x < 128) x[blockIdx.x * blockDim.x + threadIdx.x] = 0.0f;  //~ missing-bounds-guard
}

void guard_of_the_block_only(float *x, int n) {
  if (n > 0) thread_guard<<<(n + 255) / 256, 256>>>(x);
}
