"""`python -m cudalint` is the program `cudalint`."""

from cudalint.cli import main

if __name__ == "__main__":
    main()
