"""The tables of what calls do: complete, strict, and right about a few calls everybody knows."""

from pathlib import Path

import pytest

from cudalint.analysis.host import apis
from cudalint.errors import ProfileError

FOLDER = Path(apis.__file__).parent


def test_twins_do_the_same() -> None:
    assert apis.api("hipDeviceSynchronize") == apis.api("cudaDeviceSynchronize")
    assert apis.api("hipMemcpyDtoH") == apis.api("cuMemcpyDtoH")
    assert apis.api("hipblasSetStream") == apis.api("cublasSetStream")


def test_a_row_beats_its_twin() -> None:
    copied = apis.api("hipMemcpy")
    assert copied is not None
    assert copied.device_to_device == "maybe"


@pytest.mark.parametrize(
    ("name", "key", "value"),
    [
        ("cudaStreamSynchronize", "waits", "stream"),
        ("cudaFree", "waits", "device"),
        ("cudaFreeAsync", "waits", ""),
        ("cudaMallocManaged", "allocates", "managed"),
        ("cudaGetLastError", "errors", "gets"),
        ("hipGetLastError", "errors", "gets"),
        ("cudaThreadSynchronize", "replacement", "cudaDeviceSynchronize"),
    ],
)
def test_what_calls_do(name: str, key: str, value: str) -> None:
    assert getattr(apis.api(name), key) == value


def test_families_answer_for_what_no_row_names() -> None:
    assert apis.api("cublasSgemm") is None
    gemm, scan = apis.family("cublasSgemm"), apis.family("cub::DeviceScan::ExclusiveSum")
    assert gemm is not None
    assert gemm.starts == "library"
    assert scan is not None
    assert scan.unless_null == 0


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("runtime.toml", 'waits = "device"', 'waits = "devise"', "waits"),
        ("runtime.toml", "of = 0", "off = 0", "of"),
        ("libraries.toml", 'source = "cufft"', 'source = "cuff"', "source"),
        ("host.toml", "writes = 0", "writes = true", "writes"),
        ("host.toml", "[status]", "[state]", "status"),
    ],
)
def test_an_error_names_file_and_key(tmp_path: Path, file: str, old: str, new: str, told: str) -> None:
    for path in FOLDER.glob("*.toml"):
        text = path.read_text("utf-8")
        (tmp_path / path.name).write_text(text.replace(old, new, 1) if path.name == file else text, "utf-8")
    with pytest.raises(ProfileError, match=rf"{file}.*{told}"):
        apis.load(tmp_path)
