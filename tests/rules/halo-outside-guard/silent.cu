// Neighbours that are there, or are asked for.
#include <cuda_runtime.h>

__global__ void inner(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) out[i] = in[i - 1] + in[i + 1];
}

__global__ void from_one(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  if (i < n - 1) out[i] = in[i - 1] + in[i + 1];
}

__global__ void padded(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] + in[i + 1] + in[i + 2];
}

__global__ void clamped(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[max(i - 1, 0)] + in[min(i + 1, n - 1)];
}

__global__ void wrapped(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[(i + n - 1) % n] + in[(i + 1) % n];
}

__global__ void chosen(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float left = i > 0 ? in[i - 1] : 0.0f;
  float right = i + 1 < n ? in[i + 1] : 0.0f;
  out[i] = left + right;
}

__global__ void as_unsigned(float *out, const float *in, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i - 1 < n - 2) out[i] = in[i - 1] + in[i + 1];
}

__global__ void sparse(float *y, const int *row, const float *values, int rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  float sum = 0.0f;
  for (int k = row[i]; k < row[i + 1]; ++k) sum += values[k];
  y[i] = sum;
}

__global__ void inner_rows(float *out, const float *in) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int i = y * 256 + x;
  if (x > 0 && y > 0 && x < 255 && y < 255) out[i] = in[i - 256] + in[i + 256] + in[i - 1] + in[i + 1];
}

void run(float *out, const float *in, const int *row, int n) {
  if (n <= 2) return;
  inner<<<(n + 255) / 256, 256>>>(out, in, n);
  from_one<<<(n + 255) / 256, 256>>>(out, in, n);
  padded<<<(n + 255) / 256, 256>>>(out, in, n);
  clamped<<<(n + 255) / 256, 256>>>(out, in, n);
  wrapped<<<(n + 255) / 256, 256>>>(out, in, n);
  chosen<<<(n + 255) / 256, 256>>>(out, in, n);
  as_unsigned<<<(n + 255) / 256, 256>>>(out, in, n);
  sparse<<<(n + 255) / 256, 256>>>(out, row, in, n);
  inner_rows<<<dim3(8, 32), dim3(32, 8)>>>(out, in);
}

__global__ void behind(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i - 1];
}

void moved(float *out, const float *in, int n) {
  if (n > 0) behind<<<(n + 255) / 256, 256>>>(out, in + 1, n);
}

__global__ void inner_flat(float *out, const float *in, int width, int total) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= width && i < total - width) out[i] = in[i - width] + in[i + width];
}

__global__ void offset(float *out, const float *in, int start, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i + start];
}

__global__ void tiled(float *out, const float *in, int n) {
  __shared__ float s[257];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    s[threadIdx.x + 1] = in[i];
    if (threadIdx.x == 0 && blockIdx.x > 0) s[0] = in[i - 1];
  }
  __syncthreads();
  if (i > 0 && i < n) out[i] = s[threadIdx.x + 1] - s[threadIdx.x];
}

void run_flat(float *out, const float *in, int width, int height) {
  int total = width * height;
  if (total <= 0) return;
  inner_flat<<<(total + 255) / 256, 256>>>(out, in, width, total);
  offset<<<(total + 255) / 256, 256>>>(out, in, width, total);
  tiled<<<(total + 255) / 256, 256>>>(out, in, total);
}
