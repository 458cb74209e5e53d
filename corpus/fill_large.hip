// More threads along one dimension than HIP accepts, and the same in a loop over the grid.
#include <hip/hip_runtime.h>

__global__ void fill(unsigned char *x, size_t n) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 0xff;
}

__global__ void fill_strided(unsigned char *x, size_t n) {
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) x[i] = 0xff;
}

hipError_t fill_all(unsigned char *x) {
  const size_t n = size_t(6) << 30;
  const unsigned blocks = (n + 511) / 512;
  fill<<<blocks, 512>>>(x, n);  //~ grid-exceeds-device-limit: 6442450944 threads along x
  return hipGetLastError();
}

hipError_t fill_in_a_loop(unsigned char *x) {
  const size_t n = size_t(6) << 30;
  int cus = 0, fit = 0;
  if (hipDeviceGetAttribute(&cus, hipDeviceAttributeMultiprocessorCount, 0) != hipSuccess) return hipGetLastError();
  if (hipOccupancyMaxActiveBlocksPerMultiprocessor(&fit, fill_strided, 512, 0) != hipSuccess) return hipGetLastError();
  fill_strided<<<cus * fit, 512>>>(x, n);
  return hipGetLastError();
}
