"""Kernel bodies: what each thread of a launch does, and how that differs between threads."""

from cudalint.analysis.device.events import Shape, Trace
from cudalint.analysis.device.trace import trace

__all__ = ["Shape", "Trace", "trace"]
