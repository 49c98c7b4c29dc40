"""The referee of Escopa on hand-written packs: the dealer's takes and the last deal (ESC-07)."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from tests.referee.escopa import judge
from tests.referee.escopa_cards import PACK, dealer_fifteens
from tests.referee.escopa_checks import accepted, rejected
from tests.referee.escopa_options import Options
from tests.referee.escopa_scenes import (
    FIFTEEN,
    JACK_EIGHT,
    NO_FIFTEEN,
    TWO_PAIRS,
    dealer_takes,
    pack,
    three_with_a_take,
    to_the_last_deal,
)
from tests.referee.log import Event
from tests.referee.log_edits import edit

ONCE = Options(dealer_take="once")
NONE = Options(dealer_take="none")


def by_dealer(name: str, cards: str, seat: int = 1) -> Event:
    """An event of the dealer before the first turn."""
    return {"event": name, "turn": 1, "seat": seat, "cards": cards.split()}


def names(log: list[Event]) -> list[str]:
    """The first events, up to the first play."""
    found = [event["event"] for event in log]
    return found[1 : found.index("play")]


# ---------------------------------------------------------------- which four cards


@pytest.mark.parametrize(
    ("four", "fifteens"),
    [
        (FIFTEEN, 1),
        (TWO_PAIRS, 2),
        ("KS KH 5D 5C", 2),
        ("5H KS 6C JD", 2),
        ("QS 7H 7D QC", 2),
        (NO_FIFTEEN, 0),
        ("KS 5H KD 4C", 0),
        ("KS 5H AD AC", 0),
        ("KS QH JD 3C", 0),
        ("KS 3H AD AC", 1),
    ],
)
def test_esc_07_fifteen_together_or_two_pairs_of_fifteen(four: str, fifteens: int) -> None:
    assert dealer_fifteens(four.split(), "qjk") == fifteens


def test_esc_07_the_figures_count_as_the_option_says() -> None:
    assert dealer_fifteens(["JS", "6H", "KS", "5H"], "qjk") == 2
    assert dealer_fifteens(["JS", "6H", "KS", "5H"], "jqk") == 0
    assert dealer_fifteens(["QS", "6H", "KS", "5H"], "jqk") == 2
    assert names(dealer_takes("QS 6H KS 5H", options=JACK_EIGHT).finish()) == ["dealer_take", "to_table"]
    assert names(dealer_takes("QS 6H KS 5H").finish()) == []


@pytest.mark.parametrize("figures", ["qjk", "jqk"])
def test_esc_07_the_worked_chances_by_full_enumeration(figures: str) -> None:
    found = Counter(dealer_fifteens(four, figures) for four in combinations(PACK, 4))
    assert found.total() == 91_390
    assert (found[1], found[2]) == (3_120, 876)
    assert round(found[1] / 91_390, 5) == 0.03414
    assert round(found[2] / 91_390, 5) == 0.00959
    assert round(4.372 / 100, 4) == round((found[1] + found[2]) / 91_390, 4)


# ---------------------------------------------------------------- the takes


@pytest.mark.parametrize("four", [FIFTEEN, TWO_PAIRS])
def test_esc_07_the_dealer_takes_and_lays_four_more(four: str) -> None:
    recorder = dealer_takes(four)
    log = recorder.events
    assert names(recorder.finish()) == ["dealer_take", "to_table"]
    assert (log[1]["seat"], log[1]["turn"], log[2]["seat"], log[2]["turn"]) == (1, 1, 1, 1)
    verdict = judge(log)
    assert verdict.sides[1].cards[:4] == four.split()
    rejected(edit(log[:2], 1, seat=0), "ESC-07")
    rejected(edit(log[:2], 1, turn=0), "LOG")
    rejected(edit(log[:2], 1, cards=four.split()[:3]), "ESC-07")
    rejected(edit(log[:2], 1, cards=four.split()[:2]), "ESC-07")
    rejected(edit(log[:2], 1, cards=["2S", *four.split()[1:]]), "CARDS")
    assert judge(edit(log, 1, cards=four.split()[::-1])).turns == 32


def test_esc_07_he_must_take_what_is_his() -> None:
    start = pack(table=FIFTEEN).events
    rejected([*start, by_dealer("to_table", NO_FIFTEEN)], "ESC-07")
    play = {"event": "play", "turn": 1, "seat": 0, "cards": start[0]["hands"][0][:1], "take": [], "escopa": False}
    rejected([*start, play], "ESC-07")
    log = dealer_takes(FIFTEEN, TWO_PAIRS).events
    rejected([*log[:3], play], "ESC-07")
    rejected([*log[:2], play], "ESC-07")


def test_esc_07_he_takes_nothing_else() -> None:
    rejected([*pack(table=NO_FIFTEEN).events, by_dealer("dealer_take", NO_FIFTEEN)], "ESC-07")
    log = dealer_takes(FIFTEEN, NO_FIFTEEN).events
    rejected([*log, by_dealer("dealer_take", NO_FIFTEEN)], "ESC-07")
    later = pack(table=NO_FIFTEEN).idle().events
    rejected([*later, {**by_dealer("dealer_take", NO_FIFTEEN), "turn": 2}], "ESC-07")
    rejected([*pack(table="KS 5H KD 4C").events, by_dealer("dealer_take", "KS 5H")], "ESC-07")


def test_esc_07_four_more_from_the_top_of_the_stock() -> None:
    log = dealer_takes().events
    for cards in ("2S 2H 2D", f"2S 2H 2D 2C {log[0]['stock'][4]}", ""):
        rejected(edit(log[:3], 2, cards=cards.split()), "ESC-07")
    rejected(edit(log[:3], 2, cards=["2S", "2H", "2D", log[0]["stock"][4]]), "CARDS")
    rejected(edit(log[:3], 2, seat=0), "ESC-07")
    rejected([*pack(table=NO_FIFTEEN).events, by_dealer("to_table", "")], "ESC-07")


@pytest.mark.parametrize("second", [FIFTEEN, TWO_PAIRS])
def test_esc_07_twice_at_most_and_then_an_empty_table(second: str) -> None:
    first = TWO_PAIRS if second == FIFTEEN else FIFTEEN
    recorder = dealer_takes(first, second)
    assert not recorder.table.cards
    log = recorder.finish()
    assert names(log) == ["dealer_take", "to_table", "dealer_take"]
    play = log[4]
    assert (play["take"], play["escopa"], play["turn"], play["seat"]) == ([], False, 1, 0)
    rejected([*log[:4], by_dealer("to_table", " ".join(log[0]["stock"][4:8]))], "ESC-07")
    assert accepted(recorder).sides[1].cards[:8] == [*first.split(), *second.split()]


def test_esc_07_once_the_second_four_stay() -> None:
    recorder = dealer_takes(FIFTEEN, TWO_PAIRS, ONCE)
    assert recorder.table.cards == TWO_PAIRS.split()
    log = recorder.finish()
    assert names(log) == ["dealer_take", "to_table"]
    judge(log)
    rejected([*log[:3], by_dealer("dealer_take", TWO_PAIRS)], "ESC-07")
    twice = edit(log, 0, options={**log[0]["options"], "dealer_take": "twice"})
    rejected(twice[:4], "ESC-07")


def test_esc_07_none_the_first_four_stay() -> None:
    log = dealer_takes(FIFTEEN, options=NONE).finish()
    assert names(log) == []
    assert judge(log).turns == 36
    rejected([*log[:1], by_dealer("dealer_take", FIFTEEN)], "ESC-07")
    for value in ("once", "twice"):
        rejected(edit(log[:2], 0, options={**log[0]["options"], "dealer_take": value}), "ESC-07")


def test_esc_07_the_first_player_can_capture_what_was_left_to_him() -> None:
    for options, second in ((NONE, FIFTEEN), (ONCE, TWO_PAIRS)):
        recorder = pack(options, {0: "QS QH JC"}, FIFTEEN, second if options is ONCE else "")
        if options is ONCE:
            accepted(recorder.ready().play("JC", "6C"))
        else:
            accepted(recorder.play("QS", "7S"))


# ---------------------------------------------------------------- the last deal


@pytest.mark.parametrize(
    ("players", "each", "over"),
    [(2, 1, 0), (3, 1, 2), (4, 2, 0)],
)
def test_esc_07_what_does_not_divide_evenly_is_laid_before_the_last_deal(players: int, each: int, over: int) -> None:
    recorder = to_the_last_deal(dealer_takes(options=Options(players=players)))
    stock = recorder.table.next_cards(40)
    assert divmod(len(stock), players) == (each, over)
    lying = list(recorder.table.cards)
    recorder.ready()
    assert [len(hand) for hand in recorder.table.hands] == [each] * players
    assert recorder.table.cards == [*lying, *stock[:over]]
    log = recorder.events
    deal = log[-1]
    assert deal["event"] == "deal_hands"
    assert sorted(card for hand in deal["hands"] for card in hand) == sorted(stock[over:])
    if over:
        assert (log[-2]["event"], log[-2]["cards"], log[-2]["seat"]) == ("to_table", stock[:over], deal["dealer"])
        assert log[-2]["turn"] == deal["turn"] == recorder.table.turn
    accepted(recorder)


def test_esc_07_the_cards_over_and_no_others() -> None:
    log = to_the_last_deal(three_with_a_take()).ready().events
    over, deal = log[-2:]
    start = log[:-2]
    rejected([*start, deal], "ESC-07")
    rejected([*start, {**over, "cards": over["cards"][:1]}], "ESC-07")
    rejected([*start, {**over, "cards": [*over["cards"], deal["hands"][0][0]]}], "ESC-07")
    rejected([*start, {**over, "cards": [over["cards"][0], deal["hands"][0][0]]}], "CARDS")
    rejected([*start, {**over, "seat": (over["seat"] + 1) % 3}], "ESC-07")
    rejected([*start, {**over, "turn": over["turn"] - 1}], "LOG")
    hands = [[*deal["hands"][0], over["cards"][0]], *deal["hands"][1:]]
    rejected([*start, over, {**deal, "hands": hands}], "ESC-07")
    rejected([*start, over, over], "ESC-04")
    assert accepted(to_the_last_deal(three_with_a_take())).turns == 30


def test_esc_07_without_a_take_every_deal_is_even() -> None:
    for players in (2, 3, 4):
        log = pack(Options(players=players)).finish()
        assert "to_table" not in {event["event"] for event in log}
        assert {len(hand) for event in log if event["event"] == "deal_hands" for hand in event["hands"]} == {3}


def test_esc_07_the_dealers_take_counts_for_the_pair() -> None:
    verdict = accepted(dealer_takes(options=Options(players=4)))
    assert verdict.sides[1].cards[:4] == FIFTEEN.split()
