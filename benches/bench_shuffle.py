"""The kernels' own shuffle beside the frozen reference."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from benches.reference import SEED, reference_shuffle_ns, shuffle_many
from kernels import rng
from kernels._jit import kernel

SHUFFLES = 100_000
PACKS = [40, 52, 104, 108]


@kernel
def shuffle_own(cards: Any, shuffles: int, stream: Any) -> None:
    """Shuffle with the kernels' routine, many times."""
    count = np.int64(len(cards))
    for _ in range(shuffles):
        rng.shuffle(stream, cards, count)


@pytest.mark.parametrize("cards", PACKS)
def bench_reference(benchmark: Any, cards: int) -> None:
    benchmark.group = f"{SHUFFLES:_} shuffles of {cards} cards"
    pack = np.arange(cards, dtype=np.uint8)
    benchmark.pedantic(shuffle_many, (pack, SHUFFLES, np.uint64(SEED)), warmup_rounds=1, rounds=5)


@pytest.mark.parametrize("cards", PACKS)
def bench_kernels(benchmark: Any, cards: int, finding: Callable[[str], None]) -> None:
    benchmark.group = f"{SHUFFLES:_} shuffles of {cards} cards"
    pack = np.arange(cards, dtype=np.uint8)
    stream = np.array([SEED], np.uint64)
    benchmark.pedantic(shuffle_own, (pack, SHUFFLES, stream), warmup_rounds=1, rounds=5)
    own = benchmark.stats.stats.median / SHUFFLES * 1e9
    finding(f"shuffle of {cards:>3} cards: kernels {own:6.1f} ns, reference {reference_shuffle_ns(cards):6.1f} ns")
