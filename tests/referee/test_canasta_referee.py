"""The referee of Canasta on hand-written deals: the table, a turn, the pile (KAN-01 to KAN-10)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.referee.canasta import judge
from tests.referee.canasta_builder import Recorder
from tests.referee.canasta_checks import accepted, rejected
from tests.referee.canasta_options import Options
from tests.referee.canasta_scenes import (
    SCENES,
    WILDS_HELD,
    concealed_by_discard,
    melded_pile,
    out_openly,
    pile_for,
    table,
)
from tests.referee.log import Event, RuleBroken, read_jsonl

UNCOVERED = Options(opening_black_three_covers=False)
FREEZES = Options(black_three_freezes=True)


def deal_with(**changes: Any) -> list[Event]:
    """An idle deal whose first line has these fields."""
    first, *others = table().finish()
    return [{**first, **changes}, *others]


@pytest.mark.parametrize("name", SCENES)
def test_hand_written_deals_are_accepted(name: str) -> None:
    verdict = judge(SCENES[name]())
    assert verdict.events == len(SCENES[name]())
    assert verdict.scores == [lines["total"] for lines in verdict.details]


def test_a_fault_names_article_event_turn_and_seat() -> None:
    log = table().idle(2).finish()
    log[4] = {**log[4], "cards": []}
    with pytest.raises(RuleBroken) as caught:
        judge(log)
    assert (caught.value.article, caught.value.event_index) == ("KAN-06", 4)
    assert (caught.value.turn, caught.value.seat) == (2, 1)


def test_a_verdict_says_what_each_side_has() -> None:
    verdict = judge(out_openly().events)
    assert (verdict.reason, verdict.turns, verdict.scores) == ("went_out", 5, [610, -250])
    winner, loser = verdict.sides
    assert [len(meld) for meld in winner.melds] == [7, 4]
    assert (winner.natural_canastas, winner.mixed_canastas, winner.red_threes) == (1, 0, 0)
    assert (winner.went_out, winner.concealed) == (True, False)
    assert (loser.melds, loser.went_out, loser.concealed) == ([], False, False)


def test_deals_are_read_from_json_lines() -> None:
    logs = [SCENES["idle"](), SCENES["concealed"]()]
    lines = [json.dumps(event) for log in logs for event in log]
    assert [judge(log).turns for log in read_jsonl([*lines, ""])] == [60, 1]


# ---------------------------------------------------------------- KAN-01 to 04: cards and deal


def test_kan_01_four_players_in_turn_from_the_dealers_left() -> None:
    seats = [event["seat"] for event in table().idle(5).events if event["event"] == "discard"]
    assert seats == [0, 1, 2, 3, 0]
    recorder = table().idle()
    recorder.table.turn, recorder.table.seat = 2, 3
    rejected(recorder.write("draw", recorder.table.stock[-1:], why="turn"), "KAN-01")
    rejected(deal_with(first=1)[:1], "KAN-01")
    rejected(deal_with(dealer=0, first=1)[:1], "KAN-01")
    assert judge(deal_with(match=4, deal=7)).turns == 60


def test_kan_01_two_packs_and_four_jokers() -> None:
    hands = table().events[0]["hands"]
    first = ["JK" if card != "JK" else "4S" for card in hands[0][:1]] + hands[0][1:]
    rejected(deal_with(hands=[first, *hands[1:]])[:1], "KAN-01")
    rejected(deal_with(policies=["scripted"] * 2)[:1], "LOG")


def test_kan_02_eleven_cards_each() -> None:
    deal = table().events[0]
    hands = [[*deal["hands"][0], deal["stock"][0]], *deal["hands"][1:]]
    rejected(deal_with(hands=hands, stock=deal["stock"][1:])[:1], "KAN-02")
    rejected(deal_with(stock=[*deal["stock"], *deal["pile"]], pile=[])[:1], "KAN-02")
    rejected(deal_with(stock=deal["stock"][1:])[:1], "KAN-02")


@pytest.mark.parametrize("pile", ["4S", "AS", "JK 4S", "2S JK 3H 3S 3C 2H KD"])
def test_kan_02_cards_are_turned_until_a_natural_one_lies_on_top(pile: str) -> None:
    accepted(table(pile=pile))


@pytest.mark.parametrize("pile", ["JK", "2S", "3H", "3S", "4S 3S", "KS 4S", "JK 4S 5S"])
def test_kan_02_no_card_more_and_none_less(pile: str) -> None:
    rejected(table(pile=pile), "KAN-02")


def test_kan_02_a_black_three_stays_under_the_option() -> None:
    accepted(table(UNCOVERED, pile="3S"))
    accepted(table(UNCOVERED, pile="JK 3H 3C"))
    rejected(table(UNCOVERED, pile="3S 4S"), "KAN-02")
    recorder = table(UNCOVERED, pile="3S")
    rejected(recorder.lift(), "KAN-07")


def test_kan_04_wild_cards_are_any_rank_but_three_and_never_alone() -> None:
    hand = {0: "KS KH JK 2S 2H 3S 3C AS AH AD"}
    accepted(table(hands=hand).draw().meld("KS KH JK"))
    rejected(table(hands=hand).draw().meld("JK 2S 2H"), "KAN-04")
    rejected(table(hands=hand).draw().meld("3S 3C 2H"), "KAN-12")


# ---------------------------------------------------------------- KAN-05: red threes


def test_kan_05_laid_and_replaced_in_the_first_turn() -> None:
    recorder = table(hands={0: "3H 3D", 1: "3H"}, stock="3D 7S").idle(2)
    names = [event["event"] for event in recorder.events[1:]]
    assert names == [*["red_three", "draw"] * 3, "draw", "discard", "red_three", "draw", "draw", "discard"]
    assert judge(recorder.finish()).details[0]["red_threes"] == -300


def test_kan_05_before_anything_else() -> None:
    recorder = table(hands={0: "3H"})
    recorder.table.turn = 1
    rejected(recorder.write("draw", recorder.table.stock[-1:], why="turn"), "KAN-05")
    recorder = table(hands={0: "3H"})
    recorder.table.turn = 1
    recorder.red_three("3H")
    rejected(recorder.write("draw", recorder.table.stock[-1:], why="turn"), "KAN-05")


def test_kan_05_one_drawn_later_at_once() -> None:
    recorder = table(stock="3H 7S").begin()
    recorder.write("draw", "3H", why="turn").write("discard", "3H")
    rejected(recorder, "KAN-05")
    accepted(table(stock="3H 7S").draw())


def test_kan_05_one_found_in_the_pile_is_laid_without_replacement() -> None:
    take = pile_for("6H 6D AS AH AD", pile="3H 9C").take("6S 6H 6D")
    assert [event["event"] for event in take.events[-3:]] == ["take_pile", "red_three", "meld"]
    accepted(take.meld("AS AH AD"))
    later = pile_for("6H 6D AS AH AD", pile="3H 9C").lift().justify("6S 6H 6D").meld("AS AH AD")
    accepted(later.red_three("3H").discard("9C"))
    between = table(hands={0: "6H 6D AS AH AD"}, pile="3H 6S").lift().justify("6S 6H 6D").red_three("3H")
    accepted(between.meld("AS AH AD"))
    never = pile_for("6H 6D AS AH AD", pile="3H 9C").lift().justify("6S 6H 6D").meld("AS AH AD")
    rejected(never.discard("9C"), "KAN-05")
    replaced = pile_for("6H 6D AS AH AD", pile="3H 9C").take("6S 6H 6D")
    rejected(replaced.write("draw", replaced.table.stock[-1:], why="red_three"), "KAN-05")
    replaced = pile_for("6H 6D AS AH AD", pile="3H 9C").lift().red_three("3H")
    rejected(replaced.write("draw", replaced.table.stock[-1:], why="red_three"), "KAN-05")


def test_kan_05_those_of_a_first_turn_that_never_came_count_as_laid() -> None:
    recorder = concealed_by_discard(partner="3H 3D")
    verdict = judge(recorder.events)
    assert verdict.details[0]["red_threes"] == 200
    cards = [card for card in recorder.events[0]["hands"][2] if card not in ("3H", "3D")]
    values = [20 if card[0] in "A2" else 10 if card[0] in "89TJQK" else 5 for card in cards if card != "JK"]
    assert verdict.details[0]["cards_in_hand"] == -sum(values) - 50 * cards.count("JK")


# ---------------------------------------------------------------- KAN-06: a turn


def test_kan_06_a_draw_or_the_whole_pile_then_melds_then_one_discard() -> None:
    recorder = pile_for("6H 6D AS AH AD").take("6S 6H 6D")
    assert "9C" not in recorder.table.hand
    assert "9C" in recorder.meld("AS AH AD").table.hand
    accepted(recorder)
    rejected(table().draw().write("draw", "4S", why="turn"), "KAN-06")
    rejected(table().draw().write("take_pile"), "KAN-06")
    rejected(table().draw().write("pass"), "KAN-06")
    rejected(table().draw().write("discard", "4S 5S"), "KAN-06")
    recorder = pile_for("6H 6D AS AH AD")
    recorder.table.turn = 2
    rejected(recorder.write("take_pile", "6S"), "KAN-06")


def test_kan_06_a_turn_needs_its_draw_and_its_discard() -> None:
    recorder = table(hands={0: "9H", 1: "9H"}, stock="JD")
    recorder.table.turn = 1
    rejected(recorder.write("discard", "9H"), "KAN-06")
    recorder = table().draw()
    recorder.table.turn, recorder.table.seat = 2, 1
    rejected(recorder.write("draw", recorder.table.stock[-1:], why="turn"), "KAN-06")


def test_kan_06_the_top_card_is_used_at_once() -> None:
    rejected(pile_for("6H 6D AS AH AD").lift().write("discard", "AS"), "KAN-06")
    recorder = pile_for("6H 6D AS AH AD").lift()
    rejected(recorder.write("meld", "AS AH AD", meld=0, now=["AS", "AH", "AD"]), "KAN-06")
    rejected(pile_for("6H 6D AS AH AD").lift().write("ask", answer=True), "KAN-06")


# ---------------------------------------------------------------- KAN-07 to 10: the pile


@pytest.mark.parametrize("top", ["JK", "2H", "3S", "3C"])
def test_kan_07_a_wild_card_or_a_black_three_on_top(top: str) -> None:
    rejected(pile_for("6H 6D AS AH AD", top).lift(), "KAN-07")
    rejected(melded_pile("6H 6D", top, others={0: "4S", 2: "4S"}).lift(), "KAN-07")


def test_kan_08_a_side_that_has_not_melded_needs_a_natural_pair() -> None:
    accepted(pile_for("AS AH 6H", "AD").take("AS AH AD"))
    accepted(pile_for("AS AH AC 2H", "AD").take("AS AH AC AD 2H"))
    rejected(pile_for("AS JK", "AD").take("AS AD JK"), "KAN-08")
    rejected(pile_for("AS 2H", "AD").take("AS AD 2H"), "KAN-08")


def test_kan_08_not_frozen_a_natural_and_a_wild_card_will_do() -> None:
    accepted(melded_pile("6H 6D").take("6S 6H 6D"))
    accepted(melded_pile("6H JK", others={0: "4S"}).take("6S 6H JK"))
    rejected(melded_pile("JK 2S", others={0: "4S"}).take("6S JK 2S"), "KAN-11")
    rejected(melded_pile("JK 2S", others={0: "4S"}, buried="6C").take("6S 6C JK 2S"), "KAN-08")
    rejected(melded_pile("6H", buried="6C").take("6S 6C 6H"), "KAN-08")


def test_kan_08_not_frozen_an_own_meld_will_do() -> None:
    accepted(melded_pile("", "AC").take("AS AH AD AC", 0))
    accepted(melded_pile("JK", "AC", others={0: "4S"}).take("AS AH AD AC JK", 0))
    finished = melded_pile("AC AS AH AD", "AC")
    assert accepted(finished.take("AS AH AD AC", 0).extend(0, "AS AH AD AC AC AS AH AD")).sides[1].natural_canastas == 1


def test_kan_08_a_finished_canasta_will_do() -> None:
    recorder = table(hands={1: "AS AS AH AH AD AD AC", **WILDS_HELD}, stock="4C 4D 9H 5C AC", pile="9C")
    recorder.idle().draw().meld("AS AS AH AH AD AD AC").discard("4D").idle(3)
    accepted(recorder.take("AS AS AH AH AD AD AC AC", 0))


def frozen_pile(hand: str, top: str = "6S", options: Options | None = None, freezer: str = "2D") -> Recorder:
    """A pile in which a card lies that may freeze it, for a side that has melded three aces."""
    return melded_pile(hand, top, options, freezer, others={2: "2H 2H 2C 2C"})


def test_kan_08_a_wild_card_freezes_the_pile_for_everybody() -> None:
    accepted(frozen_pile("6H 6D").take("6S 6H 6D"))
    recorder = melded_pile("6H 2D", buried="2D", others={2: "2H 2H 2C 2C"})
    rejected(recorder.take("6S 6H 2D"), "KAN-08")
    rejected(frozen_pile("", "AC").take("AS AH AD AC", 0), "KAN-08")
    rejected(frozen_pile("AC 5H", "AC").take("AS AH AD AC AC", 0), "KAN-08")
    accepted(frozen_pile("AC AS", "AC").take("AS AH AD AC AC AS", 0))


def test_kan_08_a_red_three_turned_at_the_start_freezes_it() -> None:
    for pile in ("3H 9C", "JK 9C", "2D 9C"):
        others = {0: "4S", 2: "2H 2H 2C 2C"}
        stock = "4C 4D 9H 5C AC"
        recorder = table(hands={1: "AS AH AD", **others}, stock=stock, pile=pile)
        recorder.idle().draw().meld("AS AH AD").discard("4D").idle(3)
        rejected(recorder.take("AS AH AD AC", 0), "KAN-08")


def test_kan_08_until_it_is_taken() -> None:
    recorder = frozen_pile("6H 6D").take("6S 6H 6D").discard("9C")
    assert not recorder.table.frozen
    stock = "4C 4D 2D 5C 6S 5H 5S AC"
    hands = {1: "AS AH AD 6H 6D", 0: WILDS_HELD[0], 2: "2H 2H 2C 2C"}
    recorder = table(hands=hands, stock=stock, pile="9C")
    recorder.idle().draw().meld("AS AH AD").discard("4D").idle(3).take("6S 6H 6D").discard("9C").idle(3)
    assert recorder.table.pile[-1] == "AC"
    accepted(recorder.take("AS AH AD AC", 0))


def test_kan_08_further_cards_of_the_pile_join_that_meld() -> None:
    accepted(melded_pile("6H 6D", buried="6C").take("6S 6H 6D 6C"))
    accepted(melded_pile("", "AC", buried="AC").take("AS AH AD AC AC", 0))
    recorder = pile_for("AS AH", "AD", pile="AC", others={3: "AC"}).lift()
    rejected(recorder.write("meld", "AS AH AD AC", meld=0, now=["AS", "AH", "AD", "AC"]), "KAN-13")
    accepted(pile_for("AS AH", "AD", pile="AC").take("AS AH AD").extend(0, "AS AH AD AC"))


def test_kan_09_a_black_three_blocks_the_next_player_only() -> None:
    stock = "4C 4D 9H 5C 3S TD 5S TC AC"
    recorder = table(hands={1: "AS AH AD", 3: "KC KD", **WILDS_HELD}, stock=stock, pile="9C")
    recorder.idle().draw().meld("AS AH AD").discard("4D").idle(3)
    rejected(recorder.lift(), "KAN-07")
    recorder = table(hands={1: "AS AH AD", **WILDS_HELD}, stock=stock, pile="9C")
    recorder.idle().draw().meld("AS AH AD").discard("4D").idle(7)
    accepted(recorder.take("AS AH AD AC", 0))


def test_kan_09_it_freezes_under_the_option() -> None:
    accepted(melded_pile("", "AC", buried="3S").take("AS AH AD AC", 0))
    rejected(melded_pile("", "AC", FREEZES, "3S").take("AS AH AD AC", 0), "KAN-08")
    accepted(melded_pile("AC AS", "AC", FREEZES, "3S").take("AS AH AD AC AC AS", 0))


def test_kan_09_one_turned_at_the_start_freezes_where_it_is_not_covered() -> None:
    def with_pile(options: Options, pile: str) -> Recorder:
        recorder = table(options, {1: "AS AH AD", **WILDS_HELD}, "4C 4D 9H 5C AC", pile)
        return recorder.idle().draw().meld("AS AH AD").discard("4D").idle(3).take("AS AH AD AC", 0)

    accepted(with_pile(FREEZES, "3S 9C"))
    accepted(with_pile(UNCOVERED, "3S"))
    both = Options(opening_black_three_covers=False, black_three_freezes=True)
    rejected(with_pile(both, "3S"), "KAN-08")


ONE_LEFT = "AS AH AD AC 6H 6D 6C 7H 7D 7C 8S"  # ten cards of three melds and one more
TAKER = "5C 5C KS KH KD KC AS QH QD QC 9S"  # fives for the pile, kings for the minimum, an ace to discard


def one_left(recorder: Recorder, more: bool = False) -> Recorder:
    """The player lays ten cards of ONE_LEFT, or nine, and discards the card drawn."""
    recorder.draw().meld("AS AH AD" if more else "AS AH AD AC").meld("6H 6D 6C").meld("7H 7D 7C")
    return recorder.idle_discard()


def one_card_pile(more: bool = False) -> Recorder:
    """Before turn 6 an ace is the whole pile, and seat 1 holds one card or two."""
    recorder = table(hands={0: TAKER, 1: ONE_LEFT}, stock="9D 5S 5D 5H", pile="9C").idle()
    one_left(recorder, more).idle(2)
    return recorder.take("5H 5C 5C").meld("KS KH KD KC").discard("AS")


def test_kan_10_one_card_in_hand_and_a_one_card_pile() -> None:
    recorder = one_card_pile()
    assert (len(recorder.table.hand), recorder.table.pile) == (1, ["AS"])
    rejected(recorder.lift(), "KAN-10")
    accepted(one_card_pile(more=True).take("AS AH AD AS", 0))


def test_kan_10_a_larger_pile_can_be_taken_with_one_card() -> None:
    recorder = table(hands={1: ONE_LEFT, 0: WILDS_HELD[0]}, stock="9D 5S 5D 5H AS", pile="9C").idle()
    one_left(recorder).idle(3)
    assert len(recorder.table.hand) == 1
    accepted(recorder.take("AS AH AD AC AS", 0))


def test_kan_10_overrides_the_obligation_at_the_end_of_the_stock() -> None:
    def at_the_end() -> Recorder:
        recorder = table(hands={0: ONE_LEFT, 3: TAKER, 2: WILDS_HELD[2]}, stock="5S", pile="9C", bottom="5H")
        one_left(recorder).idle(58)
        return recorder.take("5H 5C 5C").meld("KS KH KD KC").discard("AS")

    recorder = at_the_end()
    assert (len(recorder.table.hand), recorder.table.pile, recorder.table.stock) == (1, ["AS"], [])
    assert judge(recorder.finish()).turns == 61
    rejected(at_the_end().lift(), "KAN-10")
    rejected(at_the_end().begin().write("decline_pile"), "KAN-16")
