"""The referee of Escopa on hand-written packs: the leftover, the score, the match (ESC-09 to ESC-12)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

from tests.referee.escopa import judge
from tests.referee.escopa_cards import PACK, total
from tests.referee.escopa_checks import accepted, rejected
from tests.referee.escopa_match import judge_match
from tests.referee.escopa_options import Options
from tests.referee.escopa_random_player import random_log
from tests.referee.escopa_scenes import FREE, all_on_the_table, dealer_takes, four_twos, pack
from tests.referee.escopa_score import DETAIL_ARTICLES, best_quartet, primeira, score, standard_worth
from tests.referee.log import Event, RuleBroken
from tests.referee.log_edits import edit

CUMULATIVE = Options(all_replaces_most=False)
THREE = Options(players=3)
DIAMONDS = [card for card in PACK if card[1] == "D"]
OTHERS = [card for card in PACK if card[1] != "D"]


def lines(line: str, *piles: str | Sequence[str], options: Options | None = None) -> list[int]:
    """A line of the score of these piles, side by side."""
    split = [pile.split() if isinstance(pile, str) else list(pile) for pile in piles]
    return [detail[line] for detail in score(split, [0] * len(split), options or Options())]


# ---------------------------------------------------------------- ESC-09: the leftover


def test_esc_09_to_the_last_side_that_captured() -> None:
    log = pack().finish()
    leftover = log[-2]
    last = next(event for event in reversed(log[:-2]) if event.get("take"))
    assert leftover["seat"] == last["seat"]
    verdict = judge(log)
    assert set(leftover["cards"]) <= set(verdict.sides[last["seat"]].cards)
    rejected(edit(log[:-1], len(log) - 2, seat=1 - leftover["seat"]), "ESC-09")
    rejected(edit(log[:-1], len(log) - 2, seat=None), "ESC-09")


def test_esc_09_the_dealers_take_included() -> None:
    for players in (2, 3, 4):
        log = dealer_takes(options=Options(players=players, capture="free")).finish()
        assert log[-2]["seat"] == log[0]["dealer"]
        verdict = judge(log)
        side = log[0]["dealer"] % len(verdict.sides)
        assert len(verdict.sides[side].cards) == 40
        rejected(edit(log[:-1], len(log) - 2, seat=log[0]["first"]), "ESC-09")


def test_esc_09_to_nobody_if_nobody_captured() -> None:
    log = all_on_the_table().finish()
    assert log[-2]["seat"] is None
    verdict = judge(log)
    assert [side.cards for side in verdict.sides] == [[], []]
    assert verdict.scores == [2, 2]
    rejected(edit(log[:-1], len(log) - 2, seat=0), "ESC-09")


def test_esc_09_all_the_cards_left_and_no_others() -> None:
    log = pack().finish()
    cards = log[-2]["cards"]
    start, leftover = log[:-2], log[-2]
    taken = next(event for event in log if event.get("take"))["take"][0]
    rejected([*start, {**leftover, "cards": cards[1:]}], "ESC-09")
    rejected([*start, {**leftover, "cards": [*cards, taken]}], "ESC-09")
    rejected([*start, {**leftover, "cards": [taken, *cards[1:]]}], "ESC-09")
    rejected([*start, {**leftover, "cards": [*cards, cards[0]]}], "ESC-09")
    rejected([*start, log[-1]], "ESC-09")
    rejected([*start, leftover, leftover], "ESC-09")
    rejected([*start, {**leftover, "turn": 37}], "LOG")
    assert judge([*start, {**leftover, "cards": cards[::-1]}, log[-1]]).turns == 36


def test_esc_09_only_when_the_pack_is_out() -> None:
    log = pack().finish()
    leftover = {**log[-2], "turn": 36}
    rejected([*log[:-3], leftover], "ESC-09")
    rejected([*log[:-2], {**log[-3], "seat": 1, "turn": 36}], "ESC-09")


def test_esc_09_the_leftover_is_always_ten_more_than_fifteens_and_no_last_card_an_escopa() -> None:
    met = set()
    for deal in range(150):
        rng = random.Random(deal)
        options = Options(
            players=rng.choice((2, 3, 4)),
            figures=rng.choice(("qjk", "jqk")),
            capture=rng.choice(("must", "free")),
            overlook_rate=rng.choice((0, 0.4)),
        )
        log = random_log(options, rng, deal, eager=rng.random())
        verdict = judge(log)
        left = total(verdict.leftover, options.figures)
        assert left % 15 == 10
        assert verdict.captures == (220 - left) / 15
        assert not any(event.get("escopa") for event in log[-4:-2] if event["turn"] == verdict.turns)
        met.add(left)
    assert {10, 25, 40, 55} <= met
    assert max(met) <= 220


# ---------------------------------------------------------------- ESC-10: the score


def test_esc_10_each_escopa_one() -> None:
    assert [detail["escopas"] for detail in score([["AS"], ["2S"]], [3, 0], Options())] == [3, 0]
    verdict = accepted(four_twos(FREE).play("7S", "2S 2H 2D 2C"))
    assert [detail["escopas"] for detail in verdict.details] == [1, 0]


def test_esc_10_the_guindis() -> None:
    assert lines("guindis", "7D", "7S 7H 7C") == [1, 0]
    assert lines("guindis", "AS", "2S", "7D 3D", options=THREE) == [0, 0, 1]
    assert lines("guindis", "AS", "2S") == [0, 0]


def test_esc_10_most_diamonds() -> None:
    assert lines("diamonds", "AD 2D 3D", "4D 5D AS 2S") == [1, 0]
    assert lines("diamonds", "AD 2D", "4D 5D") == [0, 0]
    assert lines("diamonds", DIAMONDS[:9], DIAMONDS[9:]) == [1, 0]
    assert lines("diamonds", "AD", "2D 3D", "4D", options=THREE) == [0, 1, 0]
    assert lines("diamonds", "AD 5D", "2D 3D", "4D", options=THREE) == [0, 0, 0]
    assert lines("diamonds", "", "") == [0, 0]


def test_esc_10_all_ten_diamonds_two_instead_or_three() -> None:
    assert lines("diamonds", DIAMONDS, OTHERS) == [2, 0]
    assert lines("diamonds", OTHERS, DIAMONDS, options=CUMULATIVE) == [0, 3]
    assert lines("diamonds", [], OTHERS, DIAMONDS, options=THREE) == [0, 0, 2]
    assert lines("diamonds", DIAMONDS[:9], DIAMONDS[9:], options=CUMULATIVE) == [1, 0]


def test_esc_10_most_sevens() -> None:
    assert lines("sevens", "7D 7S", "7H AS") == [1, 0]
    assert lines("sevens", "7D 7S", "7H 7C") == [0, 0]
    assert lines("sevens", "7D", "7S 7H", "7C", options=THREE) == [0, 1, 0]
    assert lines("sevens", "7D 7C", "7S 7H", "AC", options=THREE) == [0, 0, 0]


def test_esc_10_all_four_sevens_three_instead_or_four() -> None:
    assert lines("sevens", "7D 7S 7H 7C", "AS") == [3, 0]
    assert lines("sevens", "AS", "7D 7S 7H 7C", options=CUMULATIVE) == [0, 4]
    assert lines("sevens", "7D 7S 7H", "7C", options=CUMULATIVE) == [1, 0]


def test_esc_10_most_cards() -> None:
    assert lines("cards", PACK[:21], PACK[21:]) == [1, 0]
    assert lines("cards", PACK[:20], PACK[20:]) == [0, 0]
    assert lines("cards", PACK[:15], PACK[15:30], PACK[30:], options=THREE) == [0, 0, 0]
    assert lines("cards", PACK[:15], PACK[15:31], PACK[31:], options=THREE) == [0, 1, 0]


def test_esc_10_fewer_than_ten_cards_of_the_opponents() -> None:
    assert lines("few", PACK[:31], PACK[31:]) == [2, 0]
    assert lines("few", PACK[:30], PACK[30:]) == [0, 0]
    assert lines("few", PACK[:9], PACK[9:]) == [0, 2]
    assert lines("few", [], []) == [2, 2]
    assert lines("few", PACK[:35], PACK[35:38], PACK[38:], options=THREE) == [0, 0, 0]


def test_esc_10_in_pairs_as_between_two() -> None:
    verdict = accepted(dealer_takes(options=Options(players=4, capture="free")))
    assert [detail["few"] for detail in verdict.details] == [0, 2]
    verdict = accepted(dealer_takes(options=Options(players=3, capture="free")))
    assert [detail["few"] for detail in verdict.details] == [0, 0, 0]


def test_esc_10_the_leftover_counts_for_majorities_and_the_ten_cards() -> None:
    verdict = accepted(dealer_takes(options=FREE))
    assert len(verdict.sides[1].cards) == 40
    lines_of_all = {"guindis": 1, "diamonds": 2, "sevens": 3, "cards": 1, "few": 2, "primeira": 1}
    assert verdict.details[1] == {"escopas": 1, **lines_of_all, "total": 11}
    assert verdict.details[0] == dict.fromkeys(DETAIL_ARTICLES, 0)


def test_esc_10_cumulative_points_in_a_pack() -> None:
    options = Options(capture="free", all_replaces_most=False)
    verdict = accepted(dealer_takes(options=options))
    assert (verdict.details[1]["diamonds"], verdict.details[1]["sevens"], verdict.scores[1]) == (3, 4, 13)
    log = dealer_takes(options=options).finish()
    rejected(edit(log, 0, options={**log[0]["options"], "all_replaces_most": True}), "ESC-10")


@pytest.mark.parametrize("line", DETAIL_ARTICLES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_esc_10_every_line_of_every_side_is_checked(line: str, players: int) -> None:
    log = pack(Options(players=players)).finish()
    for side in range(len(log[-1]["detail"])):
        for step in (-1, 1):
            detail = [dict(lines) for lines in log[-1]["detail"]]
            detail[side][line] += step
            rejected(edit(log, len(log) - 1, detail=detail), DETAIL_ARTICLES[line])
    scores = log[-1]["scores"]
    for wrong in ([scores[0] + 1, *scores[1:]], scores[1:], [*scores, 0], []):
        rejected(edit(log, len(log) - 1, scores=wrong), "ESC-10")
    rejected(edit(log, len(log) - 1, scores=[float(points) for points in scores]), "LOG")


def test_esc_10_the_lines_have_these_names() -> None:
    log = pack().finish()
    names = ["escopas", "guindis", "diamonds", "sevens", "cards", "few", "primeira", "total"]
    assert [list(side) for side in log[-1]["detail"]] == [names, names]
    for name in names:
        first = {line: points for line, points in log[-1]["detail"][0].items() if line != name}
        rejected(edit(log, len(log) - 1, detail=[first, log[-1]["detail"][1]]), "LOG")
    rejected(edit(log, len(log) - 1, detail=log[-1]["detail"][:1]), "LOG")
    rejected(edit(log, len(log) - 1, reason="stock_out"), "LOG")


# ---------------------------------------------------------------- ESC-11: the primeira


def four(rank: str) -> str:
    """All four cards of a rank."""
    return " ".join(rank + suit for suit in "SHDC")


@pytest.mark.parametrize(
    ("rank", "worth"),
    [("7", 11), ("6", 8), ("A", 6), ("5", 5), ("4", 4), ("3", 3), ("2", 2), ("Q", 0), ("J", 0), ("K", 0)],
)
def test_esc_11_what_quartets_are_worth(rank: str, worth: int) -> None:
    assert best_quartet(four(rank).split()) == worth
    assert best_quartet(four(rank).split()[1:]) is None


def test_esc_11_the_highest_quartet_wins_a_point() -> None:
    assert lines("primeira", four("7"), f"{four('6')} {four('A')}") == [1, 0]
    assert lines("primeira", four("A"), f"{four('5')} {four('4')}") == [1, 0]
    assert lines("primeira", f"{four('2')} {four('K')}", four("3")) == [0, 1]
    assert lines("primeira", four("2"), four("4"), four("3"), options=THREE) == [0, 1, 0]
    assert lines("primeira", "7S 7H 7D", "7C 6S 6H 6D") == [0, 0]


def test_esc_11_figures_beat_nothing_but_none_and_tie_with_each_other() -> None:
    assert lines("primeira", four("K"), "7S 7H 7D") == [1, 0]
    assert lines("primeira", four("K"), four("Q")) == [0, 0]
    assert lines("primeira", four("K"), four("2")) == [0, 1]
    assert lines("primeira", four("K"), four("Q"), four("J"), options=THREE) == [0, 0, 0]
    assert lines("primeira", f"{four('K')} {four('Q')}", "AS") == [1, 0]


def test_esc_11_quartet_points_adds_the_value_instead() -> None:
    options = Options(primeira="quartet_points")
    assert lines("primeira", f"{four('7')} {four('2')}", four("6"), options=options) == [11, 0]
    assert lines("primeira", four("2"), four("3"), options=options) == [0, 3]
    assert lines("primeira", four("K"), "AS", options=options) == [0, 0]
    assert lines("primeira", "AS", "2S", options=options) == [0, 0]


def test_esc_11_the_standard_reading() -> None:
    options = Options(primeira="standard")
    assert [standard_worth([rank + suit for suit in "SHDC"]) for rank in "76A5432QJK"] == [
        84,
        72,
        64,
        60,
        56,
        52,
        48,
        40,
        40,
        40,
    ]
    assert standard_worth(["7S", "6S", "AH", "5D", "KC"]) == 21 + 16 + 15 + 10
    assert lines("primeira", "7S 7H 7D KC", "6S 6H 6D 6C", options=options) == [1, 0]
    assert lines("primeira", "7S 7H 7D", "KS KH KD KC", options=options) == [0, 1]
    assert lines("primeira", "KS KH KD KC", "QS QH QD JC", options=options) == [0, 0]
    assert lines("primeira", "7S 7H 7D", "7C 6S 6H", options=options) == [0, 0]
    assert lines("primeira", "7S 6H 6D KC", "6S 7H KD 6C", "2S 2H 2D 2C", options=THREE) == [0, 0, 1]
    three = Options(players=3, primeira="standard")
    assert lines("primeira", "7S 6H 6D KC", "6S 7H KD 6C", "2S 2H 2D 2C", options=three) == [0, 0, 0]


@pytest.mark.parametrize(("reading", "points"), [("quartet", 1), ("quartet_points", 11), ("standard", 1)])
def test_esc_11_the_option_in_a_pack(reading: str, points: int) -> None:
    log = dealer_takes(options=Options(capture="free", primeira=reading)).finish()
    assert judge(log).details[1]["primeira"] == points
    assert primeira([[], list(PACK)], reading) == [0, points]
    other = "quartet" if reading == "quartet_points" else "quartet_points"
    rejected(edit(log, 0, options={**log[0]["options"], "primeira": other}), "ESC-11")


# ---------------------------------------------------------------- ESC-12: the match


def in_match(before: list[int], options: Options | None = None, deal: int = 3) -> list[Event]:
    """A pack of a match at these scores."""
    return edit(pack(options).finish(), 0, match=0, deal=deal, scores_before=before)


@pytest.mark.parametrize("target", [21, 31, 1, 1_000])
def test_esc_12_a_match_goes_on_until_one_side_alone_is_past_the_target(target: int) -> None:
    options = Options(target=target)
    for before in ([target - 1, 0], [target, target], [target + 7, target + 7], [0, 0]):
        assert judge(in_match(before, options)).reason == "pack_out"
    for before in ([target, target - 1], [target + 3, target + 2], [0, target]):
        rejected(in_match(before, options)[:1], "ESC-12")


def test_esc_12_three_players_share_no_first_place() -> None:
    assert judge(in_match([22, 22, 3], THREE)).reason == "pack_out"
    rejected(in_match([22, 3, 21], THREE)[:1], "ESC-12")
    rejected(in_match([0, 0], THREE)[:1], "LOG")


def test_esc_12_points_before_a_pack() -> None:
    rejected(in_match([3, 0], deal=0)[:1], "ESC-12")
    rejected(in_match([-1, 0])[:1], "ESC-12")
    rejected(edit(pack().events, 0, scores_before=[0, 4]), "ESC-12")


def test_esc_12_in_a_match_anybody_may_deal() -> None:
    for deal in (0, 1, 2):
        assert judge(in_match([0, 0], deal=deal)).turns == 36


def match_of(options: Options, rng: random.Random, first_dealer: int) -> list[list[Event]]:
    """A whole match at random."""
    packs: list[list[Event]] = []
    scores, dealer = [0] * options.sides, first_dealer
    while max(scores) < options.target or scores.count(max(scores)) > 1:
        pack = random_log(options, rng, dealer)
        packs.append(edit(pack, 0, match=5, deal=len(packs), scores_before=list(scores)))
        scores = [before + points for before, points in zip(scores, pack[-1]["scores"], strict=True)]
        dealer = (dealer + 1) % options.players
    return packs


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("target", [21, 31])
def test_esc_12_whole_matches(players: int, target: int) -> None:
    packs = match_of(Options(players=players, target=target), random.Random(target), players - 1)
    scores = judge_match(packs)
    assert max(scores) >= target
    assert scores == [sum(points) for points in zip(*(pack[-1]["scores"] for pack in packs), strict=True)]
    assert len(packs) > 1
    assert [pack[0]["dealer"] for pack in packs] == [(players - 1 + step) % players for step in range(len(packs))]


def test_esc_12_how_packs_follow_each_other() -> None:
    packs = match_of(Options(), random.Random(12), 0)

    def broken(index: int, **changes: Any) -> str:
        changed = [*packs[:index], edit(packs[index], 0, **changes), *packs[index + 1 :]]
        with pytest.raises(RuleBroken) as caught:
            judge_match(changed)
        return caught.value.article

    before = packs[1][0]["scores_before"]
    assert broken(1, scores_before=[before[0] + 1, before[1]]) == "ESC-12"
    assert broken(1, deal=2) == "LOG"
    assert broken(1, match=None) == "LOG"
    assert broken(1, seed=77) == "LOG"
    assert broken(1, dealer=0, first=1) == "ESC-12"
    with pytest.raises(RuleBroken):
        judge_match(packs[:-1])
