"""Sums at their limits: the largest values, and more deals than any run has, against Python's integers."""

from __future__ import annotations

import math

import numpy as np
import pytest

import sim
from analysis import counting
from analysis.counting import LARGEST_VALUE, Rows
from analysis.estimate import Sums
from analysis.seating import ALL, FIRST, Group
from analysis.summary import Summarizer
from analysis.tally import Partial
from kernels import registry
from sim.batch import play_deals
from sim.games import make_setup
from sim.manifest import MOST_UNITS

SIDES = 10
EVERYBODY = Group("all", ALL, tuple(range(SIDES)), None, SIDES)
OTHERS = Group("plays_first:no", FIRST, tuple(range(SIDES)), False, SIDES - 1)


def exact_sums(x: list[list[int]], asked: list[list[bool]]) -> Sums:
    """Sums over deals of lists by side and deal, in Python's integers."""
    total = Sums()
    for deal in range(len(x[0])):
        values = [x[side][deal] for side in range(SIDES) if asked[side][deal]]
        m, a, b = len(values), sum(values), sum(value**2 for value in values)
        total += Sums(int(m > 0), m, a, m * m, a * a, a * m, b, b * b, a * b, b * m)
    return total


@pytest.mark.parametrize("with_gaps", [False, True])
def test_the_largest_values_are_summed_exactly(with_gaps: bool) -> None:
    chance = np.random.default_rng(1)
    deals = 3_000
    first = np.zeros((SIDES, deals), np.bool_)
    first[chance.integers(SIDES, size=deals), np.arange(deals)] = True
    # Nearly all at one limit, so that nothing cancels.
    x = np.where(chance.random((SIDES, deals)) < 0.99, LARGEST_VALUE, -LARGEST_VALUE)
    x[0, :50] = chance.integers(-LARGEST_VALUE, LARGEST_VALUE, 50)
    present = chance.random((SIDES, deals)) < 0.9 if with_gaps else None
    asked = np.ones((SIDES, deals), np.bool_) if present is None else present
    # What is not asked has the value 0.
    x[~asked] = 0
    tally = Rows(first, [EVERYBODY, OTHERS]).number(x, present)
    assert sum(tally.sums[0].as_tuple()) > 2**64
    assert tally.sums[0] == exact_sums(x.tolist(), asked.tolist())
    assert tally.sums[1] == exact_sums(x.tolist(), (asked & ~first).tolist())
    counted = dict(zip(tally.values.tolist(), tally.counts[:, : 2 * SIDES].sum(axis=1).tolist(), strict=True))
    values, counts = np.unique(x[asked], return_counts=True)
    assert counted == dict(zip(values.tolist(), counts.tolist(), strict=True))


def test_a_value_beyond_is_refused() -> None:
    rows = Rows(np.ones((SIDES, 1), np.bool_), [EVERYBODY])
    with pytest.raises(ValueError, match="beyond what can be summed"):
        rows.number(np.full((SIDES, 1), LARGEST_VALUE + 1), None)


def test_squares_of_all_sides_fit_a_machine_integer() -> None:
    assert SIDES * LARGEST_VALUE**2 < 2**63
    # And what a count can grow by with a deal, over the longest run.
    assert SIDES**2 * MOST_UNITS < 2**63
    assert counting.DENSE_SPAN < LARGEST_VALUE


@pytest.mark.parametrize("game", registry.GAMES)
def test_more_deals_than_any_run_has_are_counted_as_exactly_as_a_few(game: str) -> None:
    """The sums of 500 deals, doubled again and again: the same estimates, and the errors of so many deals."""
    setup = make_setup(game, seed=3, policies={0: "novice"})
    once = Summarizer(setup.spec, dict(setup.options), setup.policy_texts)
    once.merge(once.chunk(play_deals(setup, 0, 500)))
    often = Summarizer(setup.spec, dict(setup.options), setup.policy_texts)
    doublings = 41
    total = once.total
    for _ in range(doublings):
        total = total + total
    often.merge(total)
    times = 2**doublings
    assert 10**15 < often.deals == 500 * times
    for name, tally in once.total.tallies.items():
        grown = often.total.tallies[name]
        assert grown.counts.tolist() == [[times * count for count in row] for row in tally.counts.tolist()]
        assert [sums.as_tuple() for sums in grown.sums] == [
            tuple(times * number for number in sums.as_tuple()) for sums in tally.sums
        ]
    for few, many in zip(once.rows(), often.rows(), strict=True):
        assert (many.statistic, many.group) == (few.statistic, few.group)
        assert many.n == few.n * times
        if few.estimate is None or many.estimate is None:
            assert few.estimate is many.estimate is None
            continue
        # A sample's standard deviation has n - 1 below the line, and so have errors.
        assert many.estimate == pytest.approx(few.estimate, rel=1 / few.n, abs=1e-9)
        if few.std_error and many.std_error:
            assert many.std_error == pytest.approx(few.std_error / math.sqrt(times), rel=max(10 / few.n, 0.01))
        if many.low is not None and many.high is not None:
            assert many.low <= many.estimate <= many.high


def test_sums_go_through_json_at_any_size() -> None:
    import msgspec

    setup = make_setup("canastra", seed=3)
    summarizer = Summarizer(setup.spec, dict(setup.options), setup.policy_texts)
    total = summarizer.chunk(play_deals(setup, 0, 20))
    for _ in range(46):
        total = total + total
    again = Partial.from_dict(msgspec.json.decode(msgspec.json.encode(total.to_dict())))
    assert again.to_dict() == total.to_dict()


@pytest.mark.parametrize("game", registry.GAMES)
def test_the_first_rows_do_not_depend_on_what_follows(game: str) -> None:
    """Deals 0 to N - 1 are the same in a run of N deals and in any longer one, however it is cut and threaded."""
    wanted = 330
    short = sim.simulate(game, deals=wanted, seed=9, threads=1, chunk_size=wanted)
    for deals, threads, size in ((331, 1, 331), (1000, 2, 70), (2000, 5, 999)):
        longer = sim.simulate(game, deals=deals, seed=9, threads=threads, chunk_size=size)
        assert longer.deals.head(wanted).equals(short.deals)
        assert longer.sides.head(longer.sides.height * wanted // deals).equals(short.sides)
    part = Summarizer(short.setup.spec, dict(short.setup.options), short.setup.policy_texts)
    part.merge(part.frames_chunk(longer.deals.head(wanted), longer.sides.head(short.sides.height)))
    assert part.rows() == short.summary()
