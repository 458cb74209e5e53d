"""Colours of the text formats: all of them, or none."""

from cudalint.record import record
from cudalint.rule import Severity

_RESET = "\x1b[0m"
_SEVERITY = {Severity.ERROR: "\x1b[1;31m", Severity.WARNING: "\x1b[1;33m", Severity.NOTE: "\x1b[1;36m"}


@record
class Paint:
    """Puts text in colour where `colour` is set; otherwise gives it back as it is."""

    colour: bool = False

    def severity(self, text: str, severity: Severity) -> str:
        return self._in(_SEVERITY[severity], text)

    def strong(self, text: str) -> str:
        return self._in("\x1b[1m", text)

    def frame(self, text: str) -> str:
        """Gutters and arrows."""
        return self._in("\x1b[1;34m", text)

    def mark(self, text: str) -> str:
        return self._in("\x1b[1;31m", text)

    def faint(self, text: str) -> str:
        return self._in("\x1b[2m", text)

    def _in(self, code: str, text: str) -> str:
        return f"{code}{text}{_RESET}" if self.colour and text else text
