"""Random deals are accepted under every option; every corruption of a log is rejected for its reason."""

from __future__ import annotations

import copy
import random
from collections import Counter
from dataclasses import fields
from functools import cache

import pytest

from tests.referee.canastra import judge
from tests.referee.canastra_options import Options
from tests.referee.corruptions import CORRUPTIONS, Corruption
from tests.referee.log import Event, RuleBroken
from tests.referee.random_player import OPTION_SETS, random_log, random_options
from tests.referee.scenes import SCENES

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
    assert set(reasons) == {"batida", "stock_out"}
    names = {event["event"] for log in random_logs() for event in log}
    assert names >= {"take_pile", "decline_pile", "take_morto", "morto_opened", "morto_to_stock", "go_out"}


def test_the_listed_options_cover_every_value() -> None:
    for field in fields(Options):
        used = {getattr(options, field.name) for options in OPTION_SETS}
        assert len(used) >= (3 if field.name in ("lixo_justify", "lavadeira_ranks") else 2), field.name


def test_corruptions_have_names_of_their_own() -> None:
    names = [name for name, _, _ in CORRUPTIONS]
    assert len(set(names)) == len(names)


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
