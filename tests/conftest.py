"""What every test may use: the repository's root and a way to run Python on a copy of it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.trees import ROOT

LONGEST = (
    "properties/test_search.py",
    "properties/test_referee_on_kernel.py",
    "cli/test_policy_command.py",
    "properties/test_hidden_cards.py",
    "sim/test_own_policy.py",
    "sim/test_own_policy_examples.py",
    "sim/test_own_policy_errors.py",
    "rules/test_canastra_search.py",
    "rules/test_canasta_search.py",
    "rules/test_loba_search.py",
    "rules/test_mau_mau_search.py",
    "sim/test_cluster.py",
    "properties/test_interpreted.py",
    "contract/test_toy_game.py",
    "kernels/test_jit.py",
    "contract/test_games.py",
    "cli/test_advise.py",
)
"""Files that take long, most of them because they compile, the longest first."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put what takes long first, then the files with most tests: what starts last is short, and all processors end."""
    places = {ROOT / "tests" / name: place for place, name in enumerate(LONGEST)}
    tests = Counter(item.path for item in items)
    items.sort(key=lambda item: (places.get(item.path, len(places)), -tests[item.path], item.path))


@pytest.fixture(scope="session")
def root() -> Path:
    """Root of the repository."""
    return ROOT
