"""Matches: deals of one table until a side reaches the target (CAN-28 and its like).

Hand h of all unfinished matches of a chunk is played in one call of the kernel. A match depends on its own
number alone, so the results are the same for any threads and chunks.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np

from kernels.match_ends import UNDECIDED
from kernels.spec import JOB
from sim.batch import Records, play
from sim.games import Setup

HAND_CAP = 1_000
"""Hands after which a match that nobody wins is given up: players who lose points in every hand never arrive."""


def match_layout(sides: int) -> np.dtype[np.void]:
    """Dtype of a match's row.

    Fields: `match`, its number; `deals`, hands played; `first_dealer`, seat; `winner`, the side, or
    `kernels.match_ends.UNDECIDED` for a match given up after `HAND_CAP` hands, `SHARED` for one that several sides
    won; `scores`, final score by side; `margin`, the winner's score minus the best other's (0 without a winner).
    """
    return np.dtype(
        [
            ("match", np.uint64),
            ("deals", np.int32),
            ("margin", np.int32),
            ("scores", np.int32, (sides,)),
            ("first_dealer", np.int8),
            ("winner", np.int8),
        ],
        align=True,
    )


def play_matches(setup: Setup, first: int, count: int) -> tuple[Records, Records]:
    """Play matches `first` to ``first + count - 1`` in this thread.

    Returns
    -------
    matches : numpy.ndarray
        Shape (count,), in `match_layout`.
    records : numpy.ndarray
        The record of every hand, by match and then by hand.
    """
    matches, dealers = _new_matches(setup, first, count)
    records = []
    playing = np.arange(count)
    for hand in range(HAND_CAP):
        played = play(setup, _hand_jobs(setup, matches[playing], dealers[playing], hand))
        records.append(played)
        scores = matches["scores"]
        scores[playing] += played["score"][:, : setup.sides]
        matches["deals"][playing] = hand + 1
        winners = setup.spec.match_winners(scores[playing], setup.options)
        matches["winner"][playing] = winners
        playing = playing[winners == UNDECIDED]
        dealers[playing] = _next_dealers(setup, dealers[playing], scores[playing])
        if len(playing) == 0:
            break
    matches["margin"] = _margins(matches)
    every = np.concatenate(records)
    return matches, every[np.argsort(every["match"], kind="stable")]


def play_hands(setup: Setup, match: int) -> Iterator[Records]:
    """Yield the job (shape (1,)) of every hand of a match, in order."""
    matches, dealers = _new_matches(setup, match, 1)
    for hand in range(HAND_CAP):
        job = _hand_jobs(setup, matches, dealers, hand)
        yield job
        matches["scores"] += play(setup, job)["score"][:, : setup.sides]
        if setup.spec.match_winners(matches["scores"], setup.options)[0] != UNDECIDED:
            return
        dealers = _next_dealers(setup, dealers, matches["scores"])


def hand_job(setup: Setup, match: int, hand: int) -> Records | None:
    """Return the job (shape (1,)) of one hand of a match, or None if the match ends before it."""
    return next(islice(play_hands(setup, match), hand, None), None)


def _new_matches(setup: Setup, first: int, count: int) -> tuple[Records, Records]:
    from kernels.rng import first_dealer

    matches = np.zeros(count, match_layout(setup.sides))
    matches["match"] = np.uint64(first) + np.arange(count, dtype=np.uint64)
    matches["winner"] = -1
    seed, seats = np.uint64(setup.seed), np.int64(setup.seats)
    dealers = np.array([first_dealer(seed, np.int64(first + index), seats) for index in range(count)], np.int64)
    matches["first_dealer"] = dealers
    return matches, dealers


def _hand_jobs(setup: Setup, matches: Records, dealers: Records, hand: int) -> Records:
    jobs = np.zeros(len(matches), JOB)
    jobs["deal"] = hand
    jobs["match"] = matches["match"].astype(np.int64)
    jobs["dealer"] = dealers
    jobs["scores_before"][:, : setup.sides] = matches["scores"]
    return jobs


def _next_dealers(setup: Setup, dealers: Records, scores: Records) -> Records:
    return setup.spec.next_dealers(dealers, scores, setup.options, setup.seats)


def _margins(matches: Records) -> Records:
    ordered = np.sort(matches["scores"], axis=1)
    if ordered.shape[1] == 1:
        return np.zeros(len(matches), np.int32)
    margins: Records = np.where(matches["winner"] >= 0, ordered[:, -1] - ordered[:, -2], 0)
    return margins
