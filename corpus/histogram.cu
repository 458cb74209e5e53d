// Histogram with privatised bins: the grid is as large as the GPU, each block loops.
#include <cuda_runtime.h>
#include <cstdint>

constexpr int kBins = 256;

__global__ void count(const uint8_t *data, size_t n, unsigned *bins) {
  __shared__ unsigned own[kBins];
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) own[b] = 0;
  __syncthreads();
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
    atomicAdd(&own[data[i]], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) atomicAdd(&bins[b], own[b]);
}

__global__ void __launch_bounds__(64, 16) count_small(const uint8_t *data, size_t n, unsigned *bins) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
    atomicAdd(&bins[data[i]], 1u);
}

__global__ void clear(unsigned *bins) { bins[threadIdx.x] = 0; }

class Histogram {
 public:
  explicit Histogram(int device) {
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, device);
    sms_ = properties.multiProcessorCount;
  }

  cudaError_t run(const uint8_t *data, size_t n, unsigned *bins, cudaStream_t s) const {
    clear<<<1, kBins, 0, s>>>(bins);
    int fit = 0;
    cudaError_t status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, count, kBins, 0);
    if (status != cudaSuccess) return status;
    count<<<fit * sms_, kBins, 0, s>>>(data, n, bins);
    return cudaGetLastError();
  }

  // Two blocks of two warps on an SM, where the kernel is compiled for sixteen.
  cudaError_t run_small(const uint8_t *data, size_t n, unsigned *bins, cudaStream_t s) const {
    count_small<<<sms_ * 2, 64, 0, s>>>(data, n, bins);  //~ residency-mismatch: 2 blocks per SM assumed
    return cudaGetLastError();
  }

 private:
  int sms_ = 0;
};

cudaError_t histogram(const uint8_t *data, size_t n, unsigned *bins, cudaStream_t s) {
  return Histogram(0).run(data, n, bins, s);
}
