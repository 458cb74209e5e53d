"""The functions that CUDA and HIP give device code, by what they do.

Sources: CUDA C++ Programming Guide, "C++ Language Extensions" and "Cooperative Groups"; HIP "C++ language extensions".
"""

BLOCK_BARRIERS = frozenset({
    "__syncthreads", "__syncthreads_count", "__syncthreads_and", "__syncthreads_or", "__builtin_amdgcn_s_barrier",
    "__builtin_amdgcn_workgroup_barrier", "__barrier_sync", "item_ct1.barrier",
})  # fmt: skip
BLOCK_VOTES = frozenset({"__syncthreads_count", "__syncthreads_and", "__syncthreads_or"})
WARP_BARRIERS = frozenset({"__syncwarp", "__builtin_amdgcn_wave_barrier"})
FENCES = {
    "__threadfence": "device", "__threadfence_block": "block", "__threadfence_system": "system",
    "atomic_thread_fence": "device", "__atomic_thread_fence": "device", "__builtin_amdgcn_fence": "device",
    "__atomic_work_item_fence": "device",
}  # fmt: skip
SHUFFLES_SYNC = frozenset({"__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync"})
SHUFFLES = frozenset({"__shfl", "__shfl_up", "__shfl_down", "__shfl_xor"})
VOTES_SYNC = frozenset({"__ballot_sync", "__any_sync", "__all_sync", "__match_any_sync", "__match_all_sync"})
VOTES = frozenset({"__ballot", "__any", "__all", "__ballot64"})
REDUCTIONS_SYNC = frozenset(f"__reduce_{name}_sync" for name in ("add", "min", "max", "and", "or", "xor"))
ACTIVE_MASKS = frozenset({"__activemask"})
FIRST_LANE = frozenset({"__builtin_amdgcn_readfirstlane", "__builtin_amdgcn_readlane"})
ATOMICS = frozenset({
    *(f"atomic{name}{scope}" for scope in ("", "_block", "_system") for name in (
        "Add", "Sub", "Exch", "Min", "Max", "Inc", "Dec", "CAS", "And", "Or", "Xor")),
    "unsafeAtomicAdd", "safeAtomicAdd", "atomicAddNoRet", "gpuAtomicAdd", "fastAtomicAdd", "gpuAtomicAddNoReturn",
    "__hip_atomic_fetch_add", "__hip_atomic_exchange", "__hip_atomic_compare_exchange_strong", "__hip_atomic_fetch_min",
    "__hip_atomic_fetch_max", "__hip_atomic_fetch_or", "__hip_atomic_fetch_and", "__hip_atomic_compare_exchange_weak",
    "__atomic_fetch_add", "__atomic_exchange_n", "__atomic_compare_exchange_n", "__sync_fetch_and_add",
    "__nv_atomic_fetch_add", "__nv_atomic_exchange_n", "__nv_atomic_compare_exchange_n",
})  # fmt: skip
ATOMIC_LOADS = frozenset(
    {"__hip_atomic_load", "__atomic_load_n", "__nv_atomic_load_n", "__ldcg", "__ldcv", "__ldg", "__ldca", "__ldcs"}
)
STRONG_LOADS = frozenset({"__hip_atomic_load", "__atomic_load_n", "__nv_atomic_load_n", "__ldcg", "__ldcv"})
ATOMIC_STORES = frozenset(
    {"__hip_atomic_store", "__atomic_store_n", "__nv_atomic_store_n", "__stcg", "__stwt", "__stcs"}
)
REFERENCE_METHODS = frozenset({
    "fetch_add", "fetch_sub", "fetch_min", "fetch_max", "fetch_or", "fetch_and", "fetch_xor", "exchange",
    "compare_exchange_strong", "compare_exchange_weak",
})  # fmt: skip
ATOMIC_REFERENCES = frozenset({"atomic_ref", "atomic"})
PURE = frozenset({
    "abs", "fabs", "fabsf", "sqrt", "sqrtf", "rsqrt", "rsqrtf", "exp", "expf", "__expf", "exp2", "exp2f", "log", "logf", "__logf",
    "log2", "log2f", "log10", "sin", "sinf", "cos", "cosf", "__sinf", "__cosf", "tan", "tanf", "tanh", "tanhf", "pow", "powf",
    "__powf", "floor", "floorf", "ceil", "ceilf", "round", "roundf", "rint", "rintf", "fma", "fmaf", "__fmaf_rn", "fmod",
    "fmodf", "hypot", "hypotf", "erf", "erff", "isnan", "isinf", "isfinite", "__fdividef", "__popc", "__popcll", "__clz",
    "__clzll", "__ffs", "__ffsll", "__brev", "__brevll", "__mul24", "__umul24", "__mulhi", "__umulhi", "__float2int_rn",
    "__float2int_rz", "__int2float_rn", "__float_as_int", "__int_as_float", "__float_as_uint", "__uint_as_float",
    "__half2float", "__float2half", "__float2bfloat16", "__bfloat162float", "atan", "atanf", "atan2", "atan2f", "asin", "acos",
    "acosf", "asinf", "sinh", "cosh", "cbrt", "cbrtf", "copysign", "saturate", "__saturatef", "clamp", "fdim", "lround",
    "static_assert", "assert", "printf", "sincosf", "sincos", "__sincosf", "__funnelshift_l", "__funnelshift_r", "__dp4a",
    "__byte_perm", "max3", "min3", "sizeof...", "alignof", "move", "forward", "get", "swap", "make_pair", "make_tuple",
})  # fmt: skip
CLOCKS = frozenset(
    {"clock", "clock64", "wall_clock64", "globaltimer", "__clock64", "__nanosleep", "__builtin_amdgcn_s_sleep"}
)
LANE_IDS = frozenset({"__lane_id", "__builtin_amdgcn_mbcnt_hi", "__builtin_amdgcn_mbcnt_lo"})
NO_RETURN = frozenset({"__trap", "__builtin_trap", "__builtin_unreachable", "abort", "exit"})
MINIMA = frozenset({"min", "fmin", "fminf", "umin", "std::min", "ullmin", "llmin"})
MAXIMA = frozenset({"max", "fmax", "fmaxf", "umax", "std::max", "ullmax", "llmax"})
GROUPS = {
    "this_thread_block": "block", "this_grid": "grid", "this_multi_grid": "grid", "this_cluster": "cluster",
    "tiled_partition": "tile", "coalesced_threads": "coalesced", "binary_partition": "coalesced",
    "labeled_partition": "coalesced", "this_thread": "thread",
}  # fmt: skip
GROUP_TYPES = {
    "thread_block": "block", "grid_group": "grid", "multi_grid_group": "grid", "cluster_group": "cluster",
    "thread_block_tile": "tile", "coalesced_group": "coalesced", "thread_group": "unknown",
}  # fmt: skip
GROUP_EXCHANGES = {
    "shfl": "shuffle", "shfl_up": "shuffle", "shfl_down": "shuffle", "shfl_xor": "shuffle", "any": "vote", "all": "vote",
    "ballot": "vote", "match_any": "vote", "match_all": "vote",
}  # fmt: skip
AXES = {"x": 0, "y": 1, "z": 2}
HIP_NAMES = {
    f"hip{part[0].upper()}{part[1:]}_{axis}": (part, axis)
    for part in ("threadIdx", "blockIdx", "blockDim", "gridDim")
    for axis in "xyz"
}
