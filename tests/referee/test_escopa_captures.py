"""The referee of Escopa on hand-written packs: captures, oversights, escopas (ESC-05, ESC-06, ESC-08)."""

from __future__ import annotations

import random
from itertools import chain
from itertools import combinations as choose

import pytest

from tests.referee.escopa import judge
from tests.referee.escopa_builder import Recorder
from tests.referee.escopa_cards import PACK, can_capture, combinations, makes_fifteen, total
from tests.referee.escopa_checks import accepted, rejected
from tests.referee.escopa_options import Options
from tests.referee.escopa_scenes import (
    BLIND,
    FOUR_ASKED,
    FREE,
    HALF,
    HALF_FREE,
    IF_PLAYED,
    NO_FIFTEEN,
    claim_some,
    dealer_takes,
    empty_table,
    four_twos,
    last_play,
    overlooked,
    overlooked_in_turn,
    pack,
)
from tests.referee.log_edits import edit

TABLE = "4H QD 2C 2H"  # an ace makes fifteen with 8 + 4 + 2, a three with 8 + 4, a seven with 8, a jack with 4 + 2

# ---------------------------------------------------------------- ESC-05: what captures


def test_esc_05_exactly_fifteen_with_one_or_more_table_cards() -> None:
    hand = {0: "7S 3S AS"}
    accepted(pack(hands=hand, table=TABLE).play("7S", "QD"))
    accepted(pack(hands=hand, table=TABLE).play("3S", "4H QD"))
    accepted(pack(hands=hand, table=TABLE).play("AS", "2C 4H QD"))
    rejected(pack(hands=hand, table=TABLE).play("7S", "QD 2C"), "ESC-05")
    rejected(pack(hands=hand, table=TABLE).play("7S", "4H 2C"), "ESC-05")
    rejected(pack(hands=hand, table=TABLE).play("3S", "QD"), "ESC-05")


def test_esc_05_the_order_of_the_cards_taken_says_nothing() -> None:
    for take in ("4H QD", "QD 4H"):
        accepted(pack(hands={0: "3S KS KH"}, table=TABLE).play("3S", take))


def test_esc_05_all_the_cards_taken_go_to_the_side() -> None:
    verdict = accepted(pack(hands={0: "3S KS KH"}, table=TABLE).play("3S", "4H QD"))
    assert verdict.sides[0].cards[:3] == ["3S", "4H", "QD"]


def test_esc_05_who_can_capture_must_with_any_card_and_any_combination() -> None:
    hand = {0: "7S JS KS"}
    rejected(pack(hands=hand, table=TABLE).play("7S"), "ESC-05")
    rejected(pack(hands=hand, table=TABLE).play("KS"), "ESC-05")
    accepted(pack(hands=hand, table=TABLE).play("7S", "QD"))
    accepted(pack(hands=hand, table=TABLE).play("JS", "4H 2C"))
    accepted(pack(hands={0: "7S KS KH"}, table="QD 5H 3D QC").play("7S", "QC"))
    accepted(pack(hands={0: "7S KS KH"}, table="QD 5H 3D QC").play("7S", "5H 3D"))


def test_esc_05_who_cannot_leaves_any_card() -> None:
    for card in ("KS", "KH", "JS"):
        accepted(pack(hands={0: "KS KH JS"}, table="QS QH JD JC").play(card))


def test_esc_05_if_played_any_card_may_be_played_but_one_that_makes_fifteen_takes() -> None:
    hand, table = {0: "7S 3S KS"}, "QD 2C 6S 6C"
    accepted(pack(IF_PLAYED, hand, table).play("KS"))
    accepted(pack(IF_PLAYED, hand, table).play("3S", "6S 6C"))
    rejected(pack(IF_PLAYED, hand, table).play("3S"), "ESC-05")
    rejected(pack(IF_PLAYED, hand, table).play("7S"), "ESC-05")
    rejected(pack(hands=hand, table=table).play("KS"), "ESC-05")


def test_esc_05_free_everything_may_be_left() -> None:
    hand, table = {0: "7S 3S KS"}, "QD 2C 6S 6C"
    for card in ("7S", "3S", "KS"):
        accepted(pack(FREE, hand, table).play(card))
    accepted(pack(FREE, hand, table).play("7S", "QD"))
    rejected(pack(FREE, hand, table).play("7S", "6S"), "ESC-05")


def test_esc_05_one_card_of_the_hand() -> None:
    recorder = pack(hands={0: "7S KS KH", 1: "7H JH JD"}, table=TABLE)
    for cards in (["7H"], ["QD"], [recorder.events[0]["stock"][0]]):
        rejected([*recorder.events, event(cards, ["QD"] if cards != ["QD"] else [])], "CARDS")
    for cards in ([], ["7S", "KS"]):
        rejected([*recorder.events, event(cards, ["QD"])], "ESC-05")


def event(cards: list[str], take: list[str], escopa: bool = False) -> dict[str, object]:
    """A play of the first turn."""
    return {"event": "play", "turn": 1, "seat": 0, "cards": cards, "take": take, "escopa": escopa}


def test_esc_05_only_cards_of_the_table_each_once() -> None:
    start = pack(hands={0: "7S QS KH", 1: "QH JH JD"}, table=TABLE).events
    rejected([*start, event(["7S"], ["QH"])], "CARDS")
    rejected([*start, event(["7S"], ["QS"])], "CARDS")
    rejected([*start, event(["7S"], ["QD", "QD"])], "CARDS")
    rejected([*start, event(["7S"], ["7S", "2C"])], "CARDS")
    rejected([*start, event(["7S"], ["JK"])], "CARDS")


def test_esc_05_captures_are_those_that_trying_all_subsets_finds() -> None:
    rng = random.Random(5)
    for size in (*range(11), 4, 4, 4):
        for figures in ("qjk", "jqk"):
            cards = rng.sample(PACK, size + 1)
            card, table = cards[0], cards[1:]
            subsets = chain.from_iterable(choose(table, count) for count in range(1, size + 1))
            wanted = {frozenset(subset) for subset in subsets if total([card, *subset], figures) == 15}
            found = [frozenset(way) for way in combinations(card, table, figures)]
            assert set(found) == wanted
            assert len(found) == len(wanted)
            assert can_capture(card, table, figures) == bool(wanted)
            assert all(makes_fifteen(card, list(way), figures) for way in wanted)


def test_esc_05_no_card_makes_fifteen_alone() -> None:
    assert not any(makes_fifteen(card, [], figures) for card in PACK for figures in ("qjk", "jqk"))
    assert not any(can_capture(card, [], "qjk") for card in PACK)


def test_esc_05_everything_works_for_forty_cards_on_the_table() -> None:
    recorder = pack(FREE).idle(35).ready()
    assert len(recorder.table.cards) == 39
    last = recorder.table.hand[0]
    take = next(combinations(last, recorder.table.cards, "qjk"))
    verdict = accepted(recorder.play(last, take))
    assert verdict.captures == 1
    assert len(verdict.leftover) == 39 - len(take)
    untouched = judge(pack(FREE).finish())
    assert len(untouched.leftover) == 40


# ---------------------------------------------------------------- ESC-06: oversights


def test_esc_06_who_overlooks_leaves_any_card_and_takes_nothing() -> None:
    for hand in ("7S KS KH", "KS 7S KH"):
        for options in (HALF, HALF_FREE, Options(overlook_rate=0.5, capture="if_played"), BLIND):
            accepted(overlooked(options, hand))
    rejected(four_twos(HALF).overlook().play("7S", NO_FIFTEEN), "ESC-06")


def test_esc_06_at_rate_nothing_nobody_overlooks() -> None:
    rejected(four_twos().overlook(), "ESC-06")
    rejected(four_twos(Options(overlook_rate=0.0)).overlook(), "ESC-06")


def test_esc_06_only_who_could_capture_overlooks() -> None:
    rejected(four_twos(HALF, "KS KH KD").overlook(), "ESC-06")
    rejected(four_twos(BLIND, "KS KH KD").overlook(), "ESC-06")
    rejected(four_twos(HALF).overlook().overlook(), "ESC-06")
    rejected(four_twos(HALF).overlook().write("leftover"), "ESC-09")


@pytest.mark.parametrize("capture", ["must", "if_played", "free"])
@pytest.mark.parametrize("rate", [1, 1.0])
def test_esc_06_at_rate_one_every_capture_is_overlooked(capture: str, rate: float) -> None:
    options = Options(overlook_rate=rate, capture=capture)
    rejected(four_twos(options).play("7S", NO_FIFTEEN), "ESC-06")
    rejected(four_twos(options).play("KS"), "ESC-06")
    accepted(four_twos(options).overlook().play("KS"))
    accepted(four_twos(options, "KS KH KD").play("KS"))


def test_esc_06_between_the_rates_both_may_be() -> None:
    accepted(four_twos(HALF).play("7S", NO_FIFTEEN))
    accepted(overlooked(HALF))
    rejected(four_twos(HALF).play("KS"), "ESC-05")


def test_esc_06_the_next_seat_may_claim_before_his_own_play() -> None:
    verdict = accepted(overlooked().claim(f"7S {NO_FIFTEEN}"))
    assert verdict.sides[1].cards[:5] == ["7S", "2S", "2H", "2D", "2C"]
    accepted(overlooked())
    recorder = overlooked(HALF_FREE)
    rejected(recorder.play(recorder.table.hand[0]).claim(f"7S {NO_FIFTEEN}"), "ESC-06")


def test_esc_06_a_claim_bears_the_claimants_seat_and_turn() -> None:
    log = overlooked().claim(f"7S {NO_FIFTEEN}").events
    assert (log[-1]["seat"], log[-1]["turn"]) == (1, 2)
    rejected(edit(log, len(log) - 1, seat=0), "ESC-06")
    rejected(edit(log, len(log) - 1, turn=1), "LOG")


@pytest.mark.parametrize("players", [3, 4])
def test_esc_06_nobody_but_the_next_seat_claims(players: int) -> None:
    options = Options(players=players, overlook_rate=0.5)
    log = overlooked(options).claim(f"7S {NO_FIFTEEN}").events
    assert log[-1]["seat"] == 1
    for seat in (0, 2, players - 1):
        rejected(edit(log, len(log) - 1, seat=seat), "ESC-06")


def test_esc_06_the_claim_is_one_combination_with_that_card() -> None:
    table, hand = "QD 5H 3D QC", "7S KS KH"
    for cards in ("7S QD", "7S QC", "7S 5H 3D", "7S 3D 5H"):
        accepted(overlooked(HALF, hand, table).claim(cards))
    rejected(overlooked(HALF, hand, table).claim("QD 7S"), "ESC-06")
    rejected(overlooked(HALF, hand, table).claim("7S"), "ESC-06")
    rejected(overlooked(HALF, hand, table).claim(""), "ESC-06")
    rejected(overlooked(HALF, hand, table).claim("7S QD QC"), "ESC-06")
    rejected(overlooked(HALF, hand, table).claim("7S 5H"), "ESC-06")
    rejected(claim_of(overlooked(HALF, hand, table), ["7S", "QS"]), "CARDS")
    rejected(claim_of(overlooked(HALF, hand, table), ["7S", "QD", "7S"]), "CARDS")
    rejected(claim_of(overlooked(HALF, hand, table), ["7S", "KH"]), "CARDS")


def claim_of(recorder: Recorder, cards: list[str]) -> list[dict[str, object]]:
    """A claim of cards that need not be there."""
    return recorder.write("claim", cards, escopa=False).events


def test_esc_06_another_card_than_the_one_just_left_is_not_claimed() -> None:
    table = "5H KD 3D QC"
    rejected(overlooked(HALF, "JS 7S KH", table).claim("5H KD"), "ESC-06")
    rejected(overlooked(HALF, "JS 7S KH", table).claim("JS 3D"), "ESC-06")
    accepted(overlooked(HALF, "JS 7S KH", table))


def test_esc_06_what_is_left_on_purpose_is_not_claimed() -> None:
    hand = "7S KS KH"
    rejected(four_twos(HALF_FREE, hand).play("7S").claim(f"7S {NO_FIFTEEN}"), "ESC-06")
    rejected(four_twos(FREE, hand).play("7S").claim(f"7S {NO_FIFTEEN}"), "ESC-06")


def test_esc_06_where_everybody_overlooks_nobody_claims() -> None:
    rejected(overlooked(BLIND).claim(f"7S {NO_FIFTEEN}"), "ESC-06")


def test_esc_06_a_claim_once_and_then_the_own_play() -> None:
    recorder = overlooked(HALF, "7S KS KH", "QD 5H 3D QC").claim("7S QD")
    log = recorder.events
    rejected([*log, {**log[-1]}], "ESC-06")
    accepted(recorder)


def test_esc_06_claimant_may_then_overlook_and_capture_what_still_lies_there() -> None:
    recorder = pack(HALF, {0: "7S KS KH", 1: "7H KD KC"}, "QD QC 2S 2H").overlook().play("7S").claim("7S QD")
    accepted(recorder.overlook().play("7H").claim("7H QC"))
    recorder = pack(HALF, {0: "7S KS KH", 1: "7H KD KC"}, "QD QC 2S 2H").overlook().play("7S").claim("7S QD")
    accepted(recorder.play("7H", "QC"))


def test_esc_06_a_claim_at_the_end_of_the_hands_comes_before_the_deal() -> None:
    log = claim_some(overlooked_in_turn(6)).ready().events
    claim, deal = log[-2:]
    assert (claim["event"], claim["turn"], claim["seat"]) == ("claim", 7, 0)
    assert (deal["event"], deal["turn"], deal["dealer"]) == ("deal_hands", 7, 0)
    accepted(claim_some(overlooked_in_turn(6)))
    rejected([*log[:-2], deal, claim], "ESC-06")
    rejected(edit(log[:-1], len(log) - 2, turn=6), "LOG")


def test_esc_06_the_seat_to_the_right_claims_whoever_leads_next() -> None:
    options = Options(players=3, overlook_rate=0.5, capture="free")
    recorder = claim_some(overlooked_in_turn(9, options))
    assert recorder.events[-1]["seat"] == 0
    recorder.ready()
    assert (recorder.table.dealer, recorder.table.seat) == (0, 1)
    accepted(recorder)


def test_esc_06_after_the_last_card_the_next_seat_may_still_claim() -> None:
    log = claim_some(overlooked_in_turn(36)).finish()
    claim, leftover, end = log[-3:]
    assert (claim["event"], claim["turn"], leftover["turn"], end["turn"]) == ("claim", 36, 36, 36)
    verdict = judge(log)
    assert claim["seat"] == leftover["seat"] == (log[-4]["seat"] + 1) % 2
    assert [len(side.cards) for side in verdict.sides] == ([40, 0] if claim["seat"] == 0 else [0, 40])
    rejected(edit(log[:-2], len(log) - 3, turn=37), "LOG")
    rejected(edit(log[:-2], len(log) - 3, seat=log[-4]["seat"]), "ESC-06")


def test_esc_06_a_claim_counts_as_the_last_capture() -> None:
    log = claim_some(overlooked_in_turn(20)).finish()
    judge(log)
    claim = next(event for event in log if event["event"] == "claim")
    assert log[-2]["seat"] == claim["seat"]


# ---------------------------------------------------------------- ESC-08: escopas


def wrongly_called(recorder: Recorder) -> list[dict[str, object]]:
    """The last event with the other value of `escopa`."""
    log = recorder.events
    return edit(log, len(log) - 1, escopa=not log[-1]["escopa"])


def test_esc_08_a_play_that_clears_the_whole_table() -> None:
    recorder = four_twos().play("7S", NO_FIFTEEN)
    assert recorder.events[-1]["escopa"] is True
    rejected(wrongly_called(recorder), "ESC-08")
    assert accepted(recorder).sides[0].escopas >= 1


def test_esc_08_cards_left_on_the_table_are_no_escopa() -> None:
    recorder = pack(hands={0: "7S KS KH"}, table=TABLE).play("7S", "QD")
    assert recorder.events[-1]["escopa"] is False
    rejected(wrongly_called(recorder), "ESC-08")
    rejected(wrongly_called(pack(hands={0: "KS KH KD"}, table=NO_FIFTEEN).play("KS")), "ESC-08")


def test_esc_08_clear_table_takes_any_number_of_cards() -> None:
    recorder = empty_table().play("KC").play("5S", "KC")
    assert recorder.events[-1]["escopa"] is True
    rejected(wrongly_called(recorder), "ESC-08")
    accepted(recorder)


def test_esc_08_the_first_card_on_an_empty_table_is_none() -> None:
    recorder = empty_table().play("KC")
    assert recorder.events[-1]["escopa"] is False
    rejected(wrongly_called(recorder), "ESC-08")


def test_esc_08_exactly_four_takes_exactly_four_cards_that_are_the_whole_table() -> None:
    recorder = four_twos(FOUR_ASKED).play("7S", NO_FIFTEEN)
    assert recorder.events[-1]["escopa"] is True
    accepted(recorder)
    recorder = empty_table(FOUR_ASKED).play("KC").play("5S", "KC")
    assert recorder.events[-1]["escopa"] is False
    rejected(wrongly_called(recorder), "ESC-08")
    accepted(recorder)
    four_of_five = pack(FOUR_ASKED, {0: "KS KH KD", 1: "7S JS JH"}, NO_FIFTEEN).play("KS").play("7S", NO_FIFTEEN)
    assert four_of_five.events[-1]["escopa"] is False
    accepted(four_of_five)


@pytest.mark.parametrize("escopa", ["clear_table", "exactly_four"])
def test_esc_08_a_claim_that_clears_the_table_is_an_escopa(escopa: str) -> None:
    options = Options(overlook_rate=0.5, escopa=escopa)
    recorder = overlooked(options).claim(f"7S {NO_FIFTEEN}")
    assert recorder.events[-1]["escopa"] is True
    rejected(wrongly_called(recorder), "ESC-08")
    assert accepted(recorder).sides[1].escopas >= 1


def test_esc_08_a_claim_takes_four_others_where_four_are_asked() -> None:
    options = Options(overlook_rate=0.5, escopa="exactly_four", dealer_take="twice")
    recorder = empty_table(options).play("KC").overlook().play("5S")
    claimed = recorder.claim("5S KC")
    assert claimed.events[-1]["escopa"] is False
    rejected(wrongly_called(claimed), "ESC-08")
    accepted(claimed)
    three_others = pack(options, {0: "5S KH QD"}, "KC 2S 2H 2D").overlook().play("5S").claim("5S KC")
    assert last_play(three_others) == "5S"
    rejected(wrongly_called(three_others), "ESC-08")
    rejected(wrongly_called(overlooked(HALF, "7S KS KH", "QD 5H 3D QC").claim("7S QD")), "ESC-08")


@pytest.mark.parametrize(("four", "count"), [("7S 4H 3D AC", 1), ("KS 5H JD 6C", 2)])
def test_esc_08_the_dealers_fifteens_count_as_escopas(four: str, count: int) -> None:
    counted = accepted(dealer_takes(four))
    ignored = accepted(dealer_takes(four, options=Options(dealer_escopas=False)))
    assert counted.details[1]["escopas"] == ignored.details[1]["escopas"] + count
    for options in (Options(), Options(dealer_escopas=False)):
        log = dealer_takes(four, options=options).finish()
        detail = [log[-1]["detail"][0], {**log[-1]["detail"][1]}]
        detail[1]["escopas"] += count if options.dealer_escopas is False else -count
        rejected(edit(log, len(log) - 1, detail=detail), "ESC-08")


def test_esc_08_two_takes_are_three_escopas() -> None:
    verdict = accepted(dealer_takes("7S 4H 3D AC", "KS 5H JD 6C"))
    assert (
        verdict.sides[1].escopas
        - sum(
            bool(event.get("escopa")) and event["seat"] == 1
            for event in dealer_takes("7S 4H 3D AC", "KS 5H JD 6C").finish()
        )
        == 3
    )
