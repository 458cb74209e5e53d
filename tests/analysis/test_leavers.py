"""Whether what threads that left would have stored is read after the barrier."""

from pathlib import Path

import pytest

from cudalint.analysis.device.divergence import divergences
from cudalint.analysis.device.leavers import read_after
from tests.analysis.traces import traced

KERNEL = """
__global__ void k(float *d, const int *ok, int n, int m, int w) {{
  __shared__ float s[16 * 17];
  const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * blockDim.x + tx, y = blockIdx.y * blockDim.y + ty;
  {body}
}}
void run(float *d, const int *ok, int n, int m, int w, int b) {{ k<<<dim3(n, m), {block}>>>(d, ok, n, m, w); }}
"""
STORE = "s[tx] = d[x]; __syncthreads(); "
MISSED = {
    "the neighbour's": "if (x >= n) return; " + STORE + "d[x] = s[tx ^ 1];",
    "all": "if (x >= n) return; " + STORE + "for (int k = 0; k < blockDim.x; ++k) d[x] += s[k];",
    "of the last thread": "if (x > n) return; " + STORE + "d[x] = s[blockDim.x - 1];",
    "by data": "if (!ok[x]) return; " + STORE + "for (int k = 0; k < m; ++k) d[x] += s[k];",
    "by one of several bounds": "if (x >= n || y >= m) return; s[tx * 17 + ty] = d[x]; __syncthreads(); d[x] = s[tx * 17 + 15];",
    "by a number": "if (tx >= 100) return; " + STORE + "d[x] = s[99 - tx + 20];",
    "in turns of others": "if (x >= n) return; for (int i = tx; i < m; i += blockDim.x) s[i] = 0; __syncthreads(); "
    "for (int i = tx % 32; i < m; i += 32) atomicAdd(&s[i], d[i]);",
    "where the block is not known": "if (x >= n) return; " + STORE + "d[x] = s[tx + 1];",
}
HELD = {
    "its own": "if (x >= n) return; " + STORE + "d[x] = s[tx];",
    "its own of all turns": "if (x >= n) return; for (int k = 0; k < w; ++k) s[k * 64 + tx] = k; __syncthreads(); "
    "for (int j = 0; j < w; ++j) d[x] += s[j * 64 + tx];",
    "its own of equal turns": "if (x >= n) return; for (int i = tx; i < m; i += blockDim.x) s[i] = 0; __syncthreads(); "
    "for (int j = tx; j < m; j += blockDim.x) d[x] += s[j];",
    "of the first thread": "if (x >= n) return; " + STORE + "d[x] = s[0];",
    "stored before": "s[tx] = 0; if (x >= n) return; " + STORE + "d[x] = s[tx ^ 1];",
    "stored by those that leave": "if (x >= n) { s[tx] = 0; return; } " + STORE + "d[x] = s[tx ^ 1];",
    "under the same bound": "if (x >= n) return; " + STORE + "if (x + 1 < n) d[x] = s[tx + 1];",
    "up to the same bound": "if (tx >= w) return; " + STORE + "for (int k = 0; k < w; ++k) d[x] += s[k];",
    "in strides of those that stay": "if (tx >= w) return; for (int i = tx; i < m; i += w) s[i] = d[i]; __syncthreads(); d[x] = s[tx ^ 1];",
    "within a group": "if (x >= n) return; " + STORE + "d[x] = s[tx / 4 * 4 + 1];",
    "by a number": "if (tx >= 100) return; " + STORE + "d[x] = s[99 - tx];",
    "stored by the next row too": "if (ty >= 10) return; s[tx * 10 + ty] = d[x]; __syncthreads(); "
    "for (int k = 0; k < 8; ++k) d[x] += s[tx * 10 + k];",
    "stored by others": "if (ty >= 8) return; if (ty == 0) s[tx] = d[x]; __syncthreads(); d[x] = s[tx ^ 1];",
    "for another task": "if (tx < m) return; s[tx - m] = d[x]; __syncthreads(); d[x] = s[tx - m + 1];",
    "of a partner that stays too": "if (x >= n || y >= m) return; const int u = blockIdx.y * 16 + tx, v = blockIdx.x * 16 + ty; "
    "if (u >= m || v >= n) return; s[ty * 17 + tx] = d[x]; __syncthreads(); d[x] = s[tx * 17 + ty];",
    "of a partner that stays too, where the block is not known": "if (x >= n || y >= m) return; "
    "const int u = blockIdx.y * 16 + tx, v = blockIdx.x * 16 + ty; if (u >= m || v >= n) return; "
    "s[ty * 17 + tx] = d[x]; __syncthreads(); d[x] = s[tx * 17 + ty];",
}  # fmt: skip


def missed(folder: Path, body: str, block: str) -> bool:
    trace = traced(folder, KERNEL.format(body=body, block=block))
    (found,) = [found for found in divergences(trace, "block") if found.kind == "return"]
    return read_after(trace, found) is not None


def block_for(name: str, body: str) -> str:
    if "not known" in name:
        return "b" if "ty" not in body else "dim3(b, b)"
    return "dim3(16, 16)" if "ty" in body else "128"


@pytest.mark.parametrize("name", MISSED)
def test_data_of_threads_that_left_is_missed(tmp_path: Path, name: str) -> None:
    assert missed(tmp_path, MISSED[name], block_for(name, MISSED[name]))


@pytest.mark.parametrize("name", HELD)
def test_no_data_is_missed(tmp_path: Path, name: str) -> None:
    assert not missed(tmp_path, HELD[name], block_for(name, HELD[name]))
