// A particle step: bin, interact within a window, move. The window kernel gives one block to each particle.
#include <cuda_runtime.h>

struct Particle {
  float2 position, velocity;
};

constexpr int kReach = 3;
constexpr int kSide = 2 * kReach + 1;

__global__ void bin(const Particle *p, int n, int *cell, int width, float size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) cell[i] = (int)(p[i].position.y / size) * width + (int)(p[i].position.x / size);
}

__global__ void interact(Particle *p, int n, const int *first, const int *next, int width, int height, float dt) {
  const int me = blockIdx.x;
  if (me >= n) return;
  const int cx = (int)p[me].position.x + (int)threadIdx.x - kReach, cy = (int)p[me].position.y + (int)threadIdx.y - kReach;
  if (cx < 0 || cy < 0 || cx >= width || cy >= height) return;
  float fx = 0.0f, fy = 0.0f;
  for (int other = first[cy * width + cx]; other >= 0; other = next[other]) {
    const float dx = p[other].position.x - p[me].position.x, dy = p[other].position.y - p[me].position.y;
    const float r2 = dx * dx + dy * dy + 1e-6f;
    fx += dx / r2;
    fy += dy / r2;
  }
  atomicAdd(&p[me].velocity.x, dt * fx);
  atomicAdd(&p[me].velocity.y, dt * fy);
}

__global__ void move(Particle *p, int n, float dt) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    p[i].position.x += dt * p[i].velocity.x;
    p[i].position.y += dt * p[i].velocity.y;
  }
}

cudaError_t advance(Particle *p, int n, int *cell, const int *first, const int *next, int width, int height, float dt) {
  if (n < 1) return cudaSuccess;
  bin<<<(n - 1) / 256 + 1, 256>>>(p, n, cell, width, 1.0f);
  cudaError_t status = cudaGetLastError();
  if (status != cudaSuccess) return status;
  const dim3 window(kSide, kSide);
  interact<<<n, window>>>(p, n, first, next, width, height, dt);  //~ block-not-warp-multiple: 49 threads occupy 2 warps
  status = cudaGetLastError();
  if (status != cudaSuccess) return status;
  move<<<24, 256>>>(p, n, dt);  //~ grid-underfills-device: 24 blocks on 132 SMs: 108 idle
  return cudaGetLastError();
}
