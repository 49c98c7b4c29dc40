"""What the rest of the program relies on, for every registered game."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kernels import registry
from kernels.cards import card_number
from kernels.spec import Option
from sim import batch
from sim.games import Setup, make_setup
from sim.replay import Replayer
from tests.trees import run_python

SEED = 2**64 - 3
GAMES = sorted(registry.GAMES)

pytestmark = pytest.mark.parametrize("game", GAMES)

Records = batch.Records


def play(setup: Setup, first: int, count: int) -> Records:
    return batch.play(setup, batch.deal_jobs(setup, first, count))


def mixed(game: str, seed: int = SEED, **rules: Any) -> Setup:
    """A table where every policy sits somewhere, as far as the seats go."""
    spec = registry.spec(game)
    seats = spec.seats({option.name: rules.get(option.name, option.default) for option in spec.options})
    names = [policy.name for policy in spec.policies]
    return make_setup(game, seed=seed, policies=[names[seat % len(names)] for seat in range(seats)], rules=rules)


def values_of(option: Option) -> list[Any]:
    """Every value of a choice or flag; the ends of a range; ranks one by one, none and all."""
    if option.kind == "choice":
        return list(option.choices)
    if option.kind == "flag":
        return [False, True]
    if option.kind == "ranks":
        return [[], *([rank] for rank in option.choices), list(option.choices), list(option.default)]
    if option.kind == "scores":
        return [list(option.default), [option.low, option.high], [option.high] * len(option.default)]
    if option.kind == "rate":
        return [0.0, 0.25, 1.0]
    return [option.low, option.high]


def assert_equal(found: Records, expected: Records) -> None:
    """Field by field, since the gaps between the fields of a record hold anything."""
    assert found.dtype == expected.dtype
    for name in expected.dtype.names or ():
        np.testing.assert_array_equal(found[name], expected[name], err_msg=name)


def all_policies(game: str) -> Iterator[str]:
    """Every policy, with its defaults and with each parameter at either end of its range."""
    for policy in registry.spec(game).policies:
        yield policy.name
        for parameter in policy.parameters:
            for value in (parameter.low, parameter.high):
                yield f"{policy.name}:{parameter.name}={value}"


def test_every_deal_of_a_batch_is_played_and_says_which_it_is(game: str) -> None:
    setup = mixed(game)
    records = play(setup, 5, 400)
    assert (records["status"] == 1).all()
    np.testing.assert_array_equal(records["deal"], np.arange(5, 405))
    assert (records["match"] == -1).all()
    assert (records["reason"] < len(setup.spec.end_reasons)).all()
    assert (records["turns"] > 0).all()
    np.testing.assert_array_equal(records["dealer"], np.arange(5, 405) % setup.seats)
    assert ((records["first"] >= 0) & (records["first"] < setup.seats)).all()
    assert records["score"].shape[1] >= setup.sides
    best = records["score"][:, : setup.sides].max(axis=1)
    has_winner = (records["score"][:, : setup.sides] == best[:, None]).sum(axis=1) == 1
    winner = records["score"][:, : setup.sides].argmax(axis=1)
    np.testing.assert_array_equal(records["winner"][has_winner], winner[has_winner])
    assert len(np.unique(records["score"], axis=0)) > 10


def test_void_reasons_are_end_reasons_and_conflicts_name_an_option(game: str) -> None:
    spec = registry.spec(game)
    assert set(spec.void_reasons) <= set(spec.end_reasons)
    assert spec.conflict({option.name: option.default for option in spec.options}) is None


def test_deals_do_not_depend_on_how_they_are_chunked_nor_on_what_came_before(game: str) -> None:
    setup = mixed(game)
    whole = play(setup, 0, 300)
    for size in (1, 7, 64, 299):
        parts = [play(setup, first, min(size, 300 - first)) for first in range(0, 300, size)]
        assert_equal(np.concatenate(parts), whole)
    jobs = batch.deal_jobs(setup, 0, 300)
    assert_equal(batch.play(setup, jobs[::-1].copy())[::-1], whole)


@pytest.mark.parametrize(("threads", "chunk_size"), [(1, None), (2, 13), (5, 1), (5, 200)])
def test_rows_are_the_same_for_any_threads_and_chunk_size(game: str, threads: int, chunk_size: int | None) -> None:
    setup = mixed(game)
    assert_equal(batch.play_deals(setup, 0, 300, threads=threads, chunk_size=chunk_size), play(setup, 0, 300))


@pytest.mark.parametrize("deal", [0, 1, 17, 299, 10**12, 2**64 - 1])
def test_a_deal_alone_is_the_deal_in_the_run(game: str, deal: int) -> None:
    setup = mixed(game)
    first = max(0, deal - 20)
    assert_equal(play(setup, deal, 1), play(setup, first, deal - first + 1)[-1:])


def test_other_seeds_deals_and_matches_are_other_deals(game: str) -> None:
    jobs = batch.deal_jobs(mixed(game), 0, 200)
    in_match = jobs.copy()
    in_match["match"] = 3
    setups = [mixed(game, seed) for seed in (0, 1, SEED)]
    played = [batch.play(setup, jobs) for setup in setups] + [batch.play(setups[0], in_match)]
    fields = [name for name in played[0].dtype.names or () if name not in ("deal", "match")]
    rows = np.concatenate([np.column_stack([one[name] for name in fields]) for one in played])
    assert len(np.unique(rows, axis=0)) > len(rows) // 2


def test_the_same_cards_are_dealt_to_other_policies(game: str) -> None:
    spec = registry.spec(game)
    hands = []
    for policy in (spec.policies[0].name, spec.policies[-1].name):
        replayer = Replayer(make_setup(game, seed=SEED, policies=policy))
        hands.append([replayer.deal(deal)[0]["hands"] for deal in range(20)])
    assert hands[0] == hands[1]
    assert hands[0][0] != hands[0][1]


def test_the_event_log_changes_nothing_and_its_end_is_the_record(game: str) -> None:
    setup = mixed(game)
    spec = setup.spec
    records = play(setup, 0, 60)
    replayer = Replayer(setup)
    for deal, record in enumerate(records):
        events = json.loads(json.dumps(replayer.deal(deal)))
        assert_equal(replayer._records, records[deal : deal + 1])
        first, last = events[0], events[-1]
        assert [event["event"] for event in (first, last)] == ["deal", "end"]
        assert (first["game"], first["seed"], first["deal"], first["match"]) == (game, setup.seed, deal, None)
        assert first["options"] == dict(setup.options)
        assert first["policies"] == setup.policy_texts
        assert first["dealer"] == record["dealer"]
        assert len(first["hands"]) == setup.seats
        assert last["scores"] == record["score"][: setup.sides].tolist()
        assert last["reason"] == spec.end_reasons[record["reason"]]
        assert [detail["total"] for detail in last["detail"]] == last["scores"]
        turns = [event["turn"] for event in events[1:-1]]
        assert turns == sorted(turns)
        for event in events[1:-1]:
            assert {"event", "turn", "seat", "cards"} <= event.keys(), event
            for card in event["cards"]:
                card_number(card)


def test_every_policy_plays_under_every_value_of_every_option(game: str) -> None:
    spec = registry.spec(game)
    for option in spec.options:
        for value in values_of(option):
            for policy in spec.policies:
                setup = make_setup(game, seed=SEED, policies=policy.name, rules={option.name: value})
                assert (play(setup, 0, 10)["status"] == 1).all(), (option.name, value, policy.name)


def test_every_policy_plays_with_every_parameter_at_its_ends_and_under_every_preset(game: str) -> None:
    for preset in (None, *registry.spec(game).presets):
        for policy in all_policies(game):
            setup = make_setup(game, seed=SEED, policies=policy, rules=preset)
            assert (play(setup, 0, 10)["status"] == 1).all(), (preset, policy)


def test_matches_keep_seed_match_and_hand_apart(game: str) -> None:
    setup = mixed(game)
    jobs = batch.deal_jobs(setup, 0, 6)
    jobs["match"] = [0, 0, 0, 1, 1, 1]
    jobs["deal"] = [0, 1, 2, 0, 1, 2]
    together = batch.play(setup, jobs)
    assert_equal(np.concatenate([batch.play(setup, jobs[at : at + 1]) for at in range(6)]), together)
    assert together["match"].tolist() == [0, 0, 0, 1, 1, 1]


SAVE_RECORDS = """
import sys
import numpy as np
from sim import batch
from sim.games import make_setup
game, path, seed, count, *policies = sys.argv[1:]
setup = make_setup(game, seed=int(seed), policies=policies)
np.save(path, batch.play(setup, batch.deal_jobs(setup, 0, int(count))))
"""


def test_interpreted_records_equal_compiled_ones(game: str, tmp_path: Path) -> None:
    setup = mixed(game)
    path = tmp_path / "records.npy"
    arguments = [game, str(path), str(SEED), "6", *setup.policy_texts]
    run_python(["-c", SAVE_RECORDS, *arguments], environment={"NUMBA_DISABLE_JIT": "1"})
    assert_equal(np.load(path), play(setup, 0, 6))


COMPILATIONS = """
import sys
from numba.core import event
import kernels._jit
from sim import batch
from sim.games import make_setup
with event.install_recorder("numba:compile") as recorder:
    setup = make_setup(sys.argv[1])
    batch.play(setup, batch.deal_jobs(setup, 0, 10))
print(sum(one.is_start for _, one in recorder.buffer))
"""


def test_a_second_process_compiles_nothing(game: str) -> None:
    run_python(["-c", COMPILATIONS, game])
    assert run_python(["-c", COMPILATIONS, game]).stdout.strip() == "0"
