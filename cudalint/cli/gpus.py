"""`cudalint gpus`: which GPUs are known."""

import json

import click

from cudalint.cli.targets import named_targets
from cudalint.hw import Device, devices
from cudalint.reporters.columns import columns

_HEADER = ["id", "name", "architecture", "units", "warp", "also"]


@click.command()
@click.option(
    "--gpu-file",
    "gpu_files",
    multiple=True,
    metavar="FILE",
    help="List a GPU described in a TOML file too; repeatable.",
)
@click.option("--output-format", type=click.Choice(["full", "json"]), default="full", show_default=True)
def gpus(gpu_files: tuple[str, ...], output_format: str) -> None:
    """List the GPUs that are known.

    Case, spaces, "-" and "_" do not matter in a name. A GPU's units are its SMs (NVIDIA) or its CUs (AMD).
    """
    own = [target for target in named_targets((), gpu_files) if isinstance(target, Device)]
    known = [*own, *devices()]
    if output_format == "json":
        click.echo(json.dumps([_record(gpu) for gpu in known], indent=2))
    else:
        click.echo(columns([_HEADER, *(_row(gpu) for gpu in known)]))


def _row(gpu: Device) -> list[str]:
    unit = "SMs" if gpu.vendor == "nvidia" else "CUs"
    return [
        gpu.id,
        gpu.name,
        gpu.architecture.id,
        f"{gpu.sm_count} {unit}",
        str(gpu.architecture.warp_size),
        ", ".join(gpu.aliases),
    ]


def _record(gpu: Device) -> dict[str, object]:
    return {
        "id": gpu.id,
        "name": gpu.name,
        "aliases": gpu.aliases,
        "vendor": gpu.vendor,
        "architecture": gpu.architecture.id,
        "family": gpu.architecture.family,
        "sm_count": gpu.sm_count,
        "multiprocessors": gpu.multiprocessors,
        "unit": gpu.unit_name,
        "warp_size": gpu.architecture.warp_size,
        "boost_clock_mhz": gpu.boost_clock_mhz,
        "memory_bandwidth_gb_per_s": gpu.memory_bandwidth_gb_per_s,
        "memory_gb": gpu.memory_gb,
        "l2_cache_mib": gpu.l2_cache_mib,
        "fp32_tflops": gpu.fp32_tflops,
        "remarks": gpu.remarks,
    }
