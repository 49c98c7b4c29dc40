"""Deals worth looking at: the record score, the longest, the typical one; found in rows, then played again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from sim import batch
from sim.games import Setup
from sim.manifest import DEALS
from sim.match import play_matches
from sim.replay import Event, Replayer, narrate

if TYPE_CHECKING:
    import polars as pl

    from analysis.documents import Summary
    from analysis.report import Replay

MOST_DEALS = 1_000_000
"""Deals of a stored run that are searched for the typical one, so that memory does not grow with the run."""

MOST_REPLAYED = 100_000
"""Deals that are played again to search a document that comes without rows."""

OFTEN = 0.01
"""A highest score that more deals than this have is no record."""

WIDE, NARROW = 88, 48


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal by its number (in a match: of the hand), with what its row says of it."""

    number: int
    match: int | None
    turns: int
    scores: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """A deal and why it is worth looking at."""

    title: str
    about: str
    deal: Deal


class _Rows:
    """What is kept of deals: shape (deals,) each, scores (deals, sides) with NaN for a side that is out."""

    def __init__(self, deals: pl.DataFrame, sides: pl.DataFrame) -> None:
        self.number = deals["deal"].to_numpy()
        match = deals["match"]
        self.match: npt.NDArray[np.int64] = match.fill_null(-1).cast(int).to_numpy()
        self.turns = deals["turns"].to_numpy().astype(np.int64)
        self.scores = sides["score"].cast(float).to_numpy().reshape(deals.height, -1)

    def deal(self, index: int) -> Deal:
        match = int(self.match[index])
        scores = tuple(self.scores[index].tolist())
        return Deal(int(self.number[index]), None if match < 0 else match, int(self.turns[index]), scores)


@dataclass(frozen=True, slots=True)
class _Extreme:
    """The first deal with the highest of some values, and how many deals have that value."""

    value: float
    deal: Deal
    times: int


class Search:
    """Finds the deals in chunks of rows, in order; of equals it keeps the first."""

    def __init__(self, word: str) -> None:
        self.word = word
        self.deals = 0
        self._highest: _Extreme | None = None
        self._lowest: _Extreme | None = None
        self._longest: _Extreme | None = None
        self._kept: list[_Rows] = []
        self._kept_deals = 0

    def add(self, deals: pl.DataFrame, sides: pl.DataFrame) -> None:
        """Search a chunk: `sides` by deal and then by side."""
        rows = _Rows(deals, sides)
        self.deals += deals.height
        high, low = np.nanmax(rows.scores, axis=1), np.nanmin(rows.scores, axis=1)
        self._highest = _extreme(self._highest, rows, high)
        self._lowest = _extreme(self._lowest, rows, -low)
        self._longest = _extreme(self._longest, rows, rows.turns.astype(float))
        if self._kept_deals < MOST_DEALS:
            self._kept.append(rows)
            self._kept_deals += deals.height

    def found(self) -> Iterator[Found]:
        """Yield the deals, each once, with all that is remarkable about it."""
        wanted: list[Found] = []
        if self._highest and self._lowest and self._longest:
            often = max(OFTEN * self.deals, 1)
            if self._highest.times > often >= self._lowest.times:
                lowest = self._lowest.deal
                wanted.append(Found("The lowest score", self._score_text(lowest, min), lowest))
            else:
                highest = self._highest.deal
                wanted.append(Found("The record score", self._score_text(highest, max), highest))
            longest = self._longest.deal
            wanted.append(
                Found("The longest deal", f"{longest.turns:,} turns, the most of {self.deals:,} deals", longest)
            )
            typical = self._typical()
            scores = " and ".join(_points(score) for score in typical.scores if score == score)
            text = f"{typical.turns:,} turns, scores {scores}: near the middle in all of it"
            wanted.append(Found("A typical deal", text, typical))
        shown: dict[tuple[int | None, int], Found] = {}
        for one in wanted:
            place = (one.deal.match, one.deal.number)
            if place in shown:
                before = shown[place]
                one = Found(f"{before.title}, and {one.title[:1].lower()}{one.title[1:]}", before.about, one.deal)
            shown[place] = one
        yield from shown.values()

    def _typical(self) -> Deal:
        """The deal nearest to the medians of turns, of the best and of the worst score, in quartile ranges."""
        features = np.concatenate(
            [
                np.stack([rows.turns, np.nanmax(rows.scores, axis=1), np.nanmin(rows.scores, axis=1)], axis=1)
                for rows in self._kept
            ]
        )
        low, middle, high = np.quantile(features, [0.25, 0.5, 0.75], axis=0)
        distance = (np.abs(features - middle) / np.maximum(high - low, 1)).sum(axis=1)
        index = int(distance.argmin())
        for rows in self._kept:
            if index < len(rows.number):
                return rows.deal(index)
            index -= len(rows.number)
        raise AssertionError("the deal is one of those kept")

    def _score_text(self, deal: Deal, which: Any) -> str:
        known = [score for score in deal.scores if score == score]
        score = which(known)
        side = deal.scores.index(score)
        best = "the most" if which is max else "the least"
        return f"{self.word} {side} scores {_points(score)}, {best} of {self.deals:,} deals"


def replays(setup: Setup, found: Iterable[Found]) -> list[Replay] | None:
    """Play the deals again and tell them.

    Returns
    -------
    list of Replay, or None
        None if a deal is played otherwise than its row says: the row is then from other kernels than these.
    """
    from analysis.report import Replay

    replayer = Replayer(setup)
    result = []
    for one in found:
        deal = one.deal
        events = _events(replayer, deal)
        if events is None or not _is_same(events, deal):
            return None
        words: Sequence[object] = ["--deal", deal.number]
        if deal.match is not None:
            words = ["--match", deal.match, "--hand", deal.number]
        name = setup.spec.name
        wide, narrow = (list(narrate(name, events, width)) for width in (WIDE, NARROW))
        result.append(Replay(one.title, one.about, wide, narrow, setup.command("show", *words)))
    return result


def played_again(setup: Setup, unit: str, first: int, count: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Frames of the first deals (or matches) of a run, played again.

    Parameters
    ----------
    unit, first, count
        Which; of matches, so many that about `MOST_REPLAYED` deals come of them.
    """
    from analysis.frames import deals_frame, sides_frame

    if unit == DEALS:
        records = batch.play(setup, batch.deal_jobs(setup, first, min(count, MOST_REPLAYED)))
    else:
        _, records = play_matches(setup, first, min(count, MOST_REPLAYED // 20))
    options = dict(setup.options)
    return (
        deals_frame(setup.spec, records, setup.policy_texts, options),
        sides_frame(setup.spec, records, setup.policy_texts, options),
    )


def agree(document: Summary, deals: pl.DataFrame) -> bool:
    """Whether deals that were played again can be among those a document counts, by their numbers of turns."""
    counted = document.histograms.get("turns", {}).get("all")
    if counted is None:
        return False
    known = dict(zip(counted.values, counted.counts, strict=True))
    again = deals["turns"].value_counts()
    return all(count <= known.get(turns, 0) for turns, count in again.iter_rows())


def _events(replayer: Replayer, deal: Deal) -> list[Event] | None:
    if deal.match is None:
        return replayer.deal(deal.number)
    for number, events in enumerate(replayer.match(deal.match)):
        if number == deal.number:
            return events
    return None


def _is_same(events: Sequence[Event], deal: Deal) -> bool:
    end = events[-1]
    scores = zip(end["scores"], deal.scores, strict=False)
    return bool(end["turn"] == deal.turns and all(told == score for told, score in scores if score == score))


def _extreme(best: _Extreme | None, rows: _Rows, values: npt.NDArray[np.float64]) -> _Extreme:
    """The extreme so far, once the values of further rows are known."""
    index = int(values.argmax())
    value = float(values[index])
    if best is not None and best.value >= value:
        return replace(best, times=best.times + int(np.count_nonzero(values == best.value)))
    return _Extreme(value, rows.deal(index), int(np.count_nonzero(values == value)))


def _points(score: float) -> str:
    return f"{score:,.0f} point" + ("" if abs(score) == 1 else "s")
