"""Results do not change unnoticed: whole deals, event by event, as they were."""

from __future__ import annotations

import json

import pytest

from kernels import registry
from tests.golden.deals import FOLDER, GOLDEN, Golden


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda golden: golden.name)
def test_the_deal_is_played_as_it_was(golden: Golden) -> None:
    kept = [json.loads(line) for line in golden.path.read_text().splitlines()]
    played = [json.loads(line) for line in golden.played().splitlines()]
    for number, (before, now) in enumerate(zip(kept, played, strict=False)):
        assert now == before, f"event {number}; where this is meant: python -m tests.golden.regenerate"
    assert len(played) == len(kept)


def test_no_file_is_left_over_and_every_game_has_one() -> None:
    assert {path.name for path in FOLDER.glob("*.jsonl")} == {golden.path.name for golden in GOLDEN}
    assert {golden.game for golden in GOLDEN} == set(registry.GAMES)


def test_between_them_the_deals_of_canastra_show_every_policy_table_end_and_event() -> None:
    logs = [
        [json.loads(line) for line in golden.path.read_text().splitlines()]
        for golden in GOLDEN
        if golden.game == "canastra"
    ]
    policies = {policy.partition(":")[0] for log in logs for policy in log[0]["policies"]}
    assert policies == {policy.name for policy in registry.spec("canastra").policies}
    assert {log[0]["options"]["players"] for log in logs} == {2, 4}
    assert {log[-1]["reason"] for log in logs} == {"batida", "stock_out"}
    names = {event["event"] for log in logs for event in log}
    assert names >= {"red_three", "take_pile", "meld", "extend", "take_morto", "morto_opened", "discard", "go_out"}


def test_between_them_the_deals_of_escopa_show_every_policy_table_and_event() -> None:
    logs = [
        [json.loads(line) for line in golden.path.read_text().splitlines()]
        for golden in GOLDEN
        if golden.game == "escopa"
    ]
    policies = {policy.partition(":")[0] for log in logs for policy in log[0]["policies"]}
    assert policies == {policy.name for policy in registry.spec("escopa").policies}
    for option in registry.spec("escopa").options:
        if option.choices:
            assert {log[0]["options"][option.name] for log in logs} >= set(option.choices[:2]), option.name
    assert {log[0]["options"]["players"] for log in logs} == {2, 3, 4}
    names = {event["event"] for log in logs for event in log}
    assert names >= {"dealer_take", "to_table", "deal_hands", "play", "overlook", "claim", "leftover"}
    assert {None} < {log[-2]["seat"] for log in logs}


def test_between_them_the_rounds_of_mau_mau_show_every_event_policy_and_way_of_playing_jacks() -> None:
    logs = [
        [json.loads(line) for line in golden.path.read_text().splitlines()]
        for golden in GOLDEN
        if golden.game == "mau_mau"
    ]
    policies = {policy.partition(":")[0] for log in logs for policy in log[0]["policies"]}
    assert policies == {policy.name for policy in registry.spec("mau_mau").policies}
    assert {log[0]["options"]["players"] for log in logs} == {2, 3, 4, 10}
    assert len({log[0]["options"]["unable"] for log in logs}) == 5
    assert {log[-1]["reason"] for log in logs} == {"went_out", "void"}
    plays = [event for log in logs for event in log if event["event"] == "play"]
    assert {len(play["cards"]) for play in plays} == {1, 2}
    assert any(play["suit"] is None for play in plays if play["cards"][0][0] == "J")
    told = {(event["event"], event.get("why")) for log in logs for event in log[1:-1]}
    assert told >= {("draw", why) for why in ("eight", "seven", "unable", "forgot_call", "start_card")}
    assert told >= {("pass", "barred"), ("pass", "eight")}
    bare = ("play", "unable", "skip", "reverse", "call", "bars_lifted", "reshuffle", "go_out", "void")
    assert told >= {(name, None) for name in bare}
