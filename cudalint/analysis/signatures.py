"""What the headings of kernels allow a launch to pass."""

from collections.abc import Iterator

from cudalint.analysis.evaluate import Evaluator
from cudalint.analysis.index import Index
from cudalint.ir import Function, Launch
from cudalint.record import record

_HANDLE = "hipLaunchParm"
"""The type of the first parameter that kernels of early HIP had besides those a launch passes."""


@record
class Arity:
    """How many arguments a kernel takes: from `least`, where the rest has defaults, to `most`."""

    least: int
    most: int

    def __str__(self) -> str:
        return str(self.most) if self.least == self.most else f"{self.least} to {self.most}"

    def takes(self, count: int) -> bool:
        return self.least <= count <= self.most


def arity(kernel: Function) -> Arity | None:
    """How many arguments a launch of the kernel passes; None where its heading does not tell."""
    if "uncounted" in kernel.kinds:
        return None
    own = [parameter for parameter in kernel.parameters if parameter.type.name != _HANDLE]
    return Arity(sum(parameter.default is None for parameter in own), len(own))


def overloads(launch: Launch) -> list[Function] | None:
    """Every kernel that the name of a launch can mean where it stands, declared or defined; None where that cannot be told."""
    kernel = launch.kernel
    if kernel is None or not isinstance(kernel.reader, Evaluator):
        return None
    index, file = kernel.reader.scope.index, launch.function.file
    found = list(_named(index, kernel.name, file))
    return found if kernel.function in found and not index.macros(kernel.name, file) else None


def _named(index: Index, name: str, file: str) -> Iterator[Function]:
    for table in (*index.visible(file), *index.reaching(file)):
        yield from (function for function in table.functions.get(name, ()) if function.is_kernel)
