// y = a x + y in the forms a beginner meets first: one launch per idea, all checked.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                     \
  do {                                                                                  \
    cudaError_t status = (call);                                                        \
    if (status != cudaSuccess) {                                                        \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(1);                                                                     \
    }                                                                                   \
  } while (0)

__global__ void saxpy(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void saxpy_strided(int n, float a, const float *x, float *y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) y[i] = a * x[i] + y[i];
}

static int ceil_div(int n, int d) { return (n + d - 1) / d; }

void rounded_up(int n, float a, const float *x, float *y) {
  const int threads = 256;
  saxpy<<<ceil_div(n, threads), threads>>>(n, a, x, y);  //~ grid-may-be-zero: the grid is empty where n is 0
  CHECK(cudaGetLastError());
}

void guarded(int n, float a, const float *x, float *y) {
  if (n == 0) return;
  const unsigned count = n;
  const int threads = 256;
  saxpy<<<(count + threads - 1) / threads, threads>>>(n, a, x, y);
  CHECK(cudaGetLastError());
}

void tuned_by_trial(int n, float a, const float *x, float *y) {
  if (n <= 0) return;
  saxpy<<<ceil_div(n, 250), 250>>>(n, a, x, y);  //~ block-not-warp-multiple: 250 threads occupy 8 warps; 6 of 256
  CHECK(cudaGetLastError());
}

void too_many_threads(int n, float a, const float *x, float *y) {
  if (n <= 0) return;
  saxpy<<<ceil_div(n, 2048), 2048>>>(n, a, x, y);  //~ block-exceeds-device-limit: 2048 threads per block
  CHECK(cudaGetLastError());
}

void exchanged(int n, float a, const float *x, float *y) {
  if (n <= 0) return;
  const int threads = 256, blocks = ceil_div(n, threads);
  saxpy<<<threads, blocks>>>(n, a, x, y);  //~ grid-block-swapped
  CHECK(cudaGetLastError());
}

void by_occupancy(int n, float a, const float *x, float *y) {
  int device = 0, sms = 0, fit = 0;
  CHECK(cudaGetDevice(&device));
  CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, saxpy_strided, 256, 0));
  saxpy_strided<<<sms * fit, 256>>>(n, a, x, y);
  CHECK(cudaGetLastError());
}

int main() {
  const int n = 1 << 20;
  std::vector<float> ones(n, 1.0f);
  float *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, n * sizeof(float)));
  CHECK(cudaMalloc(&y, n * sizeof(float)));
  CHECK(cudaMemcpy(x, ones.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(y, ones.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  guarded(n, 2.0f, x, y);
  by_occupancy(n, 2.0f, x, y);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
