// A reduction with templates, shared memory and a launch that depends on the size of the input.
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t status = (call); if (status != cudaSuccess) fail(status, __FILE__, __LINE__); } while (0)

namespace reduce {

constexpr int kBlock = 256;
enum Mode { kSum, kMax = 4, kMin };
using Real = float;

inline int ceil_div(int a, int b) { return (a + b - 1) / b; }

template <typename T, int BlockSize = kBlock>
__global__ void __launch_bounds__(BlockSize, 2) partial(const T* __restrict__ in, T* out, int n)
{
    __shared__ T shared[BlockSize];
    const int lane = threadIdx.x & 31;
    T sum = 0;
    for (int i = blockIdx.x * BlockSize + threadIdx.x; i < n; i += gridDim.x * BlockSize) {
        sum += in[i];
    }
    shared[threadIdx.x] = sum;
    __syncthreads();
#pragma unroll
    for (int step = BlockSize / 2; step > 0; step >>= 1) {
        if (threadIdx.x < step) shared[threadIdx.x] += shared[threadIdx.x + step];
        __syncthreads();
    }
    if (lane == 0 && threadIdx.x == 0) out[blockIdx.x] = shared[0];
}

struct Plan {
    dim3 grid;
    int n = 0;
    cudaStream_t stream{};

    explicit Plan(int size) : n(size) { grid = dim3(ceil_div(size, kBlock)); }

    void run(const Real* in, Real* out, Mode mode) const
    {
        switch (mode) {
        case kSum:
        case kMax:
            partial<Real><<<grid, kBlock, 0, stream>>>(in, out, n);
            break;
        default:
            CHECK(cudaLaunchKernel((const void*)&partial<Real, 128>, grid, dim3(128), nullptr, 0, stream));
        }
    }
};

}  // namespace reduce

int main(int argc, char** argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 1 << 20;
    reduce::Plan plan(n);
    plan.run(nullptr, nullptr, reduce::kSum);
    CHECK(cudaDeviceSynchronize());
    return 0;
}
