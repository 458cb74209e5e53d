"""What the names a file imports mean."""

import ast
from collections.abc import Iterator

from cudalint.record import record


@record
class ImportLine:
    """One import: `module` with its leading dots, `names` what of it ("" for the module itself)."""

    module: str
    names: tuple[str, ...]


class Imports:
    """Names by the path they stand for: `cp` is `cupy`, `cuda` may be `numba.cuda`."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.lines: list[ImportLine] = []

    def add(self, node: ast.Import | ast.ImportFrom) -> None:
        """Note an import statement; where one name is imported twice (as in `try`), the first counts."""
        if isinstance(node, ast.Import):
            for alias in node.names:
                whole = alias.name if alias.asname else alias.name.partition(".")[0]
                self.names.setdefault(alias.asname or whole, whole)
                self.lines.append(ImportLine(alias.name, ("",)))
            return
        module = "." * node.level + (node.module or "")
        self.lines.append(ImportLine(module, tuple(alias.name for alias in node.names)))
        for alias in node.names:
            joined = f"{module}{alias.name}" if module.endswith(".") else f"{module}.{alias.name}"
            self.names.setdefault(alias.asname or alias.name, joined)

    def path(self, node: ast.expr) -> str:
        """The dotted path of a name or an attribute that comes from an import; "" for anything else."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return ""
        base = self.names.get(node.id)
        return "" if base is None else ".".join([base, *parts[::-1]])

    def files(self) -> Iterator[str]:
        """Relative names of files that the imports may mean, each once."""
        yield from dict.fromkeys(name for line in self.lines for name in _files(line))


def _files(line: ImportLine) -> Iterator[str]:
    module = line.module.lstrip(".")
    above = len(line.module) - len(module)
    base = "../" * (above - 1) + module.replace(".", "/") if above else module.replace(".", "/")
    if module:
        yield f"{base}.py"
    for name in line.names:
        if name and name != "*" and (above or not module):
            yield f"{base}/{name}.py" if module else f"{base}{name}.py"
