"""Which Python files can hold code for a GPU, by their bytes."""

import re

_WORDS = (
    b"numba", b"cupy", b"pycuda", b"torch", b"triton", b"cuda.core", b"cuda.bindings", b"hip.hip", b"cuda.tile",
)  # fmt: skip
_USES = re.compile(
    rb"cuda\s*\.\s*(?:jit|grid|to_device|device_array|synchronize|event|Event|driver|stream|core|bindings|tile)"
    rb"|\bRaw(?:Kernel|Module)\b|\b(?:Elementwise|Reduction)Kernel\b|\bSourceModule\b|\bload_inline\b|\brawkernel\b"
    rb"|numba\s+import[^\n]*\bcuda\b|numba\.cuda|\btriton\.jit\b|\bimport\s+triton\b|\bimport\s+cupy\b|\bfrom\s+cupy\b"
    rb"|\bpycuda\b|target\s*=\s*['\"]cuda['\"]|\bcuda\s+import\s+jit\b|cudalint:"
)
SUFFIXES = frozenset({".py", ".pyw", ".ipynb"})


def relevant_python(data: bytes) -> bool:
    """Whether a Python file of these bytes can hold a kernel, a launch, a timed call, or a comment to the linter."""
    if b"cudalint:" in data:
        return True
    return any(word in data for word in _WORDS) and _USES.search(data) is not None
