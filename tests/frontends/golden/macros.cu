// Launches and headings that only exist once macros are replaced.
#define HD __host__ __device__ inline
#define KERNEL extern "C" __global__
#define BOUNDS(threads) __launch_bounds__(threads)
#define GRID_LOOP(i, n) for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)
#define LAUNCH(kernel, n, ...) kernel<<<((n) + 127) / 128, 128>>>(__VA_ARGS__)
#define SYNC cudaDeviceSynchronize()

HD float square(float x) { return x * x; }

KERNEL void BOUNDS(128) scale(float* data, int n)
{
    GRID_LOOP(i, n) {
        data[i] = square(data[i]);
    }
}

void run(float* data, int n, bool twice)
{
    LAUNCH(scale, n, data, n);
    if (twice) LAUNCH(scale, n, data, n);
    SYNC;
#ifdef WITH_GRAPH
    cudaGraphLaunch(graph, stream);
#else
    scale<<<{1, 2, 3}, {64}>>>(data, n);
#endif
}
