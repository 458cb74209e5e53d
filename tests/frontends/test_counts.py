"""Which parameter and argument lists say how many things they hold."""

import pytest

from tests.frontends.lowered import launches_of, unit_of

KERNELS = {
    "plain": ("", "float *x, int n", True),
    "no parameters": ("", "", True),
    "a default": ("", "float *x, int n = 3", True),
    "a parameter pack": ("template <class... T>", "int n, T... rest", False),
    "a conditional parameter": ("", "int n\n#ifdef TRACE\n, int m\n#endif\n", False),
    "a macro with a comma": ("#define MORE , int m\n", "int n MORE", False),
    "a macro under an #if": ("#ifdef TRACE\n#define MORE , int m\n#else\n#define MORE\n#endif\n", "int n MORE", False),
    "a type that is a macro": ("#define REAL float\n", "REAL *x, int n", True),
}
ARGUMENTS = {
    "plain": ("", "x, n", True),
    "a call with two arguments": ("", "f(x, n), n", True),
    "a pack": ("", "rest...", False),
    "a conditional argument": ("", "x\n#ifdef TRACE\n, n\n#endif\n", False),
    "a macro with a comma": ("#define BOTH x, n\n", "BOTH", False),
    "a macro that may be nothing": ("#define NOTHING\n", "x NOTHING", False),
    "a macro under an #if": ("#ifdef TRACE\n#define MORE , n\n#else\n#define MORE\n#endif\n", "x MORE", False),
    "a macro that is a number": ("#define SIZE 4\n", "x, SIZE", True),
}


@pytest.mark.parametrize(("before", "parameters", "counted"), KERNELS.values(), ids=KERNELS)
def test_a_kernel_tells_how_many_parameters_it_has(before: str, parameters: str, counted: bool) -> None:
    (kernel,) = unit_of(f"{before}\n__global__ void kernel({parameters}) {{}}").kernels
    assert ("uncounted" not in kernel.kinds) is counted


@pytest.mark.parametrize(("before", "arguments", "counted"), ARGUMENTS.values(), ids=ARGUMENTS)
@pytest.mark.parametrize("launch", ["k<<<1, 32>>>({})", "hipLaunchKernelGGL(k, 1, 32, 0, 0, {})"])
def test_a_launch_tells_how_many_arguments_it_passes(before: str, arguments: str, counted: bool, launch: str) -> None:
    (found,) = launches_of(f"{before}\nvoid host(int n) {{\n{launch.format(arguments)};\n}}")
    assert found.counted is counted


def test_arguments_packed_in_an_array_are_not_counted() -> None:
    (found,) = launches_of("void host(void **a) { cudaLaunchKernel(k, 1, 32, a, 0, 0); }")
    assert found.arguments is None
    assert not found.counted
