"""The settings of a run and where they come from."""

from cudalint.config.file import load_config, read_config
from cudalint.config.integer import integer
from cudalint.config.settings import DEFAULT_EXCLUDE, NEVER, Config, IgnoreEntry, suggestion

__all__ = ["DEFAULT_EXCLUDE", "NEVER", "Config", "IgnoreEntry", "integer", "load_config", "read_config", "suggestion"]
