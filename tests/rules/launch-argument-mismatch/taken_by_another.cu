#define PLANES red, green, blue
#ifdef DEBUG
#define DEBUG_PARAMETER , int level
#define DEBUG_ARGUMENT , 1
#else
#define DEBUG_PARAMETER
#define DEBUG_ARGUMENT
#endif

__global__ void draw(float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i;
}

__global__ void draw(float *out, const float *palette, int n);

template <typename... Rest>
__global__ void any(int n, Rest... rest) {}

__global__ void planes(float *r, float *g, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) r[i] = g[i] + b[i];
}

__global__ void traced(float *out, int n
#ifdef TRACE
                       , long long *clocks
#endif
) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 0;
}

__global__ void marked(float *out, int n DEBUG_PARAMETER) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 0;
}

template <typename... Given>
void forward(int n, Given... given) {
  draw<<<(n + 255) / 256, 256>>>(given...);
}

cudaError_t run(float *red, float *green, float *blue, const float *palette, int n, void (*chosen)(float *)) {
  if (n <= 0) return cudaErrorInvalidValue;
  const int blocks = (n + 255) / 256;
  draw<<<blocks, 256>>>(red, palette, n);
  any<<<1, 32>>>(n);
  any<<<1, 32>>>(n, 1, 2.0f, red);
  planes<<<blocks, 256>>>(PLANES, n);
  traced<<<blocks, 256>>>(red, n);
  marked<<<blocks, 256>>>(red, n DEBUG_ARGUMENT);
  marked<<<blocks, 256>>>(red, n, 1);
  chosen<<<blocks, 256>>>(red);
  draw<<<blocks, 256>>>(red
#ifdef COLOURED
                        , palette
#endif
                        , n);
  return cudaGetLastError();
}
