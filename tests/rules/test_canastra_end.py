"""Canastra: mortos, batida, the kept card, the end of the stock, by the compiled rules (CAN-18 to CAN-24)."""

from __future__ import annotations

import pytest

from kernels.canastra.layout import MORTO_AT_ONCE, MORTO_NEXT_TURN
from kernels.canastra.rules import batida_open, can_draw, may_keep, morto_open
from sim import batch
from tests.properties.setups import covering_setups
from tests.rules.table import FILLER, Desk
from tests.trees import run_python

CANASTRA = "4S 5S 6S 7S 8S 9S TS"
SUJA = "4S 5S 6S 2H 8S 9S TS/7"
FIRST = "4C 5C 6C 7C 8C 9C TC JC QC KC AC"
SECOND = "4H 5H 6H 7H 8H 9H TH JH QH KH AH"
MORTOS = (FIRST, SECOND)

# ---------------------------------------------------------------- CAN-18, CAN-19: the morto


def test_can_18_emptied_by_melding_the_morto_is_played_at_once() -> None:
    desk = Desk(stock="9S", mortos=MORTOS).take_morto(at_once=True)
    assert (desk.hand().split(), desk.table.hand_count[0]) == (FIRST.split(), 11)
    assert desk.table.morto_taken.tolist() == [1, 0]
    assert desk.table.mortos_left == 1
    assert desk.record.morto[0] == MORTO_AT_ONCE
    assert desk.table.morto_closed.tolist() == [0, 0, 0, 0]


def test_can_18_emptied_by_the_discard_it_lies_unseen_until_the_next_turn() -> None:
    red = "3H 5C 6C 7C 8C 9C TC JC QC KC AC"
    desk = Desk(stock="9S", mortos=(red, SECOND)).take_morto(at_once=False)
    assert (desk.hand(), desk.table.hand_count[0]) == ("", 0)
    assert desk.table.morto_closed.tolist() == [1, 0, 0, 0]
    assert desk.record.morto[0] == MORTO_NEXT_TURN
    assert desk.table.red_threes.tolist() == [0, 0]
    desk.start_turn()
    assert [name for name, _ in desk.events()] == ["take_morto", "morto_opened", "red_three", "draw"]
    assert desk.hand().split() == [*red.split()[1:], "9S"]
    assert desk.table.red_threes.tolist() == [1, 0]
    assert desk.table.morto_closed.tolist() == [0, 0, 0, 0]


def test_can_18_the_lowest_numbered_morto_that_is_left() -> None:
    desk = Desk(stock="9S", mortos=MORTOS).take_morto(at_once=True)
    desk.seat = 3
    desk.take_morto(at_once=True)
    assert desk.hand(3).split() == SECOND.split()
    converted = Desk(mortos=MORTOS)
    assert converted.draw() == "4C"
    converted.seat = 1
    assert converted.take_morto(at_once=True).hand().split() == SECOND.split()


def test_can_18_a_player_without_one_may_take_it_in_either_way() -> None:
    desk = Desk({0: "7S 8S 9S", 2: "KC"}, seat=0)
    assert morto_open(desk.table, 0)
    assert desk.action_article("7S 8S 9S") == 0
    desk.seat = 2
    assert desk.discard_article("KC") == 0


def test_can_18_an_unopened_morto_counts_for_nothing_but_as_taken() -> None:
    desk = Desk({0: "KC", 1: "7D 8D"}, mortos=("3H 3D 4C 5C 8C TC QC 8H TH QH KH", FILLER))
    desk.take_morto(at_once=False)
    desk.hold(0, "")
    # The cards ran out: side 1 alone has no morto, and nothing of the eleven is counted.
    assert desk.scores() == [0, -20 - 100]
    assert desk.record.red_threes.tolist() == [0, 0]
    assert desk.record.hand_cards.tolist() == [0, 2]


def test_can_19_the_partner_cannot_take_the_other_morto() -> None:
    desk = Desk({0: "7S 8S 9S", 2: "KC"}).had_morto(0)
    assert desk.table.mortos_left == 1
    assert not morto_open(desk.table, 0)
    assert morto_open(desk.table, 1)
    assert desk.action_article("7S 8S 9S") == 21
    desk.seat = 2
    assert desk.discard_article("KC") == 21


# ---------------------------------------------------------------- CAN-20: the batida


@pytest.mark.parametrize(
    ("melds", "morto", "is_open"),
    [
        ([CANASTRA], True, True),
        ([SUJA], True, True),
        (["KS KS KH KH KD KD KC"], True, True),
        ([CANASTRA], False, False),
        (["4S 5S 6S 7S 8S 9S"], True, False),
        ([], True, False),
    ],
)
def test_can_20_a_morto_and_a_canastra(melds: list[str], morto: bool, is_open: bool) -> None:
    desk = Desk({0: "KC"}).own(*melds)
    if morto:
        desk.had_morto(0)
    desk.no_mortos()
    assert batida_open(desk.table, 0) == is_open
    assert not batida_open(desk.table, 1)
    assert desk.discard_article("KC") == (0 if is_open else 21)


@pytest.mark.parametrize(("needs_discard", "article"), [(False, 0), (True, 21)])
def test_can_20_batida_needs_discard(needs_discard: bool, article: int) -> None:
    desk = Desk({0: "JS"}, batida_needs_discard=needs_discard).own(CANASTRA).had_morto(0)
    assert desk.action_article("JS", target=0) == article
    assert desk.discard_article("JS") == 0
    desk.hold(0, "JS KC")
    assert desk.action_article("JS", target=0) == 0


def test_can_20_with_batida_needs_discard_the_last_card_may_be_laid_for_the_morto() -> None:
    desk = Desk({0: "JS"}, batida_needs_discard=True).own(CANASTRA)
    assert desk.action_article("JS", target=0) == 0


def test_can_20_the_canastra_may_come_with_the_last_cards() -> None:
    for hand, article in (("9S TS", 0), ("9S", 21), ("2H 9S", 0)):
        desk = Desk({0: hand}).own("4S 5S 6S 7S 8S").had_morto(0)
        assert desk.action_article(hand, "T" if "2H" in hand else "", target=0) == article
    desk = Desk({0: "4S 5S 6S 7S 8S 9S TS"}).had_morto(0)
    assert desk.action_article("4S 5S 6S 7S 8S 9S TS") == 0
    assert desk.action_article("4S 5S 6S 7S 8S 9S") == 21


def test_can_20_going_out_ends_the_hand() -> None:
    desk = Desk(seat=3).own(CANASTRA).had_morto(1).start_turn().go_out()
    assert desk.record.batida.tolist() == [0, 1]
    assert desk.record.batida_turn.tolist() == [0, 1]
    assert desk.events()[-1] == ("go_out", "")
    desk.scores()
    assert (desk.record.out_seat, desk.record.reason) == (3, 0)


# ---------------------------------------------------------------- CAN-21: the kept card


@pytest.mark.parametrize("left", range(5))
@pytest.mark.parametrize("situation", ["nothing", "morto", "batida", "canastra now", "canastra, no morto"])
@pytest.mark.parametrize("needs_discard", [False, True])
def test_can_21_how_many_cards_a_meld_may_leave(left: int, situation: str, needs_discard: bool) -> None:
    desk = Desk(batida_needs_discard=needs_discard)
    if situation in ("batida", "canastra, no morto"):
        desk.own(CANASTRA)
    if situation in ("batida", "canastra now"):
        desk.had_morto(0)
    if situation != "morto":
        desk.no_mortos()
    fewest = {"nothing": 2, "morto": 0, "canastra, no morto": 2}.get(situation, 1 if needs_discard else 0)
    makes_canastra = situation == "canastra now"
    assert may_keep(desk.table, desk.options, 0, left, makes_canastra) == (left >= fewest)


@pytest.mark.parametrize(("hand", "article"), [("7S 8S 9S", 21), ("7S 8S 9S KC", 21), ("7S 8S 9S KC QC", 0)])
def test_can_21_melds_leave_two_cards_while_nothing_is_open(hand: str, article: int) -> None:
    assert Desk({0: hand}).no_mortos().action_article("7S 8S 9S") == article


def test_can_21_the_last_card_is_kept_while_nothing_is_open() -> None:
    assert Desk({0: "KC"}).no_mortos().discard_article("KC") == 21
    assert Desk({0: "KC QC"}).no_mortos().discard_article("KC") == 0


# ---------------------------------------------------------------- CAN-23: the stock is used up


def test_can_23_a_morto_becomes_stock_when_a_card_must_be_drawn() -> None:
    desk = Desk(stock="9S", mortos=MORTOS)
    assert desk.draw() == "9S"
    assert (desk.table.stock_left, desk.table.mortos_left) == (0, 2)
    assert morto_open(desk.table, 0)
    assert desk.draw() == "4C"
    assert desk.events()[1:] == [("morto_to_stock", FIRST), ("draw", "4C")]
    assert (desk.table.stock_left, desk.table.mortos_left) == (10, 1)
    drawn = [desk.draw() for _ in range(22)]
    assert drawn == [*FIRST.split()[1:], *SECOND.split(), ""]
    assert not can_draw(desk.table, desk.options)
    assert not morto_open(desk.table, 0)


def test_can_23_a_replacement_counts_as_a_draw() -> None:
    desk = Desk({0: "3H KC"}, mortos=MORTOS).red_threes()
    assert desk.events() == [("red_three", "3H"), ("morto_to_stock", FIRST), ("draw", "4C")]


def test_can_23_with_one_converted_the_other_is_for_whoever_empties_his_hand_first() -> None:
    desk = Desk(mortos=MORTOS)
    desk.draw()
    assert morto_open(desk.table, 0)
    assert morto_open(desk.table, 1)
    desk.seat = 1
    desk.take_morto(at_once=True)
    assert not morto_open(desk.table, 0)
    assert not morto_open(desk.table, 1)
    assert desk.table.morto_taken.tolist() == [0, 1]


def test_can_23_a_morto_taken_does_not_become_stock() -> None:
    desk = Desk(mortos=MORTOS).had_morto(0)
    assert desk.draw() == "4H"
    assert Desk(mortos=MORTOS).had_morto(0, 1).draw() == ""


def test_can_23_with_end_the_mortos_stay_aside() -> None:
    desk = Desk(stock="9S", mortos=MORTOS, stock_out="end")
    assert [desk.draw(), desk.draw()] == ["9S", ""]
    assert desk.table.mortos_left == 2
    assert not can_draw(desk.table, desk.options)
    assert morto_open(desk.table, 0)


# ---------------------------------------------------------------- CAN-24: hands end


def test_can_24_no_deal_is_longer_than_the_rules_allow() -> None:
    for setup in covering_setups("canastra"):
        records = batch.play(setup, batch.deal_jobs(setup, 0, 400))
        usual = setup.options["players"] == 4 and not setup.options["jokers"]
        limit = 94 if usual and setup.options["lixo_justify"] != "new_or_extend" else 199
        assert records["turns"].max() <= limit


CAPPED = """
from kernels.canastra import play
from sim import batch
from sim.errors import KernelError
from sim.games import make_setup
play.TURN_CAP = 5
setup = make_setup("canastra", seed=9)
try:
    batch.play(setup, batch.deal_jobs(setup, 3, 2))
except KernelError as error:
    print(error)
"""


def test_can_24_reaching_the_cap_is_an_error_that_names_the_deal() -> None:
    message = run_python(["-c", CAPPED], environment={"NUMBA_DISABLE_JIT": "1"}).stdout
    assert "deal 3 of seed 9: a deal reached the turn cap of CAN-24" in message
    assert "carteador show canastra --deal 3 --seed 9" in message
