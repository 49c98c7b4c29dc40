"""The price of a deal in reference shuffles, by game and policy, and what a second thread brings."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from typing import Any

import pytest

from benches.reference import reference_shuffle_ns
from kernels import registry
from sim import batch
from sim.games import make_setup

DEALS = 10_000
ROUNDS = 5
EVERY_POLICY = [(game, policy.name) for game in registry.GAMES for policy in registry.spec(game).policies]

PACES: dict[tuple[str, int], float] = {}


@pytest.mark.parametrize(("game", "policy"), EVERY_POLICY)
def bench_price_of_a_deal(benchmark: Any, game: str, policy: str, finding: Callable[[str], None]) -> None:
    benchmark.group = f"{DEALS:_} deals of {game}, one thread"
    setup = make_setup(game, policies=policy)
    batch.first_compile(setup)
    cards = setup.spec.shuffle_cards(setup.options)
    shuffles = []

    def prepare() -> tuple[tuple[Any, ...], dict[str, Any]]:
        shuffles.append(reference_shuffle_ns(cards))
        return (setup, batch.deal_jobs(setup, 0, DEALS)), {}

    records = benchmark.pedantic(batch.play, setup=prepare, rounds=ROUNDS)
    seconds = benchmark.stats.stats.median
    shuffle = statistics.median(shuffles)
    rounds = zip(benchmark.stats.stats.data, shuffles, strict=True)
    price = statistics.median(taken / DEALS * 1e9 / reference for taken, reference in rounds)
    benchmark.extra_info["shuffles_per_deal"] = round(price, 2)
    finding(
        f"{game:<10} {policy:<10} {price:8.1f} shuffles of {cards} cards a deal (one is {shuffle:.0f} ns)"
        f"{DEALS / seconds:>12,.0f} deals/s{records['turns'].sum() / seconds:>14,.0f} turns/s"
        f"{records['decisions'].sum() / seconds:>14,.0f} decisions/s"
    )


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("game", list(registry.GAMES))
def bench_threads(benchmark: Any, game: str, threads: int, finding: Callable[[str], None]) -> None:
    benchmark.group = f"{4 * DEALS:_} deals of {game}, threads"
    setup = make_setup(game)
    batch.first_compile(setup)

    def play() -> None:
        batch.run_chunks(
            lambda chunk: (chunk.count, batch.play(setup, batch.deal_jobs(setup, chunk.first, chunk.count))),
            0,
            4 * DEALS,
            threads=threads,
            chunk_size=1_000,
            finish=lambda _chunk, _records: None,
        )

    benchmark.pedantic(play, warmup_rounds=1, rounds=ROUNDS)
    PACES[game, threads] = 4 * DEALS / benchmark.stats.stats.median
    if threads > 1:
        gain = PACES[game, threads] / PACES[game, 1]
        finding(f"{game:<10} {threads} threads {gain:.2f} times as fast as one ({PACES[game, threads]:,.0f} deals/s)")
