"""The referee of Escopa on hand-written packs: cards, seats, deals (ESC-01 to ESC-04), and the form of a log."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from tests.referee.escopa import judge
from tests.referee.escopa_cards import PACK, VALUES, total, value_of
from tests.referee.escopa_checks import accepted, rejected
from tests.referee.escopa_options import Options
from tests.referee.escopa_scenes import (
    BLIND,
    JACK_EIGHT,
    SCENES,
    all_on_the_table,
    dealer_takes,
    four_twos,
    overlooked,
    pack,
)
from tests.referee.log import Event, RuleBroken, read_jsonl
from tests.referee.log_edits import edit

ONE_DEALER = Options(deal_passes=False)


def deal_with(options: Options | None = None, **changes: Any) -> list[Event]:
    """An idle pack whose first line has these fields."""
    first, *others = pack(options).finish()
    return [{**first, **changes}, *others]


def seats_of(log: list[Event], *names: str) -> list[int]:
    """The seats of the events of these names."""
    return [event["seat"] for event in log if event["event"] in names]


@pytest.mark.parametrize("name", SCENES)
def test_hand_written_packs_are_accepted(name: str) -> None:
    log = SCENES[name]()
    verdict = judge(log)
    assert verdict.events == len(log)
    assert verdict.reason == "pack_out"
    assert verdict.scores == [lines["total"] for lines in verdict.details] == log[-1]["scores"]


def test_a_fault_names_article_event_turn_and_seat() -> None:
    log = pack().finish()
    with pytest.raises(RuleBroken) as caught:
        judge(edit(log, 3, cards=[]))
    assert (caught.value.article, caught.value.event_index) == ("ESC-05", 3)
    assert (caught.value.turn, caught.value.seat) == (3, 0)


def test_a_verdict_says_what_each_side_has() -> None:
    log = four_twos().play("7S", "2S 2H 2D 2C").finish()
    verdict = judge(log)
    assert (verdict.turns, verdict.captures, len(verdict.leftover)) == (36, 14, 2)
    assert verdict.sides[0].cards[:5] == ["7S", "2S", "2H", "2D", "2C"]
    assert sum(len(side.cards) for side in verdict.sides) == 40
    assert [side.escopas for side in verdict.sides] == [lines["escopas"] for lines in verdict.details]


def test_packs_are_read_from_json_lines() -> None:
    logs = [SCENES["cards over"](), SCENES["claimed"]()]
    lines = [json.dumps(event) for log in logs for event in log]
    assert [judge(log).turns for log in read_jsonl([*lines, ""])] == [30, 36]


# ---------------------------------------------------------------- ESC-01: the cards


def test_esc_01_forty_cards() -> None:
    assert len(set(PACK)) == 40
    assert Counter(card[0] for card in PACK) == dict.fromkeys("A234567QJK", 4)
    log = deal_with()
    rejected(edit(log[:1], 0, stock=["8S", *log[0]["stock"][1:]]), "ESC-01")
    rejected(edit(log[:1], 0, stock=["JK", *log[0]["stock"][1:]]), "ESC-01")
    rejected(edit(log[:1], 0, table=[log[0]["stock"][0], *log[0]["table"][1:]]), "ESC-01")


def test_esc_01_what_cards_count() -> None:
    assert [value_of(rank + "S", "qjk") for rank in "A234567QJK"] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    assert [value_of(rank + "S", "jqk") for rank in "A234567JQK"] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    assert set(VALUES) == {"qjk", "jqk"}


@pytest.mark.parametrize("figures", ["qjk", "jqk"])
def test_esc_01_the_pack_totals_220(figures: str) -> None:
    assert total(PACK, figures) == 220
    assert 220 % 15 == 10


def test_esc_01_the_worked_fifteens() -> None:
    for cards in ("7S QH", "3S 4H QD", "7S 4H 3D AC", "KS 5H", "JS 6H"):
        assert total(cards.split(), "qjk") == 15
    for cards in ("7S JH", "3S 4H JD", "KS 5H", "QS 6H"):
        assert total(cards.split(), "jqk") == 15


def test_esc_01_the_order_of_the_figures_decides_what_captures() -> None:
    hand, table = {0: "7S 7H 7D"}, "QS JH KD KC"
    accepted(pack(hands=hand, table=table).play("7S", "QS"))
    rejected(pack(hands=hand, table=table).play("7S", "JH"), "ESC-05")
    accepted(pack(JACK_EIGHT, hand, table).play("7S", "JH"))
    rejected(pack(JACK_EIGHT, hand, table).play("7S", "QS"), "ESC-05")


# ---------------------------------------------------------------- ESC-02: players and seats


@pytest.mark.parametrize(("players", "sides"), [(2, 2), (3, 3), (4, 2)])
def test_esc_02_two_three_or_four_in_pairs(players: int, sides: int) -> None:
    options = Options(players=players)
    assert options.sides == sides
    assert [options.side_of(seat) for seat in range(players)] == [seat % sides for seat in range(players)]
    log = pack(options).finish()
    verdict = judge(log)
    assert len(verdict.scores) == len(verdict.sides) == len(log[0]["scores_before"]) == sides
    assert sorted(card for side in verdict.sides for card in side.cards) == sorted(PACK)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_esc_02_the_player_at_the_dealers_right_begins_and_play_passes_to_the_right(players: int) -> None:
    options = Options(players=players)
    log = pack(options).finish()
    plays = seats_of(log, "play")
    assert plays[: 3 * players] == [*range(players)] * 3
    first_line = log[:1]
    for wrong in range(1, players):
        rejected(edit(first_line, 0, first=wrong), "ESC-02")
        rejected(edit(log[:3], 2, seat=(log[2]["seat"] + wrong) % players), "ESC-02")
    rejected(edit(log[:2], 1, seat=players), "ESC-02")


def test_esc_02_no_other_number_of_players() -> None:
    log = deal_with()
    for players in (1, 5, 2.0, "2", True):
        rejected(edit(log[:1], 0, options={**log[0]["options"], "players": players}), "LOG")
    rejected(edit(log[:1], 0, policies=["scripted"] * 3), "LOG")


def test_esc_02_partners_take_for_one_side() -> None:
    hands = {0: "JS JH JD", 1: "QS QH QD", 2: "7S KS KH"}
    recorder = pack(Options(players=4, capture="free"), hands, "2S 2H AD AC").idle(2)
    verdict = accepted(recorder.play("7S", "QS"))
    assert (len(verdict.sides[0].cards), len(verdict.sides[1].cards)) == (40, 0)
    assert verdict.sides[0].cards[:2] == ["7S", "QS"]


# ---------------------------------------------------------------- ESC-03: the first deal


@pytest.mark.parametrize("players", [2, 3, 4])
def test_esc_03_in_a_batch_every_seat_deals_in_turn(players: int) -> None:
    log = pack(Options(players=players)).finish()
    assert log[0]["dealer"] == log[0]["deal"] % players
    for step in range(1, players):
        rejected(edit(log[:1], 0, deal=log[0]["deal"] + step), "ESC-03")
    assert judge(edit(log, 0, deal=log[0]["deal"] + 5 * players)).turns == 36
    rejected(edit(log[:1], 0, dealer=players), "LOG")


def test_esc_03_three_cards_each_and_four_on_the_table() -> None:
    deal = pack().events[0]
    hands, table, stock = deal["hands"], deal["table"], deal["stock"]
    rejected([{**deal, "hands": [[*hands[0], stock[0]], hands[1]], "stock": stock[1:]}], "ESC-03")
    rejected([{**deal, "hands": [hands[0][1:], hands[1]], "stock": [hands[0][0], *stock]}], "ESC-03")
    rejected([{**deal, "hands": [*hands, stock[:3]], "stock": stock[3:]}], "ESC-03")
    rejected([{**deal, "table": table[1:], "stock": [table[0], *stock]}], "ESC-03")
    rejected([{**deal, "table": [*table, stock[0]], "stock": stock[1:]}], "ESC-03")
    rejected([{**deal, "stock": stock[1:]}], "ESC-03")


# ---------------------------------------------------------------- ESC-04: the later deals


@pytest.mark.parametrize(
    ("players", "passes", "dealers", "leaders"),
    [
        (2, True, [0, 1, 0, 1, 0], [1, 0, 1, 0, 1]),
        (2, False, [1, 1, 1, 1, 1], [0, 0, 0, 0, 0]),
        (3, True, [0, 1, 2], [1, 2, 0]),
        (3, False, [2, 2, 2], [0, 0, 0]),
        (4, True, [0, 1], [1, 2]),
        (4, False, [3, 3], [0, 0]),
    ],
)
def test_esc_04_the_next_dealer_and_the_player_at_his_right(
    players: int, passes: bool, dealers: list[int], leaders: list[int]
) -> None:
    log = all_on_the_table(players, passes).finish()
    judge(log)
    deals = [index for index, event in enumerate(log) if event["event"] == "deal_hands"]
    assert [log[index]["dealer"] for index in deals] == [log[index]["seat"] for index in deals] == dealers
    assert [log[index + 1]["seat"] for index in deals] == leaders
    wrong = edit(log[: deals[0] + 1], deals[0], dealer=(dealers[0] + 1) % players)
    rejected(wrong, "ESC-04")
    rejected(edit(log[: deals[0] + 1], deals[0], seat=(dealers[0] + 1) % players), "ESC-04")
    leads = edit(log[: deals[0] + 2], deals[0] + 1, seat=(leaders[0] + 1) % players)
    rejected(leads, "ESC-04")


def test_esc_04_one_dealer_or_another_by_the_option() -> None:
    passing, staying = pack().finish(), pack(ONE_DEALER).finish()
    first = next(index for index, event in enumerate(passing) if event["event"] == "deal_hands")
    for log, passes in ((passing, False), (staying, True)):
        changed = edit(log, 0, options={**log[0]["options"], "deal_passes": passes})
        rejected(changed[: first + 1], "ESC-04")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_esc_04_singly_from_the_same_stock(players: int) -> None:
    log = all_on_the_table(players).finish()
    index = next(index for index, event in enumerate(log) if event["event"] == "deal_hands")
    deal, stock = log[index], log[0]["stock"]
    for step in range(players):
        seat = (deal["dealer"] + 1 + step) % players
        assert deal["hands"][seat] == stock[step : 3 * players : players]
    packets = [stock[3 * seat : 3 * seat + 3] for seat in range(players)]
    rejected(edit(log[: index + 1], index, hands=packets), "ESC-04")
    rejected(edit(log[: index + 1], index, hands=deal["hands"][::-1]), "ESC-04")
    rejected(edit(log[: index + 1], index, hands=[[stock[-1], *deal["hands"][0][1:]], *deal["hands"][1:]]), "CARDS")
    rejected(edit(log[: index + 1], index, hands=[deal["hands"][0][1:], *deal["hands"][1:]]), "ESC-04")
    rejected(edit(log[: index + 1], index, hands=deal["hands"][1:]), "ESC-04")
    rejected(edit(log[: index + 1], index, cards=deal["hands"][0]), "LOG")
    accepted_log = edit(log, index, hands=[hand[::-1] for hand in deal["hands"]])
    assert judge(accepted_log).turns == 36


def test_esc_04_no_new_table_cards() -> None:
    log = pack().idle(6).events
    rejected([*log, {"event": "to_table", "turn": 7, "seat": 0, "cards": log[0]["stock"][:4]}], "ESC-04")
    rejected([*log[:2], {"event": "to_table", "turn": 2, "seat": 1, "cards": log[0]["stock"][:4]}], "ESC-07")


def test_esc_04_only_when_all_hands_are_empty_and_as_long_as_cards_are_left() -> None:
    whole = pack().finish()
    index = next(index for index, event in enumerate(whole) if event["event"] == "deal_hands")
    early = {**whole[index], "turn": whole[index - 1]["turn"]}
    rejected([*whole[: index - 1], early], "ESC-04")
    rejected([*whole[: index + 1], whole[index]], "ESC-04")
    rejected([*whole[:index], whole[index + 1]], "ESC-04")
    rejected([*whole[:index], {**whole[-2], "turn": 7, "cards": []}], "ESC-04")
    rejected([*whole[:index], whole[-1]], "ESC-04")
    rejected([*whole[:3], whole[-1]], "ESC-04")
    assert sum(event["event"] == "deal_hands" for event in whole) == 5


@pytest.mark.parametrize(
    ("players", "take", "turns", "deals"),
    [(2, False, 36, 5), (3, False, 36, 3), (4, False, 36, 2), (2, True, 32, 5), (3, True, 30, 3), (4, True, 32, 2)],
)
def test_esc_04_every_card_is_a_turn(players: int, take: bool, turns: int, deals: int) -> None:
    options = Options(players=players)
    log = (dealer_takes(options=options) if take else pack(options)).finish()
    assert judge(log).turns == turns
    assert [event["turn"] for event in log if event["event"] == "play"] == list(range(1, turns + 1))
    assert sum(event["event"] == "deal_hands" for event in log) == deals


# ---------------------------------------------------------------- the form of a log


def test_the_number_of_each_turn_is_checked() -> None:
    log = dealer_takes(options=Options(players=3)).finish()
    for index, event in enumerate(log[1:-1], start=1):
        for step in (-1, 1):
            rejected(edit(log[: index + 1], index, turn=event["turn"] + step), "LOG")
    rejected(edit(log, len(log) - 1, turn=31), "LOG")


def test_every_field_is_there_with_its_type_and_no_other() -> None:
    for log in (overlooked().claim("7S 2S 2H 2D 2C").finish(), dealer_takes(options=Options(players=3)).finish()):
        for index, event in enumerate(log):
            part = log[: index + 1]
            for field in event:
                without = [*part[:-1], {name: value for name, value in event.items() if name != field}]
                rejected(without, "LOG")
                wrong = {"nobody": 1} if field != "seat" or event["event"] != "leftover" else "0"
                rejected([*part[:-1], {**event, field: wrong}], "LOG")
            rejected([*part[:-1], {**event, "pile": []}], "LOG")


def test_names_of_other_games_are_unknown() -> None:
    log = pack().events
    rejected([*log, {"event": "draw", "turn": 1, "seat": 0, "cards": ["7S"]}], "LOG")
    rejected(edit(log, 0, game="canasta"), "LOG")
    with pytest.raises(RuleBroken):
        judge([])


def test_options_are_all_there() -> None:
    log = pack().events
    options = log[0]["options"]
    assert list(options) == [
        "players",
        "figures",
        "deal_passes",
        "capture",
        "overlook_rate",
        "dealer_take",
        "escopa",
        "dealer_escopas",
        "all_replaces_most",
        "primeira",
        "target",
    ]
    for name in options:
        rejected(edit(log, 0, options={k: v for k, v in options.items() if k != name}), "LOG")
        rejected(edit(log, 0, options={**options, name: "no such value"}), "LOG")
        rejected(edit(log, 0, options={**options, name: None}), "LOG")
    for rate in (-0.01, 1.01, True, float("nan")):
        rejected(edit(log, 0, options={**options, "overlook_rate": rate}), "LOG")
    for target in (0, -21, 21.0, True):
        rejected(edit(log, 0, options={**options, "target": target}), "LOG")


def test_cards_are_conserved() -> None:
    recorder = pack(BLIND).ready()
    recorder.table.check_cards()
    for _ in range(40):
        recorder.idle()
        recorder.table.check_cards()
    recorder.table.taken[0].append("7D")
    with pytest.raises(RuleBroken):
        recorder.table.check_cards()
