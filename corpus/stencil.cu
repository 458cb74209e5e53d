// A 7-point stencil on a box, in 2-D and 3-D blocks.
#include <cuda_runtime.h>

struct Box {
  int nx, ny, nz;
  __host__ __device__ size_t at(int x, int y, int z) const { return ((size_t)z * ny + y) * nx + x; }
};

__global__ void diffuse(const double *in, double *out, Box box, double rate) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x <= 0 || y <= 0 || z <= 0 || x >= box.nx - 1 || y >= box.ny - 1 || z >= box.nz - 1) return;
  const double here = in[box.at(x, y, z)];
  out[box.at(x, y, z)] = here + rate * (in[box.at(x - 1, y, z)] + in[box.at(x + 1, y, z)] + in[box.at(x, y - 1, z)] +
                                        in[box.at(x, y + 1, z)] + in[box.at(x, y, z - 1)] + in[box.at(x, y, z + 1)] -
                                        6 * here);
}

__global__ void clear(double *out, Box box) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < box.nx && row < box.ny * box.nz) out[(size_t)row * box.nx + x] = 0;
}

static unsigned cover(int size, unsigned block) { return (size + block - 1) / block; }

static dim3 cover(const Box &box, dim3 block) {
  return dim3(cover(box.nx, block.x), cover(box.ny, block.y), cover(box.nz, block.z));
}

cudaError_t step(const double *in, double *out, Box box, double rate) {
  if (box.nx <= 0 || box.ny <= 0 || box.nz <= 0) return cudaErrorInvalidValue;
  const dim3 block(32, 4, 2);
  diffuse<<<cover(box, block), block>>>(in, out, box, rate);
  return cudaGetLastError();
}

// A flat block along z is one of the few shapes with a limit of its own.
cudaError_t step_along_z(const double *in, double *out, Box box, double rate) {
  if (box.nx <= 0 || box.ny <= 0 || box.nz <= 0) return cudaErrorInvalidValue;
  const dim3 block(1, 2, 128);
  diffuse<<<cover(box, block), block>>>(in, out, box, rate);  //~ block-exceeds-device-limit: 128 threads per block along z
  return cudaGetLastError();
}

cudaError_t step_in_cubes(const double *in, double *out, Box box, double rate) {
  if (box.nx <= 0 || box.ny <= 0 || box.nz <= 0) return cudaErrorInvalidValue;
  const dim3 block(10, 10, 10);
  diffuse<<<cover(box, block), block>>>(in, out, box, rate);  //~ block-not-warp-multiple: 1000 threads occupy 32 warps
  return cudaGetLastError();
}

// All rows of all planes along y: 300 x 300 rows are more than y can have.
cudaError_t clear_all(double *out) {
  const Box box = {512, 300, 300};
  clear<<<dim3(4, box.ny * box.nz), dim3(128, 1)>>>(out, box);  //~ grid-exceeds-device-limit: 90000 blocks along y
  return cudaGetLastError();
}
