"""The version of the program, alone here so that anything may name it."""

VERSION = "0.1.0"
