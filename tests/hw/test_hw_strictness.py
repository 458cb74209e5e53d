"""A profile with anything wrong in it is refused, by file and key."""

from pathlib import Path

import pytest

from cudalint import hw
from cudalint.errors import ProfileError
from cudalint.hw.target_file import load_architecture

PROFILES = Path(__file__).parents[2] / "hw_profiles"
MINE = """\
id = "mine"
name = "My GPU"
aliases = ["my-gpu", "h200"]
vendor = "nvidia"
architecture = "sm_90"
sm_count = 10
boost_clock_mhz = 1500

[source]
architecture = "deviceQuery"
sm_count = "deviceQuery"
boost_clock_mhz = "deviceQuery"
"""


def write(folder: Path, text: str, name: str = "mine.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def changed(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new, 1)


def test_a_device_of_the_users_own(tmp_path: Path) -> None:
    mine = hw.load_device_file(write(tmp_path, MINE))
    assert (mine.id, mine.sm_count, mine.architecture.id) == ("mine", 10, "sm_90")
    assert mine.memory_bandwidth_gb_per_s is None


def test_names_of_the_user_come_before_the_built_in_ones(tmp_path: Path) -> None:
    mine = hw.load_device_file(write(tmp_path, MINE))
    assert hw.device("H200", [mine]) is mine
    assert hw.device("h100", [mine]).id == "h100"
    with pytest.raises(ProfileError, match="did you mean mygpu"):
        hw.device("mygpv", [mine])


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("sm_count = 10\n", "", "sm_count: missing"),
        (
            "boost_clock_mhz = 1500",
            "boost_clock_ghz = 1.5",
            r"boost_clock_ghz: unknown key \(did you mean boost_clock_mhz",
        ),
        ("sm_count = 10\n", "sm_count = 10\nsm_number = 10\n", "sm_number: unknown key"),
        ("sm_count = 10\n", 'sm_count = "10"\n', "sm_count: must be a whole number"),
        ("sm_count = 10\n", "sm_count = 10.0\n", "sm_count: must be a whole number"),
        ("sm_count = 10\n", "sm_count = true\n", "sm_count: must be a whole number"),
        ("sm_count = 10\n", "sm_count = 0\n", "sm_count: 0 is below 1"),
        ("boost_clock_mhz = 1500", "boost_clock_mhz = 1.5", "boost_clock_mhz: 1.5 is not between.*wrong unit"),
        ("boost_clock_mhz = 1500", "boost_clock_mhz = true", "boost_clock_mhz: must be a number"),
        ('aliases = ["my-gpu", "h200"]', 'aliases = "my-gpu"', "aliases: must be a list of texts"),
        ('name = "My GPU"', 'name = ""', "name: must be text"),
        ('vendor = "nvidia"', 'vendor = "intel"', "vendor: must be one of nvidia, amd"),
        ('vendor = "nvidia"', 'vendor = "amd"', "architecture: sm_90 is of nvidia"),
        ('"sm_90"', '"sm_91"', "architecture: no architecture called 'sm_91'"),
        ('boost_clock_mhz = "deviceQuery"\n', "", "source.boost_clock_mhz: missing"),
        ('sm_count = "deviceQuery"\n', 'sm_count = ""\n', "source.sm_count: must be text"),
        ("[source]", '[source]\nmemory_gb = "rumour"', "source.memory_gb: unknown key"),
        ("[source]", "[sauce]", "source: missing"),
        ("sm_count = 10", "sm_count =", "not TOML"),
    ],
)
def test_a_wrong_device_is_refused_by_file_and_key(tmp_path: Path, old: str, new: str, complaint: str) -> None:
    path = write(tmp_path, changed(MINE, old, new))
    with pytest.raises(ProfileError, match=complaint) as caught:
        hw.load_device_file(path)
    assert str(path) in str(caught.value)


def test_half_a_wgp_is_refused(tmp_path: Path) -> None:
    text = MINE.replace("nvidia", "amd").replace("sm_90", "gfx1100").replace("sm_count", "cu_count").replace("10", "11")
    text = text.replace("gfx1111", "gfx1100").replace("gfx1110", "gfx1100")
    with pytest.raises(ProfileError, match="cu_count: 11 CUs do not make whole WGPs"):
        hw.load_device_file(write(tmp_path, text))


def test_a_missing_file_is_named() -> None:
    with pytest.raises(ProfileError, match=r"absent\.toml: No such file"):
        hw.load_device_file("absent.toml")


@pytest.mark.parametrize(
    ("name", "old", "new", "complaint"),
    [
        ("sm_90", 'id = "sm_90"', 'id = "sm_91"', "id: 'sm_91' is not the file's name"),
        (
            "sm_90",
            "max_threads_per_sm = 2048",
            "max_threads_per_sm = 1536",
            "limits.max_threads_per_sm: 1536 is not 64 warps",
        ),
        ("sm_90", "max_warps_per_sm = 64\n", "", "limits.max_warps_per_sm: missing"),
        ("sm_90", "warp_size = 32", "warp_size = 32\nwarps = 1", "limits.warps: unknown key"),
        (
            "sm_90",
            "per_sm_bytes = 233472",
            "per_sm_bytes = 228",
            "shared_memory.per_sm_bytes: .*multiple of 1024: wrong unit",
        ),
        ("sm_90", "per_sm_bytes = 233472", "per_sm_bytes = 102400", "max_per_block_bytes: does not fit an SM"),
        ("sm_90", "default_per_block_bytes = 49152", "default_per_block_bytes = 233472", "is below the default"),
        ("sm_90", "196, 228]", "228, 196]", "carveouts_kib: must be ascending"),
        ("sm_90", "196, 228]", "196]", "carveouts_kib: the largest is not all 228 KiB"),
        ("sm_90", "per_block = 65536", "per_block = 131072", "registers.per_block: 131072 are more than an SM has"),
        (
            "sm_90",
            "launchable_per_thread = 256",
            "launchable_per_thread = 128",
            "registers.launchable_per_thread: less",
        ),
        ("sm_90", "[1024, 1024, 64]", "[1024, 1024]", "limits.max_block_dim: must be a list of 3 numbers"),
        ("sm_90", "max_threads_per_block = 1024", "max_threads_per_block = 4096", "4096 do not fit an SM"),
        ("sm_90", "max_blocks = 16", "max_blocks = 4", "clusters.max_blocks: 4 is below 8"),
        ("sm_90", "limits = [", "limit = [", "source.limits: missing"),
        ("sm_90", "clusters = [", "cluster = [", "source.clusters: missing"),
        (
            "gfx1100",
            "default_wave_size = 32",
            "default_wave_size = 16",
            "default_wave_size: 16 is not among wave_sizes",
        ),
        ("gfx1100", "lds_bytes = 131072", "lds_bytes = 65536", "workgroup_processor: lds contradicts 2 compute units"),
        ("gfx1100", "per_simd_wave32 = 1536", "per_simd_wave32 = 1000", "per_simd_wave32: .*not a multiple of 24"),
        ("gfx1100", "max_per_block_bytes = 65536", "max_per_block_bytes = 131072", "more than a compute unit has"),
        ("gfx942", '"unified"', '"split"', "vector_registers.accumulation: must be one of separate, unified"),
        ("gfx942", "[[80, 10], [88, 9]", "[[88, 9], [80, 10]", "waves_per_simd_up_to: must be ascending"),
        ("gfx942", "[[80, 10], [88, 9]", "[80, [88, 9]", "waves_per_simd_up_to: must be a list of pairs"),
        ("gfx942", "[compute_unit]", "[compute_units]", "compute_unit: missing .did you mean compute_units"),
    ],
)
def test_a_wrong_architecture_is_refused_by_file_and_key(
    tmp_path: Path, name: str, old: str, new: str, complaint: str
) -> None:
    text = (PROFILES / "arch" / f"{name}.toml").read_text(encoding="utf-8")
    path = write(tmp_path, changed(text, old, new), f"{name}.toml")
    with pytest.raises(ProfileError, match=complaint) as caught:
        load_architecture(path)
    assert str(path) in str(caught.value)
