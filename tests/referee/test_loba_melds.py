"""The referee of Loba on melds: LOB-05 to LOB-07, LOB-09, and what cards count (LOB-14)."""

from __future__ import annotations

import pytest

from tests.referee.cards import PACK_52, RANKS
from tests.referee.loba_checks import accepted, rejected
from tests.referee.loba_melds import is_meld, points, points_of, read_meld
from tests.referee.loba_options import Options
from tests.referee.loba_scenes import ANY, EIGHT_JOKERS, FIVES, KINGS, RUN, TWO, second_turn, table
from tests.referee.log import RuleBroken

THREE = Options()


def article_of(cards: str, options: Options = THREE) -> str:
    """The article that these cards break as a meld; empty for a legal meld."""
    try:
        read_meld(cards.split(), options)
    except RuleBroken as broken:
        return broken.article
    return ""


# ---------------------------------------------------------------- LOB-05: sets


@pytest.mark.parametrize("cards", ["5H 5D 5C", "5S 5H 5D", "5C 5S 5H", "AS AH AD", "5H 5D 5C 5H", "5H 5D 5C 5H 5D 5C"])
def test_lob_05_three_suits_and_duplicates_of_them(cards: str) -> None:
    assert article_of(cards) == ""
    assert article_of(cards, ANY) == ""


@pytest.mark.parametrize(
    "cards", ["5S 5H 5D 5C", "5S 5S 5H", "5S 5S 5H 5H", "5S 5H 5D 5C 5S", "5S 5S 5H 5H 5D 5D 5C 5C", "AS AS AH"]
)
def test_lob_05_never_the_fourth_suit_nor_two_alone(cards: str) -> None:
    assert article_of(cards) == "LOB-05"
    assert article_of(cards, ANY) == ""


@pytest.mark.parametrize("cards", ["", "5H", "5H 5D", "5S 5S"])
def test_lob_05_at_least_three_cards(cards: str) -> None:
    assert article_of(cards) == article_of(cards, ANY) == "LOB-05"


def test_lob_05_a_set_is_laid_and_extended_at_once_or_later() -> None:
    hand = {0: "5H 5D 5C 5H 5D 5S"}
    accepted(table(hands=hand).draw().meld("5H 5D 5C").extend(0, "5H 5D 5C 5H"))
    accepted(table(hands=hand).draw().meld("5H 5D 5C 5H 5D"))
    rejected(table(hands=hand).draw().meld("5H 5D 5C 5S"), "LOB-05")
    rejected(table(hands=hand).draw().meld("5H 5D 5C").extend(0, "5H 5D 5C 5S"), "LOB-05")
    later = second_turn("3D", "5H 5D 5C 5D 7H 9C JC QD KS", [FIVES], "5H")
    accepted(later.extend(0, "5H 5D 5C 5H 5D"))
    later = second_turn("3D", "5H 5D 5C 5S 7H 9C JC QD KS", [FIVES], "5H")
    rejected(later.extend(0, "5H 5D 5C 5S"), "LOB-05")


def test_lob_05_any_suits_under_the_option() -> None:
    accepted(table(ANY, {0: "5S 5S 5H 5H"}).draw().meld("5S 5S 5H").extend(0, "5S 5S 5H 5H"))
    accepted(table(ANY, {0: "5H 5D 5C 5S"}).draw().meld("5H 5D 5C 5S"))
    accepted(table(ANY, {0: "5H 5D 5C 5S"}).draw().meld("5H 5D 5C").extend(0, "5H 5D 5C 5S"))
    accepted(table(ANY, {0: "5S 5S 5H 5H 5D 5D 5C 5C"}).draw().meld("5S 5S 5H 5H 5D 5D 5C 5C"))
    rejected(table(ANY, {0: "5S 5S 7H"}).draw().meld("5S 5S"), "LOB-05")
    rejected(table(THREE, {0: "5S 5S 5H 5H"}).draw().meld("5S 5S 5H"), "LOB-05")


# ---------------------------------------------------------------- LOB-06: sequences


@pytest.mark.parametrize(
    "cards",
    [
        "7D 8D 9D TD",
        "AS 2S 3S",
        "QS KS AS",
        "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS",
        "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS",
    ],
)
def test_lob_06_consecutive_cards_of_a_suit(cards: str) -> None:
    assert article_of(cards) == ""


@pytest.mark.parametrize(
    "cards",
    [
        "7D 8D",
        "7D 8D 9H",
        "7D 8D TD",
        "7D 8D 8D",
        "9D 8D 7D",
        "KS AS 2S",
        "QS KS AS 2S",
        "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS",
        "5S 5H 5D 6D",
        "2S 3S AS",
        "AS KS QS",
    ],
)
def test_lob_06_nothing_else(cards: str) -> None:
    assert article_of(cards) == "LOB-06"


def test_lob_06_a_sequence_is_laid_and_extended_at_either_end_and_at_both() -> None:
    hand = {0: "6S 7S 8S 9S TS JS QS"}
    for now in ("7S 8S 9S TS JS", "6S 7S 8S 9S", "6S 7S 8S 9S TS JS QS"):
        accepted(table(hands=hand).draw().meld("7S 8S 9S").extend(0, now))
    rejected(table(hands=hand).draw().meld("7S 8S 9S").extend(0, "7S 8S 9S JS"), "LOB-06")
    rejected(table(hands={0: f"{RUN} TH"}).draw().meld(RUN).extend(0, f"{RUN} TH"), "LOB-06")


def test_lob_06_the_ace_is_high_or_low() -> None:
    hand = {0: "AS 2S 3S QS KS AS"}
    accepted(table(hands=hand).draw().meld("AS 2S 3S").meld("QS KS AS"))
    accepted(table(hands={0: "KS QS JS AS"}).draw().meld("JS QS KS").extend(0, "JS QS KS AS"))
    accepted(table(hands={0: "2S 3S 4S AS"}).draw().meld("2S 3S 4S").extend(0, "AS 2S 3S 4S"))
    rejected(table(hands=hand).draw().meld("QS KS AS").extend(0, "QS KS AS 2S"), "LOB-06")
    rejected(table(hands=hand).draw().meld("KS AS 2S"), "LOB-06")


# ---------------------------------------------------------------- LOB-07: jokers


@pytest.mark.parametrize(
    "cards",
    [
        "7D JK 9D",
        "6C JK 8C 9C JK JC",
        "AS JK 3S",
        "QS JK AS",
        "7D 8D JK TD",
        "AS JK 3S 4S 5S JK 7S",
        "TS JS JK KS AS",
    ],
)
def test_lob_07_jokers_lie_within_sequences(cards: str) -> None:
    assert article_of(cards) == article_of(cards, ANY) == ""


@pytest.mark.parametrize(
    "cards",
    [
        "JK 7D 8D",
        "6D 7D JK",
        "5H 5D JK",
        "5H 5D 5C JK",
        "5H JK 5D",
        "JK JK JK",
        "JK",
        "7D JK",
        "6C JK 8C JK TC",
        "6C JK JK 9C",
        "3C JK 5C 6C JK 8C 9C JK JC",
        "QS JK AS JK",
        "JK 8D JK",
    ],
)
def test_lob_07_and_nowhere_else(cards: str) -> None:
    assert article_of(cards) == "LOB-07"


def test_lob_07_the_example_of_the_source_ends_with_the_jack() -> None:
    assert article_of("6C JK 8C 9C JK TC") == "LOB-06"
    assert article_of("6C JK 8C 9C JK JC") == ""


def test_lob_07_an_extension_may_bring_jokers_that_a_natural_card_closes() -> None:
    options = EIGHT_JOKERS
    hand = {0: "7S 8S 9S JS JK QS 5S JK TS"}
    accepted(table(options, hand).draw().meld(RUN).extend(0, "7S 8S 9S JK JS"))
    accepted(table(options, hand).draw().meld(RUN).extend(0, "5S JK 7S 8S 9S JK JS"))
    accepted(table(options, hand).draw().meld(RUN).extend(0, "5S JK 7S 8S 9S").extend(0, "5S JK 7S 8S 9S JK JS QS"))
    rejected(table(options, hand).draw().meld(RUN).extend(0, "7S 8S 9S JK"), "LOB-07")
    rejected(table(options, hand).draw().meld(RUN).extend(0, "JK 7S 8S 9S"), "LOB-07")


def test_lob_07_at_most_two_with_two_natural_cards_between() -> None:
    hand = {0: "6S JK 8S JK TS 9S JS JK KS"}
    accepted(table(EIGHT_JOKERS, hand).draw().meld("6S JK 8S 9S JK JS"))
    rejected(table(EIGHT_JOKERS, hand).draw().meld("6S JK 8S").extend(0, "6S JK 8S JK TS"), "LOB-07")
    rejected(table(EIGHT_JOKERS, hand).draw().meld("6S JK 8S 9S JK JS").extend(0, "6S JK 8S 9S JK JS JK KS"), "LOB-07")


def test_lob_07_a_joker_is_never_replaced_nor_moved() -> None:
    hand = {0: "7S JK 9S 8S JS TS"}
    recorder = table(hands=hand).draw().meld("7S JK 9S")
    rejected(recorder.write("extend", "8S", meld=0, now=["7S", "8S", "9S"]), "LOB-07")
    recorder = table(hands=hand).draw().meld("7S JK 9S")
    rejected(recorder.write("extend", "8S JS", meld=0, now=["7S", "8S", "9S", "JK", "JS"]), "LOB-07")
    accepted(table(hands=hand).draw().meld("7S JK 9S").extend(0, "7S JK 9S TS JS"))


def test_lob_07_the_place_of_a_joker_stays_taken() -> None:
    hand = {0: "7S JK 9S 8S 8H 8D"}
    accepted(table(hands=hand).draw().meld("7S JK 9S").meld("8S 8H 8D"))


# ---------------------------------------------------------------- LOB-09: own melds only


def test_lob_09_nobody_lays_off_on_another_players_meld() -> None:
    recorder = table(TWO, {0: f"{RUN} {FIVES}", 1: "TS 6S 5H QC QD QH"}, "3D KC")
    recorder.draw().meld(RUN).meld(FIVES).discard("3D").draw()
    assert recorder.table.seat == 1
    rejected(recorder.write("extend", "TS", meld=0, now=[*RUN.split(), "TS"]), "LOB-09")
    recorder = table(TWO, {0: f"{RUN} {FIVES}", 1: "TS 6S 5H QC QD QH"}, "3D KC")
    recorder.draw().meld(RUN).meld(FIVES).discard("3D").draw().meld("QC QD QH")
    rejected(recorder.write("extend", "TS", meld=0, now=[*RUN.split(), "TS"]), "LOB-09")


def test_lob_09_an_extension_is_of_an_own_meld_and_adds_what_it_says() -> None:
    hand = {0: f"{RUN} {FIVES} TS JS 5H"}
    recorder = table(hands=hand).draw().meld(RUN)
    rejected(recorder.write("extend", "TS", meld=1, now=[*RUN.split(), "TS"]), "LOB-09")
    recorder = table(hands=hand).draw().meld(RUN)
    rejected(recorder.write("extend", "TS JS", meld=0, now=[*RUN.split(), "TS"]), "LOB-09")
    recorder = table(hands=hand).draw().meld(RUN)
    rejected(recorder.write("extend", "TS", meld=0, now=["8S", "9S", "TS"]), "LOB-09")
    recorder = table(hands=hand).draw().meld(RUN)
    rejected(recorder.write("extend", [], meld=0, now=RUN.split()), "LOG")


# ---------------------------------------------------------------- the form of a laying


def test_a_new_meld_is_written_as_it_lies_and_numbered_by_seat() -> None:
    hand = {0: f"{RUN} {FIVES}"}
    recorder = table(hands=hand).draw()
    rejected(recorder.write("meld", "8S 7S 9S", meld=0, now=RUN.split()), "LOG")
    recorder = table(hands=hand).draw()
    rejected(recorder.write("meld", RUN, meld=1, now=RUN.split()), "LOG")
    recorder = table(hands=hand).draw().meld(RUN)
    rejected(recorder.write("meld", FIVES, meld=0, now=FIVES.split()), "LOG")
    recorder = table(hands=hand).draw()
    rejected(recorder.write("meld", RUN, meld=0, now=[*RUN.split(), "TS"]), "LOG")
    recorder = table(hands=hand).draw().write("meld", "5C 5H 5D", meld=0, now=FIVES.split())
    recorder.table.lay(0, read_meld(FIVES.split(), THREE), FIVES.split())
    accepted(recorder)


def test_cards_laid_are_in_hand() -> None:
    rejected(table(hands={0: "7S 8S 9H", 1: "9S 9S"}).draw().write("meld", RUN, meld=0, now=RUN.split()), "CARDS")
    recorder = table(hands={0: RUN}, stock="3D").draw().meld(RUN)
    rejected(recorder.write("extend", "6S", meld=0, now=["6S", *RUN.split()]), "CARDS")


# ---------------------------------------------------------------- LOB-14: what cards count


def test_lob_14_the_worked_values() -> None:
    assert points(["2H", "TD", "AS", "JK", "KC"]) == 2 + 10 + 15 + 15 + 10 == 52
    assert [points_of(card) for card in ("AS", "JK", "2S", "9S", "TS", "JS", "QS", "KS")] == [
        15,
        15,
        2,
        9,
        10,
        10,
        10,
        10,
    ]
    assert points(PACK_52) == 4 * (sum(range(2, 11)) + 30 + 15)
    assert len(RANKS) == 13
    assert points([]) == 0


def test_a_meld_is_a_set_or_a_sequence_never_both() -> None:
    assert not read_meld(KINGS.split(), THREE).is_sequence
    run = read_meld(["QS", "JK", "AS"], THREE)
    assert (run.is_sequence, run.low, run.high, run.suit) == (True, 12, 14, "S")
    low = read_meld(["AS", "JK", "3S"], THREE)
    assert (low.low, low.high) == (1, 3)
    assert not is_meld([], THREE)
