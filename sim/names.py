"""What an argument is called where it was written, so that an error names what the reader can change."""

from __future__ import annotations

from collections.abc import Callable

Names = Callable[[str], str]
"""Turns the name of an argument of `sim.simulate` into what the error calls it."""

_OPTIONS = {"policies": "--policy"}


def in_program(argument: str) -> str:
    """Name of an argument in a program: its own."""
    return argument


def on_command_line(argument: str) -> str:
    """Name of an argument on the command line: the option that sets it."""
    return _OPTIONS.get(argument, f"--{argument}")
