"""The engine: paths in, a report out."""

from cudalint.engine.run import check, judge

__all__ = ["check", "judge"]
