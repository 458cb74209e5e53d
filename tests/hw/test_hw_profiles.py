"""Every profile that ships is complete, sourced and consistent."""

from dataclasses import replace
from pathlib import Path

import pytest

from cudalint import hw
from cudalint.errors import ProfileError
from cudalint.hw.lookup import names, normal, unique_names

PROFILES = Path(__file__).parents[2] / "hw_profiles"
ARCHITECTURE_FILES = sorted(path.stem for path in (PROFILES / "arch").glob("*.toml"))
DEVICE_FILES = sorted(path.stem for path in (PROFILES / "devices").glob("*.toml"))
TYPED = {
    "h200": "h200",
    "H100": "h100",
    "h100-pcie": "h100-pcie",
    "a100": "a100",
    "A100 80GB": "a100",
    "a100-40gb": "a100-40gb",
    "a100-pcie-40gb": "a100-pcie-40gb",
    "v100": "v100",
    "Tesla T4": "t4",
    "rtx4090": "rtx4090",
    "rtx-4090": "rtx4090",
    "RTX_4090": "rtx4090",
    "GeForce RTX 4090": "rtx4090",
    "3090": "rtx3090",
    "rtx3090": "rtx3090",
    "l40s": "l40s",
    "mi300x": "mi300x",
    "Instinct MI300X": "mi300x",
    "mi250x": "mi250x",
    "mi210": "mi210",
    "rx7900xtx": "rx7900xtx",
    "7900xtx": "rx7900xtx",
    "gb10": "gb10",
    "dgx spark": "gb10",
    "NVIDIA H200": "h200",
    "NVIDIA H100 80GB HBM3": "h100",
    "NVIDIA A100-SXM4-80GB": "a100",
    "NVIDIA A100 80GB PCIe": "a100-pcie",
    "NVIDIA GeForce RTX 3090": "rtx3090",
    "AMD Instinct MI300X": "mi300x",
    "AMD Radeon RX 7900 XTX": "rx7900xtx",
}


@pytest.mark.parametrize("name", ARCHITECTURE_FILES)
def test_architecture_loads_under_its_file_name(name: str) -> None:
    assert hw.architecture(name).id == name


@pytest.mark.parametrize("name", DEVICE_FILES)
def test_device_loads_under_its_file_name_with_a_source_for_every_figure(name: str) -> None:
    device = hw.device(name)
    assert device.id == name
    figures = [
        key
        for key in ("boost_clock_mhz", "memory_bandwidth_gb_per_s", "memory_gb", "l2_cache_mib", "fp32_tflops")
        if getattr(device, key) is not None
    ]
    assert set(figures) < set(device.source)


def test_everything_is_listed() -> None:
    assert [architecture.id for architecture in hw.architectures()] == ARCHITECTURE_FILES
    assert [device.id for device in hw.devices()] == DEVICE_FILES


def test_no_name_belongs_to_two_devices() -> None:
    owners = unique_names(hw.devices())
    assert len(owners) == sum(len(names(device)) for device in hw.devices())


def test_no_alias_repeats_another_of_the_same_device() -> None:
    for device in hw.devices():
        written = [normal(name) for name in (device.id, *device.aliases)]
        assert len(written) == len(set(written)), device.id


def test_a_name_of_two_devices_is_an_error() -> None:
    h100 = hw.device("h100")
    with pytest.raises(ProfileError, match="also a name of"):
        unique_names([h100, replace(h100, id="other")])


@pytest.mark.parametrize(("typed", "identity"), TYPED.items())
def test_what_people_type(typed: str, identity: str) -> None:
    assert hw.device(typed).id == identity


@pytest.mark.parametrize(
    ("typed", "identity"),
    [
        ("sm_90", "sm_90"),
        ("9.0", "sm_90"),
        ("sm_90a", "sm_90"),
        ("compute_86", "sm_86"),
        ("12.1", "sm_121"),
        ("gfx942", "gfx942"),
        ("gfx90a:sramecc+:xnack-", "gfx90a"),
        ("GFX1100", "gfx1100"),
    ],
)
def test_architecture_names(typed: str, identity: str) -> None:
    assert hw.architecture(typed).id == identity


def test_unknown_device_suggests_the_nearest() -> None:
    with pytest.raises(ProfileError, match=r"no GPU called 'h201': did you mean h200"):
        hw.device("h201")


def test_unknown_architecture_suggests_the_nearest() -> None:
    with pytest.raises(ProfileError, match=r"no architecture called 'gfx943': did you mean gfx942"):
        hw.architecture("gfx943")


def test_blocks_of_an_rdna_card_count_against_pairs_of_compute_units() -> None:
    card = hw.device("rx7900xtx")
    assert (card.sm_count, card.multiprocessors, card.unit_name) == (96, 48, "WGP")
    assert card.multiprocessors_in("cu") == 96


def test_a_cdna_device_counts_compute_units_and_an_nvidia_one_sms() -> None:
    assert (hw.device("mi300x").multiprocessors, hw.device("mi300x").unit_name) == (304, "CU")
    assert (hw.device("h200").multiprocessors, hw.device("h200").unit_name) == (132, "SM")


def test_mi250x_is_described_as_one_of_its_two_dies() -> None:
    assert hw.device("mi250x").multiprocessors == 110
    assert "two devices" in hw.device("mi250x").remarks


def test_an_unknown_mode_or_wave_size_is_refused() -> None:
    target = hw.architecture("gfx942")
    assert isinstance(target, hw.AmdArchitecture)
    with pytest.raises(ValueError, match="no wgp mode"):
        target.functional_block("wgp")
    with pytest.raises(ValueError, match="no wavefronts of 32"):
        target.vector_file(32)
