"""Records to Polars frames: `deals`, a row a deal, and `sides`, a row a deal and side (docs/statistics.md).

A scalar field of a record becomes a column of `deals`, a sub-array field a column of `sides`, with the field's
own dtype; what both need and no record says (who won, who plays first, which policy) is derived here, once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from analysis.seating import Seating
from kernels.match_ends import SHARED, UNDECIDED
from kernels.spec import GameSpec

Records = npt.NDArray[np.void]
Array = npt.NDArray[Any]
Maker = Callable[[], "pl.Series | Array"]

_NOT_A_COLUMN = ("status",)
_NO_SCORE = np.int64(np.iinfo(np.int64).min // 2)


def deals_frame(spec: GameSpec, records: Records, policies: Sequence[str], options: Mapping[str, Any]) -> pl.DataFrame:
    """A row for each deal.

    Parameters
    ----------
    spec
        The game.
    records
        Shape (deals,), in the game's `record_layout`.
    policies
        Text of the policy at each seat.
    options
        Option values by name; those not given have the game's default.

    Returns
    -------
    polars.DataFrame
        The record's scalar fields (`match` null outside one, `reason` an enum of the game's end reasons), then
        `first_side` (side of the seat that plays first), `tie` (several sides share the best score), `void`,
        `first_player_won`, `winning_margin` (best score minus second best) and `policies` (by side).

    Raises
    ------
    ValueError
        If the records are of another layout, or one of them was never played.
    """
    return _frame(_deal_columns(_Shared(Seating.of(spec, options, policies), _checked(spec, records))))


def sides_frame(spec: GameSpec, records: Records, policies: Sequence[str], options: Mapping[str, Any]) -> pl.DataFrame:
    """A row for each deal and side (in a game without sides, seat), by deal and then by side.

    Parameters and errors are those of `deals_frame`.

    Returns
    -------
    polars.DataFrame
        `deal`, `match`, `side`, then `turns`, `reason` and `void` of the deal, `plays_first`, `policy`,
        `opponents_policy`, the record's sub-array fields, and `won` (the best score, alone), `tie`, `margin`
        (own score minus the best other's). What a side did is null where the record says that it was not `playing`.
    """
    return _frame(_side_columns(_Shared(Seating.of(spec, options, policies), _checked(spec, records))))


def outcomes(seating: Seating, records: Records) -> tuple[Array, Array]:
    """Score and victory of every side.

    Returns
    -------
    score, won : numpy.ndarray
        Shape (sides, deals); `won` says which side has the best score alone.
    """
    shared = _Shared(seating, _checked(seating.spec, records), by_side=True)
    return shared.score, shared.won


def frames_for(
    seating: Seating, records: Records, deal_columns: Collection[str], side_columns: Collection[str]
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Both frames with no more than the named columns, for sums over many chunks.

    The rows of `sides` are by side and then by deal: no sum depends on their order, and a side's deals that lie
    together in memory are counted faster.
    """
    shared = _Shared(seating, _checked(seating.spec, records), by_side=True)
    return _frame(_deal_columns(shared), deal_columns), _frame(_side_columns(shared), side_columns)


def matches_frame(rows: Records) -> pl.DataFrame:
    """A row for each match.

    Parameters
    ----------
    rows
        Shape (matches,), with the fields `match`, `deals` (played), `winner` (side, negative for nobody),
        `first_dealer` (seat) and `scores` (shape (sides,)).

    Returns
    -------
    polars.DataFrame
        `match`, `deals`, `winner` (null for nobody), `first_dealer`, `scores` (an array by side) and
        `winning_margin` (the winner's score minus the best other's, null without a winner).
    """
    winner = rows["winner"].astype(np.int64)
    scores = np.ascontiguousarray(rows["scores"])
    winning = _margins(scores.T)[np.maximum(winner, 0), np.arange(len(rows))]
    return pl.DataFrame(
        {
            "match": rows["match"].astype(np.uint64),
            "deals": rows["deals"].astype(np.int32),
            "winner": rows["winner"].astype(np.int8),
            "first_dealer": rows["first_dealer"].astype(np.int8),
            "scores": pl.Series(scores, dtype=pl.Array(pl.Int32, scores.shape[1])),
            "winning_margin": winning.astype(np.int32),
        }
    ).with_columns(pl.when(pl.col("winner") >= 0).then(pl.col("winner", "winning_margin")))


def match_frames(seating: Seating, rows: Records) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Both frames of matches.

    Parameters
    ----------
    rows
        As for `matches_frame`.

    Returns
    -------
    matches : polars.DataFrame
        That of `matches_frame`, with `first_dealer_won`, `shared` (several won it) and `unfinished`.
    sides : polars.DataFrame
        By match and then by side: `match`, `side`, `deals_first` (has the first dealer), `policy`,
        `opponents_policy`, `score`, `won`, `margin` (own score minus the best other's).
    """
    winner = rows["winner"].astype(np.int64)
    scores = np.ascontiguousarray(rows["scores"])
    dealer_side = np.array(seating.side_of_seat, np.int64)[rows["first_dealer"]]
    side = np.arange(seating.sides, dtype=np.uint8)
    matches = matches_frame(rows).with_columns(
        pl.Series("first_dealer_won", winner == dealer_side),
        pl.Series("shared", winner == SHARED),
        pl.Series("unfinished", winner == UNDECIDED),
    )
    sides = pl.DataFrame(
        {
            "match": np.repeat(rows["match"].astype(np.uint64), seating.sides),
            "side": np.tile(side, len(rows)),
            "deals_first": (dealer_side[:, None] == side).reshape(-1),
            "policy": _texts(seating.side_policies, len(rows)),
            "opponents_policy": _texts(seating.opponents_policies, len(rows)),
            "score": scores.reshape(-1),
            "won": (winner[:, None] == side).reshape(-1),
            "margin": _margins(scores.T).T.reshape(-1),
        }
    )
    return matches, sides


def _checked(spec: GameSpec, records: Records) -> Records:
    if records.dtype != spec.record_layout:
        raise ValueError(f"these are no records of {spec.name}: their layout is {records.dtype}")
    unplayed = np.flatnonzero(records["status"] == 0)
    if len(unplayed):
        raise ValueError(f"{len(unplayed)} of {len(records)} records were never played, the first in row {unplayed[0]}")
    return records


def _frame(makers: Mapping[str, Maker], wanted: Collection[str] | None = None) -> pl.DataFrame:
    return pl.DataFrame({name: make() for name, make in makers.items() if wanted is None or name in wanted})


class _Shared:
    """What the columns of both frames are derived from, each computed once and only if needed.

    Arrays by side have the shape (sides, deals); `by_side` says whether the rows of a frame of sides are by side and
    then by deal, or the other way round.
    """

    def __init__(self, seating: Seating, records: Records, *, by_side: bool = False) -> None:
        self.seating = seating
        self.records = records
        self.by_side = by_side

    @cached_property
    def score(self) -> Array:
        return self.sub_array("score")

    @cached_property
    def first_side(self) -> Array:
        side: Array = np.array(self.seating.side_of_seat, np.int8)[self.records["first"]]
        return side

    @cached_property
    def playing(self) -> Array | None:
        """Which sides were dealt to, where in some deal one was not."""
        if "playing" not in _fields(self.records):
            return None
        playing = self.sub_array("playing") != 0
        return None if playing.all() else playing

    @cached_property
    def best(self) -> tuple[Array, Array]:
        return _best_two(self.score if self.playing is None else np.where(self.playing, self.score, _NO_SCORE))

    @cached_property
    def void(self) -> Array:
        spec = self.seating.spec
        void: Array = np.isin(self.records["reason"], [spec.end_reasons.index(name) for name in spec.void_reasons])
        return void

    @cached_property
    def tie(self) -> Array:
        best, second = self.best
        tie: Array = (best == second) & ~self.void
        return tie

    @cached_property
    def won(self) -> Array:
        best, second = self.best
        won: Array = (self.score == best) & (best > second) & ~self.void
        return won

    @property
    def first_player_won(self) -> Array:
        won: Array = self.won[self.first_side, np.arange(len(self.records))]
        return won

    @property
    def plays_first(self) -> Array:
        return np.equal.outer(np.arange(self.seating.sides, dtype=np.int8), self.first_side)

    def sub_array(self, name: str) -> Array:
        """Field of every side, shape (sides, deals)."""
        field = self.records[name]
        result = np.empty((self.seating.sides, len(field)), field.dtype)
        for side, column in enumerate(result):
            column[:] = field[:, side]
        return result

    def rows(self, x: Array) -> Array:
        """Rows of a frame of sides from an array by side."""
        return (x if self.by_side else x.T).reshape(-1)

    def repeated(self, x: Array) -> Array:
        """Rows of a frame of sides from one value a deal."""
        return np.tile(x, self.seating.sides) if self.by_side else np.repeat(x, self.seating.sides)

    def sides(self, x: Array) -> Array:
        """Rows of a frame of sides from one value a side."""
        return np.repeat(x, len(self.records)) if self.by_side else np.tile(x, len(self.records))

    def column(self, name: str, codes: Array) -> pl.Series | Array:
        """A scalar field as a column: the end reason in words, no match as null."""
        if name == "reason":
            return _enum(codes, self.seating.spec.end_reasons)
        if name == "match":
            series = pl.Series(np.ascontiguousarray(codes))
            return series.set(series < 0, None)
        return np.ascontiguousarray(codes)

    def field(self, name: str) -> pl.Series | Array:
        return self.column(name, self.records[name])

    def repeated_field(self, name: str) -> pl.Series | Array:
        return self.column(name, self.repeated(self.records[name]))

    def side_rows(self, x: Array) -> pl.Series | Array:
        """Rows of a frame of sides from an array by side, null for a side that was not dealt to."""
        rows = self.rows(x)
        return rows if self.playing is None else pl.Series(rows).set(pl.Series(~self.rows(self.playing)), None)

    def side_field(self, name: str) -> pl.Series | Array:
        return self.side_rows(self.sub_array(name))

    def texts(self, by_side: Sequence[str]) -> pl.Series:
        codes, names = _coded(by_side)
        return _enum(self.sides(codes), names)


def _deal_columns(shared: _Shared) -> dict[str, Maker]:
    seating, records = shared.seating, shared.records
    scalars = [name for name in _fields(records) if not records.dtype[name].shape and name not in _NOT_A_COLUMN]
    return {
        **{name: partial(shared.field, name) for name in scalars},
        "first_side": lambda: shared.first_side,
        "tie": lambda: shared.tie,
        "void": lambda: shared.void,
        "first_player_won": lambda: shared.first_player_won,
        "winning_margin": lambda: shared.best[0] - shared.best[1],
        "policies": lambda: _enum(np.zeros(len(records)), (" - ".join(seating.side_policies),)),
    }


def _side_columns(shared: _Shared) -> dict[str, Maker]:
    seating, records = shared.seating, shared.records
    arrays = [name for name in _fields(records) if records.dtype[name].shape]
    return {
        "deal": partial(shared.repeated_field, "deal"),
        "match": partial(shared.repeated_field, "match"),
        "side": lambda: shared.sides(np.arange(seating.sides, dtype=np.uint8)),
        "turns": partial(shared.repeated_field, "turns"),
        "reason": partial(shared.repeated_field, "reason"),
        "void": lambda: shared.repeated(shared.void),
        "plays_first": lambda: shared.rows(shared.plays_first),
        "policy": lambda: shared.texts(seating.side_policies),
        "opponents_policy": lambda: shared.texts(seating.opponents_policies),
        **{name: partial(shared.side_field, name) for name in arrays},
        "won": lambda: shared.side_rows(shared.won),
        "tie": lambda: shared.repeated(shared.tie),
        "margin": lambda: shared.side_rows(_margins(shared.score, shared.best)),
    }


def _fields(records: Records) -> tuple[str, ...]:
    return records.dtype.names or ()


def _best_two(scores: Array) -> tuple[Array, Array]:
    """Best and second-best score of each deal, equal where they are shared; both the same with one side.

    Scores have the shape (sides, deals).
    """
    best = scores[0].astype(np.int64)
    if len(scores) == 1:
        return best, best
    second = np.full(len(best), np.iinfo(np.int64).min)
    for column in scores[1:]:
        second = np.maximum(second, np.minimum(best, column))
        best = np.maximum(best, column)
    return best, second


def _margins(scores: Array, best_two: tuple[Array, Array] | None = None) -> Array:
    """Own score minus the best other's, shape (sides, deals) like the scores."""
    best, second = best_two or _best_two(scores)
    margins: Array = scores - np.where(scores == best, second, best)
    return margins


def _texts(by_side: Sequence[str], deals: int) -> pl.Series:
    codes, names = _coded(by_side)
    return _enum(np.tile(codes, deals), names)


def _coded(texts: Sequence[str]) -> tuple[Array, tuple[str, ...]]:
    names = tuple(dict.fromkeys(texts))
    return np.array([names.index(text) for text in texts], np.uint32), names


def _enum(codes: Array, names: Sequence[str]) -> pl.Series:
    return pl.Series(names, dtype=pl.Enum(names)).gather(codes.astype(np.uint32))
