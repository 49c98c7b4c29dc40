"""Escopa: plays, oversights and escopas in hand-made places (ESC-02, ESC-05, ESC-06, ESC-08)."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
import pytest

from sim import batch
from sim.games import make_setup
from sim.replay import Event, Replayer
from tests.rules.escopa_table import Desk


def dealt(deals: int, policy: str = "standard", **rules: Any) -> list[list[Event]]:
    replayer = Replayer(make_setup("escopa", seed=23, rules=rules, policies=policy))
    return [replayer.deal(deal) for deal in range(deals)]


@pytest.mark.parametrize("take", ["QS", "4S 3S AS", "5C 3S"])
def test_esc_05_a_card_takes_what_makes_fifteen_with_it(take: str) -> None:
    desk = Desk("7D 2C", table="QS 4S 3S AS 5C").play("7D", take)
    assert desk.taken() == desk.text(desk.word(f"7D {take}"))
    assert desk.cards() == desk.text(desk.word("QS 4S 3S AS 5C") & ~desk.word(take))
    assert desk.hand(0) == "2C"
    assert desk.events() == [("play", 0, "7D", desk.text(desk.word(take)))]


@pytest.mark.parametrize(
    ("card", "take"),
    [
        ("7D", "QS 3S"),  # 18
        ("7D", "4S 3S"),  # 14
        ("7D", "JS"),  # not on the table
        ("7D", "7D"),  # the card itself
        ("KC", "5C"),  # not in the hand
    ],
)
def test_esc_05_no_other_take_is_legal(card: str, take: str) -> None:
    desk = Desk("7D 2C", table="QS 4S 3S AS 5C")
    assert desk.article(card, take) == (4 if card == "KC" else 5)


def test_esc_05_who_can_capture_must() -> None:
    desk = Desk("7D 2C", table="QS 3S")
    assert desk.article("2C") == 5
    assert desk.article("7D") == 5
    assert desk.article("7D", "QS") == 0
    assert Desk("6D 2C", table="QS 3S").article("2C") == 0


def test_esc_05_if_played_a_card_that_makes_fifteen_takes() -> None:
    desk = Desk("7D 2C", table="QS 3S", capture="if_played")
    assert desk.article("2C") == 0
    assert desk.article("7D") == 5
    assert desk.article("7D", "QS") == 0


def test_esc_05_where_all_is_free_it_may_be_left() -> None:
    desk = Desk("7D 2C", table="QS 3S", capture="free")
    assert desk.article("2C") == desk.article("7D") == desk.article("7D", "QS") == 0
    assert desk.play("7D").cards() == "3S 7D QS"


def test_esc_05_a_card_on_an_empty_table_is_left() -> None:
    desk = Desk("KD")
    assert desk.article("KD") == 0
    assert desk.play("KD").cards() == "KD"
    assert desk.taken() == ""


def test_esc_05_captures_do_not_need_a_small_table() -> None:
    """All other thirty-nine cards lie face up; the last one takes any four aces and twos and a nine."""
    pack = [rank + suit for rank in "A234567QJK" for suit in "CDHS" if rank + suit != "AD"]
    desk = Desk("AD", table=" ".join(pack))
    assert desk.article("AD", "KC 4C") == desk.article("AD", "AC AH AS 2C 2D 7C") == 0
    assert desk.article("AD", "AC AH AS 2C 2D 6C") == 5
    assert desk.play("AD", "AC AH AS 2C 2D 7C").cards().count(" ") == 32


def test_esc_06_who_sees_it_takes_the_card_and_others() -> None:
    desk = Desk({0: "7D 2C", 1: "KC"}, table="QS 4S 3S AS").play("7D", by_oversight=True)
    assert desk.claim_article("QS") == desk.claim_article("4S 3S AS") == 0
    assert desk.claim_article("QS 3S") == desk.claim_article("7D QS") == desk.claim_article("JS") == 6
    desk.claim("4S 3S AS")
    assert (desk.taken(0), desk.taken(1), desk.cards()) == ("", "AS 3S 4S 7D", "QS")
    assert desk.events()[-1] == ("claim", 1, "7D AS 3S 4S", "")
    assert desk.table.last_seat == 1
    assert (desk.record.claims.tolist(), desk.record.captures.tolist()) == ([0, 1, 0, 0], [0, 1, 0, 0])


def test_esc_06_only_a_card_just_left_by_oversight_is_claimed() -> None:
    desk = Desk({0: "7D 2C", 1: "KC"}, table="QS 3S", capture="free").play("7D")
    assert desk.claim_article("QS") == 6


def test_esc_06_a_claim_that_clears_the_table_is_an_escopa() -> None:
    desk = Desk({0: "7D 2C", 1: "KC"}, table="QS").play("7D", by_oversight=True).claim("QS")
    assert desk.table.escopas.tolist() == [0, 1, 0, 0]
    desk = Desk({0: "7D 2C", 1: "KC"}, table="QS", escopa="exactly_four").play("7D", by_oversight=True).claim("QS")
    assert desk.table.escopas.tolist() == [0, 0, 0, 0]
    four = Desk({0: "7D 2C", 1: "KC"}, table="AS AD 2S 4C", escopa="exactly_four").play("7D", by_oversight=True)
    assert four.claim("AS AD 2S 4C").table.escopas.tolist() == [0, 1, 0, 0]


@pytest.mark.parametrize("rate", [0.25, 0.5])
def test_esc_06_captures_are_overlooked_and_noticed_at_the_rate(rate: float) -> None:
    """An oversight that leaves a card that makes fifteen is claimed, by `standard` always if noticed."""
    chances = missed = claimable = claimed = 0
    for events in dealt(400, overlook_rate=rate):
        table, hands = list(events[0]["table"]), [list(hand) for hand in events[0]["hands"]]
        value = {rank: number for number, rank in enumerate("A234567QJK", start=1)}
        overlooked = False
        for event, following in zip(events[1:], [*events[2:], events[-1]], strict=True):
            kind, cards = event["event"], event.get("cards", [])
            if kind in ("dealer_take", "claim"):
                table = [card for card in table if card not in cards]
            elif kind == "to_table":
                table += cards
            elif kind == "deal_hands":
                hands = [list(hand) for hand in event["hands"]]
            elif kind == "play":
                sums = {0}
                for card in table:
                    sums |= {total + value[card[0]] for total in sums}
                chances += any(15 - value[card[0]] in sums for card in hands[event["seat"]])
                if overlooked and 15 - value[cards[0][0]] in sums:
                    claimable += 1
                    claimed += following["event"] == "claim"
                hands[event["seat"]].remove(cards[0])
                table = [card for card in table if card not in event["take"]] + ([] if event["take"] else cards)
            overlooked = kind == "overlook"
            missed += overlooked
    assert abs(missed / chances - rate) < 4 * sqrt(rate * (1 - rate) / chances)
    assert abs(claimed / claimable - (1 - rate)) < 4 * sqrt(rate * (1 - rate) / claimable)


def test_esc_06_everything_is_overlooked_at_the_rate_one() -> None:
    """Nobody captures, but the dealer: forty cards lie face up at the end, and nobody gets them."""
    for events in dealt(40, policy="expert", overlook_rate=1.0, dealer_take="none"):
        assert not any(event["take"] for event in events if event["event"] == "play")
        assert "claim" not in {event["event"] for event in events}
        last = events[-2]
        assert (last["event"], last["seat"], len(last["cards"])) == ("leftover", None, 40)
        assert events[-1]["scores"] == [2, 2]
    setup = make_setup("escopa", rules={"overlook_rate": 1.0, "dealer_take": "none"})
    records = batch.play(setup, batch.deal_jobs(setup, 0, 200))
    assert (records["leftover"] == 220).all()
    assert (records["last_side"] == -1).all()


def test_esc_06_the_next_seat_claims_after_the_last_card_and_before_new_ones() -> None:
    after_the_last = before_a_deal = 0
    for events in dealt(400, policy="random", overlook_rate=0.4):
        for before, event, following in zip(events, events[1:], events[2:], strict=False):
            if event["event"] != "claim":
                continue
            assert before["event"] == "play"
            assert event["seat"] == (before["seat"] + 1) % 2
            assert event["cards"][0] == before["cards"][0]
            if following["event"] == "leftover":
                after_the_last += 1
                assert event["turn"] == before["turn"] == following["turn"]
            elif following["event"] == "deal_hands":
                before_a_deal += 1
                assert event["turn"] == before["turn"] + 1 == following["turn"]
            else:
                assert event["turn"] == following["turn"] == before["turn"] + 1
                assert event["seat"] == following["seat"]
    assert after_the_last > 5
    assert before_a_deal > 20


def test_esc_06_oversights_leave_the_policies_streams_alone() -> None:
    """The same cards are dealt whatever is overlooked."""
    hands = [[events[0]["hands"] for events in dealt(5, policy="random", overlook_rate=rate)] for rate in (0.0, 0.5)]
    assert hands[0] == hands[1]


@pytest.mark.parametrize(
    ("option", "table", "take", "escopas"),
    [
        ("clear_table", "QS", "QS", 1),
        ("clear_table", "4S 3S AS", "4S 3S AS", 1),
        ("clear_table", "QS KD", "QS", 0),
        ("clear_table", "AS AD 2S 4C", "AS AD 2S 4C", 1),
        ("exactly_four", "QS", "QS", 0),
        ("exactly_four", "AS AD 2S 4C", "AS AD 2S 4C", 1),
        ("exactly_four", "AS AD 2S 4C KD", "AS AD 2S 4C", 0),
        ("exactly_four", "AS AD AC 2S 3C", "AS AD AC 2S 3C", 0),
    ],
)
def test_esc_08_an_escopa_clears_the_table(option: str, table: str, take: str, escopas: int) -> None:
    desk = Desk("7D", table=table, escopa=option).play("7D", take)
    assert desk.table.escopas[0] == desk.record.played_escopas[0] == escopas
    assert desk.log[0].value == escopas


@pytest.mark.parametrize(("counts", "escopas"), [(True, 2), (False, 0)])
@pytest.mark.parametrize("option", ["clear_table", "exactly_four"])
def test_esc_08_the_dealers_take_counts_as_escopas(option: str, counts: bool, escopas: int) -> None:
    desk = Desk(table="KS 5S JD 6C", dealer=1, escopa=option, dealer_escopas=counts)
    assert desk.dealer_takes()
    assert desk.table.escopas.tolist() == [0, escopas, 0, 0]
    desk.end()
    assert desk.record.escopas.tolist() == [0, escopas, 0, 0]
    assert desk.record.escopas_2 == escopas


def test_esc_08_the_last_card_never_makes_an_escopa() -> None:
    setup = make_setup("escopa", seed=9, policies="random", rules={"players": 3})
    records = batch.play(setup, batch.deal_jobs(setup, 0, 20_000))
    assert (records["leftover_cards"] > 0).all()
    assert np.array_equal(records["leftover"] % 15, np.full(20_000, 10))
