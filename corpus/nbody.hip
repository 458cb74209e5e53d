// All-pairs forces with a tile of positions in LDS.
#include <hip/hip_runtime.h>

constexpr int kTile = 256;

__global__ __attribute__((amdgpu_flat_work_group_size(1, kTile))) void forces(const float4 *p, float4 *a, int n) {
  __shared__ float4 tile[kTile];
  const int i = blockIdx.x * kTile + threadIdx.x;
  const float4 me = i < n ? p[i] : make_float4(0, 0, 0, 0);
  float4 sum = make_float4(0, 0, 0, 0);
  for (int from = 0; from < n; from += kTile) {
    tile[threadIdx.x] = from + threadIdx.x < n ? p[from + threadIdx.x] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (int j = 0; j < kTile; ++j) {
      const float dx = tile[j].x - me.x, dy = tile[j].y - me.y, dz = tile[j].z - me.z;
      const float r2 = dx * dx + dy * dy + dz * dz + 1e-6f, s = tile[j].w * rsqrtf(r2) / r2;
      sum.x += dx * s;
      sum.y += dy * s;
      sum.z += dz * s;
    }
    __syncthreads();
  }
  if (i < n) a[i] = sum;
}

__global__ void in_lds(const float4 *p, float4 *a, int n) {
  extern __shared__ float4 all[];
  for (int k = threadIdx.x; k < n; k += blockDim.x) all[k] = p[k];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 sum = make_float4(0, 0, 0, 0);
  for (int j = 0; j < n; ++j) sum.x += all[j].w * (all[j].x - all[i % n].x);
  if (i < n) a[i] = sum;
}

hipError_t run(const float4 *p, float4 *a, int n) {
  if (n <= 0) return hipErrorInvalidValue;
  forces<<<(n + kTile - 1) / kTile, kTile>>>(p, a, n);
  return hipGetLastError();
}

hipError_t run_wide(const float4 *p, float4 *a, int n) {
  if (n <= 0) return hipErrorInvalidValue;
  forces<<<(n + 511) / 512, 512>>>(p, a, n);  //~ block-exceeds-launch-bounds: 512 threads per block
  return hipGetLastError();
}

// 5120 bodies of 16 bytes are 80 KB; a workgroup has 64.
hipError_t run_in_lds(const float4 *p, float4 *a) {
  const int n = 5120;
  in_lds<<<(n + 255) / 256, 256, n * sizeof(float4)>>>(p, a, n);  //~ shared-memory-exceeds-limit: 81920 bytes //~ grid-underfills-device: 20 blocks on 304 CUs
  return hipGetLastError();
}
