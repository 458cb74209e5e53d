// Launches of one thread or a handful that set up, reset or report: nothing waits for their lanes.
#include <cuda_runtime.h>

struct Queue {
  int head, tail;
};

__global__ void reset(Queue *q) {
  q->head = 0;
  q->tail = 0;
}

__global__ void seed(unsigned *state) { state[threadIdx.x] = 2654435761u * (threadIdx.x + 1); }

__global__ void last_sum(const float *parts, float *out, int count) {
  float sum = 0.0f;
  for (int i = threadIdx.x; i < count; i += 32) sum += parts[i];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
  if (threadIdx.x == 0) *out = sum;
}

void set_up(Queue *q, unsigned *state, const float *parts, float *out, int count, cudaStream_t s) {
  reset<<<1, 1, 0, s>>>(q);
  seed<<<1, 100, 0, s>>>(state);
  last_sum<<<1, 32, 0, s>>>(parts, out, count);
}
