"""Analyses over the intermediate representation: values of launches, facts of kernels, the linked program."""

from cudalint.analysis.link import link

__all__ = ["link"]
