// Grids with more blocks along a dimension than there may be.
#include <cuda_runtime.h>

__global__ void rows(float *x, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < n) x[row] *= 2.0f;
}

__global__ void planes(float *x, int n) {
  const int plane = blockIdx.z;
  if (plane < n) x[plane] = 2.0f;
}

void along_y(float *x) {
  constexpr int n = 65535 * 2 + 1;
  rows<<<dim3(1, (n + 1) / 2), dim3(32, 2)>>>(x, n);  //~ grid-exceeds-device-limit: 65536 blocks along y; sm_90 allows 65535
}

void along_z(float *x) {
  dim3 grid(2, 2);
  grid.z = 100000;
  planes<<<grid, 64>>>(x, 100000);  //~ grid-exceeds-device-limit: 100000 blocks along z
}

void at_least(float *x, int n) {
  if (n < 1 << 20) return;
  planes<<<dim3(1, 1, n), 64>>>(x, n);  //~ grid-exceeds-device-limit: 1048576 blocks along z
}
