"""Which GPUs a file is judged for: those asked for, or one for its language."""

from collections.abc import Collection

from cudalint.config import Config
from cudalint.hw import Device, device, load_device_file
from cudalint.ir import Program
from cudalint.rule import Context

_DEFAULT = {"hip": "mi300x"}
_DEFAULT_ELSE = "h200"


class Targets:
    """The GPUs of a run and what rules are told on each."""

    def __init__(self, program: Program, config: Config, known_rules: frozenset[str]) -> None:
        """Raises ProfileError for a GPU nobody knows."""
        self._program = program
        self._known_rules = known_rules
        self._contexts: dict[str, Context] = {}
        self._asked = tuple(self._context(found) for found in asked_devices(config))
        self._by_language: dict[str, tuple[Context, ...]] = {}

    @property
    def gpus(self) -> tuple[str, ...]:
        """The ids of the GPUs in use."""
        return tuple(context.device.id for context in self.all())

    def all(self) -> tuple[Context, ...]:
        """One context for each GPU in use."""
        if self._asked:
            return self._asked
        languages = [
            self._program.units[file].language for file in sorted(self._program.requested & self._program.units.keys())
        ]
        used = [context for language in languages for context in self._default(language)]
        return tuple({context.device.id: context for context in used}.values()) or self._default("")

    def of(self, file: str) -> tuple[Context, ...]:
        """The contexts for what stands in a file."""
        unit = self._program.units.get(file)
        return self._asked or (self._default(unit.language) if unit else self.all()[:1])

    def _default(self, language: str) -> tuple[Context, ...]:
        if language not in self._by_language:
            self._by_language[language] = (self._context(device(_DEFAULT.get(language, _DEFAULT_ELSE))),)
        return self._by_language[language]

    def _context(self, found: Device) -> Context:
        return self._contexts.setdefault(found.id, Context(self._program, found, self._known_rules))


def asked_devices(config: Config) -> list[Device]:
    """The GPUs the settings name, each once; those described in files come first, and alone where none is named.

    Raises ProfileError for a GPU nobody knows or a file that describes none.
    """
    own = [load_device_file(file) for file in config.gpu_files]
    named = [device(name, own) for name in config.gpu] or own
    return list({found.id: found for found in named}.values())


def covers_project(gpus: Collection[str], config: Config) -> bool:
    """Whether a run on `gpus` includes every GPU that the project's own file names."""
    own = [load_device_file(file) for file in config.gpu_files]
    return all(device(name, own).id in gpus for name in config.project_gpu)
