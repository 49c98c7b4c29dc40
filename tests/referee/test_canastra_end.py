"""The referee of Canastra on hand-written deals: morto, batida, the end of the hand, the score, the log."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.referee.builder import Recorder
from tests.referee.canastra import Referee, Verdict, judge
from tests.referee.canastra_options import Options
from tests.referee.canastra_score import Tally, score
from tests.referee.checks import DISCARD, END, EXTEND, accepted, rejected
from tests.referee.log import Event, RuleBroken
from tests.referee.scenes import (
    LONG,
    NO_CANASTRA,
    batida_by_laying,
    first_turn,
    last_draw_takeable,
    lonely_card,
    table,
    unopened,
)

# ---------------------------------------------------------------- CAN-18, 19: the morto


def test_can_18_by_melding_everything_the_morto_is_played_at_once() -> None:
    recorder = first_turn(NO_CANASTRA)
    event = recorder.events[-1]
    assert (event["event"], event["morto"], event["when"]) == ("take_morto", 0, "at_once")
    accepted(recorder.meld("4D 5D 6D"))
    rejected(first_turn(NO_CANASTRA).write("draw", "4S", why="turn"), "CAN-07")
    rejected(first_turn(NO_CANASTRA).no_discard(), "CAN-21")


def test_can_18_by_discarding_the_last_card_it_waits_for_the_next_turn() -> None:
    hands = {1: "4C 5C 6C 7C 9C TC JC QC 4H 5H 6H"}
    recorder = table(hands=hands, stock="7S KH").idle()
    recorder.draw().meld("4C 5C 6C 7C").meld("9C TC JC QC").meld("4H 5H 6H").discard("KH")
    assert recorder.events[-1]["when"] == "next_turn"
    assert recorder.events[-1]["cards"] == []
    recorder.idle(4)
    opened = [event for event in recorder.events if event["event"] == "morto_opened"]
    assert [(event["turn"], event["seat"]) for event in opened] == [(6, 1)]
    accepted(recorder)


def test_can_18_the_lowest_numbered_morto_left() -> None:
    recorder = unopened()
    taken = [(event["seat"], event["morto"]) for event in recorder.events if event["event"] == "take_morto"]
    assert taken == [(0, 0), (1, 1)]


def test_can_18_each_obligation_after_an_empty_hand() -> None:
    recorder = first_turn(LONG)
    taken = recorder.events.pop()
    for article, change in (
        ("CAN-18", {"morto": 1}),
        ("CAN-18", {"when": "next_turn", "cards": []}),
        ("CAN-01", {"seat": 2}),
        ("CARDS", {"cards": taken["cards"][::-1]}),
    ):
        rejected([*recorder.events, {**taken, **change}], article)
    rejected(recorder.write("go_out"), "CAN-18")


def test_can_19_no_second_morto_for_a_side() -> None:
    recorder = batida_by_laying()
    del recorder.events[-2:]
    rejected(recorder.write("take_morto", morto=1, when="next_turn"), "CAN-19")
    recorder = first_turn(NO_CANASTRA)
    rejected(recorder.write("take_morto", morto=1, when="next_turn"), "CAN-19")
    recorder = first_turn(NO_CANASTRA, hands={2: "4C 5C 6C 8C 9C TC 7H 8H 9H TH JH"}, stock="7S QH")
    recorder.meld("4D 5D 6D").discard("7D").idle().draw().meld("4C 5C 6C").meld("8C 9C TC")
    rejected(recorder.meld("7H 8H 9H TH JH QH"), "CAN-21")


# ---------------------------------------------------------------- CAN-20, 21: going out


def test_can_20_batida_by_laying_or_by_the_last_discard() -> None:
    assert judge(batida_by_laying().events).reason == "batida"
    recorder = first_turn("4D 5D 6D 7D 8D 9D TD JD QD KD 7C").meld("4D 5D 6D 7D 8D 9D TD JD QD KD")
    verdict = judge(recorder.discard("7C").events)
    assert (verdict.reason, verdict.turns) == ("batida", 1)


def test_can_20_batida_needs_discard() -> None:
    rejected(batida_by_laying(DISCARD), "CAN-20")
    recorder = first_turn("4D 5D 6D 7D 8D 9D TD JD QD KD 7C", DISCARD)
    recorder.meld("4D 5D 6D 7D 8D 9D TD JD QD KD").discard("7C")
    assert judge(recorder.events).reason == "batida"
    accepted(first_turn(NO_CANASTRA, DISCARD))


def test_can_20_no_batida_without_canastra_or_morto() -> None:
    recorder = first_turn(NO_CANASTRA).meld("4D 5D 6D").meld("8D 9D TD").meld("QC KC AC")
    rejected(recorder.write("go_out"), "CAN-20")
    recorder = table(hands={0: "6H 7H 8H 9H TH JH QH"}).draw().meld("6H 7H 8H 9H TH JH QH")
    rejected(recorder.write("go_out"), "CAN-20")


def test_can_20_a_batida_ends_the_hand() -> None:
    recorder = batida_by_laying()
    end = recorder.events.pop()
    rejected([*recorder.events, recorder.events[-1]], "CAN-20")
    rejected([*recorder.events, {**end, "reason": "stock_out"}], "CAN-20")
    recorder.events.pop()
    rejected([*recorder.events, end], "CAN-20")


def test_can_21_two_cards_are_kept_while_nothing_is_open() -> None:
    recorder = first_turn(NO_CANASTRA).meld("4D 5D 6D").meld("8D 9D TD").meld("QC KC AC")
    accepted(recorder)
    recorder = first_turn(NO_CANASTRA).meld("4D 5D 6D").meld("8D 9D TD").meld("QC KC AC")
    rejected(recorder.extend(4, "4D 5D 6D 7D"), "CAN-21")


def test_can_21_one_card_may_be_held_when_morto_or_batida_is_open() -> None:
    recorder = first_turn("4D 5D 6D 7D 8D 9D TD JD QD KD 7S").meld("4D 5D 6D 7D 8D 9D TD JD QD KD")
    assert judge(recorder.extend(0, "4S 5S 6S 7S").events).reason == "batida"
    hand = {0: "4S 5S 6S 8S 9S TS 4H 5H 6H 8H 9H"}
    recorder = table(hands=hand, stock="7C").draw().meld("4S 5S 6S").meld("8S 9S TS").meld("4H 5H 6H")
    recorder.discard("7C")
    assert len(recorder.table.hands[0]) == 2
    accepted(recorder)


def test_can_21_the_card_that_may_not_be_parted_with_is_kept() -> None:
    assert len(lonely_card().table.hand) == 1
    assert accepted_pass(lonely_card()).turns == 38
    recorder = lonely_card()
    rejected(recorder.discard(recorder.table.hand[0]), "CAN-21")
    rejected(table().draw().no_discard(), "CAN-21")


def accepted_pass(recorder: Recorder) -> Verdict:
    """The turn ends without a discard, and that is legal."""
    return judge(recorder.no_discard().finish())


def test_can_21_who_may_part_with_his_single_card_does() -> None:
    recorder = first_turn("4D 5D 6D 7D 8D 9D TD JD QD KD 7C").meld("4D 5D 6D 7D 8D 9D TD JD QD KD")
    rejected(recorder.no_discard(), "CAN-21")


# ---------------------------------------------------------------- CAN-22, 27: no morto


def test_can_22_unopened_when_the_opponents_go_out() -> None:
    detail = judge(unopened().events).details[1]
    assert (detail["no_morto"], detail["cards_in_hand"]) == (-100, -110)


def test_can_22_unopened_otherwise_counts_as_taken() -> None:
    verdict = judge(unopened(partner_goes_out=True).events)
    assert verdict.details[1]["no_morto"] == 0
    assert verdict.details[1]["cards_in_hand"] == 0


@pytest.mark.parametrize("options", [Options(), END])
def test_can_27_nobody_pays_when_neither_took_one(options: Options) -> None:
    assert [lines["no_morto"] for lines in judge(table(options).finish()).details] == [0, 0]
    details = accepted(first_turn(NO_CANASTRA, options)).details
    assert [lines["no_morto"] for lines in details] == [0, -100]


def test_can_27_who_has_none_at_a_batida_pays() -> None:
    assert judge(batida_by_laying().events).details[1]["no_morto"] == -100


# ---------------------------------------------------------------- CAN-23, 24: the end of the stock


def test_can_23_mortos_become_stock_in_order_or_stay() -> None:
    log = table().finish()
    assert [event["morto"] for event in log if event["event"] == "morto_to_stock"] == [0, 1]
    assert judge(log).turns == 57
    log = table(END).finish()
    assert not [event for event in log if event["event"] == "morto_to_stock"]
    assert judge(log).turns == 36


def test_can_23_a_morto_taken_does_not_become_stock() -> None:
    log = first_turn(NO_CANASTRA).idle_discard().finish()
    assert [event["morto"] for event in log if event["event"] == "morto_to_stock"] == [1]
    judge(log)


def test_can_23_the_heap_may_be_turned_round() -> None:
    recorder = table().idle(34)
    for event in recorder.finish():
        if event["event"] == "morto_to_stock":
            assert event["cards"] == recorder.events[0]["mortos"][event["morto"]]
    recorder = table()
    recorder.table.mortos = [morto[::-1] for morto in recorder.table.mortos]
    judge(recorder.finish())


def test_can_23_a_morto_becomes_stock_for_a_replacement_too() -> None:
    recorder = table()
    stock = recorder.table.stock
    assert stock[0] in ("3H", "3D")
    log = recorder.finish()
    index = next(i for i, event in enumerate(log) if event["event"] == "morto_to_stock")
    assert log[index - 1]["event"] == "red_three"
    assert log[index + 1]["why"] == "red_three"


def test_can_23_with_nothing_to_draw_the_lixo_may_be_taken_or_declined() -> None:
    recorder = last_draw_takeable(END)
    verdict = accepted(recorder.take("9D TD JD"))
    assert (verdict.reason, verdict.turns) == ("stock_out", 36)
    log = last_draw_takeable(END).finish()
    assert [event["event"] for event in log[-2:]] == ["decline_pile", "end"]
    assert judge(log).turns == 35
    rejected([*log[:-2], log[-1]], "CAN-23")


def test_can_23_only_who_could_take_it_can_decline_it() -> None:
    log = table().finish()
    place = {"turn": 57, "seat": 0}
    assert judge(log).turns == 57
    rejected([*log[:-1], {"event": "decline_pile", "cards": [], **place}], "CAN-23")
    rejected(table().begin().write("decline_pile"), "CAN-23")


def test_can_24_the_cap() -> None:
    referee = Referee(table().events)
    referee.read_deal()
    for options, last in ((Options(), 94), (EXTEND, 199), (Options(players=2), 199)):
        referee.options = options
        referee.table.turn = last
        referee.check_cap()
        referee.table.turn = last + 1
        with pytest.raises(RuleBroken, match="turns"):
            referee.check_cap()


# ---------------------------------------------------------------- CAN-25, 26: the score


def example(red_threes: int) -> Tally:
    """The rule book's worked example: canastras of 7, 7 and 7, melds of 3, 4, 5 and 5, five cards in hand."""
    return Tally(
        batida=True,
        clean=2,
        dirty=1,
        cards_on_table=14 + 7 + 3 + 4 + 10,
        red_threes=red_threes,
        cards_in_hand=5,
        morto_missing=False,
    )


def test_can_25_the_worked_values() -> None:
    assert score(example(3), Options())["total"] == 1260
    assert score(example(2), Options())["total"] == 1150
    lines = score(example(3), Options())
    assert lines["cards_on_table"] + lines["red_threes_on_table"] == 410


def test_can_26_red_threes_with_and_without_a_canastra() -> None:
    bare = Tally(batida=False, clean=0, dirty=0, cards_on_table=6, red_threes=2, cards_in_hand=4, morto_missing=True)
    assert score(bare, Options())["total"] == 60 - 200 - 40 - 100
    assert score(bare, Options())["red_threes_on_table"] == 0
    assert score(example(3), Options(red_three_table_points=0))["total"] == 1230


def test_every_line_of_a_finished_deal() -> None:
    assert judge(batida_by_laying(Options(red_three_table_points=0)).events).details[0] == {
        "batida": 100,
        "clean_canastras": 200,
        "dirty_canastras": 0,
        "cards_on_table": 230,
        "red_threes": 100,
        "red_threes_on_table": 0,
        "cards_in_hand": -100,
        "no_morto": 0,
        "total": 530,
    }


# ---------------------------------------------------------------- CAN-28: the match


def test_can_28_a_match_goes_on_while_it_is_undecided() -> None:
    log = table().finish()
    for before in ([2000, 2000], [2100, 2100], [1990, 1980]):
        log[0] = {**log[0], "match": 3, "scores_before": before}
        judge(log)
    for before in ([2000, 0], [2100, 2000]):
        rejected([{**log[0], "scores_before": before}], "CAN-28")
    log[0] = {**log[0], "scores_before": [2000, 0], "options": Options(target=3000).as_json()}
    judge(log)


# ---------------------------------------------------------------- the log


@pytest.mark.parametrize(
    "change",
    [
        lambda log: [],
        lambda log: log[1:],
        lambda log: log[:-1],
        lambda log: [*log, log[-1]],
        lambda log: [log[0], *log],
        lambda log: [*log[:3], None, *log[3:]],
    ],
)
def test_a_malformed_log(change: Callable[[list[Event]], list[Event]]) -> None:
    with pytest.raises(RuleBroken) as caught:
        judge(change(table().finish()))
    assert caught.value.article == "LOG"
