"""The command line: parsing, output streams and exit codes only."""

import sys

from cudalint.cli.app import run


def main() -> None:
    """The `cudalint` program."""
    sys.exit(run(sys.argv[1:]))
