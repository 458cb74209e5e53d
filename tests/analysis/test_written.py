"""What a launch is computed from, as written."""

from pathlib import Path

import pytest

from cudalint.analysis.device.launched import Launched, launched
from tests.analysis.traces import instances

KERNEL = """
__global__ void work(float *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] = 0.0f; }
constexpr int N = 1000;
#define B 256
static int div_up(int a, int b) { return (a + b - 1) / b; }
"""


def run(folder: Path, body: str, parameters: str = "float *x, int n") -> Launched:
    ((instance, context),) = instances(folder, f"{KERNEL}\nvoid run({parameters}) {{ {body} }}")
    found = launched(instance, context.trace(instance))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("grid", "count", "up", "total"),
    [
        ("(n + 255) / 256", "n", True, None),
        ("(n + B - 1) / B", "n", True, None),
        ("div_up(n, B)", "n", True, None),
        ("div_up(N, B)", "N", True, 1000),
        ("(N + B - 1) / B", "N", True, 1000),
        ("(1000 + 255) / 256", "1000", True, 1000),
        ("n % B ? n / B + 1 : n / B", "n", True, None),
        ("(n + B) / B", "n + 1", True, None),
        ("n / B", "n", False, None),
        ("N / B", "N", False, 1000),
        ("n >> 8", "n", False, None),
        ("ceil(n / (float)B)", "n", True, None),
    ],
)
def test_what_a_grid_divides(tmp_path: Path, grid: str, count: str, up: bool, total: int | None) -> None:
    share = run(tmp_path, f"const int blocks = {grid}; work<<<blocks, B>>>(x, n);").shares["x"]
    assert (str(share.count), share.up, share.total, share.step) == (count, up, total, 256)


def test_dimensions_are_found_through_variables(tmp_path: Path) -> None:
    body = (
        "dim3 block(32, 8); dim3 grid; grid.x = div_up(n, block.x); grid.y = m / block.y; work<<<grid, block>>>(x, n);"
    )
    shares = run(tmp_path, body, "float *x, int n, int m").shares
    assert [(axis, str(share.count), share.up, share.step) for axis, share in shares.items()] == [
        ("x", "n", True, 32),
        ("y", "m", False, 8),
    ]


def test_memory_is_measured_in_elements(tmp_path: Path) -> None:
    body = "size_t size = (n + 2) * sizeof(float); cudaMalloc((void **)&x, size); work<<<div_up(n, B), B>>>(x, n);"
    found = run(tmp_path, f"float *x; {body}", "int n")
    assert str(found.elements["x"]) == "n + 2"
    assert found.based["x"]


@pytest.mark.parametrize(
    "body", ["float *x; cudaMalloc(&x, n * 4); cudaMalloc(&x, n * 8);", "float *x; n *= 2; cudaMalloc(&x, n * 4);"]
)
def test_memory_of_several_sizes_is_not_measured(tmp_path: Path, body: str) -> None:
    assert run(tmp_path, f"{body} work<<<1, B>>>(x, n);", "int n").elements == {}


def test_a_moved_pointer_is_not_the_start_of_its_memory(tmp_path: Path) -> None:
    assert not run(tmp_path, "work<<<1, B>>>(x + 1, n);").based["x"]
    assert not run(tmp_path, "float *y = x + 1; work<<<1, B>>>(y, n);").based["x"]


def test_parameters_are_compared_as_the_host_passes_them(tmp_path: Path) -> None:
    from cudalint.ir import symbol as sym

    found = run(tmp_path, "int last = n - 1; work<<<div_up(n, B), B>>>(x, last);")
    bound = sym.add(sym.atom(sym.Symbol("n")), sym.ONE)
    assert found.same(bound, sym.atom(sym.Symbol("n"))) == 0
