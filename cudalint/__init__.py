"""cudalint finds faults in CUDA and HIP launch code before anything runs."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cudalint.hw import architecture, device
    from cudalint.model import occupancy

__all__ = ["architecture", "device", "occupancy"]

_HOMES = {
    "architecture": "cudalint.hw",
    "device": "cudalint.hw",
    "occupancy": "cudalint.model",
}


def __getattr__(name: str) -> Any:
    """Imports what is asked for, once: `import cudalint` itself costs next to nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value
