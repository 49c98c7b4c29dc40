"""The referee of Loba on ends of turns, rounds and matches, and on scores: LOB-12 to LOB-17."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.referee.loba import MOST_TURNS, judge
from tests.referee.loba_builder import Recorder
from tests.referee.loba_checks import accepted, rejected
from tests.referee.loba_options import Options
from tests.referee.loba_scenes import (
    ANY,
    FIVES,
    FOUR_OF_SEVEN,
    KINGS,
    LOOSE,
    NINE,
    RUN,
    TWO,
    after_take,
    at_once,
    at_once_by_extending,
    at_once_by_laying,
    at_once_by_taking,
    cap,
    four_of_seven,
    four_of_seven_at_once,
    idle_by_taking,
    last_two,
    long_run,
    one_card,
    out_by_extending,
    out_later,
    out_with_a_joker,
    second_turn,
    table,
    until_empty,
)
from tests.referee.loba_table import Table
from tests.referee.log import Event

MUST_MELD = Options(players=2, taken_discard_must_meld=True)


def end_with(log: Sequence[Event], **changes: object) -> list[Event]:
    """The log with another last line."""
    return [*log[:-1], {**log[-1], **changes}]


def lines_with(log: Sequence[Event], seat: int, **changes: int) -> list[Event]:
    """The log with other lines of the score of one seat."""
    detail = [{**lines, **changes} if at == seat else lines for at, lines in enumerate(log[-1]["detail"])]
    return end_with(log, detail=detail)


# ---------------------------------------------------------------- LOB-12: going out


def test_lob_12_with_a_last_discard_or_without() -> None:
    assert [event["event"] for event in at_once().events[-3:]] == ["discard", "go_out", "end"]
    assert [event["event"] for event in at_once_by_laying().events[-3:]] == ["meld", "go_out", "end"]
    assert [event["event"] for event in out_by_extending().events[-3:]] == ["extend", "go_out", "end"]
    for recorder in (at_once(), at_once_by_laying(), at_once_by_extending(), at_once_by_taking(), out_by_extending()):
        assert judge(recorder.events).reason == "went_out"


def test_lob_12_with_no_card_left() -> None:
    rejected(table(hands={0: NINE}).draw().meld(RUN).write("go_out", all_at_once=True), "LOB-12")
    kept = table().draw()
    kept.write("discard", kept.table.hand[-1:], from_meld=None)
    rejected(kept.write("go_out", all_at_once=True), "LOB-12")
    rejected(long_run().discard("JS", 0).write("go_out", all_at_once=False), "LOB-12")


def test_lob_12_it_is_written_down_and_ends_the_round() -> None:
    log = at_once().events
    rejected([*log[:-2], log[-1]], "LOB-12")
    log = at_once_by_laying().events
    rejected([*log[:-2], log[-1]], "LOB-12")
    rejected([*log[:-1], {"event": "draw", "turn": 2, "seat": 1, "cards": ["4S"]}], "LOB-12")
    rejected([*log[:-2], {"event": "discard", "turn": 1, "seat": 0, "cards": ["KH"], "from_meld": 2}], "LOB-12")
    rejected([*log[:-2], {**log[-2], "cards": ["4S"]}], "LOG")
    rejected([*log[:-2], {**log[-2], "seat": 1}], "LOB-01")


def test_lob_12_a_card_taken_need_not_be_laid() -> None:
    accepted(after_take("3H", LOOSE.replace("2H", "JC")).discard("4D"))


def test_lob_12_under_the_option_it_must_be() -> None:
    hand = f"{RUN} 5H 5D JC QD KS 2C"
    accepted(after_take("TS", hand, [RUN], MUST_MELD).extend(0, f"{RUN} TS").discard("JC"))
    accepted(after_take("5C", hand, [RUN], MUST_MELD).meld("5H 5D 5C").discard("JC"))
    accepted(
        after_take("7H", "7S 7D 7C QH 9D JC QD KS 2C", ["7S 7D 7C"], Options(2, 2, "any", True))
        .extend(0, "7S 7D 7C 7H")
        .discard("JC")
    )
    rejected(after_take("TS", hand, [RUN], MUST_MELD).discard("JC"), "LOB-12")
    rejected(after_take("TS", hand, [RUN], MUST_MELD).discard("TS"), "LOB-12")


def test_lob_12_under_the_option_only_a_card_that_can_be_laid_is_taken() -> None:
    hand = f"{RUN} 5H 5D JC QD KS 2C"
    for top in ("JS", "3H", "7H", "5H", "5S"):
        recorder = after_take(top, hand, [RUN], MUST_MELD)
        if top == "5S":
            accepted(recorder.meld("5H 5D 5S").discard("2C"))
        else:
            rejected(recorder, "LOB-12")
    accepted(after_take("5H", hand, [RUN], Options(2, 2, "any", True)).meld("5H 5H 5D").discard("2C"))


def test_lob_12_under_the_option_the_cards_it_needs_are_kept_for_it() -> None:
    hand = f"5H 5D {RUN} 6D 7D QD KS"
    recorder = after_take("5C", hand, [RUN], MUST_MELD).meld("5H 5D 5C").discard("QD")
    accepted(recorder)
    rejected(after_take("5C", hand, [RUN], MUST_MELD).meld("5D 6D 7D"), "LOB-12")


def test_lob_12_under_the_option_a_second_copy_does_as_well() -> None:
    hand = f"{FIVES} {RUN} JC QD 2C"
    accepted(after_take("5H", hand, [RUN], MUST_MELD).meld(FIVES).discard("5H"))
    accepted(after_take("5H", hand, [RUN], MUST_MELD).meld(FIVES).extend(1, f"{FIVES} 5H").discard("2C"))


def test_lob_12_under_the_option_who_takes_may_go_out() -> None:
    hand = f"{FIVES} {KINGS} 7S 8S 2C"
    recorder = after_take("9S", hand, [], MUST_MELD).meld(FIVES).meld(KINGS).meld(RUN).discard("2C")
    assert judge(recorder.events).all_at_once
    rejected(after_take("9S", hand, [], MUST_MELD).meld(FIVES).meld(KINGS).discard("2C"), "LOB-12")


# ---------------------------------------------------------------- LOB-13: the end of the stock


def test_lob_13_the_discards_but_the_top_one_become_the_stock() -> None:
    recorder = until_empty()
    discards = list(recorder.table.discards)
    recorder.idle()
    event = recorder.events[-3]
    assert (event["event"], event["cards"], sorted(event["stock"])) == ("reshuffle", [], sorted(discards[:-1]))
    accepted(recorder)
    for stock in (discards, discards[1:], [*discards[1:-1], "4S" if discards[0] != "4S" else "5S"], []):
        rejected(until_empty().begin().write("reshuffle", stock=stock), "LOB-13")
    rejected(until_empty().begin().write("reshuffle", discards[:-1], stock=discards[:-1]), "LOG")


def test_lob_13_the_new_stock_is_in_drawing_order() -> None:
    recorder = until_empty().begin().reshuffle()
    other = next(card for card in recorder.table.stock if card != recorder.table.stock[-1])
    rejected(recorder.write("draw", [other]), "CARDS")


def test_lob_13_only_who_must_draw_shuffles_and_he_draws() -> None:
    recorder = table().idle(4).begin()
    rejected(recorder.write("reshuffle", stock=recorder.table.discards[:-1]), "LOB-13")
    recorder = until_empty().begin().reshuffle()
    rejected(recorder.write("take_discard", recorder.table.discards), "LOB-13")
    recorder = until_empty().begin().reshuffle()
    rejected(recorder.write("discard", recorder.table.hand[:1], from_meld=None), "LOB-04")
    recorder = until_empty().begin().reshuffle()
    rejected(recorder.write("reshuffle", stock=[]), "LOB-13")
    rejected(until_empty().begin().write("draw", "4S"), "LOB-13")
    recorder = until_empty().begin()
    rejected(recorder.write("discard", recorder.table.hand[:1], from_meld=None), "LOB-13")


def test_lob_13_the_discard_may_be_taken_instead() -> None:
    for reshuffles in range(4):
        recorder = idle_by_taking(until_empty(reshuffles=reshuffles), 6)
        assert (recorder.table.stock, recorder.table.reshuffles) == ([], reshuffles)
        assert accepted(recorder).reason == "no_winner"


def test_lob_13_three_times_at_most() -> None:
    recorder = until_empty(reshuffles=3).begin()
    rejected(recorder.write("reshuffle", stock=recorder.table.discards[:-1]), "LOB-13")
    log = table().finish()
    names = [event["event"] for event in log]
    assert (names.count("reshuffle"), names[-2:]) == (3, ["discard", "end"])
    verdict = judge(log)
    assert (verdict.reason, verdict.turns, log[-2]["turn"]) == ("no_winner", 278, 277)
    assert (verdict.winner, verdict.all_at_once) == (None, False)


def test_lob_13_the_round_does_not_end_before() -> None:
    log = table().finish()
    for reshuffles in range(3):
        recorder = until_empty(reshuffles=reshuffles).begin()
        rejected([*recorder.events, {**log[-1], "turn": recorder.table.turn}], "LOB-13")
    recorder = table().idle().begin()
    rejected([*recorder.events, {**log[-1], "turn": 2}], "LOB-13")
    recorder = table().draw()
    rejected([*recorder.events, {**log[-1], "turn": 1}], "LOB-13")
    rejected(end_with(log, reason="went_out"), "LOB-13")
    rejected(end_with(log, turn=277), "LOG")


@pytest.mark.parametrize(("discards", "can"), [("", False), ("3C", False), ("3C 4C", False), ("3C 4C 5C", True)])
def test_lob_13_two_discards_at_least_are_shuffled(discards: str, can: bool) -> None:
    # In a deal the discards are as many as the cards drawn, so this never stands in the way.
    cards = Table(Options(), table().events[0])
    cards.discards = discards.split()
    assert cards.can_reshuffle() is can


def test_lob_13_seven_players_with_the_smallest_pack() -> None:
    verdict = judge(table(Options(players=7, jokers=0)).finish())
    assert (verdict.reason, verdict.reshuffles) == ("no_winner", 3)


# ---------------------------------------------------------------- LOB-14, LOB-15: the score


def loser_holding(hand: str, options: Options = TWO) -> Recorder:
    """Two players: seat 0 goes out in turn 3, not all at once; seat 1 keeps these cards."""
    recorder = table(options, {0: NINE, 1: hand}, "3D 3S 3H")
    recorder.draw().meld(RUN).discard("3D").idle().draw()
    return recorder.meld(FIVES).meld(KINGS).discard("3H")


@pytest.mark.parametrize(
    ("hand", "counted"),
    [
        ("2H TD AS JK QC 2D 2C 2S 2S", 60),
        ("AS AS AH AH AD AD AC AC JK", 135),
        ("2S 3H 4S 6H 7H 8H 9H TH JH", 59),
        ("JS QS JH QH JD QD JC QC QS", 90),
    ],
)
def test_lob_14_the_others_count_their_hands(hand: str, counted: int) -> None:
    verdict = judge(loser_holding(hand).events)
    assert verdict.details[1] == {"hand": -counted, "factor": 1, "bonus": 0, "total": -counted}
    assert verdict.details[0] == {"hand": 0, "factor": 1, "bonus": 0, "total": 0}
    assert verdict.scores == [0, -counted]


def test_lob_14_cards_on_the_table_do_not_count() -> None:
    recorder = table(TWO, {0: NINE, 1: "TH JH QH 2D 4D 6C 8C QC KS"}, "3D 3S 3H")
    recorder.draw().meld(RUN).discard("3D").draw().meld("TH JH QH").discard("3S").draw()
    recorder.meld(FIVES).meld(KINGS).discard("3H")
    assert judge(recorder.events).scores == [0, -(2 + 4 + 6 + 8 + 10 + 10)]


def test_lob_14_the_worked_value_doubled_is_out() -> None:
    recorder = table(TWO, {0: NINE, 1: "2H TD AS JK QC 4H 4D 4S 4C"}, "3D 3S 3H")
    recorder.draw().discard("3D").draw().meld("4H 4D 4C").discard("3S").draw()
    recorder.meld(RUN).meld(FIVES).meld(KINGS).discard("3H")
    verdict = judge(recorder.events)
    assert verdict.scores == [20, -2 * (52 + 4)]
    assert verdict.details[1] == {"hand": -112, "factor": 2, "bonus": 0, "total": -112}


def test_lob_15_everything_at_once_brings_twenty_and_doubles() -> None:
    for recorder in (at_once(), at_once_by_laying(), at_once_by_extending(), out_with_a_joker()):
        verdict = judge(recorder.events)
        assert verdict.all_at_once
        assert verdict.details[0] == {"hand": 0, "factor": 2, "bonus": 20, "total": 20}
        for lines in verdict.details[1:]:
            assert (lines["factor"], lines["bonus"]) == (2, 0)
            assert lines["hand"] == lines["total"] < 0


def test_lob_15_not_after_an_earlier_lay() -> None:
    for recorder in (out_later(), out_by_extending(), one_card("KS", "2D").discard("2D").idle().draw()):
        verdict = accepted(recorder)
        assert not verdict.all_at_once
        assert {(lines["factor"], lines["bonus"]) for lines in verdict.details} == {(1, 0)}


def test_lob_15_in_any_turn() -> None:
    recorder = table(TWO, {0: NINE}, "3D 2S 3H").idle(2).draw().meld(RUN).meld(FIVES).meld(KINGS).discard("3H")
    verdict = judge(recorder.events)
    assert (verdict.turns, verdict.all_at_once, verdict.scores[0]) == (3, True, 20)
    verdict = judge(at_once_by_taking().events)
    assert (verdict.turns, verdict.all_at_once, verdict.scores[1]) == (2, True, 20)


def test_lob_15_what_the_others_have_laid_does_not_matter() -> None:
    recorder = table(TWO, {0: NINE, 1: "TH JH QH 2D 4D 6C 8C QC KS"}, "3D 3S 3H")
    recorder.idle().draw().meld("TH JH QH").discard("3S").draw().meld(RUN).meld(FIVES).meld(KINGS).discard("3H")
    assert judge(recorder.events).scores == [20, -2 * (2 + 4 + 6 + 8 + 10 + 10)]


def test_lob_15_the_event_says_so() -> None:
    for recorder in (at_once(), out_later()):
        log = recorder.events
        rejected([*log[:-2], {**log[-2], "all_at_once": not log[-2]["all_at_once"]}], "LOB-15")


def test_every_line_of_the_score_is_checked() -> None:
    once, later = at_once().events, out_later().events
    rejected(lines_with(once, 1, hand=once[-1]["detail"][1]["hand"] // 2), "LOB-15")
    rejected(lines_with(once, 1, factor=1), "LOB-15")
    rejected(lines_with(once, 0, bonus=0), "LOB-15")
    rejected(lines_with(once, 1, bonus=20), "LOB-15")
    rejected(lines_with(once, 1, total=0), "LOB-14")
    rejected(lines_with(later, 1, hand=-1), "LOB-14")
    rejected(lines_with(later, 1, factor=2), "LOB-15")
    rejected(lines_with(later, 0, bonus=20), "LOB-15")
    rejected(lines_with(later, 1, total=52), "LOB-14")
    rejected(end_with(later, scores=[0, 52]), "LOB-14")
    rejected(end_with(later, scores=[0]), "LOB-14")
    rejected(end_with(later, detail=later[-1]["detail"][:1]), "LOG")
    rejected(end_with(later, detail=[*later[-1]["detail"], later[-1]["detail"][0]]), "LOG")
    rejected([*later, later[-1]], "LOG")


# ---------------------------------------------------------------- LOB-13, LOB-17: rounds without a winner


def test_lob_13_without_a_winner_everybody_counts_once() -> None:
    recorder = second_turn("3D", f"{RUN} 5H 5D 2C JC QD KS", [RUN], "3H")
    recorder.finish()
    verdict = judge(recorder.events)
    assert verdict.reason == "no_winner"
    for lines, seat in zip(verdict.details, verdict.seats, strict=True):
        values = {"A": 15, "J": 10, "Q": 10, "K": 10, "T": 10}
        counted = sum(15 if card == "JK" else values.get(card[0]) or int(card[0]) for card in seat.hand)
        assert lines == {"hand": -counted, "factor": 1, "bonus": 0, "total": -counted}


def test_lob_17_a_thousand_turns() -> None:
    log = cap().events
    verdict = judge(log)
    assert (verdict.reason, verdict.turns, MOST_TURNS) == ("cap", 1000, 1000)
    assert all(lines["factor"] == 1 and lines["total"] == lines["hand"] < 0 for lines in verdict.details)
    rejected([*log[:-1], {"event": "draw", "turn": 1001, "seat": 0, "cards": ["4S"]}], "LOB-17")
    rejected(end_with(log, reason="no_winner"), "LOB-17")
    short = idle_by_taking(table().idle(), 998).begin()
    assert short.table.turn == 1000
    rejected([*short.events, {**log[-1], "turn": 1000}], "LOB-17")


def keeping(recorder: Recorder, cards: Sequence[str]) -> Recorder:
    """A turn of who takes the discard and throws away none of these cards."""
    recorder.take()
    return recorder.discard(next(card for card, _ in recorder.table.natural_discards() if card not in cards))


def test_lob_17_who_goes_out_in_the_last_turn_wins() -> None:
    recorder = table(TWO, {0: "TS 2H 4D 6C 8H TD QC 2D 4C", 1: f"{RUN} {FIVES} 5H 5D QD"}, "2C").idle()
    recorder.take().meld(RUN).meld(FIVES).discard("QD")
    while recorder.table.turn < MOST_TURNS - 2:
        keeping(recorder, ("TS", "5H", "5D"))
    recorder.take().discard("TS").take().extend(0, f"{RUN} TS").extend(1, f"{FIVES} 5H 5D")
    recorder.discard(recorder.table.hand[0])
    verdict = judge(recorder.events)
    assert (verdict.reason, verdict.turns, verdict.winner) == ("went_out", MOST_TURNS, 1)


# ---------------------------------------------------------------- LOB-16: the match


def test_lob_16_who_has_the_target_in_negatives_is_out() -> None:
    recorder = four_of_seven()
    assert [len(hand) for hand in recorder.table.hands] == [0, 9, 9, 0, 9, 9, 0]
    seats = [event["seat"] for event in recorder.idle(9).events if event["event"] == "discard"]
    assert seats == [4, 5, 1, 2, 4, 5, 1, 2, 4]
    assert [seat.playing for seat in accepted(recorder).seats] == [total > -100 for total in FOUR_OF_SEVEN]
    recorder = four_of_seven().idle()
    recorder.table.turn, recorder.table.seat = 2, 6
    rejected(recorder.write("draw", recorder.table.stock[-1:]), "LOB-01")


def test_lob_16_who_is_out_gets_nothing() -> None:
    verdict = judge(four_of_seven_at_once().events)
    for seat in (0, 3, 6):
        assert verdict.details[seat] == {"hand": 0, "factor": 2, "bonus": 0, "total": 0}
        rejected(lines_with(four_of_seven_at_once().events, seat, bonus=20), "LOB-15")
        rejected(lines_with(four_of_seven_at_once().events, seat, hand=-10), "LOB-15")
    deal = four_of_seven().events[0]
    hands = [*deal["hands"]]
    hands[0] = deal["stock"][:9]
    rejected([{**deal, "hands": hands, "stock": deal["stock"][9:]}], "LOB-16")
    hands = [*deal["hands"]]
    hands[1], hands[0] = [], hands[1]
    rejected([{**deal, "hands": hands}], "LOB-16")


@pytest.mark.parametrize("target", [1, 50, 100, 1000])
def test_lob_16_the_target_is_an_option(target: int) -> None:
    options = Options(players=3, target=target)
    still_in = table(options, scores_before=[1 - target, 0, 5])
    assert still_in.table.playing == [True, True, True]
    accepted(still_in)
    out = table(options, scores_before=[-target, 0, 5])
    assert out.table.playing == [False, True, True]
    accepted(out)


def test_lob_16_the_match_is_over_when_one_or_none_is_in() -> None:
    deal = table(TWO).events[0]
    for before in ([-100, 0], [0, -130], [-100, -100]):
        rejected([{**deal, "match": 0, "deal": 3, "scores_before": before}], "LOB-16")
    deal = last_two().events[0]
    rejected([{**deal, "scores_before": [-100, -100, -101, -200, -100, -100, 10]}], "LOB-16")


def test_lob_16_a_match_begins_at_nothing_and_a_batch_has_no_scores() -> None:
    log = at_once().events
    changes = {"match": 0, "deal": 0}
    assert judge([{**log[0], **changes}, *log[1:]]).turns == 1
    rejected([{**log[0], **changes, "scores_before": [0, -5, 0, 0]}], "LOB-16")
    rejected([{**log[0], "scores_before": [0, 20, 0, 0]}], "LOB-16")
    assert judge([{**log[0], "match": 0, "deal": 1, "scores_before": [20, -5, -99, 0]}, *log[1:]]).turns == 1


def test_options_of_the_two_kinds_go_together() -> None:
    both = Options(players=3, jokers=5, set_suits="any", taken_discard_must_meld=True, target=50)
    recorder = table(both, {1: "5S 5S 7H 2C 4D 9H JC QD KS"}, "5H", scores_before=[-49, 0, -50], dealer=1)
    assert recorder.table.playing == [True, True, False]
    accepted(recorder.idle().take().meld("5S 5S 5H").discard("2C"))
    assert ANY.jokers == "auto"
