"""The referee of Canastra on hand-written deals: every article, accepted and rejected, under every option."""

from __future__ import annotations

import json

import pytest

from tests.referee.builder import Recorder
from tests.referee.canastra import judge
from tests.referee.canastra_options import Options
from tests.referee.checks import BLOCKED, DISCARD, END, EXTEND, FIXED, NATURALS, TWO, accepted, rejected
from tests.referee.log import RuleBroken, read_jsonl
from tests.referee.scenes import (
    SCENES,
    batida_by_laying,
    first_turn,
    kings,
    table,
    take_for_jack,
    three_left,
)


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
    assert (caught.value.article, caught.value.event_index) == ("CAN-11", 4)
    assert (caught.value.turn, caught.value.seat) == (2, 1)
    assert str(caught.value).startswith("CAN-11 at event 4, turn 2, seat 1: ")


def test_a_verdict_says_what_each_side_has() -> None:
    verdict = judge(batida_by_laying().events)
    assert (verdict.reason, verdict.turns, verdict.scores) == ("batida", 1, [540, -410])
    winner, loser = verdict.sides
    assert winner.melds[4] == ["4D", "5D", "6D", "7D", "8D", "9D", "TD", "JD", "QD", "KD", "AD"]
    assert (winner.clean_canastras, winner.dirty_canastras, winner.red_threes) == (1, 0, 1)
    assert (winner.took_morto, winner.went_out) == (True, True)
    assert (loser.melds, loser.red_threes, loser.took_morto, loser.went_out) == ([], 1, False, False)


def test_deals_are_read_from_json_lines() -> None:
    logs = [SCENES["idle"](), SCENES["two players"]()]
    lines = [json.dumps(event) for log in logs for event in log]
    assert [judge(log).turns for log in read_jsonl([*lines, ""])] == [57, 79]


# ---------------------------------------------------------------- CAN-01 to 05: the table


def test_can_01_two_or_four_players_in_turn() -> None:
    seats = [event["seat"] for event in table().idle(5).events if event["event"] == "discard"]
    assert seats == [0, 1, 2, 3, 0]
    assert judge(table(Options(players=2), deal=0).finish()).turns == 79
    recorder = table().idle()
    recorder.table.turn = 2
    recorder.table.seat = 3
    rejected(recorder.write("draw", recorder.table.stock[-1:], why="turn"), "CAN-01")


def test_can_02_outside_a_batch_the_dealer_is_free() -> None:
    log = table(deal=0).finish()
    log[0] = {**log[0], "deal": 1}
    rejected([log[0]], "CAN-02")
    log[0] = {**log[0], "match": 0, "scores_before": [1990, -300]}
    assert judge(log).turns == 57


# ---------------------------------------------------------------- CAN-06: red threes


def test_can_06_red_threes_and_replacements_in_the_first_turn() -> None:
    recorder = table(hands={0: "3H 3D", 1: "3H"}, stock="3D 7S").idle(2)
    names = [event["event"] for event in recorder.events[1:]]
    first = ["red_three", "draw"] * 3 + ["draw", "discard"]
    assert names == [*first, "red_three", "draw", "draw", "discard"]
    assert judge(recorder.finish()).details[0]["red_threes"] == -300


def test_can_06_the_order_of_the_exchange_is_free_but_not_its_place() -> None:
    recorder = table(hands={0: "3H 3D"})
    recorder.table.turn = 1
    rejected(recorder.write("draw", recorder.table.stock[-1:], why="turn"), "CAN-06")
    recorder = table(stock="3H 7S")
    recorder.table.turn = 1
    recorder.write("draw", "3H", why="turn").write("discard", "3H")
    rejected(recorder, "CAN-06")


def test_can_06_without_a_card_to_replace_it_the_turn_goes_on() -> None:
    log = table(END).finish()
    names = [event["event"] for event in log]
    last = max(index for index, name in enumerate(names) if name == "red_three")
    assert names[last - 1 : last + 2] == ["draw", "red_three", "discard"]
    assert judge(log).details[0]["red_threes"] == -400


def test_can_06_red_threes_of_a_first_turn_that_never_came_are_counted_as_laid() -> None:
    verdict = judge(batida_by_laying().events)
    assert [lines["red_threes"] for lines in verdict.details] == [100, -100]
    assert [lines["cards_in_hand"] for lines in verdict.details] == [-100, -210]


def test_can_06_red_threes_of_a_morto_taken_at_once_or_opened() -> None:
    recorder = first_turn("3H 3D 4D 5D 6D", stock="7S 7H")
    names = [event["event"] for event in recorder.events[-5:]]
    assert names == ["take_morto", "red_three", "draw", "red_three", "draw"]
    accepted(recorder)
    hands = {1: "4C 5C 6C 7C 9C TC JC QC 4H 5H 6H"}
    recorder = table(hands=hands, stock="7S KH", mortos=("3H", "")).idle()
    recorder.draw().meld("4C 5C 6C 7C").meld("9C TC JC QC").meld("4H 5H 6H").discard("KH").idle(3)
    recorder.begin()
    assert [event["event"] for event in recorder.events[-3:]] == ["morto_opened", "red_three", "draw"]
    accepted(recorder.draw())


# ---------------------------------------------------------------- CAN-07 to 10: the lixo


def test_can_07_a_draw_or_the_whole_lixo() -> None:
    recorder = table(hands={2: "9D TD"}, stock="QD JD").idle(2).take("9D TD JD")
    assert "QD" in recorder.table.hand
    accepted(recorder)
    recorder = table(hands={2: "9D TD"}, stock="QD JD").idle(2)
    recorder.table.turn = 3
    rejected(recorder.write("take_pile", "JD"), "CAN-07")
    rejected(table().draw().write("take_pile"), "CAN-07")


def test_can_08_top_card_and_two_from_hand() -> None:
    accepted(take_for_jack().take("9D TD JD"))
    accepted(take_for_jack(hand="9D TD QD").take("9D TD JD QD"))
    rejected(take_for_jack().lift().write("discard", "9D"), "CAN-08")
    rejected(
        take_for_jack(hand="9D TD 8D").lift().write("meld", "8D 9D TD", meld=0, now=["8D", "9D", "TD"]),
        "CAN-08",
    )


def test_can_08_one_of_the_two_may_be_a_curinga() -> None:
    accepted(take_for_jack(hand="TD 2H").take("2H TD JD"))
    accepted(take_for_jack(hand="9D 2H").take("9D 2H JD"))
    recorder = take_for_jack(NATURALS, hand="TD 2H").lift()
    rejected(recorder.write("meld", "2H TD JD", meld=0, now=["2H", "TD", "JD"]), "CAN-08")
    accepted(take_for_jack(NATURALS).take("9D TD JD"))


def test_can_08_not_with_cards_of_the_rest() -> None:
    recorder = table(hands={2: "TD"}, stock="QD JD").idle(2).lift()
    rejected(recorder.write("meld", "TD JD QD", meld=0, now=["TD", "JD", "QD"]), "CAN-08")
    accepted(
        table(hands={2: "9D TD"}, stock="QD JD").idle(2).take("9D TD JD").extend(0, "9D TD JD QD"),
    )


def test_can_08_two_of_the_rank_join_the_lavadeira() -> None:
    for options in (Options(), NATURALS, EXTEND):
        recorder = kings()
        recorder.events[0]["options"] = options.as_json()
        accepted(recorder.take("KS KH KD KC KS KH", 0))
    accepted(kings(top="2S").take("KS KH KD 2S KS KH", 0))
    accepted(kings(hand="KS KH 2H").take("KS KH KD KC KS KH 2H", 0))
    rejected_lavadeira(NATURALS, "KS KH 2H", "KC KS KH 2H")
    rejected_lavadeira(Options(), "KS 2H", "KC KS 2H")
    rejected_lavadeira(Options(), "KS", "KC KS")


def rejected_lavadeira(options: Options, hand: str, added: str) -> None:
    """These cards joined to the lavadeira of kings do not justify a take."""
    recorder = kings(hand=hand)
    recorder.events[0]["options"] = options.as_json()
    now = ["KS", "KH", "KD", *added.split()]
    rejected(recorder.lift().write("extend", added, meld=0, now=now), "CAN-08")


def test_can_08_new_or_extend() -> None:
    for now in ("KS KH KD KC", "KS KH KD KC KS", "KS KH KD KC KS 2H"):
        recorder = kings(hand="KS 2H")
        recorder.events[0]["options"] = EXTEND.as_json()
        accepted(recorder.take(now, 0))


def extended_sequence(options: Options, now: str) -> Recorder:
    """Side 1 extends its sequence with the top card of the lixo."""
    hand = "7D 8D 9D JD"
    recorder = table(options, {1: hand}, "4C 4D 6H 6C TD").idle().draw().meld("7D 8D 9D").discard("4D").idle(3)
    return recorder.take(now, 0)


def test_can_08_a_sequence_extended_justifies_under_new_or_extend_alone() -> None:
    accepted(extended_sequence(EXTEND, "7D 8D 9D TD"))
    accepted(extended_sequence(EXTEND, "7D 8D 9D TD JD"))
    for options in (Options(), NATURALS):
        log = extended_sequence(options, "7D 8D 9D TD JD").events
        rejected(log, "CAN-08")


def test_can_08_a_take_must_leave_a_way_to_end_the_turn() -> None:
    recorder = three_left(morto="4D 5D 6D 7D 8D 9D QD KD 8C 7S 6C").take("JD QD KD")
    rejected(recorder, "CAN-08")
    rejected(three_left().take("TD JD QD KD"), "CAN-08")


def test_can_08_the_finishing_card() -> None:
    verdict = judge(three_left().take("JD QD KD").extend(4, "4D 5D 6D 7D 8D 9D TD").events)
    assert (verdict.reason, verdict.turns) == ("batida", 5)
    rejected(three_left().take("JD QD KD").discard("TD"), "CAN-08")
    rejected(three_left().take("JD QD KD").no_discard(), "CAN-08")
    rejected(three_left().take("JD QD KD").extend(5, "TD JD QD KD"), "CAN-21")
    rejected(three_left(DISCARD).take("JD QD KD"), "CAN-08")


def test_can_09_a_black_three_on_top_blocks_and_travels_when_buried() -> None:
    for three in ("3S", "3C"):
        rejected(take_for_jack(top=three).lift(), "CAN-09")
    recorder = table(hands={2: "9D TD"}, stock="3S JD").idle(2).take("9D TD JD")
    assert "3S" in recorder.table.hand
    accepted(recorder)


def test_can_10_a_curinga_on_top() -> None:
    accepted(take_for_jack(top="2H").take("9D TD 2H"))
    accepted(take_for_jack(top="2H").take("2H 9D TD"))
    accepted(take_for_jack(NATURALS, top="2H").take("9D TD 2H"))
    accepted(take_for_jack(Options(jokers=4), top="JK").take("9D TD JK"))
    rejected(take_for_jack(BLOCKED, top="2H").lift(), "CAN-10")
    rejected(take_for_jack(Options(jokers=4, curinga_top_blocks=True), top="JK").lift(), "CAN-10")
    accepted(take_for_jack(BLOCKED).take("9D TD JD"))
    rejected(take_for_jack(top="2H", hand="9D 2S").take("9D 2S 2H"), "CAN-14")


# ---------------------------------------------------------------- CAN-11 to 17: melds


def test_can_11_any_number_of_melds_then_one_discard() -> None:
    recorder = table(hands={0: "4S 5S 6S 8H 9H TH KS KD 7S"}, stock="KH").draw()
    accepted(recorder.meld("4S 5S 6S").meld("8H 9H TH").meld("KS KH KD").extend(0, "4S 5S 6S 7S"))
    rejected(table().draw().write("draw", "4S", why="turn"), "CAN-07")
    recorder = table(hands={1: "9H"}, stock="JD").draw().discard("JD")
    recorder.table.turn = 2
    rejected(recorder.write("discard", "9H"), "CAN-07")


def test_can_11_nobody_touches_the_opponents_melds() -> None:
    recorder = table(hands={0: "4S 5S 6S", 1: "7S"}).draw().meld("4S 5S 6S").idle_discard().draw()
    rejected(recorder.write("extend", "7S", meld=0, now=["4S", "5S", "6S", "7S"]), "CAN-11")
    recorder = table(hands={0: "4S 5S 6S", 2: "7S"}).draw().meld("4S 5S 6S").idle_discard().idle().draw()
    accepted(recorder.extend(0, "4S 5S 6S 7S"))


def test_can_12_worked_sequences() -> None:
    accepted(table(hands={0: "7S 8S 2H"}).draw().meld("7S 8S 2H"))
    clean = table(hands={0: "6H 7H 8H 9H TH JH QH"}).draw().meld("6H 7H 8H 9H TH JH QH")
    assert accepted(clean).sides[0].clean_canastras == 1
    dirty = table(hands={0: "6H 7H 2H 9H TH JH QH"}).draw().meld("6H 7H 2H 9H TH JH QH")
    assert accepted(dirty).sides[0].dirty_canastras == 1


def test_can_13_lavadeiras_of_agreed_ranks() -> None:
    sevens = table(hands={0: "7S 7S 7H"}).draw().meld("7S 7S 7H")
    rejected(sevens, "CAN-13")
    sevens = table(Options(lavadeira_ranks=("7",)), {0: "7S 7S 7H"}).draw().meld("7S 7S 7H")
    accepted(sevens)
    for rank in "45KA":
        cards = f"{rank}S {rank}H {rank}D"
        accepted(table(hands={0: cards}).draw().meld(cards))
        rejected(table(Options(lavadeira_ranks=()), {0: cards}).draw().meld(cards), "CAN-13")


def test_can_14_curingas_in_a_meld() -> None:
    hand = {0: "5S 2H 2S 8S 9S"}
    rejected(table(hands=hand).draw().meld("5S 2H 2S 8S 9S"), "CAN-14")
    accepted(table(TWO, hand).draw().meld("5S 2H 2S 8S 9S"))
    rejected(table(TWO, hand).draw().meld("2H 5S 2S"), "CAN-14")
    recorder = table(hands={0: "KS KH 2H 2S"}).draw().meld("KS KH 2H")
    rejected(recorder.extend(0, "KS KH 2H 2S"), "CAN-14")
    recorder = table(TWO, {0: "KS KH 2H 2S"}).draw().meld("KS KH 2H")
    accepted(recorder.extend(0, "KS KH 2H 2S"))


def test_can_15_a_curinga_slides_when_its_natural_comes() -> None:
    hand = {0: "5S 2H 7S 6S 4S"}
    accepted(table(hands=hand).draw().meld("5S 2H 7S").extend(0, "2H 5S 6S 7S"))
    accepted(table(hands=hand).draw().meld("5S 2H 7S").extend(0, "4S 5S 6S 7S 2H"))
    rejected(table(hands=hand).draw().meld("5S 2H 7S").extend(0, "5S 6S 7S 2H"), "CAN-15")
    rejected(table(FIXED, hand).draw().meld("5S 2H 7S").extend(0, "2H 5S 6S 7S"), "CAN-15")
    accepted(table(FIXED, hand).draw().meld("5S 2H 7S").extend(0, "4S 5S 2H 7S"))


def test_can_16_one_lavadeira_per_rank_several_sequences_of_a_suit() -> None:
    hand = {0: "KS KH KD KS KH KD 4S 5S 6S 5S"}
    rejected(table(hands=hand).draw().meld("KS KH KD").meld("KS KH KD"), "CAN-16")
    accepted(table(hands=hand).draw().meld("KS KH KD").extend(0, "KS KH KD KS KH KD"))
    hand = {0: "4S 5S 6S 4S 5S 6S 7S 8S 9S"}
    accepted(table(hands=hand).draw().meld("4S 5S 6S").meld("4S 5S 6S").meld("7S 8S 9S"))
