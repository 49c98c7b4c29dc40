"""The referee, which knows the rule book and the log alone, over deals that the kernels played."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, product

import pytest

from sim.games import Setup
from sim.replay import Event, Replayer
from tests.properties.setups import covering_setups, factors, random_setup
from tests.referee.canastra import judge
from tests.referee.corruptions import CORRUPTIONS, Corruption
from tests.referee.log import RuleBroken

GAME = "canastra"
DEALS_OF_A_SETUP = 25
DEALS_IN_CI = 5_000
DEALS = 100_000
DEALS_TO_CORRUPT = 800
MATCHES = 12

UNPLAYED = {"unplayed_red_three_in_hand"}
"""Corruptions of what hardly happens in play: a batida before everybody has had a turn."""

EVENT_NAMES = {
    "deal",
    "draw",
    "red_three",
    "take_pile",
    "decline_pile",
    "meld",
    "extend",
    "discard",
    "take_morto",
    "morto_opened",
    "morto_to_stock",
    "pass",
    "go_out",
    "end",
}


def setups(seed: int) -> Iterator[Setup]:
    """Tables of all kinds: the covering ones first, then random ones without end."""
    yield from covering_setups(GAME, seed)
    rng = random.Random(seed)
    while True:
        yield random_setup(GAME, rng)


def played(seed: int, deals: int) -> Iterator[tuple[Setup, list[Event]]]:
    """Deals with the tables they were played at."""
    for number, setup in enumerate(setups(seed)):
        if number * DEALS_OF_A_SETUP >= deals:
            return
        replayer = Replayer(setup)
        first = number * DEALS_OF_A_SETUP
        for deal in range(first, min(first + DEALS_OF_A_SETUP, deals)):
            yield setup, replayer.deal(deal)


def reproduce(setup: Setup, log: list[Event]) -> str:
    """Command that shows a deal again."""
    start = log[0]
    if start["match"] is None:
        return setup.command("show", "--deal", start["deal"])
    return setup.command("show", "--match", start["match"], "--hand", start["deal"])


def check_accepted(deals: Iterator[tuple[Setup, list[Event]]]) -> Counter[str]:
    """The referee accepts every deal; how often each event and each end occurred."""
    met: Counter[str] = Counter()
    for setup, log in deals:
        try:
            verdict = judge(log)
        except RuleBroken as broken:
            raise AssertionError(f"{broken}\n{reproduce(setup, log)}") from broken
        assert verdict.scores == log[-1]["scores"]
        met.update(event["event"] for event in log)
        met[f"reason {verdict.reason}"] += 1
    return met


def test_the_tables_bring_every_two_values_together() -> None:
    met = set()
    for setup in covering_setups(GAME):
        seats = {f"seat {seat}": text for seat, text in enumerate(setup.policy_texts)}
        row = [(name, repr(value)) for name, value in {**setup.options, **seats}.items()]
        met |= {(one, other) for one in row for other in row}
    values = {name: [(name, repr(value)) for value in some] for name, some in factors(GAME).items()}
    for name, other in combinations(values, 2):
        assert set(product(values[name], values[other])) <= met, (name, other)


def test_the_referee_accepts_what_the_kernels_play_at_every_kind_of_table() -> None:
    met = check_accepted(played(0, DEALS_IN_CI))
    assert met["deal"] == DEALS_IN_CI
    assert met.keys() >= EVENT_NAMES
    assert met.keys() >= {"reason batida", "reason stock_out"}


@pytest.mark.slow
def test_the_referee_accepts_a_hundred_thousand_deals() -> None:
    assert check_accepted(played(1, DEALS))["deal"] == DEALS


def matches(seed: int, count: int) -> Iterator[tuple[Setup, list[Event]]]:
    """Hands of matches at random tables."""
    rng = random.Random(seed)
    for match in range(count):
        setup = random_setup(GAME, rng, with_parameters=False)
        for hand in Replayer(setup).match(match):
            yield setup, hand


def test_can_28_the_referee_accepts_whole_matches() -> None:
    totals: dict[int, list[int]] = {}
    for setup, hand in matches(2, MATCHES):
        start, match = hand[0], hand[0]["match"]
        judge(hand)
        before = totals.get(match, [0, 0])
        assert start["scores_before"] == before, reproduce(setup, hand)
        totals[match] = [total + score for total, score in zip(before, hand[-1]["scores"], strict=True)]
    assert len(totals) == MATCHES


@cache
def deals_to_corrupt() -> list[tuple[Setup, list[Event]]]:
    """Deals at every kind of table."""
    return list(played(3, DEALS_TO_CORRUPT))


@pytest.mark.parametrize("case", CORRUPTIONS, ids=lambda case: case[0])
def test_a_corrupted_kernel_log_is_rejected_for_its_reason(case: Corruption) -> None:
    assert reject_corrupted(case, 3) > 0 or case[0] in UNPLAYED


@pytest.mark.slow
@pytest.mark.parametrize("case", CORRUPTIONS, ids=lambda case: case[0])
def test_many_corrupted_kernel_logs_are_rejected_for_their_reason(case: Corruption) -> None:
    assert reject_corrupted(case, DEALS_TO_CORRUPT) > 0 or case[0] in UNPLAYED


def reject_corrupted(case: Corruption, wanted: int) -> int:
    """Corrupt up to so many deals: each is rejected with the article; the number of them."""
    name, corrupt, articles = case
    rejected = 0
    for number, (setup, log) in enumerate(deals_to_corrupt()):
        corrupted = corrupt(log, random.Random(number))
        if corrupted is not None:
            with pytest.raises(RuleBroken) as caught:
                judge(corrupted)
            assert caught.value.article in articles, f"{name}: {caught.value}\n{reproduce(setup, log)}"
            rejected += 1
            if rejected == wanted:
                break
    return rejected
