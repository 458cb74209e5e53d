// Sparse matrix times vector, one row per thread, per warp and per block.
#include <cuda_runtime.h>

struct Csr {
  int rows;
  const int *start, *column;
  const float *value;
};

__global__ void row_per_thread(Csr m, const float *x, float *y) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m.rows) return;
  float sum = 0.0f;
  for (int k = m.start[row]; k < m.start[row + 1]; ++k) sum += m.value[k] * x[m.column[k]];
  y[row] = sum;
}

__global__ void row_per_warp(Csr m, const float *x, float *y) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= m.rows) return;
  float sum = 0.0f;
  for (int k = m.start[row] + lane; k < m.start[row + 1]; k += 32) sum += m.value[k] * x[m.column[k]];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
  if (lane == 0) y[row] = sum;
}

cudaError_t by_threads(Csr m, const float *x, float *y) {
  if (m.rows <= 0) return cudaSuccess;
  row_per_thread<<<(m.rows + 127) / 128, 128>>>(m, x, y);
  return cudaGetLastError();
}

cudaError_t by_warps(Csr m, const float *x, float *y) {
  if (m.rows <= 0) return cudaSuccess;
  row_per_warp<<<(m.rows + 3) / 4, 128>>>(m, x, y);
  return cudaGetLastError();
}

// A block of one warp: an SM holds 32 blocks, so half of its warp slots stay empty.
cudaError_t by_single_warps(Csr m, const float *x, float *y) {
  if (m.rows <= 0) return cudaSuccess;
  row_per_warp<<<m.rows, 32>>>(m, x, y);  //~ block-size-residency-cliff: leave 32 of 64 warp slots
  return cudaGetLastError();
}

// Half a warp per block.
cudaError_t by_half_warps(Csr m, const float *x, float *y) {
  if (m.rows <= 0) return cudaSuccess;
  row_per_thread<<<(m.rows + 15) / 16, 16>>>(m, x, y);  //~ block-smaller-than-warp: 16 threads are less than a warp
  return cudaGetLastError();
}
