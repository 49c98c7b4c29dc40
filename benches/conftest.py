"""Benchmarks write what they found in the project's own units; it is printed under the table of times."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

FINDINGS = pytest.StashKey[list[str]]()


def pytest_configure(config: pytest.Config) -> None:
    """Start with nothing found."""
    config.stash[FINDINGS] = []


@pytest.fixture
def finding(pytestconfig: pytest.Config) -> Callable[[str], None]:
    """Keep a line for the end of the output."""
    return pytestconfig.stash[FINDINGS].append


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Print what was found."""
    if config.stash[FINDINGS]:
        terminalreporter.section("findings")
        for line in config.stash[FINDINGS]:
            terminalreporter.write_line(line)
