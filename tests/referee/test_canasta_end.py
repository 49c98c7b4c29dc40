"""The referee of Canasta on hand-written deals: going out, the end, the score (KAN-14 to KAN-20)."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from tests.referee.canasta import MOST_TURNS, Referee, judge
from tests.referee.canasta_builder import Recorder, meld_of
from tests.referee.canasta_checks import accepted, rejected
from tests.referee.canasta_deal import is_covered
from tests.referee.canasta_melds import points_of
from tests.referee.canasta_options import Options
from tests.referee.canasta_scenes import (
    ASK,
    EIGHT_FOURS,
    NO_PAIR,
    SEVEN_KINGS,
    SIX_KINGS,
    asked,
    concealed_by_discard,
    concealed_by_laying,
    concealed_small,
    last_card,
    out_openly,
    red_three_last,
    replacement_last,
    six_kings,
    table,
)
from tests.referee.canasta_score import Tally, score
from tests.referee.cards import is_red_three, two_packs
from tests.referee.log import Event, RuleBroken

TWO = Options(canastas_to_go_out=2)
SEVEN_QUEENS = "QS QS QH QH QD QD QC"


# ---------------------------------------------------------------- KAN-14: going out


def test_kan_14_with_a_canasta_completed_in_that_turn_and_a_discard_or_none() -> None:
    assert judge(out_openly().events).details[0]["going_out"] == 100
    laying = six_kings(hand="AS AH AD AC AS").extend(0, SEVEN_KINGS).meld("AS AH AD AC AS")
    assert judge(laying.events).details[0]["going_out"] == 100


def test_kan_14_without_a_canasta_a_card_is_kept() -> None:
    rejected(six_kings(hand="AS AH AD AC AS", stock="5S 9S").meld("AS AH AD AC AS").discard("9S"), "KAN-14")
    recorder = six_kings(hand="AS AH AD AC AS", stock="5S AH").meld("AS AH AD AC AS AH")
    rejected(recorder.write("go_out", concealed=False), "KAN-14")
    rejected(six_kings().write("go_out", concealed=False), "KAN-14")
    accepted(six_kings(stock="5S 9S").meld("AS AH AD AC").discard("4S"))


def test_kan_14_who_has_laid_everything_goes_out() -> None:
    log = six_kings(hand="AS AH AD AC AS").extend(0, SEVEN_KINGS).meld("AS AH AD AC AS").events[:-2]
    rejected([*log, {"event": "pass", "turn": 5, "seat": 0, "cards": []}], "KAN-14")
    log = out_openly().events[:-2]
    rejected([*log, {"event": "draw", "turn": 6, "seat": 1, "cards": ["4S"], "why": "turn"}], "KAN-14")


def test_kan_14_two_canastas_under_the_option_the_partners_included() -> None:
    rejected(out_openly(TWO), "KAN-14")
    recorder = six_kings(TWO, partner=SEVEN_QUEENS)
    verdict = judge(recorder.extend(0, SEVEN_KINGS).meld("AS AH AD AC").discard("4S").events)
    assert (verdict.reason, verdict.sides[0].natural_canastas) == ("went_out", 2)
    assert verdict.details[0]["going_out"] == 100


def test_kan_14_the_partners_canasta_will_do() -> None:
    recorder = six_kings(hand="AS AH AD AC AS", stock="5S 9S", partner=SEVEN_QUEENS).meld("AS AH AD AC AS")
    assert judge(recorder.discard("9S").events).reason == "went_out"


def test_kan_14_the_answer_of_the_partner_binds() -> None:
    assert judge(asked(answer=True).events).reason == "went_out"
    assert judge(asked(answer=False).finish()).reason == "stock_out"
    rejected(six_kings(ASK).ask(False).extend(0, SEVEN_KINGS).meld("AS AH AD AC").discard("4S"), "KAN-14")
    rejected(six_kings(ASK).ask(True).extend(0, SEVEN_KINGS).discard("4S"), "KAN-14")


def test_kan_14_nobody_needs_to_ask() -> None:
    assert judge(out_openly(ASK).events).reason == "went_out"


def test_kan_14_when_the_partner_is_asked() -> None:
    rejected(six_kings().ask(True), "KAN-14")
    rejected(six_kings(ASK).extend(0, SEVEN_KINGS).ask(True), "KAN-14")
    rejected(six_kings(ASK).ask(False).ask(True), "KAN-14")
    rejected(six_kings(ASK).ask(False).discard("4S").idle(3).draw().ask(True), "KAN-14")
    accepted(six_kings(ASK).ask(False).discard("4S").idle().draw().ask(False))
    recorder = table(ASK)
    recorder.table.turn = 1
    rejected(recorder.ask(True), "KAN-06")


# ---------------------------------------------------------------- KAN-15: concealed


def test_kan_15_the_whole_hand_in_one_turn() -> None:
    for recorder in (concealed_by_discard(), concealed_by_laying()):
        verdict = judge(recorder.events)
        assert verdict.details[0]["going_out"] == 200
        assert verdict.sides[0].concealed


def test_kan_15_the_bonus_is_automatic() -> None:
    for log in (concealed_by_discard().events, out_openly().events):
        go_out = {**log[-2], "concealed": not log[-2]["concealed"]}
        rejected([*log[:-2], go_out], "KAN-15")


def partner_opened(queens: str, hand: str, drawn: str = "9S", options: Options | None = None) -> Recorder:
    """Turn 3: seat 2 has drawn, and nothing but his partner's queens lies on the table."""
    recorder = table(options, {0: queens, 2: hand}, f"5S 7S {drawn}", "9C").draw().meld(queens).discard("5S")
    return recorder.idle().draw()


def test_kan_15_nothing_added_to_the_partners_melds() -> None:
    recorder = partner_opened("QS QS QH QH QD QD", f"{SEVEN_KINGS} AS AH AD AC")
    verdict = judge(recorder.meld(SEVEN_KINGS).meld("AS AH AD AC").discard("9S").events)
    assert verdict.details[0]["going_out"] == 200
    recorder = partner_opened("QS QS QH QH QD QD", f"{SEVEN_KINGS} AS AH AD QC")
    verdict = judge(recorder.meld(SEVEN_KINGS).meld("AS AH AD").extend(0, SEVEN_QUEENS).discard("9S").events)
    assert verdict.details[0]["going_out"] == 100


def test_kan_15_nothing_added_before() -> None:
    recorder = partner_opened("QS QS QH QH QD QD", f"{SEVEN_KINGS} AS AH AD QC")
    recorder.extend(0, SEVEN_QUEENS).discard("9S").idle(3).draw()
    drawn = recorder.table.hand[-1]
    verdict = judge(recorder.meld(SEVEN_KINGS).meld("AS AH AD").discard(drawn).events)
    assert (verdict.reason, verdict.details[0]["going_out"]) == ("went_out", 100)


def test_kan_15_a_canasta_of_his_own() -> None:
    recorder = partner_opened(SEVEN_QUEENS, f"{SIX_KINGS} AS AH AD AC AS")
    verdict = judge(recorder.meld(SIX_KINGS).meld("AS AH AD AC AS").discard("9S").events)
    assert (verdict.reason, verdict.details[0]["going_out"]) == ("went_out", 100)


def test_kan_15_with_two_canastas_to_go_out_the_partners_counts() -> None:
    recorder = partner_opened(SEVEN_QUEENS, f"{SEVEN_KINGS} AS AH AD AC", options=TWO)
    verdict = judge(recorder.meld(SEVEN_KINGS).meld("AS AH AD AC").discard("9S").events)
    assert verdict.details[0]["going_out"] == 200
    rejected(concealed_by_discard(TWO), "KAN-14")


def test_kan_15_from_a_draw_no_minimum_applies_from_the_pile_it_does() -> None:
    late = Options(start_score=(3000, 0))
    assert judge(concealed_small(late).events).details[0]["going_out"] == 200
    assert judge(concealed_small(take=True).events).details[0]["going_out"] == 200
    rejected(concealed_small(late, take=True).events[:-2], "KAN-13")
    keeps = table(late, {0: f"{EIGHT_FOURS} 6H 6D 9S"}, "6C").draw().meld(EIGHT_FOURS).discard("9S")
    rejected(keeps, "KAN-13")


# ---------------------------------------------------------------- KAN-16, KAN-17: the end


def test_kan_16_who_could_take_declines_or_takes() -> None:
    log = last_card().finish()
    assert [event["event"] for event in log[-2:]] == ["decline_pile", "end"]
    rejected([*log[:-2], log[-1]], "KAN-16")
    accepted(last_card().take("AS AH AC"))


def test_kan_16_who_cannot_take_just_ends_the_hand() -> None:
    wild_on_top = table(hands={3: "AS AH AD"}, bottom="2D")
    for recorder in (last_card(hand=NO_PAIR), wild_on_top, last_card(bottom="3S", hand="3C 3C")):
        log = recorder.finish()
        assert (log[-2]["event"], log[-1]["reason"]) == ("discard", "stock_out")
        assert judge(log).turns == 60
    rejected(last_card(hand=NO_PAIR).begin().write("decline_pile"), "KAN-16")
    recorder = last_card(hand=NO_PAIR).begin()
    rejected(recorder.write("draw", "4S", why="turn"), "KAN-16")


def test_kan_16_the_first_meld_counts_in_what_could_be_taken() -> None:
    late = Options(start_score=(0, 1600))
    assert last_card(late, hand=NO_PAIR.replace("4S", "AH")).finish()[-2]["event"] == "discard"
    assert last_card(late, hand="AS AH AD 7S 7H 7D").finish()[-2]["event"] == "decline_pile"


def test_kan_16_an_unfrozen_pile_that_fits_must_be_taken() -> None:
    taken = last_card(melded=True).take("AS AH AD AC", 0)
    accepted(taken)
    rejected(last_card(melded=True).begin().write("decline_pile"), "KAN-16")
    recorder = last_card(melded=True).begin()
    recorder.end("stock_out")
    rejected(recorder, "KAN-16")


def test_kan_16_a_frozen_pile_or_another_rank_need_not_be_taken() -> None:
    def at_the_end(bottom: str, hand: str, wilds: dict[int, str]) -> list[Event]:
        recorder = table(hands={3: f"AS AH AD {hand}", **wilds}, pile="9C", bottom=bottom).idle(3)
        recorder.draw().meld("AS AH AD").idle_discard()
        return recorder.finish()

    held = {0: "JK JK JK JK 2S 2S", 2: "2H 2H 2D 2D 2C 2C"}
    assert at_the_end("KC", "KS KH", held)[-2]["event"] == "decline_pile"
    assert at_the_end("AC", "AS AC", {})[-2]["event"] == "decline_pile"
    log = at_the_end("AC", "5H", {0: "AC AS AH", 1: "AD"})
    assert log[-2]["event"] == "discard"
    assert judge(log).reason == "stock_out"


def test_kan_16_cards_are_left() -> None:
    recorder = table().idle()
    recorder.table.turn = 2
    rejected(recorder.write("decline_pile"), "KAN-16")
    recorder = table().idle().begin()
    recorder.end("stock_out")
    rejected(recorder, "KAN-16")
    recorder = table().draw()
    recorder.end("stock_out")
    rejected(recorder, "KAN-16")


def test_kan_16_the_last_card_a_red_three_as_a_draw_or_a_replacement() -> None:
    for recorder in (red_three_last(), replacement_last()):
        assert [event["event"] for event in recorder.events[-3:]] == ["draw", "red_three", "end"]
        verdict = judge(recorder.events)
        assert verdict.reason == "red_three_last"
        assert sum(side.red_threes for side in verdict.sides) == 4
        turn, seat = verdict.turns, recorder.table.seat
        for name, card in (("discard", recorder.table.hand[0]), ("take_pile", "")):
            late = {"event": name, "turn": turn, "seat": seat, "cards": card.split()}
            rejected([*recorder.events[:-1], late], "KAN-16")
        rejected([*recorder.events[:-1], {**recorder.events[-1], "reason": "stock_out"}], "KAN-16")
        rejected([*recorder.events[:-2], recorder.events[-1]], "KAN-05")


def test_kan_17_a_hand_cannot_run_on() -> None:
    referee = Referee(table().finish())
    referee.read_deal()
    referee.table.turn = MOST_TURNS
    with pytest.raises(RuleBroken) as caught:
        referee.play_turn()
    assert caught.value.article == "KAN-17"


# ---------------------------------------------------------------- KAN-03, KAN-18, KAN-19: the score


def test_kan_03_the_values_of_cards() -> None:
    values = {"JK": 50, "2A": 20, "89TJQK": 10, "4567": 5}
    for ranks, value in values.items():
        cards = ["JK"] if ranks == "JK" else [rank + suit for rank in ranks for suit in "SHDC"]
        assert {points_of(card) for card in cards} == {value}
    assert {points_of("3S"), points_of("3C")} == {5}


def tally(melds: list[str], red_threes: int = 0, hand: str = "", out: bool = False, concealed: bool = False) -> Tally:
    """What a side has when the hand ends."""
    return Tally(out, concealed, [meld_of(meld) for meld in melds], red_threes, hand.split())


def test_kan_18_seven_natural_kings() -> None:
    lines = score(tally([SEVEN_KINGS]))
    assert (lines["melded_cards"], lines["natural_canastas"], lines["total"]) == (70, 500, 570)


def test_kan_18_a_mixed_canasta() -> None:
    lines = score(tally([f"{SIX_KINGS} JK", "4S 4H 4D"]))
    assert (lines["mixed_canastas"], lines["natural_canastas"], lines["total"]) == (300, 0, 425)


@pytest.mark.parametrize(("count", "worth"), [(0, 0), (1, 100), (2, 200), (3, 300), (4, 800)])
def test_kan_18_red_threes(count: int, worth: int) -> None:
    assert score(tally(["4S 4H 4D"], count))["red_threes"] == worth
    assert score(tally([], count))["red_threes"] == -worth


def test_kan_19_cards_melded_and_cards_in_hand() -> None:
    lines = score(tally(["AS AH AD"], hand="JK 2S AC KS 4S 3C"))
    assert (lines["melded_cards"], lines["cards_in_hand"], lines["total"]) == (60, -110, -50)


def test_kan_19_going_out() -> None:
    assert score(tally([SEVEN_KINGS], out=True))["total"] == 670
    assert score(tally([SEVEN_KINGS], out=True, concealed=True))["going_out"] == 200


@pytest.mark.parametrize(
    ("line", "article"),
    [
        ("going_out", "KAN-14"),
        ("natural_canastas", "KAN-18"),
        ("mixed_canastas", "KAN-18"),
        ("red_threes", "KAN-18"),
        ("melded_cards", "KAN-19"),
        ("cards_in_hand", "KAN-19"),
        ("total", "KAN-19"),
    ],
)
def test_kan_19_every_line_is_checked(line: str, article: str) -> None:
    log = out_openly().events
    for side in (0, 1):
        detail = [dict(lines) for lines in log[-1]["detail"]]
        detail[side][line] += 5
        rejected([*log[:-1], {**log[-1], "detail": detail}], article)
    rejected([*log[:-1], {**log[-1], "scores": [610, -245]}], "KAN-19")


# ---------------------------------------------------------------- KAN-20: the match


def test_kan_20_a_match_goes_on_while_it_is_undecided() -> None:
    def at(before: list[int], deal: int = 3, options: Options | None = None) -> list[Event]:
        recorder = table(options)
        recorder.events[0].update(match=1, deal=deal, scores_before=before)
        return recorder.finish()

    for before in ([4995, 4990], [5005, 5005], [0, -300]):
        assert judge(at(before)).reason == "stock_out"
    rejected(at([5000, 4995])[:1], "KAN-20")
    rejected(at([0, 7000])[:1], "KAN-20")
    assert judge(at([5000, 4995], options=Options(target=6000))).reason == "stock_out"
    rejected(at([100, 0], deal=0)[:1], "KAN-20")
    assert judge(at([0, 0], deal=0)).reason == "stock_out"


# ---------------------------------------------------------------- the worked values of the deal


def test_the_worked_chances_of_the_deal() -> None:
    pack = list(two_packs(4).elements())
    red = sum(map(is_red_three, pack))
    assert round(comb(len(pack) - red, 11) / comb(len(pack), 11), 4) == 0.6465
    covers = Options(opening_black_three_covers=True)
    stays = Options(opening_black_three_covers=False)
    assert Fraction(sum(is_covered(card, stays) for card in pack), len(pack)) == Fraction(16, 108)
    assert Fraction(sum(is_covered(card, covers) for card in pack), len(pack)) == Fraction(20, 108)
