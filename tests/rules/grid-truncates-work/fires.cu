// Grids rounded down over kernels with a thread for each element.
#include <cuda_runtime.h>
#include <cstdlib>

#define BLOCK 256

__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

__global__ void fill(float *image, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  image[y * width + x] = 1.0f;
}

void known(float *x) {
  const int n = 1000;
  scale<<<n / BLOCK, BLOCK>>>(x, n);  //~ grid-truncates-work: 3 blocks of 256 along x for 1000 elements: the last 232 are never touched
}

void unknown(float *x, int n) {
  if (n < BLOCK) return;
  const int blocks = n / BLOCK;
  scale<<<blocks, BLOCK>>>(x, n);  //~ grid-truncates-work: n / BLOCK blocks along x: the last n % BLOCK elements
}

int main(int argc, char **argv) {
  int width = 1024, height = 768;
  if (argc > 2) {
    width = atoi(argv[1]);
    height = atoi(argv[2]);
  }
  if (width < 32 || height < 8) return 1;
  float *image;
  cudaMalloc(&image, width * height * sizeof(float));
  dim3 block(32, 8);
  dim3 grid(width / block.x, height / block.y);
  fill<<<grid, block>>>(image, width);  //~ grid-truncates-work: width / 32 blocks along x
  return cudaDeviceSynchronize();
}
