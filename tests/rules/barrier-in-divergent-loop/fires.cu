// Barriers in loops that the threads of a block do not run equally often.
#include <cuda_runtime.h>

__global__ void own_row(const int *rows, float *d) {
  for (int k = rows[threadIdx.x]; k < rows[threadIdx.x + 1]; ++k) {
    d[k] += 1.0f;
    __syncthreads();  //~ barrier-in-divergent-loop: turns depends on 'k < rows
  }
}

__global__ void not_rounded_up(float *d, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    d[i] += 1.0f;
    __syncthreads();  //~ barrier-in-divergent-loop: turns depends on 'i < n'
  }
}

__global__ void left_early(float *d, int n) {
  for (int i = 0; i < n; ++i) {
    if (d[threadIdx.x] > 1.0f) break;
    __syncthreads();  //~ barrier-in-divergent-loop: left with 'break' 'd[threadIdx.x] > 1.0
    d[threadIdx.x] *= 2.0f;
  }
}

__global__ void skipped(float *d, const int *kind, int n) {
  for (int i = 0; i < n; ++i) {
    if (kind[threadIdx.x + i] == 0) continue;
    __syncthreads();  //~ barrier-in-divergent-loop: skipped with 'continue'
    d[threadIdx.x] *= 2.0f;
  }
}

void launch(const int *rows, float *d, int n, int blocks) {
  own_row<<<blocks, 256>>>(rows, d);
  not_rounded_up<<<blocks, 256>>>(d, n);
  left_early<<<blocks, 256>>>(d, n);
  skipped<<<blocks, 256>>>(d, rows, n);
}
