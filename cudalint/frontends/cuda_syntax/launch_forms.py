"""Which argument of which launch function is what."""

from cudalint.record import record

THREE = 3
"""How many arguments a size takes where it is not one dim3."""


@record
class LaunchForm:
    """Argument positions of a launch function. `grid` and `block` are where they start; `width` is 1 for a dim3 each and
    3 for three integers each. `arguments` is where the kernel's own arguments start; None: they are packed.

    With `config`, the argument at that position is a structure, and `fields` names its members for kernel, grid, block,
    shared memory and stream ("" where an argument says it); a size of three members gives their common stem.
    `work_items` says that the grid is given in threads. `source` is the documentation of the signature.
    """

    kernel: int
    grid: int = -1
    block: int = -1
    shared: int = -1
    stream: int = -1
    arguments: int | None = None
    width: int = 1
    config: int = -1
    fields: tuple[str, str, str, str, str] = ("", "", "", "", "")
    cooperative: bool = False
    work_items: bool = False
    source: str = ""


_RUNTIME = ("", "gridDim", "blockDim", "dynamicSmemBytes", "stream")
_DRIVER = ("", "gridDim", "blockDim", "sharedMemBytes", "hStream")
_MULTI_DEVICE = ("func", "gridDim", "blockDim", "sharedMem", "stream")

_CUDA_EXECUTION = "CUDA Runtime API, Execution Control"
_CUDA_CPP = "CUDA Runtime API, C++ API Routines"
_CUDA_DRIVER = "CUDA Driver API, Execution Control"
_HIP_EXECUTION = "HIP runtime API reference, Execution control"
_HIP_MODULE = "HIP runtime API reference, Module management"
_HIP_COOPERATIVE = "HIP runtime API reference, Cooperative groups"
_HIP_LAUNCH = "HIP runtime API reference, Launch API (clang launch)"
_HIP_EXT = "HIP runtime API reference, External launch (hip_ext.h)"
_HIP_CLR = "ROCm clr, hipamd/include/hip/amd_detail/amd_hip_runtime.h"

LAUNCH_FORMS = {
    "cudaLaunchKernel": LaunchForm(0, 1, 2, 4, 5, source=_CUDA_EXECUTION),
    "cudaLaunchCooperativeKernel": LaunchForm(0, 1, 2, 4, 5, cooperative=True, source=_CUDA_EXECUTION),
    "cudaLaunchCooperativeKernelMultiDevice": LaunchForm(
        -1, config=0, fields=_MULTI_DEVICE, cooperative=True, source=_CUDA_EXECUTION + " (until CUDA 12)"
    ),
    "cudaLaunchKernelExC": LaunchForm(1, config=0, fields=_RUNTIME, source=_CUDA_EXECUTION),
    "cudaLaunchKernelEx": LaunchForm(1, config=0, fields=_RUNTIME, arguments=2, source=_CUDA_CPP),
    "cuLaunchKernel": LaunchForm(0, 1, 4, 7, 8, width=THREE, source=_CUDA_DRIVER),
    "cuLaunchCooperativeKernel": LaunchForm(0, 1, 4, 7, 8, width=THREE, cooperative=True, source=_CUDA_DRIVER),
    "cuLaunchKernelEx": LaunchForm(1, config=0, fields=_DRIVER, width=THREE, source=_CUDA_DRIVER),
    "hipLaunchKernel": LaunchForm(0, 1, 2, 4, 5, source=_HIP_EXECUTION),
    "hipExtLaunchKernel": LaunchForm(0, 1, 2, 4, 5, source=_HIP_EXT),
    "hipLaunchKernelExC": LaunchForm(1, config=0, fields=_RUNTIME, source=_HIP_EXECUTION),
    "hipLaunchKernelEx": LaunchForm(1, config=0, fields=_RUNTIME, arguments=2, source=_HIP_LAUNCH),
    "hipLaunchKernelGGL": LaunchForm(0, 1, 2, 3, 4, arguments=5, source=_HIP_CLR),
    "hipLaunchKernelGGLInternal": LaunchForm(0, 1, 2, 3, 4, arguments=5, source=_HIP_CLR),
    "hipExtLaunchKernelGGL": LaunchForm(0, 1, 2, 3, 4, arguments=8, source=_HIP_EXT),
    "hipLaunchCooperativeKernel": LaunchForm(0, 1, 2, 4, 5, cooperative=True, source=_HIP_COOPERATIVE),
    "hipLaunchCooperativeKernelMultiDevice": LaunchForm(
        -1, config=0, fields=_MULTI_DEVICE, cooperative=True, source=_HIP_COOPERATIVE
    ),
    "hipExtLaunchMultiKernelMultiDevice": LaunchForm(-1, config=0, fields=_MULTI_DEVICE, source=_HIP_EXECUTION),
    "hipModuleLaunchKernel": LaunchForm(0, 1, 4, 7, 8, width=THREE, source=_HIP_MODULE),
    "hipModuleLaunchCooperativeKernel": LaunchForm(0, 1, 4, 7, 8, width=THREE, cooperative=True, source=_HIP_MODULE),
    "hipExtModuleLaunchKernel": LaunchForm(0, 1, 4, 7, 8, width=THREE, work_items=True, source=_HIP_EXT),
    "hipHccModuleLaunchKernel": LaunchForm(0, 1, 4, 7, 8, width=THREE, work_items=True, source=_HIP_EXT),
    "hipDrvLaunchKernelEx": LaunchForm(1, config=0, fields=_DRIVER, width=THREE, source=_HIP_MODULE),
}

KERNEL_WRAPPERS = frozenset({"HIP_KERNEL_NAME", "KERNEL_NAME"})
"""Macros that only protect the commas of a kernel's template arguments."""
