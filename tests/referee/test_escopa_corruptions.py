"""Random packs are accepted under every option; every corruption of a log is rejected for its reason."""

from __future__ import annotations

import copy
import random
from collections import Counter
from dataclasses import fields
from functools import cache
from itertools import combinations, product

import pytest

from tests.referee.escopa import judge
from tests.referee.escopa_cards import total
from tests.referee.escopa_corruptions import CORRUPTIONS, Corruption
from tests.referee.escopa_options import Options
from tests.referee.escopa_random_player import OPTION_SETS, random_log, random_options
from tests.referee.escopa_scenes import SCENES
from tests.referee.log import Event, RuleBroken

RANDOM_PACKS = 2_000
PACKS_TO_CORRUPT = 70
EVENTS = {
    "deal",
    "dealer_take",
    "to_table",
    "deal_hands",
    "play",
    "overlook",
    "claim",
    "leftover",
    "end",
}


def random_pack(deal: int) -> list[Event]:
    """A pack at random, every other one under the listed option sets, the others under any options."""
    rng = random.Random(deal)
    options = OPTION_SETS[deal // 2 % len(OPTION_SETS)] if deal % 2 else random_options(rng)
    return random_log(options, rng, deal, eager=rng.choice((0.0, 0.3, 0.8, 1.0)))


@cache
def logs_to_corrupt() -> list[list[Event]]:
    """The hand-written packs and some random ones."""
    return [*(scene() for scene in SCENES.values()), *map(random_pack, range(PACKS_TO_CORRUPT))]


def test_thousands_of_random_packs_are_accepted() -> None:
    met: Counter[str] = Counter()
    leftovers = set()
    for deal in range(RANDOM_PACKS):
        log = random_pack(deal)
        verdict = judge(log)
        assert verdict.scores == log[-1]["scores"]
        left = total(verdict.leftover, log[0]["options"]["figures"])
        assert left % 15 == 10
        assert verdict.captures * 15 + left == 220
        leftovers.add(len(verdict.leftover))
        met.update(event["event"] for event in log)
        met.update(f"escopa by {event['event']}" for event in log if event.get("escopa"))
        met["nobody captured"] += log[-2]["seat"] is None
        met["claimed after the last card"] += log[-3]["event"] == "claim"
    assert met.keys() >= EVENTS | {"escopa by play", "escopa by claim"}
    assert met["nobody captured"] > 0
    assert met["claimed after the last card"] > 0
    assert max(leftovers) == 40


def test_the_logs_to_corrupt_hold_every_event() -> None:
    assert {event["event"] for log in logs_to_corrupt() for event in log} == EVENTS


def test_the_listed_options_cover_every_two_values() -> None:
    values = {field.name: {getattr(options, field.name) for options in OPTION_SETS} for field in fields(Options)}
    assert values["players"] == {2, 3, 4}
    assert values["capture"] == {"must", "if_played", "free"}
    assert values["dealer_take"] == {"twice", "once", "none"}
    assert values["primeira"] == {"quartet", "quartet_points", "standard"}
    assert all(len(found) >= 2 for found in values.values())
    met = {
        pair
        for options in (*OPTION_SETS, *(random_options(random.Random(deal)) for deal in range(0, RANDOM_PACKS, 2)))
        for pair in combinations([(field.name, getattr(options, field.name)) for field in fields(Options)], 2)
    }
    for one, other in combinations(values, 2):
        assert set(product([(one, value) for value in values[one]], [(other, value) for value in values[other]])) <= met


def test_corruptions_have_names_of_their_own() -> None:
    names = [name for name, _, _ in CORRUPTIONS]
    assert len(set(names)) == len(names) >= 190


def test_every_article_is_the_reason_of_a_corruption() -> None:
    articles = frozenset[str]().union(*(articles for _, _, articles in CORRUPTIONS))
    assert articles == {"LOG", "CARDS", *(f"ESC-{number:02}" for number in range(1, 13))}


@pytest.mark.parametrize("case", CORRUPTIONS, ids=lambda case: case[0])
def test_every_corruption_is_rejected_for_its_reason(case: Corruption) -> None:
    name, corrupt, articles = case
    applied = 0
    for number, log in enumerate(logs_to_corrupt()):
        corrupted = corrupt(log, random.Random(number))
        if corrupted is None:
            continue
        applied += 1
        assert repr(corrupted) != repr(log)  # 1 and 1.0 are equal, but not the same in a log
        with pytest.raises(RuleBroken) as caught:
            judge(corrupted)
        assert caught.value.article in articles, f"{name} on log {number}: {caught.value}"
    assert applied, f"{name} applies to no log"


def test_corruptions_leave_the_log_alone_and_are_reproducible() -> None:
    log = logs_to_corrupt()[-1]
    before = copy.deepcopy(log)
    for _, corrupt, _ in CORRUPTIONS:
        assert repr(corrupt(log, random.Random(7))) == repr(corrupt(log, random.Random(7)))
    assert log == before
