"""The harness that runs marked sources and the examples of pages."""

from pathlib import Path

import pytest

from cudalint.catalogue import Example
from cudalint.testing import Marker, check_markers, complete, markers

KERNEL = "__global__ void k(float *x) { x[threadIdx.x] = 0; }\n"


def source(folder: Path, text: str) -> Path:
    path = folder / "marked.cu"
    path.write_text(text)
    return path


def test_marks_are_read_from_the_ends_of_lines() -> None:
    text = "a\nb //~ tail-wave\nc //~ one-rule: 12, of 3, two-rule //~ three-rule: x\nd #~ four-rule, five-rule\n"
    assert markers(text) == {
        2: [Marker("tail-wave", "")],
        3: [Marker("one-rule", "12, of 3"), Marker("two-rule", ""), Marker("three-rule", "x")],
        4: [Marker("four-rule", ""), Marker("five-rule", "")],
    }


def test_a_source_that_says_what_is_found_has_no_mismatch(tmp_path: Path) -> None:
    text = KERNEL + "void f(float *x) { k<<<1000, 100>>>(x); }  //~ block-not-warp-multiple: 100 threads\n"
    assert check_markers(source(tmp_path, text), ["h200"]) == []


def test_mismatches_are_told_both_ways(tmp_path: Path) -> None:
    text = KERNEL + "//~ tail-wave\nvoid f(float *x) { k<<<1000, 100>>>(x); }\n"
    missing, unexpected = check_markers(source(tmp_path, text), ["h200"])
    assert missing.endswith(":2: missing tail-wave")
    assert ":3:" in unexpected
    assert "unexpected block-not-warp-multiple" in unexpected


def test_a_fragment_that_the_message_lacks_is_a_mismatch(tmp_path: Path) -> None:
    text = KERNEL + "void f(float *x) { k<<<1000, 100>>>(x); }  //~ block-not-warp-multiple: 101 threads\n"
    assert len(check_markers(source(tmp_path, text), ["h200"])) == 2


def test_the_first_line_names_gpus_and_values(tmp_path: Path) -> None:
    text = "// cudalint-test: gpu=mi300x assume=b=100\n" + KERNEL
    text += "void f(float *x, int b) { k<<<1000, b>>>(x); }  //~ block-not-warp-multiple: 2 wavefronts\n"
    assert check_markers(source(tmp_path, text), ["h200"]) == []


def test_a_first_line_with_an_unknown_word_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="gpus=h200"):
        check_markers(source(tmp_path, "// cudalint-test: gpus=h200\n"))


def test_a_fragment_gets_a_function_and_its_kernels() -> None:
    code = complete(Example("cuda", "bad", {}, "scale<<<64, 100>>>(x);\nhipLaunchKernelGGL(copy, 1, 64, 0, 0, x);\n"))
    assert "__global__ void scale(T... arguments)" in code
    assert "__global__ void copy(T... arguments)" in code
    assert "void example() {\nscale<<<64, 100>>>(x);" in code


def test_a_whole_source_is_left_as_it_is() -> None:
    text = KERNEL + "void f(float *x) { k<<<1, 64>>>(x); }\n"
    assert complete(Example("cuda", "good", {}, text)) == text
