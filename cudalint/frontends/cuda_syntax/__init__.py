"""CUDA C++ and HIP read with tree-sitter: needs no toolkit, and reads what it can of broken code."""
