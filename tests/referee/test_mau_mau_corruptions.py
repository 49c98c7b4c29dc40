"""Random rounds of mau-mau are accepted under every option; every corruption of a log is rejected for its reason."""

from __future__ import annotations

import copy
import random
from collections import Counter
from dataclasses import fields
from functools import cache

import pytest

from tests.referee.log import Event, RuleBroken
from tests.referee.mau_mau import judge
from tests.referee.mau_mau_corruptions import CORRUPTIONS, Corruption
from tests.referee.mau_mau_fields import FIELDS
from tests.referee.mau_mau_options import UNABLE, Options
from tests.referee.mau_mau_random_player import OPTION_SETS, random_log, random_options
from tests.referee.mau_mau_scenes import SCENES

ROUNDS = 2_000
ROUNDS_TO_CORRUPT = 110
TIMES = 4


def random_round(deal: int) -> list[Event]:
    """A round at random, under a listed option set or under any options."""
    rng = random.Random(deal)
    options = OPTION_SETS[deal // 2 % len(OPTION_SETS)] if deal % 2 else random_options(rng)
    return random_log(options, rng, deal)


@cache
def logs_to_corrupt() -> list[list[Event]]:
    """The hand-written rounds and short random ones."""
    rounds = (random_round(deal) for deal in range(ROUNDS_TO_CORRUPT))
    return [*(scene() for scene in SCENES.values()), *(log for log in rounds if log[-1]["turn"] < 300)]


def check_accepted(deals: range) -> Counter[str]:
    """Every round is accepted; how often events, reasons to draw and ends occur."""
    met: Counter[str] = Counter()
    for deal in deals:
        log = random_round(deal)
        verdict = judge(log)
        assert verdict.scores == log[-1]["scores"]
        met.update(event["event"] for event in log)
        met.update(f"{event['event']} {event['why']}" for event in log if "why" in event)
        met[verdict.reason] += 1
    return met


def test_random_rounds_are_accepted() -> None:
    met = check_accepted(range(ROUNDS))
    assert met["deal"] == ROUNDS
    reasons = {f"draw {why}" for why in ("eight", "seven", "unable", "forgot_call", "start_card")}
    assert met.keys() == {*FIELDS, "went_out", "void", "cap", *reasons, "pass barred", "pass eight"}


@pytest.mark.slow
def test_many_random_rounds_are_accepted() -> None:
    assert check_accepted(range(ROUNDS, 20_000))["deal"] == 20_000 - ROUNDS


def test_the_listed_options_cover_every_value() -> None:
    for field in fields(Options):
        assert len({getattr(options, field.name) for options in OPTION_SETS}) >= 2, field.name
    assert {options.unable for options in OPTION_SETS} == set(UNABLE)
    assert {options.players for options in OPTION_SETS} >= {2, 3, 4, 5, 7, 10}
    assert {options.packs for options in OPTION_SETS} == {"auto", 1, 2}


def test_corruptions_have_names_of_their_own() -> None:
    names = [name for name, _, _ in CORRUPTIONS]
    assert len(set(names)) == len(names) >= 100


def test_every_article_is_the_reason_of_a_corruption() -> None:
    articles = frozenset[str]().union(*(articles for _, _, articles in CORRUPTIONS))
    assert articles == {"LOG", "CARDS", *(f"MAU-{number:02}" for number in range(1, 20))}


@pytest.mark.parametrize("case", CORRUPTIONS, ids=lambda case: case[0])
def test_every_corruption_is_rejected_for_its_reason(case: Corruption) -> None:
    assert reject_corrupted(case, TIMES) == TIMES


@pytest.mark.slow
@pytest.mark.parametrize("case", CORRUPTIONS, ids=lambda case: case[0])
def test_every_corruption_of_every_log_is_rejected_for_its_reason(case: Corruption) -> None:
    assert reject_corrupted(case, len(logs_to_corrupt())) >= TIMES


def reject_corrupted(case: Corruption, wanted: int) -> int:
    """Corrupt up to so many logs: each is rejected with the article; the number of them."""
    name, corrupt, articles = case
    rejected = 0
    for number, log in enumerate(logs_to_corrupt()):
        corrupted = corrupt(log, random.Random(number))
        if corrupted is None:
            continue
        assert repr(corrupted) != repr(log)  # 1 and 1.0 are equal, but not the same in a log
        with pytest.raises(RuleBroken) as caught:
            judge(corrupted)
        assert caught.value.article in articles, f"{name} on log {number}: {caught.value}"
        rejected += 1
        if rejected == wanted:
            break
    return rejected


def test_corruptions_leave_the_log_alone_and_are_reproducible() -> None:
    for log in (random_round(6), random_round(1), SCENES["void"]()):
        before = copy.deepcopy(log)
        for _, corrupt, _ in CORRUPTIONS:
            assert corrupt(log, random.Random(7)) == corrupt(log, random.Random(7))
        assert log == before
