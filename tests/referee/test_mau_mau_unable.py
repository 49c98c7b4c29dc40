"""The referee of mau-mau on hand-written rounds: who cannot follow, bars, void rounds (MAU-06 to MAU-08)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from tests.referee.mau_mau import Referee, judge
from tests.referee.mau_mau_builder import Recorder
from tests.referee.mau_mau_checks import accepted, rejected, told
from tests.referee.mau_mau_options import UNABLE, Options
from tests.referee.mau_mau_scenes import DUEL, FOLLOWS_NOTHING, aces, barred, barred_with_two_jacks, stuck, table

# ---------------------------------------------------------------- MAU-06


def test_mau_06_fined_barred_and_one_card_drawn() -> None:
    recorder = stuck("fine_draw").unable()
    assert told(recorder) == ["1.0 unable 50", "1.0 draw KS unable"]
    assert (recorder.table.barred, recorder.table.fines) == ([True, False], [50, 0])
    accepted(recorder)
    assert recorder.events[0]["options"]["unable"] == Options().unable == "fine_draw"


def test_mau_06_the_drawn_card_is_not_played_at_once() -> None:
    recorder = stuck("fine_draw").unable()
    recorder.table.seat, recorder.table.turn = 0, 1
    rejected(recorder.write("play", "KS", suit=None), "LOG")


def test_mau_06_fined_each_time() -> None:
    recorder = stuck("fine_draw").unable().unable().play("KS").play("QS")
    recorder.unable()
    assert told(recorder)[-2] == "5.0 unable 50"
    assert recorder.table.fines == [100, 50]


def test_mau_06_fine_only_draws_nothing() -> None:
    options = Options(players=3, unable="fine_only")
    recorder = table(options, {0: FOLLOWS_NOTHING[0], 1: "KS"}, start="KC").unable().play("KS")
    assert told(recorder) == ["1.0 unable 50", "2.1 play KS"]
    accepted(recorder)
    recorder = table(options, {0: FOLLOWS_NOTHING[0], 1: "KS"}, start="KC").unable()
    recorder.table.turn = 1
    rejected(recorder.write("draw", recorder.table.next_cards(1), why="unable", seat=0), "MAU-06")


def test_mau_06_fine_once_draws_each_time() -> None:
    recorder = stuck("fine_once").unable().unable().play("KS").play("QS").unable()
    assert [line for line in told(recorder) if "unable" in line] == [
        "1.0 unable 50",
        "1.0 draw KS unable",
        "2.1 unable 50",
        "2.1 draw QS unable",
        "5.0 unable 0",
        told(recorder)[-1],
    ]
    assert recorder.table.fines == [50, 50]
    assert recorder.table.barred == [True, False]  # the bars were lifted, and he is barred again
    accepted(recorder)


def test_mau_06_draw_one_may_be_played_or_kept() -> None:
    played = stuck("draw_one").unable().play_drawn()
    assert told(played) == ["1.0 unable 0", "1.0 draw KS unable", "1.0 play KS"]
    kept = stuck("draw_one").unable().keep()
    assert told(kept) == ["1.0 unable 0", "1.0 draw KS unable"]
    assert played.table.barred == kept.table.barred == [False, False]
    accepted(played)
    accepted(kept)


def test_mau_06_draw_one_nothing_but_the_card_drawn_and_only_if_it_follows() -> None:
    rejected(stuck("draw_one").unable().write("play", "2H", suit=None), "MAU-06")
    recorder = stuck("draw_one", "3S")
    recorder.write("unable", fine=0).write("draw", "3S", why="unable")
    rejected(recorder.write("play", "3S", suit=None), "MAU-04")
    recorder = stuck("draw_one").unable()
    rejected(recorder.write("draw", "QS", why="unable"), "MAU-06")


def test_mau_06_a_jack_drawn_may_announce() -> None:
    recorder = stuck("draw_one", "JS").unable().play_drawn("D").play("2D")
    assert told(recorder)[2:] == ["1.0 play JS D", "2.1 play 2D"]
    accepted(recorder)


def test_mau_06_draw_until_draws_until_a_card_follows_and_plays_it() -> None:
    recorder = stuck("draw_until", "3S 4S 5S KH 6S").unable().play_drawn()
    assert told(recorder) == ["1.0 unable 0", "1.0 draw 3S 4S 5S KH unable", "1.0 play KH"]
    assert recorder.table.barred == [False, False]
    accepted(recorder)


@pytest.mark.parametrize("cards", ["3S 4S 5S", "3S 4S 5S KH 6S", "3S", ""])
def test_mau_06_draw_until_no_card_more_and_none_less(cards: str) -> None:
    recorder = stuck("draw_until", "3S 4S 5S KH 6S").write("unable", fine=0)
    rejected(recorder.write("draw", cards, why="unable"), "MAU-06")


def test_mau_06_draw_until_the_card_must_be_played() -> None:
    recorder = stuck("draw_until", "3S KH").unable()
    rejected(recorder.write("play", "3S", suit=None), "MAU-06")
    recorder = stuck("draw_until", "3S KH").unable()
    recorder.table.turn, recorder.table.seat = 2, 1
    rejected(recorder.write("unable", fine=0), "MAU-06")


def test_mau_06_draw_until_a_reshuffle_splits_the_draw() -> None:
    options = Options(players=7, packs=1, unable="draw_until")
    recorder = table(options, {0: "4S", 1: "5S", 2: "2C 3C 6C 7C 8C 9C TC"}, "7H 8H", "KS").play("4S").play("5S")
    recorder.new_stock = "KS"
    recorder.unable()
    assert told(recorder, 3) == [
        "3.2 unable 0",
        "3.2 draw 7H 8H unable",
        "3.2 reshuffle KS 4S",
        "3.2 draw KS unable",
    ]
    recorder.play_drawn()
    assert told(recorder)[-1] == "3.2 play KS"
    accepted(recorder)


@pytest.mark.parametrize("unable", UNABLE)
def test_mau_06_the_fine_is_what_the_option_says(unable: str) -> None:
    fine = 50 if unable.startswith("fine") else 0
    accepted_fine = stuck(unable).write("unable", fine=fine)
    assert accepted_fine.events[-1]["fine"] == fine
    rejected(stuck(unable).write("unable", fine=50 - fine), "MAU-06")


def test_mau_06_the_winner_is_credited_with_the_fines() -> None:
    options = replace(DUEL, players=3)
    recorder = table(options, {0: FOLLOWS_NOTHING[0], 1: "KS"}, "KH", "KC").unable()
    recorder.play("KS")
    log = recorder.finish()
    verdict = judge(log)
    fines = Counter(event["seat"] for event in log if event["event"] == "unable")
    assert verdict.winner is not None
    assert [line["fines"] for line in verdict.details] == [-50 * fines[seat] for seat in range(3)]
    won = [line["fines_won"] for line in verdict.details]
    assert won == [50 * fines.total() if seat == verdict.winner else 0 for seat in range(3)]
    assert fines[0] > 0


# ---------------------------------------------------------------- MAU-07


def test_mau_07_a_barred_player_whose_last_card_does_not_follow_is_fined_again() -> None:
    recorder = barred("2S", "3S").play("2S").play("2H")
    assert (recorder.table.hand, recorder.table.barred) == (["3S"], [True, False])
    rejected(barred("2S", "3S").play("2S").play("2H").write("pass", why="barred"), "MAU-07")
    recorder.unable()
    assert told(recorder)[-2] == "11.0 unable 50"
    accepted(recorder)


def last_card_follows() -> Recorder:
    """Turn 11: barred, seat 0 holds one card, and it follows."""
    recorder = barred("2S", "3H").play("2S").play("2H")
    assert (recorder.table.hand, recorder.table.can_follow()) == (["3H"], True)
    return recorder


def test_mau_07_he_passes_without_fine_or_draw() -> None:
    recorder = last_card_follows().pass_barred()
    assert told(recorder)[-1] == "11.0 pass barred"
    accepted(recorder)
    rejected(last_card_follows().write("play", "3H", suit=None), "MAU-07")
    rejected(last_card_follows().write("unable", fine=50), "MAU-07")
    rejected(last_card_follows().write("pass", why="eight"), "MAU-07")
    recorder = last_card_follows()
    rejected(recorder.write("draw", recorder.table.next_cards(1), why="unable"), "MAU-07")


def test_mau_07_not_with_two_jacks_either() -> None:
    recorder = barred_with_two_jacks()
    assert (sorted(recorder.table.hand), recorder.table.barred) == (["JD", "JS"], [True, False])
    rejected(recorder.write("play", "JS JD", suit="D"), "MAU-07")
    recorder = barred_with_two_jacks().play("JD", "H")
    assert told(recorder)[-2:] == ["12.0 play JD H", "12.0 call"]
    accepted(recorder)
    rejected(barred_with_two_jacks().write("pass", why="barred"), "MAU-07")


def test_mau_07_who_is_not_barred_does_not_pass() -> None:
    rejected(table(hands={0: "2S"}, start="9S").write("pass", why="barred"), "MAU-07")
    rejected(stuck("fine_draw").write("pass", why="barred"), "MAU-07")


@pytest.mark.parametrize("unable", ["draw_one", "draw_until"])
def test_mau_07_nobody_is_barred_where_nobody_is_fined(unable: str) -> None:
    hand = "AH AH AD AD AS AS TS"
    recorder = table(replace(DUEL, unable=unable), {0: hand, 1: "9H 4H 5H 6H TH KH 2H"}, "9D", "9C").unable()
    recorder = recorder.play_drawn().play("9H")
    verdict = judge(aces(recorder, "AH AH AD AD AS AS").play("TS").events)
    assert (verdict.reason, verdict.winner) == ("went_out", 0)


# ---------------------------------------------------------------- MAU-08


@pytest.mark.parametrize("unable", ["fine_draw", "fine_once"])
def test_mau_08_everybody_barred_all_bars_are_lifted_and_fines_stand(unable: str) -> None:
    recorder = stuck(unable).unable().unable()
    assert told(recorder) == [
        "1.0 unable 50",
        "1.0 draw KS unable",
        "2.1 unable 50",
        "2.1 draw QS unable",
        "2.1 bars_lifted",
    ]
    assert (recorder.table.barred, recorder.table.fines) == ([False, False], [50, 50])
    accepted(recorder)


def test_mau_08_who_was_barred_wins_after_the_bars_are_lifted_and_is_credited_with_his_own_fine() -> None:
    hands = {0: "AH AH AD AD AS AS 2S", 1: "TH TD 9H 9D 5H 5D 4H"}
    recorder = table(DUEL, hands, "KS 3D 3S", "KC").unable().unable()
    assert told(recorder)[-1] == "2.1 bars_lifted"
    recorder.play("KS").unable()
    assert recorder.table.barred == [False, True]
    verdict = judge(aces(recorder, "AS AH AH AD AD AS").play("2S").events)
    assert (verdict.winner, verdict.scores) == (0, [100, -158])
    nothing = {"factor": 1, "collected": 0}
    assert verdict.details == [
        {"hand": 0, "fines": -50, "fines_won": 150, "total": 100, **nothing},
        {"hand": -58, "fines": -100, "fines_won": 0, "total": -158, **nothing},
    ]


def test_mau_08_bars_are_lifted_after_the_draw_and_not_before() -> None:
    recorder = stuck("fine_draw").unable().write("unable", fine=50)
    rejected(recorder.write("bars_lifted"), "MAU-06")
    recorder = stuck("fine_draw").unable()
    recorder.table.turn, recorder.table.seat = 1, 0
    rejected(recorder.write("bars_lifted"), "MAU-08")


def test_mau_08_bars_are_not_left_in_place() -> None:
    recorder = stuck("fine_draw").unable().unable()
    del recorder.events[-1]
    rejected(recorder.write("play", "KS", suit=None), "MAU-08")


def test_mau_08_under_fine_only_the_round_is_void() -> None:
    recorder = stuck("fine_only").unable().unable()
    assert told(recorder) == ["1.0 unable 50", "2.1 unable 50", "2.1 void", "2 end void"]
    verdict = judge(recorder.events)
    assert (verdict.reason, verdict.winner) == ("void", None)
    assert verdict.scores == [-(2 + 3 + 4 + 5 + 6 + 9 + 10)] * 2
    assert all(line["fines"] == line["fines_won"] == 0 and line["factor"] == 1 for line in verdict.details)
    rejected([*recorder.events[:-2], {**recorder.events[-2], "event": "bars_lifted"}], "MAU-08")
    rejected([*recorder.events[:-2], recorder.events[-1]], "MAU-08")


def test_mau_08_under_fine_only_one_may_still_win_who_is_not_barred() -> None:
    options = Options(players=3, unable="fine_only")
    recorder = table(options, dict(enumerate(FOLLOWS_NOTHING)), start="KC").unable().unable()
    assert not recorder.over
    recorder.write("void", turn=2, seat=1)
    rejected(recorder, "MAU-08")


def test_mau_08_no_void_while_somebody_can_win() -> None:
    recorder = table(hands={0: "2S"}, start="9S")
    rejected(recorder.write("void"), "MAU-08")


def without_stock(unable: str) -> Referee:
    """Neither of two can follow, and there is nothing to draw.

    No deal leads there: while the hands hold all cards but one, some card follows. So the cards are taken away from
    the table after the deal.
    """
    options = replace(DUEL, unable=unable)
    recorder = table(options, dict(enumerate(FOLLOWS_NOTHING)), start="KC")
    recorder.table.stock = []
    recorder.unable().unable()
    referee = Referee(recorder.events)
    referee.read_deal()
    referee.table.stock = []
    referee.table.pack = dict(Counter([*FOLLOWS_NOTHING[0].split(), *FOLLOWS_NOTHING[1].split(), "KC"]))
    return referee


@pytest.mark.parametrize("unable", ["fine_draw", "fine_once", "draw_one", "draw_until"])
def test_mau_08_a_circuit_without_a_play_or_a_draw_is_void(unable: str) -> None:
    referee = without_stock(unable)
    reasons = []
    for _ in range(2):
        referee.play_turn()
        reasons.append(referee.reason)
    assert reasons == ["", "void"]
    assert referee.read_end().scores == [-39, -39]
    names = [event["event"] for event in referee.cursor.events]
    lifted = ["bars_lifted"] if unable.startswith("fine") else []
    assert names == ["deal", "unable", "unable", *lifted, "void", "end"]


def test_mau_08_a_turn_with_a_draw_breaks_the_circuit() -> None:
    recorder = stuck("draw_one", "3S 4S").unable().unable()
    assert recorder.table.idle_turns == 0
    assert not recorder.over
    accepted(recorder)
