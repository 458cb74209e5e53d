// What other blocks write in the same launch.
#include <cuda_runtime.h>

__global__ void smooth(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) x[i] = 0.5f * x[i] + 0.5f * x[i + 1];  //~ block-order-assumed: block 0 reads x[256], which block 1 writes at line 6
}

__global__ void relax(float *u, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y > 0 && y < height) {
    const float above = u[(y - 1) * width + x];  //~ block-order-assumed: block (0, 1) reads an element of u, which block (0, 0) writes at line 13
    u[y * width + x] = above * 0.5f;
  }
}

__global__ void prepared(float *scale, float *y, const float *x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) scale[0] = 1.0f / x[0];
  __syncthreads();
  y[i] = x[i] * scale[0];  //~ block-order-assumed: block 1 reads scale
}

__global__ void copied(float *y, const float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i + 1];  //~ block-order-assumed: which block 1 writes
}

__global__ void chained(volatile int *done, float *y) {
  if (threadIdx.x == 0 && blockIdx.x > 0) {
    while (done[blockIdx.x - 1] == 0) {}  //~ block-order-assumed: waits here for the one 1 before it
  }
  __syncthreads();
  y[blockIdx.x * blockDim.x + threadIdx.x] = 1.0f;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    done[blockIdx.x] = 1;
  }
}

cudaError_t run(float *x, float *y, int n, int *done) {
  if (n <= 0) return cudaSuccess;
  smooth<<<(n + 255) / 256, 256>>>(x, n);
  relax<<<dim3((n + 31) / 32, (n + 7) / 8), dim3(32, 8)>>>(x, n, n);
  prepared<<<4096, 256>>>(x, y, y);
  copied<<<(n + 255) / 256, 256>>>(x, x, n);
  chained<<<5000, 256>>>(done, y);
  return cudaGetLastError();
}
