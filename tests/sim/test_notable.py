"""Deals worth looking at: found as a search through all rows finds them, and told only if they are played the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import sim
from analysis import documents
from sim import notable
from sim.games import make_setup
from sim.notable import Search

DEALS = 900


@pytest.fixture(scope="module")
def run() -> sim.Run:
    return sim.simulate("canastra", deals=DEALS, seed=7)


def search(run: sim.Run, size: int = DEALS) -> Search:
    looking = Search("Side")
    for start in range(0, DEALS, size):
        looking.add(run.deals.slice(start, size), run.sides.slice(2 * start, 2 * size))
    return looking


def test_the_record_the_longest_and_the_typical_deal_are_found(run: sim.Run) -> None:
    scores = run.sides["score"].to_numpy().reshape(-1, 2).astype(float)
    turns = run.deals["turns"].to_numpy().astype(float)
    features = np.stack([turns, scores.max(axis=1), scores.min(axis=1)], axis=1)
    quartiles = np.quantile(features, [0.25, 0.5, 0.75], axis=0)
    distance = (np.abs(features - quartiles[1]) / (quartiles[2] - quartiles[0])).sum(axis=1)
    record, longest, typical = search(run).found()
    assert record.deal.number == int(scores.max(axis=1).argmax())
    assert longest.deal.number == int(turns.argmax())
    assert typical.deal.number == int(distance.argmin())
    assert (
        record.about
        == f"Side {int(scores[record.deal.number].argmax())} scores {scores.max():,.0f} points, the most of 900 deals"
    )
    assert typical.deal.scores == tuple(scores[typical.deal.number])


def test_chunks_change_nothing(run: sim.Run) -> None:
    assert list(search(run, 100).found()) == list(search(run).found())


def frames(turns: list[int], scores: Sequence[Sequence[int | None]]) -> tuple[pl.DataFrame, pl.DataFrame]:
    deals = pl.DataFrame(
        {"deal": range(len(turns)), "match": pl.Series([None] * len(turns), dtype=pl.Int64), "turns": turns}
    )
    return deals, pl.DataFrame({"score": pl.Series([score for row in scores for score in row], dtype=pl.Int32)})


def test_a_highest_score_that_many_have_is_no_record() -> None:
    looking = Search("Seat")
    looking.add(*frames([5, 6, 7] * 100, [[0, -10], [0, -20], [0, -10]] * 99 + [[0, -10], [0, -90], [0, -10]]))
    first = next(iter(looking.found()))
    assert (first.title, first.deal.number) == ("The lowest score", 298)
    assert first.about == "Seat 1 scores -90 points, the least of 300 deals"


def test_a_deal_that_is_remarkable_twice_is_shown_once() -> None:
    looking = Search("Side")
    looking.add(*frames([9], [[10, 20]]))
    (found,) = looking.found()
    assert found.title == "The record score, and the longest deal, and a typical deal"


def test_a_seat_that_is_out_has_no_score() -> None:
    looking = Search("Seat")
    looking.add(*frames([9, 8, 8], [[10, None, 5], [7, None, 3], [None, 1, 2]]))
    record, *_ = looking.found()
    assert record.about.startswith("Seat 0 scores 10 points")
    assert "nan" not in " ".join(one.about for one in looking.found())


def test_nothing_is_found_in_nothing() -> None:
    assert list(Search("Side").found()) == []


def test_they_are_told_for_wide_and_narrow_screens_with_their_command(run: sim.Run) -> None:
    found = list(search(run).found())
    told = notable.replays(run.setup, found)
    assert told is not None
    for one, replay in zip(found, told, strict=True):
        assert replay.command == f"carteador show canastra --deal {one.deal.number} --seed 7"
        assert f"deal {one.deal.number} of seed 7" in replay.wide[0][1]
        assert len(replay.narrow) > len(replay.wide)


def test_a_deal_that_is_not_played_as_its_row_says_is_not_told(run: sim.Run) -> None:
    found = list(search(run).found())
    other = replace(found[1], deal=replace(found[1].deal, turns=found[1].deal.turns + 1))
    assert notable.replays(run.setup, [found[0], other]) is None
    assert notable.replays(make_setup("canastra", seed=8), found) is None


def test_hands_of_matches_are_found_and_told() -> None:
    run = sim.simulate("canastra", matches=20, seed=3, rules={"target": 300})
    looking = Search("Side")
    looking.add(run.deals, run.sides)
    found = list(looking.found())
    told = notable.replays(run.setup, found)
    assert told is not None
    for one, replay in zip(found, told, strict=True):
        assert f"--match {one.deal.match} --hand {one.deal.number}" in replay.command
    missing = replace(found[0], deal=replace(found[0].deal, number=999))
    assert notable.replays(run.setup, [missing]) is None


def test_deals_of_a_document_are_played_again(run: sim.Run) -> None:
    deals, sides = notable.played_again(run.setup, "deals", 0, DEALS)
    assert deals.equals(run.deals)
    assert sides.equals(run.sides)
    document = documents.read(run.document())
    assert isinstance(document, documents.Summary)
    assert notable.agree(document, deals)
    assert notable.agree(document, deals.head(50))
    other = sim.simulate("canastra", deals=DEALS, seed=8)
    assert not notable.agree(document, other.deals)
