"""Policies that users write: a Python file that is compiled into the kernels."""
