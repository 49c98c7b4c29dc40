"""Random deals are accepted under every option; every corruption of a log is rejected for its reason."""

from __future__ import annotations

import copy
import random
from collections import Counter
from dataclasses import fields
from functools import cache

import pytest

from tests.referee.canasta import judge
from tests.referee.canasta_corruptions import CORRUPTIONS, Corruption
from tests.referee.canasta_options import Options
from tests.referee.canasta_random_player import OPTION_SETS, random_log, random_options
from tests.referee.canasta_scenes import SCENES
from tests.referee.log import Event, RuleBroken

RANDOM_DEALS = 40


@cache
def random_logs() -> list[list[Event]]:
    """Deals at random, half of them under the listed option sets, half under any options."""
    logs = []
    for deal in range(RANDOM_DEALS):
        rng = random.Random(deal)
        options = OPTION_SETS[deal // 2 % len(OPTION_SETS)] if deal % 2 else random_options(rng)
        logs.append(random_log(options, rng, deal, eager=rng.choice((0.3, 0.8, 0.95, 1.0))))
    return logs


@cache
def all_logs() -> list[list[Event]]:
    """The hand-written deals and the random ones."""
    return [*(scene() for scene in SCENES.values()), *random_logs()]


def test_random_deals_are_accepted() -> None:
    reasons = Counter(judge(log).reason for log in random_logs())
    assert set(reasons) >= {"went_out", "stock_out"}
    names = {event["event"] for log in random_logs() for event in log}
    assert names >= {"draw", "red_three", "take_pile", "meld", "extend", "discard", "ask", "go_out"}


def test_the_logs_hold_every_event_and_end() -> None:
    names = {event["event"] for log in all_logs() for event in log}
    turn = {"draw", "red_three", "take_pile", "decline_pile", "ask", "meld", "extend", "discard", "go_out"}
    assert names == {"deal", "end"} | turn
    assert {log[-1]["reason"] for log in all_logs()} == {"went_out", "stock_out", "red_three_last"}


def test_the_listed_options_cover_every_value() -> None:
    for field in fields(Options):
        assert len({getattr(options, field.name) for options in OPTION_SETS}) >= 2, field.name


def test_corruptions_have_names_of_their_own() -> None:
    names = [name for name, _, _ in CORRUPTIONS]
    assert len(set(names)) == len(names)


def test_every_article_that_a_log_can_break_is_the_reason_of_a_corruption() -> None:
    articles = frozenset[str]().union(*(articles for _, _, articles in CORRUPTIONS))
    missing = {f"KAN-{number:02}" for number in range(1, 21)} - articles
    assert missing == {"KAN-03", "KAN-09", "KAN-17"}  # values and blocking show as other articles; no log runs on


@pytest.mark.parametrize("case", CORRUPTIONS, ids=lambda case: case[0])
def test_every_corruption_is_rejected_for_its_reason(case: Corruption) -> None:
    name, corrupt, articles = case
    applied = 0
    for number, log in enumerate(all_logs()):
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
    log = random_logs()[1]
    before = copy.deepcopy(log)
    for _, corrupt, _ in CORRUPTIONS:
        assert corrupt(log, random.Random(7)) == corrupt(log, random.Random(7))
    assert log == before
