"""The referee of Canasta on hand-written deals: melds and the first meld (KAN-11 to KAN-13)."""

from __future__ import annotations

import pytest

from tests.referee.canasta import judge
from tests.referee.canasta_builder import Recorder
from tests.referee.canasta_checks import accepted, rejected
from tests.referee.canasta_options import Options
from tests.referee.canasta_scenes import SEVEN_KINGS, WILDS_HELD, concealed_small, pile_for, six_kings, table
from tests.referee.canasta_table import minimum_at
from tests.referee.log import Event


def held(hand: str, options: Options | None = None, stock: str = "9H") -> Recorder:
    """Turn 1: seat 0 holds these cards and has drawn."""
    return table(options, {0: hand}, stock, "9C").draw()


# ---------------------------------------------------------------- KAN-11: melds


@pytest.mark.parametrize("meld", ["AS AH AD", "KS KH JK", "KS KH JK 2S 2H", "AS AH AD AC AS AH AD AC 2H JK 2S"])
def test_kan_11_three_or_more_of_one_rank(meld: str) -> None:
    accepted(held(meld).meld(meld))


@pytest.mark.parametrize("meld", ["AS AH", "KS JK 2S", "KS KH QD", "KS KH JK 2S 2H 2D", "4S 5S 6S", "AS AH AD 3S"])
def test_kan_11_what_is_no_meld(meld: str) -> None:
    rejected(held(meld).meld(meld), "KAN-11")


def test_kan_11_one_meld_per_rank_per_side() -> None:
    hand = "AS AS AH AH AD AD"
    rejected(held(hand).meld("AS AH AD").meld("AS AH AD"), "KAN-11")
    accepted(held(hand).meld("AS AH AD").extend(0, "AS AH AD AS AH AD"))


def test_kan_11_both_sides_may_own_the_same_rank() -> None:
    recorder = table(hands={0: "AS AH AD", 1: "AS AH AD"}, pile="9C").draw().meld("AS AH AD").idle_discard()
    accepted(recorder.draw().meld("AS AH AD"))


def test_kan_11_partners_share_and_nobody_touches_the_opponents_melds() -> None:
    def opened() -> Recorder:
        hands = {0: "AS AH AD", 1: "AS 7S 7H 7D KS KH KD", 2: "AC"}
        return table(hands=hands, pile="9C").draw().meld("AS AH AD").idle_discard()

    accepted(opened().idle().draw().extend(0, "AS AH AD AC"))
    rejected(opened().draw().write("extend", "AS", meld=0, now=["AS", "AH", "AD", "AS"]), "KAN-11")
    recorder = opened().draw().meld("KS KH KD").meld("7S 7H 7D")
    rejected(recorder.write("extend", "AS", meld=0, now=["AS", "AH", "AD", "AS"]), "KAN-11")


def test_kan_11_a_wild_card_makes_a_natural_canasta_mixed_and_three_are_the_most() -> None:
    kings = "KS KS KH KH KD KD KC"
    natural = accepted(held(kings).meld(kings)).sides[0]
    assert (natural.natural_canastas, natural.mixed_canastas) == (1, 0)
    mixed = accepted(held(f"{kings} JK").meld(kings).extend(0, f"{kings} JK")).sides[0]
    assert (mixed.natural_canastas, mixed.mixed_canastas) == (0, 1)
    hand = f"{kings} JK JK 2S 2S"
    accepted(held(hand).meld(kings).extend(0, f"{kings} JK JK 2S"))
    rejected(held(hand).meld(kings).extend(0, f"{kings} JK JK 2S 2S"), "KAN-11")


def test_kan_11_an_extension_says_what_lies_there() -> None:
    recorder = held("AS AH AD AC").meld("AS AH AD")
    rejected(recorder.write("extend", "AC", meld=0, now=["AS", "AH", "AC", "AC"]), "KAN-11")
    recorder = held("AS AH AD AC").meld("AS AH AD")
    rejected(recorder.write("extend", "", meld=0, now=["AS", "AH", "AD"]), "LOG")
    rejected(held("AS AH AD").write("meld", "AS AH AD", meld=1, now=["AS", "AH", "AD"]), "LOG")


# ---------------------------------------------------------------- KAN-12: black threes


def test_kan_12_three_or_four_in_the_turn_of_going_out() -> None:
    kings = SEVEN_KINGS
    four = six_kings(hand="3S 3S 3C 3C 4S").extend(0, kings).meld("3S 3S 3C 3C").discard("4S")
    assert judge(four.events).details[0]["melded_cards"] == 90
    three = six_kings(hand="3S 3S 3C 3C 4S").meld("3S 3S 3C").extend(1, "3S 3S 3C 3C").extend(0, kings).discard("4S")
    assert judge(three.events).details[0]["melded_cards"] == 90
    rejected(six_kings(hand="3S 3S 3C 4H 4S").extend(0, kings).meld("3S 3S 3C").discard("4S"), "KAN-12")
    rejected(six_kings(hand="3S 3S 5C 4H 4S").write("meld", "3S 3S", meld=1, now=["3S", "3S"]), "KAN-11")


def test_kan_12_without_wild_cards() -> None:
    rejected(six_kings(hand="3S 3S 3C JK 4S").meld("3S 3S 3C JK"), "KAN-12")
    rejected(six_kings(hand="3S 3S 3C JK 4S").meld("3S 3S 3C").extend(1, "3S 3S 3C JK"), "KAN-12")
    rejected(six_kings(hand="3S 3S 3C KC 4S").meld("3S 3S 3C KC"), "KAN-11")


def test_kan_12_they_count_towards_a_first_meld() -> None:
    """Three sixes and six fours are 45 points; with three black threes 60, and the seventh four may be taken."""
    sixes, seven = "4S 4S 4H 4H 4D 4D", "4S 4S 4H 4H 4D 4D 4C"
    recorder = pile_for(f"{sixes} 3S 3S 3C 6H 6D", pile="4C", others={3: "4C"}).take("6S 6H 6D").meld(sixes)
    rejected([*recorder.events, extension("4C", 1, seven)], "KAN-13")
    verdict = judge(recorder.meld("3S 3S 3C").extend(1, seven).events)
    assert (verdict.reason, verdict.sides[1].concealed) == ("went_out", True)
    assert verdict.details[1]["melded_cards"] == 65


def extension(cards: str, number: int, now: str) -> Event:
    """An extension by seat 1 in turn 2."""
    added = {"cards": cards.split(), "meld": number, "now": now.split()}
    return {"event": "extend", "turn": 2, "seat": 1, **added}


# ---------------------------------------------------------------- KAN-13: the first meld


WORTH = {
    15: ["4S 4H 4D"],
    45: ["KS KH KD", "6S 6H 6D"],
    50: ["KS KS KH KH KD"],
    85: ["KS KH KD KC", "QS QH QD", "6S 6H 6D"],
    90: ["AS AH JK"],
    115: ["AS AH JK", "4S 4S 4H 4H 4D"],
    120: ["AS AS AH AH AD AC"],
}


@pytest.mark.parametrize(
    ("score", "least", "short"),
    [
        (-3000, 15, None),
        (-5, 15, None),
        (0, 50, 45),
        (1495, 50, 45),
        (1500, 90, 85),
        (2995, 90, 85),
        (3000, 120, 115),
        (4995, 120, 115),
    ],
)
def test_kan_13_the_minimum_by_score(score: int, least: int, short: int | None) -> None:
    assert minimum_at(score) == least
    accepted(opened_with(WORTH[least], score))
    if short is not None:
        rejected(opened_with(WORTH[short], score).discard("9H"), "KAN-13")


def opened_with(melds: list[str], score: int) -> Recorder:
    """Seat 0 lays these melds at this score, and has yet to discard."""
    recorder = held(" ".join(melds), Options(start_score=(score, 0)))
    for meld in melds:
        recorder.meld(meld)
    return recorder


def test_kan_13_outside_a_match_the_scores_are_the_options() -> None:
    log = table(Options(start_score=(0, 1600))).finish()
    assert judge(log).turns == 60
    rejected([{**log[0], "scores_before": [0, 0]}], "KAN-13")


def test_kan_13_in_a_match_they_are_the_matchs() -> None:
    def opened(score: int) -> Recorder:
        recorder = held("AS AH AD")
        recorder.events[0].update(match=3, deal=3, scores_before=[score, 0])
        return recorder.meld("AS AH AD").discard("9H")

    assert judge(opened(1495).finish()).reason == "stock_out"
    rejected(opened(1500), "KAN-13")


def test_kan_13_the_worked_values() -> None:
    low = pile_for("6H 6D 2S 4S 4H").take("6S 6H 6D").meld("2S 4S 4H")
    assert low.table.now.laid_points == 45
    rejected(low.idle_discard(), "KAN-13")
    later = Options(start_score=(0, 1600))
    low = pile_for("6H 6D KS KH KD 2S", options=later).take("6S 6H 6D").meld("KS KH KD 2S")
    assert low.table.now.laid_points == 65
    rejected(low.idle_discard(), "KAN-13")
    accepted(pile_for("6H 6D AS AH AD 2S", options=later).take("6S 6H 6D").meld("AS AH AD 2S"))


def test_kan_13_several_melds_and_extensions_of_the_turn_add_up() -> None:
    accepted(held("6S 6H 6D KS KH KD KC").meld("6S 6H 6D").meld("KS KH KD KC"))
    accepted(held("6S 6H 6D KS KH KD KC").meld("6S 6H 6D").meld("KS KH KD").extend(1, "KS KH KD KC"))
    rejected(held("6S 6H 6D KS KH KD KC").meld("6S 6H 6D").meld("KS KH KD").discard("KC"), "KAN-13")


def test_kan_13_only_the_top_card_of_the_pile_counts() -> None:
    def taken() -> Recorder:
        others = {3: "KC", 0: WILDS_HELD[0]}
        return pile_for("6H 6D KS KH KD 9S 9H", pile="KC", others=others).take("6S 6H 6D").meld("KS KH KD")

    rejected(taken().write("extend", "KC", meld=1, now=["KS", "KH", "KD", "KC"]), "KAN-13")
    others = {3: "9D 9D 9C", 0: WILDS_HELD[0]}
    recorder = pile_for("6H 6D KS KH KD 9S 9H JK", others={**others, 0: "4S"}).take("6S 6H 6D").meld("KS KH KD")
    accepted(recorder.meld("9S 9H JK").extend(2, "9S 9H JK 9C"))


def test_kan_13_when_the_side_has_melded_there_is_no_minimum() -> None:
    hands = {0: "AS AH AD", 2: "4S 4H 4D"}
    recorder = table(hands=hands, pile="9C").draw().meld("AS AH AD").idle_discard().idle()
    accepted(recorder.draw().meld("4S 4H 4D"))


def test_kan_13_bonuses_do_not_count() -> None:
    options = Options(start_score=(3000, 0))
    fours = "4S 4S 4H 4H 4D 4D 4C"
    rejected(held(f"{fours} 3H", options).meld(fours).idle_discard(), "KAN-13")
    assert judge(concealed_small(options=options).events).details[0]["natural_canastas"] == 500
