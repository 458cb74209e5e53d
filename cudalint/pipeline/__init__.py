"""From files to units, in parallel and from the cache."""

from cudalint.pipeline.load import Loaded, load

__all__ = ["Loaded", "load"]
