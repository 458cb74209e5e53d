"""What calls of the runtime APIs and of the standard library do to the values of their arguments.

Sources: CUDA Runtime API 13.0 (sections 6.1 Device Management, 6.8 Execution Control, 6.9 Occupancy), CUDA Driver API
13.0 (6.5, 6.22, 6.23), HIP runtime API (Device management, Occupancy), C++ standard library.
"""

from typing import Final

# Field of a device-properties structure -> what it is called here.
DEVICE_FIELDS: Final = {
    "multiProcessorCount": "sm_count",
    "warpSize": "warp_size",
    "maxThreadsPerBlock": "max_threads_per_block",
    "maxThreadsPerMultiProcessor": "max_threads_per_sm",
    "sharedMemPerBlock": "default_shared_per_block",
    "sharedMemPerBlockOptin": "max_shared_per_block",
    "sharedMemPerMultiprocessor": "shared_per_sm",
    "maxBlocksPerMultiProcessor": "max_blocks_per_sm",
    "regsPerBlock": "registers_per_block",
}

# Attribute of cudaDeviceGetAttribute and its twins -> the same.
DEVICE_ATTRIBUTES: Final = {
    "cudaDevAttrMultiProcessorCount": "sm_count",
    "hipDeviceAttributeMultiprocessorCount": "sm_count",
    "CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT": "sm_count",
    "cudaDevAttrWarpSize": "warp_size",
    "hipDeviceAttributeWarpSize": "warp_size",
    "cudaDevAttrMaxThreadsPerBlock": "max_threads_per_block",
    "hipDeviceAttributeMaxThreadsPerBlock": "max_threads_per_block",
    "CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK": "max_threads_per_block",
    "cudaDevAttrMaxThreadsPerMultiProcessor": "max_threads_per_sm",
    "cudaDevAttrMaxSharedMemoryPerBlockOptin": "max_shared_per_block",
    "cudaDevAttrMaxSharedMemoryPerBlock": "default_shared_per_block",
    "hipDeviceAttributeMaxSharedMemoryPerBlock": "default_shared_per_block",
}

GET_ATTRIBUTE: Final = frozenset({"cudaDeviceGetAttribute", "hipDeviceGetAttribute", "cuDeviceGetAttribute"})

# Occupancy queries that answer blocks per SM: (where the answer goes, kernel, block, dynamic shared).
RESIDENCY_QUERIES: Final = dict.fromkeys(
    (
        "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
        "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
        "hipOccupancyMaxActiveBlocksPerMultiprocessor",
        "hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
        "hipModuleOccupancyMaxActiveBlocksPerMultiprocessor",
        "cuOccupancyMaxActiveBlocksPerMultiprocessor",
    ),
    (0, 1, 2, 3),
)

# Queries that answer a grid and a block: (where the grid goes, where the block goes).
POTENTIAL_BLOCK_QUERIES: Final = dict.fromkeys(
    (
        "cudaOccupancyMaxPotentialBlockSize",
        "cudaOccupancyMaxPotentialBlockSizeVariableSMem",
        "hipOccupancyMaxPotentialBlockSize",
        "cuOccupancyMaxPotentialBlockSize",
    ),
    (0, 1),
)

# Calls that raise a kernel's limit of dynamic shared memory: (kernel, attribute, bytes).
SHARED_OPT_IN: Final = dict.fromkeys(("cudaFuncSetAttribute", "hipFuncSetAttribute", "cuFuncSetAttribute"), (0, 1, 2))
SHARED_OPT_IN_ATTRIBUTES: Final = frozenset({
    "cudaFuncAttributeMaxDynamicSharedMemorySize",
    "hipFuncAttributeMaxDynamicSharedMemorySize",
    "CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES",
    "HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES",
})  # fmt: skip

# Calls that put the address of new device memory into their first argument; the second is its bytes.
ALLOCATIONS: Final = frozenset(
    f"{vendor}{name}"
    for vendor in ("cuda", "hip")
    for name in (
        "Malloc",
        "MallocManaged",
        "MallocAsync",
        "MallocHost",
        "HostAlloc",
        "HostMalloc",
        "ExtMallocWithFlags",
    )
)

MINIMA: Final = frozenset({"min", "fmin", "fminf", "MIN", "Min", "imin"})
MAXIMA: Final = frozenset({"max", "fmax", "fmaxf", "MAX", "Max", "imax"})
CEILINGS: Final = frozenset({"ceil", "ceilf", "ceill"})
FLOORS: Final = frozenset({"floor", "floorf", "floorl", "trunc", "truncf"})
NEXT_POWERS: Final = frozenset({"bit_ceil"})

# Structures of the runtime that are written as lists, with their fields in order.
STRUCTURES: Final = {
    "cudaExtent": ("width", "height", "depth"),
    "hipExtent": ("width", "height", "depth"),
    "cudaPos": ("x", "y", "z"),
    "hipPos": ("x", "y", "z"),
}

SHAPE_MAKERS: Final = frozenset({"make_uint3", "make_dim3"})

# Calls that go on only where their first argument is true.
ASSERTIONS: Final = frozenset(
    {"assert", "TORCH_CHECK", "AT_ASSERT", "AT_ASSERTM", "TORCH_INTERNAL_ASSERT", "GGML_ASSERT"}
)

# Calls that do not return.
NO_RETURN: Final = frozenset(
    {"exit", "abort", "_exit", "quick_exit", "terminate", "__builtin_unreachable", "GGML_ABORT"}
)
