// The launch functions of HIP and of the CUDA driver.
#include <hip/hip_runtime.h>

template <typename T, int N>
__attribute__((amdgpu_flat_work_group_size(64, 256))) __global__ void scale(T* data)
{
    extern __shared__ __align__(16) unsigned char scratch[];
    data[hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x] *= N;
}

void host(float* data, hipFunction_t function, hipStream_t stream, void** args)
{
    const dim3 blocks(4, 2), threads{64};
    hipLaunchKernelGGL(HIP_KERNEL_NAME(scale<float, 8>), blocks, threads, 1024, stream, data);
    hipModuleLaunchKernel(function, 4, 1, 1, 64, 1, 1, 0, stream, args, nullptr);
    hipLaunchCooperativeKernel(reinterpret_cast<void*>(scale<float, 4>), blocks, threads, args, 0, stream);
}
