"""The machines: architectures and devices, read from `cudalint.hw_profiles`."""

from cudalint.hw.architecture import AmdArchitecture, Architecture, FunctionalBlock, NvidiaArchitecture, VectorFile
from cudalint.hw.device import Device

__all__ = [
    "AmdArchitecture",
    "Architecture",
    "Device",
    "FunctionalBlock",
    "NvidiaArchitecture",
    "VectorFile",
]
