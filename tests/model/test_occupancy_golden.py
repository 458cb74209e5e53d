"""The calculator equals the vendors' own answers; tests/data/README.md says where the rows come from."""

import csv
from pathlib import Path

import pytest

from cudalint import hw
from cudalint.model import occupancy

DATA = Path(__file__).parents[1] / "data"
RESOURCES = {
    "warps": "warps",
    "waves": "warps",
    "blocks": "blocks",
    "regs": "registers",
    "vgpr": "registers",
    "sgpr": "scalar_registers",
    "smem": "shared_memory",
    "lds": "shared_memory",
    "barriers": "barriers",
}


def rows(name: str) -> list[dict[str, str]]:
    with (DATA / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def resources(limiter: str) -> set[str]:
    return {RESOURCES[name] for name in limiter.split("|")}


def nvidia_rows() -> list[dict[str, str]]:
    return rows("occupancy_nvidia.csv")


def test_the_sample_covers_every_nvidia_architecture() -> None:
    covered = {hw.architecture(row["cc"]).id for row in nvidia_rows()}
    assert covered == {target.id for target in hw.architectures() if target.vendor == "nvidia"}


def test_the_sample_covers_every_amd_architecture() -> None:
    covered = {row["gfx"] for row in rows("occupancy_amd.csv")}
    assert covered == {target.id for target in hw.architectures() if target.vendor == "amd"}


@pytest.mark.parametrize("row", nvidia_rows(), ids=lambda row: ",".join(row.values()))
def test_nvidia_blocks_limiters_and_allocations(row: dict[str, str]) -> None:
    carveout = int(row["carveout"])
    found = occupancy(
        hw.architecture(row["cc"]),
        block=int(row["block_threads"]),
        registers=int(row["regs_per_thread"]),
        static_shared=int(row["static_smem"]),
        dynamic_shared=int(row["dynamic_smem"]),
        carveout=None if carveout < 0 else carveout,
        shared_optin=row["optin"] == "1",
    )
    assert found.blocks_per_sm == int(row["blocks_per_sm"])
    assert set(found.limiters) == resources(row["limiting_factors"])
    assert found.allocated_registers == int(row["allocated_regs_per_block"])
    assert found.allocated_shared == int(row["allocated_smem_per_block"])


@pytest.mark.parametrize("row", rows("occupancy_amd.csv"), ids=lambda row: ",".join(row.values()))
def test_amd_blocks_limiters_and_allocations(row: dict[str, str]) -> None:
    wave, block = int(row["wave_size"]), int(row["block_threads"])
    found = occupancy(
        hw.architecture(row["gfx"]),
        block=block,
        registers=int(row["arch_vgprs"]),
        accumulation_registers=int(row["agprs"]),
        scalar_registers=int(row["sgprs"]),
        static_shared=int(row["lds_bytes"]),
        wave_size=wave,
        mode=row["mode"],
    )
    assert found.blocks_per_sm == int(row["blocks_per_cu"])
    assert found.allocated_registers == int(row["alloc_vgprs"]) * -(-block // wave) * wave
    assert found.allocated_shared == int(row["alloc_lds_bytes"])
    if row["limiter"].startswith("invalid"):
        assert found.reason
    else:
        assert set(found.limiters) == resources(row["limiter"])


@pytest.mark.parametrize("row", rows("occupancy_h200_driver.csv"), ids=lambda row: ",".join(row.values()))
def test_what_the_driver_of_an_h200_answered(row: dict[str, str]) -> None:
    found = occupancy(
        hw.device("h200"),
        block=int(row["block"]),
        registers=int(row["regs"]),
        static_shared=int(row["static_smem"]),
        dynamic_shared=int(row["dyn_smem"]),
    )
    assert found.blocks_per_sm == max(0, int(row["blocks_per_sm"]))
