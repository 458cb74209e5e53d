// A scan in one cooperative launch: blocks publish their sums, wait for each other, then add what came before.
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_runtime.h>

namespace cg = cooperative_groups;

constexpr int kBlock = 256;

__global__ void __launch_bounds__(kBlock) scan(const int *in, int *out, int *sums, int n) {
  __shared__ int tile[kBlock];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int step = 1; step < kBlock; step *= 2) {
    const int add = threadIdx.x >= step ? tile[threadIdx.x - step] : 0;
    __syncthreads();
    tile[threadIdx.x] += add;
    __syncthreads();
  }
  if (threadIdx.x == kBlock - 1) sums[blockIdx.x] = tile[threadIdx.x];
  cg::this_grid().sync();
  int before = 0;
  for (int b = 0; b < blockIdx.x; ++b) before += sums[b];
  if (i < n) out[i] = before + tile[threadIdx.x];
}

hipError_t scan_if_it_fits(const int *in, int *out, int *sums, int n, hipStream_t s) {
  if (n <= 0) return hipErrorInvalidValue;
  int cus = 0, fit = 0;
  hipError_t status = hipDeviceGetAttribute(&cus, hipDeviceAttributeMultiprocessorCount, 0);
  if (status != hipSuccess) return status;
  status = hipOccupancyMaxActiveBlocksPerMultiprocessor(&fit, scan, kBlock, 0);
  if (status != hipSuccess) return status;
  const int blocks = (n + kBlock - 1) / kBlock;
  if (blocks > cus * fit) return hipErrorCooperativeLaunchTooLarge;
  void *arguments[] = {&in, &out, &sums, &n};
  return hipLaunchCooperativeKernel((void *)scan, dim3(blocks), dim3(kBlock), arguments, 0, s);
}

hipError_t scan_a_million(const int *in, int *out, int *sums, hipStream_t s) {
  int n = 1 << 20;
  void *arguments[] = {&in, &out, &sums, &n};
  return hipLaunchCooperativeKernel((void *)scan, dim3(n / kBlock), dim3(kBlock), arguments, 0, s);  //~ cooperative-launch-too-large: 4096 blocks must be resident at once; mi300x holds 2432
}
