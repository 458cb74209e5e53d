"""From the TOML of a device to its dataclass; the keys are described in hw_profiles/README.md."""

from collections.abc import Callable
from pathlib import Path

from cudalint.errors import ProfileError
from cudalint.hw.product import Device
from cudalint.hw.table import Table, read
from cudalint.hw.target import AmdArchitecture, Architecture

# What a figure can plausibly be in the unit of its key; catches GHz for MHz and TB/s for GB/s.
_FIGURES = {
    "boost_clock_mhz": (100.0, 10_000.0),
    "memory_bandwidth_gb_per_s": (10.0, 100_000.0),
    "memory_gb": (1.0, 10_000.0),
    "l2_cache_mib": (0.1, 10_000.0),
    "fp32_tflops": (0.1, 10_000.0),
    "fp16_tflops": (0.1, 10_000.0),
    "fp64_tflops": (0.01, 10_000.0),
    "fp16_tensor_tflops": (1.0, 100_000.0),
    "fp64_tensor_tflops": (0.1, 10_000.0),
}
_COUNT = {"nvidia": "sm_count", "amd": "cu_count"}


def load_device(path: Path, architecture: Callable[[str], Architecture]) -> Device:
    """Reads one file. Raises ProfileError naming the file and the key that is wrong."""
    table = read(path)
    vendor = table.choice("vendor", tuple(_COUNT))
    target = _architecture(table, vendor, architecture)
    figures = {key: table.number(key, *limits) for key, limits in _FIGURES.items() if table.has(key)}
    count = table.integer(_COUNT[vendor])
    if isinstance(target, AmdArchitecture) and count % target.functional_block().compute_units:
        raise table.fault(_COUNT[vendor], f"{count} CUs do not make whole WGPs")
    source = table.table("source")
    identity, name, aliases = table.text("id"), table.text("name"), table.texts("aliases")
    remarks = table.text("remarks") if table.has("remarks") else ""
    table.finish()
    return Device(
        id=identity,
        name=name,
        aliases=aliases,
        vendor=vendor,
        architecture=target,
        sm_count=count,
        remarks=remarks,
        source=_sources(source, ["architecture", _COUNT[vendor], *figures]),
        **figures,
    )


def _architecture(table: Table, vendor: str, architecture: Callable[[str], Architecture]) -> Architecture:
    try:
        found = architecture(table.text("architecture"))
    except ProfileError as error:
        raise table.fault("architecture", str(error)) from error
    if found.vendor != vendor:
        raise table.fault("architecture", f"{found.id} is of {found.vendor}, the device of {vendor}")
    return found


def _sources(source: Table, figures: list[str]) -> dict[str, str]:
    """Exactly one source for each figure."""
    texts = {figure: source.text(figure) for figure in figures}
    source.finish()
    return texts
