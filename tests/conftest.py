"""What every test may use: the repository's root and a way to run Python on a copy of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.trees import ROOT


@pytest.fixture(scope="session")
def root() -> Path:
    """Root of the repository."""
    return ROOT
