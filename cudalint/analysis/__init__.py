"""Analyses over the intermediate representation: values of launches, facts of kernels, the linked program."""

from cudalint.analysis.link import Resources, assemble, link, prepare

__all__ = ["Resources", "assemble", "link", "prepare"]
