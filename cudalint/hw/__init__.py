"""The machines: architectures and devices, read from `cudalint.hw_profiles`."""

from cudalint.hw.lookup import architecture, architectures, device, devices, load_device_file
from cudalint.hw.product import Device
from cudalint.hw.target import AmdArchitecture, Architecture, FunctionalBlock, NvidiaArchitecture, VectorFile

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
