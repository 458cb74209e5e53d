"""The machines: architectures and devices, read from `cudalint.hw_profiles`."""

from cudalint.hw.architecture import AmdArchitecture, Architecture, FunctionalBlock, NvidiaArchitecture, VectorFile
from cudalint.hw.device import Device
from cudalint.hw.lookup import architecture, architectures, device, devices, load_device_file

__all__ = [
    "AmdArchitecture",
    "Architecture",
    "Device",
    "FunctionalBlock",
    "NvidiaArchitecture",
    "VectorFile",
    "architecture",
    "architectures",
    "device",
    "devices",
    "load_device_file",
]
