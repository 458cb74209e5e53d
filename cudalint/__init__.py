"""Finds faults in CUDA and HIP launch code before anything runs.

The public interface: `check` lints files, `device` and `architecture` know the machines, `occupancy` calculates. What
these need is imported when it is first used.
"""

from cudalint import version

__version__ = version.VERSION

# A checkout that is not installed keeps two sub-packages beside this one. Opening a file needs no import.
_BESIDE = f"{__path__[0]}/.."
try:
    open(f"{_BESIDE}/hw_profiles/README.md", encoding="utf-8").close()  # noqa: PTH123
    __path__.append(_BESIDE)
except OSError:
    pass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cudalint.api import check
    from cudalint.hw import architecture, device
    from cudalint.model import occupancy

__all__ = ["__version__", "architecture", "check", "device", "occupancy"]

_HOMES = {
    "architecture": "cudalint.hw",
    "check": "cudalint.api",
    "device": "cudalint.hw",
    "occupancy": "cudalint.model",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'cudalint' has no attribute {name!r}")
    import importlib  # noqa: PLC0415 - `import cudalint` alone costs nothing

    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
