"""The referee of Loba on hand-written deals: the table, the deal, a turn (LOB-01 to LOB-04, LOB-08, LOB-10, LOB-11)."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from tests.referee.cards import JOKER, two_packs
from tests.referee.loba import judge
from tests.referee.loba_builder import Recorder, redeal
from tests.referee.loba_checks import accepted, rejected
from tests.referee.loba_options import Options
from tests.referee.loba_scenes import (
    FIVES,
    FOUR_OF_SEVEN,
    KINGS,
    LOOSE,
    NINE,
    RUN,
    SCENES,
    TWO,
    after_take,
    at_once,
    doubled_set,
    four_of_seven,
    idle_by_taking,
    last_two,
    long_run,
    one_card,
    only_jokers,
    second_turn,
    table,
    until_empty,
    with_redeals,
)
from tests.referee.log import Event, RuleBroken, read_jsonl

PLAYERS = range(2, 8)


def deal_with(**changes: Any) -> list[Event]:
    """A deal of one turn whose first line has these fields."""
    first, *others = at_once().events
    return [{**first, **changes}, *others]


@pytest.mark.parametrize("name", SCENES)
def test_hand_written_deals_are_accepted(name: str) -> None:
    log = SCENES[name]()
    verdict = judge(log)
    assert verdict.events == len(log)
    assert verdict.scores == [lines["total"] for lines in verdict.details]


def test_a_fault_names_article_event_turn_and_seat() -> None:
    log = table().idle(2).finish()
    log[3] = {**log[3], "cards": []}
    with pytest.raises(RuleBroken) as caught:
        judge(log)
    assert (caught.value.article, caught.value.event_index) == ("LOB-04", 3)
    assert (caught.value.turn, caught.value.seat) == (2, 1)


def test_a_verdict_says_what_each_seat_has() -> None:
    verdict = judge(one_card("KS", "JS").extend(0, "7S 8S 9S TS JS").discard("KS").events)
    assert (verdict.reason, verdict.turns, verdict.winner, verdict.all_at_once) == ("went_out", 3, 0, False)
    winner, loser = verdict.seats
    assert winner.melds == [["7S", "8S", "9S", "TS", "JS"], [*FIVES.split(), "5H"]]
    assert (winner.playing, winner.hand, winner.laid_early) == (True, [], True)
    assert (loser.melds, sorted(loser.hand), loser.laid_early) == ([], sorted(LOOSE.split()), False)
    assert (verdict.redeals, verdict.reshuffles, verdict.discard_takes) == (0, 0, 0)


def test_a_verdict_counts_redeals_reshuffles_and_takes() -> None:
    assert judge(with_redeals(TWO, 2).finish()).redeals == 2
    verdict = judge(idle_by_taking(until_empty(), 3).finish())
    assert (verdict.reshuffles, verdict.discard_takes, verdict.winner) == (3, 3, None)


def test_deals_are_read_from_json_lines() -> None:
    logs = [SCENES["idle"](), SCENES["at once"]()]
    lines = [json.dumps(event) for log in logs for event in log]
    assert [judge(log).turns for log in read_jsonl([*lines, ""])] == [278, 1]


# ---------------------------------------------------------------- LOB-01: players and cards


@pytest.mark.parametrize("players", PLAYERS)
def test_lob_01_players_in_turn_clockwise(players: int) -> None:
    recorder = table(Options(players=players)).idle(players + 1)
    seats = [event["seat"] for event in recorder.events if event["event"] == "discard"]
    assert seats == [*range(players), 0]
    accepted(recorder)
    recorder = table(Options(players=players)).idle()
    recorder.table.turn, recorder.table.seat = 2, 0
    rejected(recorder.write("draw", recorder.table.stock[-1:]), "LOB-01")


@pytest.mark.parametrize(("players", "jokers"), [(2, 2), (3, 2), (4, 3), (5, 3), (6, 4), (7, 4)])
def test_lob_01_jokers_by_players(players: int, jokers: int) -> None:
    deal = table(Options(players=players)).events[0]
    cards = Counter([*deal["stock"], deal["exposed"], *(card for hand in deal["hands"] for card in hand)])
    assert cards == two_packs(jokers)
    accepted(table(Options(players=players)))
    for other in (jokers - 1, jokers + 1):
        wrong = table(Options(players=players, jokers=other)).events[0]
        rejected([{**wrong, "options": deal["options"]}], "LOB-01")


@pytest.mark.parametrize("jokers", range(9))
def test_lob_01_or_any_number_up_to_eight(jokers: int) -> None:
    options = Options(jokers=jokers)
    recorder = table(options)
    assert recorder.table.pack.get(JOKER, 0) == jokers
    accepted(recorder)
    rejected([{**table().events[0], "options": Options(jokers=jokers + (jokers == 3)).as_json()}], "LOB-01")


def test_lob_01_in_a_match_by_the_players_still_in() -> None:
    assert four_of_seven().table.pack[JOKER] == 3
    assert last_two().table.pack[JOKER] == 2
    three_in = [-100] * 4 + [0] * 3
    assert table(Options(players=7), scores_before=three_in, dealer=4).table.pack[JOKER] == 2
    six_in = [-100] + [0] * 6
    recorder = table(Options(players=7), scores_before=six_in, dealer=4)
    assert recorder.table.pack[JOKER] == 4
    accepted(recorder)


def test_lob_01_two_packs() -> None:
    hands = at_once().events[0]["hands"]
    other = ["4S" if card != "4S" else "5S" for card in hands[1][:1]] + hands[1][1:]
    rejected(deal_with(hands=[hands[0], other, *hands[2:]])[:1], "LOB-01")
    rejected(deal_with(policies=["scripted"] * 3)[:1], "LOG")
    rejected(deal_with(scores_before=[0] * 5)[:1], "LOG")
    rejected(deal_with(dealer=4)[:1], "LOG")


def test_the_options_are_complete_and_allowed() -> None:
    options = Options().as_json()
    assert options == {
        "players": 4,
        "jokers": "auto",
        "set_suits": "three_different",
        "taken_discard_must_meld": False,
        "target": 100,
    }
    wrong = [("players", 1), ("players", 8), ("jokers", -1), ("jokers", 9), ("jokers", "3"), ("jokers", True)]
    wrong += [("set_suits", "four"), ("taken_discard_must_meld", 0), ("target", 0), ("target", None)]
    for name, value in wrong:
        rejected(deal_with(options={**options, name: value})[:1], "LOG")
    for name in options:
        rejected(deal_with(options={key: value for key, value in options.items() if key != name})[:1], "LOG")
    rejected(deal_with(options={**options, "curingas": 2})[:1], "LOG")
    rejected(deal_with(options=list(options))[:1], "LOG")


# ---------------------------------------------------------------- LOB-02: the deal


def test_lob_02_nine_cards_each() -> None:
    deal = at_once().events[0]
    first, *others = deal["hands"]
    rejected(deal_with(hands=[[*first, deal["stock"][0]], *others], stock=deal["stock"][1:])[:1], "LOB-02")
    rejected(deal_with(hands=[first[1:], *others], stock=[first[0], *deal["stock"]])[:1], "LOB-02")
    rejected(deal_with(hands=[[], *others], stock=[*first, *deal["stock"]])[:1], "LOB-02")


def test_lob_02_the_deal_passes_and_the_dealers_left_begins() -> None:
    rejected(deal_with(first=1)[:1], "LOB-02")
    rejected(deal_with(dealer=0, first=1)[:1], "LOB-02")
    rejected(deal_with(deal=4)[:1], "LOB-02")
    assert judge(deal_with(deal=7)).turns == 1
    assert judge(deal_with(match=4, deal=9)).turns == 1


def test_lob_02_in_a_match_who_is_out_neither_deals_nor_begins() -> None:
    deal = four_of_seven().events[0]
    assert (deal["dealer"], deal["first"]) == (2, 4)
    accepted(four_of_seven())
    rejected([{**deal, "first": 3}], "LOB-02")
    rejected([{**deal, "dealer": 3}], "LOB-02")
    assert last_two(dealer=6).events[0]["first"] == 0
    assert last_two(dealer=0).events[0]["first"] == 6
    accepted(last_two(dealer=6))


# ---------------------------------------------------------------- LOB-03: the exposed card


def test_lob_03_a_joker_exposed_means_another_deal() -> None:
    accepted(with_redeals())
    accepted(with_redeals(Options(players=7, jokers=8), 3))
    deal = at_once().events[0]
    stock = [*deal["stock"], deal["exposed"]]
    stock.remove(JOKER)
    rejected(deal_with(exposed=JOKER, stock=stock)[:1], "LOB-03")


def test_lob_03_a_redeal_is_the_whole_pack_with_a_joker_last() -> None:
    recorder = table()
    cards = list(two_packs(3).elements())
    naturals = [card for card in cards if card != JOKER]
    start = recorder.events[:1]
    good = redeal(3, cards)
    rejected([*start, redeal(3, [*[JOKER] * 3, *naturals])], "LOB-03")
    rejected([*start, {**good, "exposed": "4S"}], "LOB-03")
    rejected([*start, {**good, "cards": [*cards[1:], cards[0]]}], "LOB-03")
    rejected([*start, {**good, "cards": []}], "LOB-03")
    rejected([*start, redeal(3, [*cards, JOKER])], "LOB-01")
    rejected([*start, redeal(3, [*cards[1:], cards[0], JOKER])], "LOB-01")
    rejected([*start, redeal(0, cards)], "LOB-02")
    rejected([*start, {**good, "turn": 2}], "LOG")


def test_lob_03_nothing_is_dealt_anew_later() -> None:
    cards = list(two_packs(3).elements())
    recorder = table().draw()
    rejected([*recorder.events, redeal(0, cards)], "LOB-03")
    recorder = table().idle()
    recorder.begin()
    rejected([*recorder.events, {**redeal(1, cards), "turn": 2}], "LOB-03")


def test_lob_03_the_exposed_card_is_never_drawn() -> None:
    recorder = until_empty().begin()
    rejected(recorder.write("draw", [recorder.table.exposed]), "LOB-03")
    recorder = until_empty(reshuffles=3).begin()
    rejected(recorder.write("draw", [recorder.table.exposed]), "LOB-03")
    log = table().finish()
    assert judge(log).turns == 278
    assert Counter(event["event"] for event in log)["draw"] == 277


# ---------------------------------------------------------------- LOB-04: a turn


def test_lob_04_a_card_is_drawn_then_melds_then_one_discard() -> None:
    accepted(table(hands={0: NINE}).draw())
    rejected(table().draw().write("draw", "4S"), "LOB-04")
    rejected(table().draw().write("discard", "4S 5S", from_meld=None), "LOB-04")
    rejected(table().draw().write("discard", [], from_meld=None), "LOB-04")
    recorder = table()
    recorder.begin()
    rejected(recorder.write("draw", recorder.table.stock[-2:]), "LOB-04")
    recorder = table(hands={0: "9H"})
    recorder.begin()
    rejected(recorder.write("discard", "9H", from_meld=None), "LOB-04")
    recorder = table(hands={0: RUN})
    recorder.begin()
    rejected(recorder.write("meld", RUN, meld=0, now=RUN.split()), "LOB-04")
    recorder = table().draw()
    recorder.table.turn, recorder.table.seat = 2, 1
    rejected(recorder.write("draw", recorder.table.stock[-1:]), "LOB-04")


def test_lob_04_the_card_drawn_is_the_top_of_the_stock() -> None:
    recorder = table(stock="4S 5S")
    recorder.begin()
    rejected(recorder.write("draw", "5S"), "CARDS")
    recorder = table(stock="4S 5S")
    recorder.begin()
    rejected(recorder.write("draw", JOKER), "CARDS")


def test_lob_04_melds_are_laid_from_the_first_turn() -> None:
    recorder = table(hands={0: f"{RUN} {FIVES} TS"}).draw().meld(RUN).meld(FIVES).extend(0, f"{RUN} TS")
    accepted(recorder)


def test_lob_04_the_discards_start_empty() -> None:
    recorder = table()
    recorder.begin()
    rejected(recorder.write("take_discard", "4S"), "LOB-04")
    recorder = table()
    recorder.begin()
    rejected(recorder.write("take_discard"), "LOB-04")


def test_lob_04_the_card_just_discarded_is_taken_and_no_other() -> None:
    accepted(table(stock="3C").idle().take())
    accepted(table(stock="3C 4C").idle(2).take())
    for cards in ("3C", "3C 4C", ""):
        recorder = table(stock="3C 4C").idle(2).begin()
        rejected(recorder.write("take_discard", cards), "LOB-04")


def test_lob_04_either_the_stock_or_the_discards() -> None:
    recorder = table(stock="3C").idle().take()
    rejected(recorder.write("draw", recorder.table.stock[-1:]), "LOB-04")
    recorder = table(stock="3C 4C 5C").idle(2).draw()
    rejected(recorder.write("take_discard", "4C"), "LOB-04")
    recorder = table(stock="3C 4C").idle(2).take()
    rejected(recorder.write("take_discard", "3C"), "LOB-04")


def test_lob_04_the_card_just_taken_is_not_discarded() -> None:
    rejected(after_take("3H", LOOSE).discard("3H"), "LOB-04")
    accepted(after_take("3H", LOOSE).discard("2H"))
    accepted(after_take("3H", LOOSE).discard("2H").idle().draw().discard("3H"))


def test_lob_04_a_second_copy_in_hand_may_be() -> None:
    accepted(after_take("3H", "3H 4C 6H 8D TC QS 2S 5H 9D").discard("3H"))
    both_fives = after_take("5H", f"{FIVES} 7H 9C JC QD KS 2C")
    accepted(both_fives.meld(FIVES).discard("5H"))
    later = after_take("5H", f"{FIVES} 7H 9C JC QD KS 2C", [FIVES])
    rejected(later.discard("5H"), "LOB-04")


def test_lob_04_nor_is_it_laid_and_discarded_from_there() -> None:
    hand = f"{RUN} 5H 9C JC QD KS 2C"
    rejected(after_take("TS", hand, [RUN]).extend(0, f"{RUN} TS").discard("TS", 0), "LOB-04")
    accepted(after_take("TS", hand, [RUN]).extend(0, f"{RUN} TS").discard("7S", 0))
    fives = f"{FIVES} 7H 9C JC QD KS 2C"
    accepted(after_take("5H", fives, [FIVES]).extend(0, f"{FIVES} 5H").discard("5H", 0))
    elsewhere = "5H 6H 7H 8H 5D 5C QD KS 2C"
    accepted(after_take("5H", elsewhere, ["5H 6H 7H 8H"]).discard("5H", 0))
    accepted(after_take("5H", elsewhere, ["5H 6H 7H 8H"]).meld("5H 5D 5C").discard("5H", 0))


def test_lob_04_a_lay_leaves_a_way_to_end_the_turn() -> None:
    recorder = after_take("KD", f"{RUN} {FIVES} TS JS 2C", [RUN, FIVES])
    assert sorted(recorder.table.hand) == ["2C", "JS", "KD", "TS"]
    accepted(recorder.extend(0, f"{RUN} TS JS").discard("2C"))
    recorder = after_take("KD", f"{RUN} {FIVES} 5H 5D TS", [RUN, FIVES])
    recorder.extend(0, f"{RUN} TS").extend(1, f"{FIVES} 5H 5D")
    assert recorder.table.hand == ["KD"]
    accepted(recorder.discard("7S", 0))


def test_lob_04_nothing_but_the_card_just_taken_cannot_be_all_that_is_left() -> None:
    def taken(top: str) -> Recorder:
        recorder = second_turn("3D", f"{RUN} 4H 4D 4C QH QD 2C", [RUN], "QC", later=top)
        return recorder.meld("QH QD QC").discard("2C").idle().take()

    recorder = taken("KD")
    assert sorted(recorder.table.hand) == ["4C", "4D", "4H", "KD"]
    rejected(recorder.meld("4H 4D 4C"), "LOB-04")
    accepted(taken("KD").discard("4H"))
    # A card that can still be laid is no dead end.
    accepted(taken("TS").meld("4H 4D 4C").extend(0, f"{RUN} TS"))
    accepted(taken("QH").meld("4H 4D 4C").extend(1, "QH QD QC QH"))


def test_lob_04_a_joker_taken_is_not_thrown_back_either() -> None:
    recorder = only_jokers().discard(JOKER)
    assert recorder.table.discards[-1] == JOKER
    rejected(recorder.take().discard(JOKER), "LOB-04")
    recorder = only_jokers().discard(JOKER).take().discard("2H")
    accepted(recorder)


# ---------------------------------------------------------------- LOB-08: discards of laid cards


def test_lob_08_an_end_card_of_a_sequence() -> None:
    accepted(long_run().discard("7S", 0))
    accepted(long_run().discard("JS", 0))
    for card in ("8S", "9S", "TS"):
        rejected(long_run().discard(card, 0), "LOB-08")


def test_lob_08_three_cards_remain() -> None:
    for card in RUN.split():
        rejected(second_turn("3D", NINE, [RUN], "3H").discard(card, 0), "LOB-08")
    for card in FIVES.split():
        rejected(second_turn("3D", NINE, [FIVES], "3H").discard(card, 0), "LOB-08")


def test_lob_08_in_any_turn_that_of_the_lay_included() -> None:
    accepted(table(hands={0: f"{RUN} TS"}).draw().meld(f"{RUN} TS").discard("TS", 0))
    recorder = long_run().discard("7S", 0).idle().draw().discard("8S", 0)
    accepted(recorder)
    rejected(long_run().discard("7S", 0).idle().draw().discard("8S", 0).idle().draw().discard("9S", 0), "LOB-08")


def test_lob_08_no_joker_comes_to_lie_at_an_end() -> None:
    def run(now: str) -> Recorder:
        return table(Options(jokers=8), {0: now}).draw().meld(now)

    rejected(run("7S JK 9S TS").discard("7S", 0), "LOB-08")
    accepted(run("7S JK 9S TS").discard("TS", 0))
    rejected(run("7S 8S JK TS").discard("TS", 0), "LOB-08")
    rejected(run("7S JK 9S TS").discard(JOKER, 0), "LOB-08")
    rejected(run("7S JK 9S").discard("9S", 0), "LOB-08")
    accepted(run("AS 2S JK 4S").discard("AS", 0))


def test_lob_08_of_a_set_one_whose_suit_stays() -> None:
    accepted(doubled_set().discard("5H", 0))
    accepted(doubled_set().discard("5D", 0))
    rejected(doubled_set().discard("5C", 0), "LOB-08")
    rejected(doubled_set().discard("5S", 0), "LOB-08")


def test_lob_08_under_any_suits_three_cards_are_enough() -> None:
    four = Options(set_suits="any")
    hand = {0: "5S 5H 5D 5C"}
    accepted(table(four, hand).draw().meld("5S 5H 5D 5C").discard("5S", 0))
    accepted(table(four, {0: "5S 5S 5H 5H"}).draw().meld("5S 5S 5H 5H").discard("5S", 0))
    rejected(table(four, {0: "5S 5S 5H"}).draw().meld("5S 5S 5H").discard("5S", 0), "LOB-08")


def test_lob_08_only_off_an_own_meld() -> None:
    rejected(long_run().discard("7S", 1), "LOB-08")
    rejected(long_run().discard("QH", 0), "LOB-08")
    recorder = long_run().discard("3H")
    rejected(recorder.draw().write("discard", "7S", from_meld=0), "LOB-08")
    rejected(long_run().write("discard", "7S", from_meld=None), "CARDS")


# ---------------------------------------------------------------- LOB-10: jokers


def test_lob_10_a_joker_is_not_discarded_while_a_natural_card_can_be() -> None:
    rejected(table(hands={0: JOKER}).draw().discard(JOKER), "LOB-10")
    rejected(table(hands={0: JOKER}, stock=JOKER).draw().discard(JOKER), "LOB-10")
    rejected(one_card(JOKER, "2D").discard(JOKER), "LOB-10")


def test_lob_10_except_as_the_last_card() -> None:
    assert judge(at_once(drawn=JOKER).events).winner == 0
    held = second_turn("3D", f"{RUN} {FIVES} KH KD JK", [RUN], "KC").meld(FIVES).meld(KINGS).discard(JOKER)
    assert judge(held.events).winner == 0
    # Though a laid card could be discarded instead.
    assert judge(one_card(JOKER, "JS").extend(0, "7S 8S 9S TS JS").discard(JOKER).events).winner == 0


def test_lob_10_with_nothing_but_jokers_a_laid_card_if_possible() -> None:
    accepted(only_jokers().discard(JOKER))
    run = [f"{RUN} TS", KINGS]
    rejected(only_jokers(run).discard(JOKER), "LOB-10")
    accepted(only_jokers(run).discard("7S", 0))
    accepted(only_jokers(run).discard("TS", 0))
    rejected(only_jokers(run).discard("KH", 1), "LOB-08")


def test_lob_10_the_card_just_taken_is_no_natural_card_to_discard() -> None:
    def taken(melds: tuple[str, str]) -> Recorder:
        laid = " ".join(melds)
        jokers = " ".join([JOKER] * (9 - len(laid.split())))
        return after_take("3H", f"{laid} {jokers}", melds, Options(players=2, jokers=8))

    accepted(taken((FIVES, KINGS)).discard(JOKER))
    rejected(taken((FIVES, KINGS)).discard("3H"), "LOB-04")
    rejected(taken((f"{RUN} TS", KINGS)).discard(JOKER), "LOB-10")
    accepted(taken((f"{RUN} TS", KINGS)).discard("TS", 0))


def test_lob_10_a_joker_must_be_in_hand() -> None:
    rejected(table(hands={0: LOOSE}).draw().write("discard", JOKER, from_meld=None), "CARDS")


# ---------------------------------------------------------------- LOB-11: one card in hand


def test_lob_11_with_one_card_in_hand_nothing_is_taken() -> None:
    recorder = one_card("QH", "2C").discard("2C").idle().begin()
    assert recorder.table.hand == ["QH"]
    rejected(recorder.write("take_discard", recorder.table.discards[-1:]), "LOB-11")
    accepted(one_card("QH", "2C").discard("2C").idle().draw())


def test_lob_11_nor_when_the_stock_is_empty() -> None:
    hand = f"7S 8S 9S TS {FIVES} 5H QH"
    recorder = table(TWO, {0: hand}, "3D").draw().meld("7S 8S 9S TS").meld(f"{FIVES} 5H").discard("3D").idle()
    while recorder.table.stock:
        recorder.idle()
    if recorder.table.seat == 1:
        idle_by_taking(recorder, 1)
    assert (len(recorder.table.hand), recorder.table.stock) == (1, [])
    recorder.begin()
    rejected(recorder.write("take_discard", recorder.table.discards[-1:]), "LOB-11")


def test_lob_11_with_two_cards_it_may_be() -> None:
    recorder = second_turn("3D", f"{RUN} TS 5H 5D 5C QH QD", [f"{RUN} TS", FIVES], "2C").discard("2C").idle()
    assert len(recorder.table.hand) == 2
    accepted(recorder.take())


def test_the_scores_before_a_later_round_say_who_plays() -> None:
    assert four_of_seven().table.playing == [total > -100 for total in FOUR_OF_SEVEN]
