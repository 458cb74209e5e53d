"""From files to units, in parallel and from the cache."""

from cudalint.pipeline.loading import Loaded, load

__all__ = ["Loaded", "load"]
