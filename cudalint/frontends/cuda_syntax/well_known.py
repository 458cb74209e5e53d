"""Macros of widely used libraries that stand in the headings of functions, as far as they matter to a reader.

The libraries' own headers are seldom among the files checked. Names and meanings follow CUTLASS `cutlass/cutlass.h` and
`cute/config.hpp`, PyTorch `c10/macros/Macros.h`, CCCL `cuda/std/__internal` and `thrust/detail/config`, Eigen
`Core/util/Macros.h`, Kokkos `Kokkos_Macros.hpp`, and the HIP runtime's `amd_hip_runtime.h`.
"""

from functools import cache

from cudalint.frontends.cuda_syntax.defines import Directives, read_directives

_HOST_DEVICE = """
CUTLASS_HOST_DEVICE CUTE_HOST_DEVICE CUTE_HOST_RTC C10_HOST_DEVICE AT_HOST_DEVICE TORCH_HOST_DEVICE GPU_LAMBDA_HOST_DEVICE
_CCCL_HOST_DEVICE _CCCL_API _LIBCUDACXX_HIDE_FROM_ABI _CCCL_HIDE_FROM_ABI_API CUB_RUNTIME_FUNCTION CUDA_CALLABLE
EIGEN_DEVICE_FUNC KOKKOS_FUNCTION KOKKOS_INLINE_FUNCTION KOKKOS_FORCEINLINE_FUNCTION KOKKOS_LAMBDA RAJA_HOST_DEVICE
AMREX_GPU_HOST_DEVICE TF_DEVICE_FUNC XGBOOST_DEVICE MFEM_HOST_DEVICE THRUST_HOST_DEVICE __host_device__ HOST_DEVICE
HOST_DEVICE_INLINE HOSTDEVICE HD_INLINE CUDA_HOST_DEVICE __hostdev__ CUDA_HOSTDEV FMT_CUDA_HOST_DEVICE
"""
_DEVICE = """
CUTLASS_DEVICE CUTE_DEVICE C10_DEVICE AT_DEVICE GPU_LAMBDA _CCCL_DEVICE _CCCL_DEVICE_API AMREX_GPU_DEVICE DEVICE_INLINE
RAJA_DEVICE AMREX_GPU_LAMBDA EXT_LAMBDA MFEM_DEVICE __device_inline__
"""
_HOST = "C10_HOST AT_HOST _CCCL_HOST _CCCL_HOST_API AMREX_GPU_HOST CUTE_HOST"
_NOTHING = """
CUTLASS_CONSTEXPR_IF_CXX17 C10_ALWAYS_INLINE C10_NOINLINE C10_API C10_EXPORT C10_CUDA_API C10_UNUSED TORCH_API
TORCH_CUDA_CU_API TORCH_CUDA_CPP_API AT_API AT_CUDA_API CAFFE2_API CAFFE2_CUDA_API EXPORT_API DLL_EXPORT THRUST_NODISCARD
_CCCL_VISIBILITY_HIDDEN _CCCL_FORCEINLINE _CCCL_NODISCARD _CCCL_ATTRIBUTE_HIDDEN _CCCL_TRIVIAL_API _CCCL_DIAG_PUSH
_CCCL_DIAG_POP _CCCL_CONSTEVAL_API CUB_DETAIL_KERNEL_ATTRIBUTES_HIDDEN _LIBCUDACXX_INLINE_VISIBILITY THRUST_FORCEINLINE
EIGEN_STRONG_INLINE EIGEN_ALWAYS_INLINE EIGEN_DONT_INLINE AMREX_FORCE_INLINE AMREX_INLINE RAJA_INLINE FORCE_INLINE
FORCEINLINE ALWAYS_INLINE NOINLINE CUTE_UNROLL CUTE_NO_UNROLL CUTLASS_PRAGMA_UNROLL CUTLASS_PRAGMA_NO_UNROLL
CUTLASS_GEMM_LOOP _CCCL_PRAGMA_UNROLL_FULL PRAGMA_UNROLL KOKKOS_IMPL_DEVICE_FUNCTION
"""
_DEFINED = """
#define CUTLASS_GLOBAL __global__ static
#define CUB_DETAIL_KERNEL_ATTRIBUTES __global__
#define _CCCL_KERNEL_ATTRIBUTES __global__
#define THRUST_KERNEL_ATTRIBUTES __global__
#define AMREX_GPU_GLOBAL __global__
#define HIP_DYNAMIC_SHARED(type, var) extern __shared__ type var[];
#define C10_LAUNCH_BOUNDS_0 __launch_bounds__(256, 4)
#define C10_LAUNCH_BOUNDS_1(threads) __launch_bounds__(threads)
#define C10_LAUNCH_BOUNDS_2(threads, blocks) __launch_bounds__(threads, blocks)
#define _CCCL_LAUNCH_BOUNDS(...) __launch_bounds__(__VA_ARGS__)
"""


@cache
def well_known_macros() -> Directives:
    """The macros above, as one file that every file includes last."""
    lines = [_DEFINED.strip()]
    for names, meaning in ((_HOST_DEVICE, "__host__ __device__"), (_DEVICE, "__device__"), (_HOST, ""), (_NOTHING, "")):
        lines += [f"#define {name} {meaning}" for name in names.split()]
    return read_directives("\n".join(lines).encode())
