"""Random deals of Loba are accepted under every option; every corruption of a log is rejected for its reason."""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from functools import cache

import pytest

from tests.referee.loba import judge
from tests.referee.loba_corruptions import CORRUPTIONS, Corruption
from tests.referee.loba_options import Options
from tests.referee.loba_random_player import OPTION_SETS, TEMPERS, random_log, random_options
from tests.referee.loba_scenes import SCENES
from tests.referee.log import Event, RuleBroken

RANDOM_DEALS = 80
MANY_DEALS = 6_000
DEALS_TO_CORRUPT = 50
TIMES = 6  # so often each corruption is tried; it applies to other logs each time


def random_logs_of(first: int, count: int) -> Iterator[list[Event]]:
    """Deals at random, half of them under the listed option sets, half under any; each fifth one of a match."""
    for deal in range(first, first + count):
        rng = random.Random(deal)
        options = OPTION_SETS[deal // 2 % len(OPTION_SETS)] if deal % 2 else random_options(rng)
        yield random_log(options, rng, deal, TEMPERS[deal % len(TEMPERS)], match=deal % 5 == 0)


@cache
def random_logs() -> list[list[Event]]:
    """Some of them."""
    return list(random_logs_of(0, RANDOM_DEALS))


@cache
def all_logs() -> list[list[Event]]:
    """The hand-written deals and random ones."""
    return [*(scene() for scene in SCENES.values()), *random_logs()[:DEALS_TO_CORRUPT]]


def check_accepted(logs: Iterator[list[Event]]) -> Counter[str]:
    """The referee accepts every deal; how often each event occurred, and what else is worth meeting."""
    met: Counter[str] = Counter()
    for log in logs:
        verdict = judge(log)
        assert verdict.scores == log[-1]["scores"]
        met.update(event["event"] for event in log)
        met.update(f"{name} {value}" for name, value in log[0]["options"].items())
        met.update(["laid card" for event in log if event.get("from_meld") is not None])
        met.update(["joker" for event in log if event["event"] == "discard" and event["cards"] == ["JK"]])
        met.update(["all at once"] * verdict.all_at_once + ["match"] * (log[0]["match"] is not None))
    return met


def test_random_deals_are_accepted() -> None:
    met = check_accepted(iter(random_logs()))
    assert met["deal"] == RANDOM_DEALS
    events = {"draw", "take_discard", "meld", "extend", "discard", "go_out", "reshuffle", "redeal", "end"}
    assert met.keys() >= events | {"laid card", "joker", "all at once", "match"}


@pytest.mark.slow
def test_thousands_of_random_deals_are_accepted() -> None:
    met = check_accepted(random_logs_of(RANDOM_DEALS, MANY_DEALS))
    assert met["deal"] == MANY_DEALS
    assert met.keys() >= {f"players {players}" for players in range(2, 8)}
    assert met.keys() >= {f"jokers {jokers}" for jokers in ("auto", *range(9))}
    assert met.keys() >= {"set_suits any", "set_suits three_different"}
    assert met.keys() >= {"taken_discard_must_meld True", "taken_discard_must_meld False"}


def test_the_logs_hold_every_event_and_end() -> None:
    names = {event["event"] for log in all_logs() for event in log}
    turn = {"draw", "take_discard", "meld", "extend", "discard", "reshuffle", "go_out"}
    assert names == {"deal", "redeal", "end"} | turn
    assert {log[-1]["reason"] for log in all_logs()} == {"went_out", "no_winner", "cap"}


def test_the_listed_options_cover_every_value() -> None:
    values = {field.name: {getattr(options, field.name) for options in OPTION_SETS} for field in fields(Options)}
    assert values["players"] == set(range(2, 8))
    assert values["jokers"] == {"auto", *range(9)}
    assert values["set_suits"] == {"three_different", "any"}
    assert values["taken_discard_must_meld"] == {False, True}
    assert len(values["target"]) >= 2


def test_there_are_a_hundred_kinds_of_corruptions_with_names_of_their_own() -> None:
    names = [name for name, _, _ in CORRUPTIONS]
    assert len(set(names)) == len(names) >= 100


def test_every_article_that_a_log_can_break_is_the_reason_of_a_corruption() -> None:
    articles = frozenset[str]().union(*(articles for _, _, articles in CORRUPTIONS))
    assert {f"LOB-{number:02}" for number in range(1, 18)} <= articles


@pytest.mark.parametrize("case", CORRUPTIONS, ids=lambda case: case[0])
def test_every_corruption_is_rejected_for_its_reason(case: Corruption) -> None:
    assert rejections(case, TIMES)


@pytest.mark.slow
@pytest.mark.parametrize("case", CORRUPTIONS, ids=lambda case: case[0])
def test_every_corruption_of_every_log_is_rejected_for_its_reason(case: Corruption) -> None:
    assert rejections(case, len(all_logs()))


def rejections(case: Corruption, times: int) -> int:
    """Corrupt up to so many logs, the first and then others by lot: each is rejected; the number of them."""
    name, corrupt, articles = case
    numbers = list(range(len(all_logs())))
    random.Random(name).shuffle(numbers)
    applied = 0
    for number in numbers:
        log = all_logs()[number]
        corrupted = corrupt(log, random.Random(number))
        if corrupted is None:
            continue
        applied += 1
        assert repr(corrupted) != repr(log)  # 1 and 1.0 are equal, but not the same in a log
        with pytest.raises(RuleBroken) as caught:
            judge(corrupted)
        assert caught.value.article in articles, f"{name} on log {number}: {caught.value}"
        if applied == times:
            break
    return applied


def test_corruptions_leave_the_log_alone_and_are_reproducible() -> None:
    for log in (random_logs()[1], SCENES["four of seven"]()):
        before = copy.deepcopy(log)
        for _, corrupt, _ in CORRUPTIONS:
            assert corrupt(log, random.Random(7)) == corrupt(log, random.Random(7))
        assert log == before
