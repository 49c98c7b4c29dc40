"""Mau-mau beside OpenSpiel's crazy eights, where that is installed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from benches import peers


@pytest.mark.skipif(not peers.is_installed(), reason=peers.MISSING)
def bench_decisions_beside_openspiel(finding: Callable[[str], None]) -> None:
    for line in peers.lines():
        finding(line)
