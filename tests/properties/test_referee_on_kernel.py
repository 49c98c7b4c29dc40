"""The referee, which knows the rule book and the log alone, over deals that the kernels played."""

from __future__ import annotations

import ast
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from typing import Any

import pytest

from kernels import registry
from sim.games import Setup
from sim.option_tables import can_go_together
from sim.replay import Event, Replayer
from tests.properties.setups import covering_setups, factors, random_setup
from tests.referee import (
    canasta,
    canasta_corruptions,
    canastra,
    corruptions,
    escopa,
    escopa_corruptions,
    loba,
    loba_corruptions,
    mau_mau,
    mau_mau_corruptions,
)
from tests.referee.log import RuleBroken
from tests.referee.log_edits import Corruption

DEALS_OF_A_SETUP = 15
DEALS_IN_CI = 3_000
DEALS = 100_000
DEALS_TO_CORRUPT = 800
MOST_DEALS_TO_CORRUPT = 3_000
"""As many where fewer have nothing that can be corrupted."""

MATCHES = 12


@dataclass(frozen=True)
class Case:
    """The referee of a game and what must be met among its deals.

    `unplayed` are corruptions of what hardly happens in play, `rare` are ends that do not.
    """

    judge: Callable[[list[Event]], Any]
    corruptions: list[Corruption]
    events: set[str]
    unplayed: set[str]
    rare: frozenset[str] = frozenset()


SHARED_EVENTS = {"deal", "draw", "red_three", "take_pile", "decline_pile", "meld", "extend", "discard", "go_out", "end"}
CASES = {
    "canastra": Case(
        canastra.judge,
        corruptions.CORRUPTIONS,
        SHARED_EVENTS | {"take_morto", "morto_opened", "morto_to_stock", "pass"},
        # A batida before everybody has had a turn.
        {"unplayed_red_three_in_hand"},
    ),
    "canasta": Case(
        canasta.judge,
        canasta_corruptions.CORRUPTIONS,
        SHARED_EVENTS | {"ask"},
        # Going out before everybody has had a turn, a red three in the hand of who has not.
        {"unplayed_red_three_not_counted"},
    ),
    "escopa": Case(
        escopa.judge,
        escopa_corruptions.CORRUPTIONS,
        {
            "deal",
            "dealer_take",
            "to_table",
            "deal_hands",
            "play",
            "overlook",
            "claim",
            "leftover",
            "end",
        },
        # The dealer takes twice in one pack of five hundred.
        {"four_more_after_the_second_take", "second_take_where_there_is_one", "second_take_forgotten"},
    ),
    "mau_mau": Case(
        mau_mau.judge,
        mau_mau_corruptions.CORRUPTIONS,
        {
            *("deal", "play", "draw", "unable", "pass", "skip", "reverse", "call", "bars_lifted", "reshuffle"),
            *("go_out", "void", "end"),
        },
        set(),
    ),
    "loba": Case(
        loba.judge,
        loba_corruptions.CORRUPTIONS,
        {"deal", "redeal", "draw", "take_discard", "meld", "extend", "discard", "reshuffle", "go_out", "end"},
        # A thousand turns; who is out of a match; a third joker beside two in one sequence.
        {"plays_on_after_the_cap", "who_is_out_counts", "third_joker"},
        # Everybody must take each discard for a thousand turns (tests/rules/test_loba_turn.py).
        frozenset({"cap"}),
    ),
}
GAMES = sorted(CASES)
EVERY_CORRUPTION = [
    pytest.param(game, corruption, id=f"{game}-{corruption[0]}")
    for game in GAMES
    for corruption in CASES[game].corruptions
]


def test_every_game_has_its_referee() -> None:
    assert sorted(registry.GAMES) == GAMES


def setups(game: str, seed: int) -> Iterator[Setup]:
    """Tables of all kinds: the covering ones first, then random ones without end."""
    yield from covering_setups(game, seed)
    rng = random.Random(seed)
    while True:
        yield random_setup(game, rng)


def played(game: str, seed: int, deals: int) -> Iterator[tuple[Setup, list[Event]]]:
    """Deals with the tables they were played at."""
    for number, setup in enumerate(setups(game, seed)):
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
            verdict = CASES[setup.spec.name].judge(log)
        except RuleBroken as broken:
            raise AssertionError(f"{broken}\n{reproduce(setup, log)}") from broken
        assert verdict.scores == log[-1]["scores"]
        met.update(event["event"] for event in log)
        met[f"reason {verdict.reason}"] += 1
    return met


@pytest.mark.parametrize("game", GAMES)
def test_the_tables_bring_every_two_values_together(game: str) -> None:
    met = set()
    for setup in covering_setups(game):
        seats = {f"seat {seat}": text for seat, text in enumerate(setup.policy_texts)}
        row = [(name, repr(value)) for name, value in {**setup.options, **seats}.items()]
        met |= {(one, other) for one in row for other in row}
    values = {name: [(name, repr(value)) for value in some] for name, some in factors(game).items()}
    for name, other in combinations(values, 2):
        for (_, one), (_, two) in product(values[name], values[other]):
            pair = {name: ast.literal_eval(one), other: ast.literal_eval(two)}
            assert ((name, one), (other, two)) in met or not can_go_together(registry.spec(game), pair), pair


@pytest.mark.parametrize("game", GAMES)
def test_the_referee_accepts_what_the_kernels_play_at_every_kind_of_table(game: str) -> None:
    met = check_accepted(played(game, 0, DEALS_IN_CI))
    assert met["deal"] == DEALS_IN_CI
    assert met.keys() >= CASES[game].events
    reasons = set(registry.spec(game).end_reasons) - CASES[game].rare
    assert met.keys() >= {f"reason {reason}" for reason in reasons}


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_the_referee_accepts_a_hundred_thousand_deals(game: str) -> None:
    assert check_accepted(played(game, 1, DEALS))["deal"] == DEALS


def matches(game: str, seed: int, count: int) -> Iterator[tuple[Setup, list[Event]]]:
    """Hands of matches at random tables."""
    rng = random.Random(seed)
    for match in range(count):
        setup = random_setup(game, rng, with_parameters=False)
        for hand in Replayer(setup).match(match):
            yield setup, hand


@pytest.mark.parametrize("game", GAMES)
def test_the_referee_accepts_whole_matches(game: str) -> None:
    totals: dict[int, list[int]] = {}
    for setup, hand in matches(game, 2, MATCHES):
        start, match = hand[0], hand[0]["match"]
        CASES[game].judge(hand)
        before = totals.get(match, [0] * setup.sides)
        assert start["scores_before"] == before, reproduce(setup, hand)
        totals[match] = [total + score for total, score in zip(before, hand[-1]["scores"], strict=True)]
    assert len(totals) == MATCHES


@cache
def kept(game: str) -> tuple[list[tuple[Setup, list[Event]]], Iterator[tuple[Setup, list[Event]]]]:
    """Deals that were played to be corrupted, and where more come from."""
    return [], played(game, 3, MOST_DEALS_TO_CORRUPT)


def deals_to_corrupt(game: str) -> Iterator[tuple[Setup, list[Event]]]:
    """Deals at every kind of table, played when they are first wanted."""
    before, more = kept(game)
    for number in range(MOST_DEALS_TO_CORRUPT):
        if number == len(before):
            before.append(next(more))
        yield before[number]


@pytest.mark.parametrize(("game", "corruption"), EVERY_CORRUPTION)
def test_a_corrupted_kernel_log_is_rejected_for_its_reason(game: str, corruption: Corruption) -> None:
    assert reject_corrupted(game, corruption, 3) > 0 or corruption[0] in CASES[game].unplayed


@pytest.mark.slow
@pytest.mark.parametrize(("game", "corruption"), EVERY_CORRUPTION)
def test_many_corrupted_kernel_logs_are_rejected_for_their_reason(game: str, corruption: Corruption) -> None:
    assert reject_corrupted(game, corruption, DEALS_TO_CORRUPT) > 0 or corruption[0] in CASES[game].unplayed


def reject_corrupted(game: str, corruption: Corruption, wanted: int) -> int:
    """Corrupt up to so many deals: each is rejected with the article; the number of them."""
    name, corrupt, articles = corruption
    rejected = 0
    for number, (setup, log) in enumerate(deals_to_corrupt(game)):
        if rejected and number >= DEALS_TO_CORRUPT:
            break
        corrupted = corrupt(log, random.Random(number))
        if corrupted is not None:
            with pytest.raises(RuleBroken) as caught:
                CASES[game].judge(corrupted)
            assert caught.value.article in articles, f"{name}: {caught.value}\n{reproduce(setup, log)}"
            rejected += 1
            if rejected == wanted:
                break
    return rejected
