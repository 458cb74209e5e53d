// Neighbours under a check of the element alone.
#include <cuda_runtime.h>

__global__ void smooth(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i - 1] + in[i + 1];  //~ halo-outside-guard: the first thread along x accesses 'in' 1 past the end
}

__global__ void right_only(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n) out[i] = in[i - 1] + in[i + 1];  //~ halo-outside-guard: the last thread along x
}

__global__ void rows(float *out, const float *in, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    out[y * width + x] = in[(y - 1) * width + x] + in[(y + 1) * width + x];  //~ halo-outside-guard: the first thread along y
}

void run(float *out, const float *in, int n, int width, int height) {
  if (n <= 0 || width <= 0 || height <= 0) return;
  smooth<<<(n + 255) / 256, 256>>>(out, in, n);
  right_only<<<(n + 255) / 256, 256>>>(out, in, n);
  rows<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)>>>(out, in, width, height);
}

__global__ void differences(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i + 1] - in[i];  //~ halo-outside-guard: the last thread along x accesses 'in' 1 past the end
}

void as_allocated(float *out, int n) {
  if (n <= 0) return;
  float *in;
  cudaMalloc(&in, n * sizeof(float));
  differences<<<(n + 255) / 256, 256>>>(out, in, n);
}

__global__ void flat(float *out, const float *in, int width, int total) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < total) out[i] = in[i - width] + in[i + width];  //~ halo-outside-guard: the first thread along x
}

__global__ void tiled(float *out, const float *in, int n) {
  __shared__ float s[257];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    s[threadIdx.x + 1] = in[i];
    if (threadIdx.x == 0) s[0] = in[i - 1];  //~ halo-outside-guard: the first thread along x
  }
  __syncthreads();
  if (i < n) out[i] = s[threadIdx.x + 1] - s[threadIdx.x];
}

void run_flat(float *out, const float *in, int width, int height) {
  int total = width * height;
  if (total <= 0) return;
  flat<<<(total + 255) / 256, 256>>>(out, in, width, total);
  tiled<<<(total + 255) / 256, 256>>>(out, in, total);
}
