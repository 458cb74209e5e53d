// Barriers under conditions that differ between the threads of a block.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__device__ void swap_halves(float *s) {
  const float mine = s[threadIdx.x];
  __syncthreads();  //~ barrier-in-divergent-branch: under 'threadIdx.x < n'
  s[threadIdx.x ^ 1] = mine;
}

__global__ void in_a_function(float *d, int n) {
  __shared__ float s[256];
  s[threadIdx.x] = d[threadIdx.x];
  if (threadIdx.x < n) swap_halves(s);
}

__global__ void both_arms(float *d) {
  if (threadIdx.x < 64) {
    __syncthreads();  //~ barrier-in-divergent-branch
  } else {
    __syncthreads();  //~ barrier-in-divergent-branch
  }
  d[threadIdx.x] = 1.0f;
}

__global__ void by_what_it_read(float *d, const int *active) {
  const int mine = active[blockIdx.x * blockDim.x + threadIdx.x];
  if (mine) cg::this_thread_block().sync();  //~ barrier-in-divergent-branch: under 'mine'
  d[threadIdx.x] = mine;
}

__global__ void by_case(float *d) {
  switch (threadIdx.x % 3) {
    case 0:
      d[threadIdx.x] = 1.0f;
      break;
    default:
      __syncthreads();  //~ barrier-in-divergent-branch
  }
}

__global__ void as_a_vote(float *d, int n) {
  if (threadIdx.x < n && __syncthreads_or(d[threadIdx.x] > 0.0f)) d[threadIdx.x] = 0.0f;  //~ barrier-in-divergent-branch
}

void launch(float *d, const int *active, int n, int blocks) {
  in_a_function<<<blocks, 256>>>(d, n);
  both_arms<<<blocks, 128>>>(d);
  by_what_it_read<<<blocks, 256>>>(d, active);
  by_case<<<blocks, 256>>>(d);
  as_a_vote<<<blocks, 256>>>(d, n);
}
