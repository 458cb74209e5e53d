// Suppressions of what is not reported.
#include <cuda_runtime.h>

__global__ void scale(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f;
}

void mended(float *x, int n) {
  if (n <= 0) return;
  scale<<<(n + 127) / 128, 128>>>(x, n);  // cudalint: ignore[block-not-warp-multiple] was 100 //~ unused-suppression: nothing here is reported by block-not-warp-multiple
}

void another_statement(float *x, int n) {
  // cudalint: ignore[block-not-warp-multiple] belongs below //~ unused-suppression
  if (n <= 0) return;
  scale<<<(n + 99) / 100, 100>>>(x, n);  //~ block-not-warp-multiple
}

void one_of_two(float *x, int n) {
  if (n <= 0) return;
  // cudalint: ignore[block-not-warp-multiple, block-exceeds-device-limit] both? //~ unused-suppression: block-exceeds-device-limit
  scale<<<(n + 99) / 100, 100>>>(x, n);
}
