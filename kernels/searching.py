"""What the searches of all games share: options weighed against each other in the same worlds.

A search sees what its seat sees. At a decision it lists what it may do (the options), deals the cards that it cannot
see by lot, consistently with what is known (a world), plays the deal on from every option with one policy at all seats,
and takes the option with the best mean margin: determinised Monte Carlo. The rollouts are spent by sequential halving:
in every round each option that is left is played out in the same worlds, and the worse half of them is dropped. One
option, the usual one, stays to the end: what the policy of the rollouts would do. Another must be ahead of it by more
than chance makes likely, since the best of many options that are known badly is often a bad one. A search may also
drop options early that are behind it by more than chance makes likely. Where advice is asked, no option is dropped: all
are played out in the same worlds, and their differences are kept.

A game has a module ``kernels/<game>/search.py`` (a part, `sim.specialise`) with

- `MEMORY_LAYOUT`, a dtype with at least the fields ``tally`` (`TALLY_LAYOUT`), ``option`` (the options of the
  decision, `MOST_OPTIONS` of a dtype of the game's own) and ``expert`` (`int64`, which of them `expert` takes; what
  `standard` does is listed first, so that ties go to it),
- for every question ``choose_X`` of the game's policies ``choose_X(table, options, seat, ..., parameters, stream[,
  work], memory)``, the search::

      open_tally(tally, listed, parameters[ROLLOUTS], stream)
      tally.usual, tally.caution, tally.hopeless = ...
      while wants_world(tally):
          ... deal a world from `tally.stream` ...
          for option in range(tally.options):
              if tally.is_left[option] != 0:
                  ... play out; note_result(tally, option, margin, score) ...
          end_world(tally)
      return answer of best_left(tally)

- for every question ``find_X(answer..., memory)``, which takes an answer as `choose_X` gives it (its parts one by one)
  and returns the number of that option among those listed last, -1 if it is none of them.

References
----------
Ginsberg, "GIB: imperfect information in a computationally challenging game", JAIR 14, 2001.
Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits", ICML 2013 (sequential halving).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels._jit import kernel
from kernels.rng import next_u64
from kernels.spec import Policy

MOST_OPTIONS = 64

FIRST_LOOK = 32
"""Worlds after which it is first looked for options that are hopeless, and again whenever they have doubled."""

PLAYOUTS = ("standard", "expert")
"""Policies of the rollouts, by the value of the parameter `playout`."""

STANDARD, EXPERT = np.int64(0), np.int64(1)
"""Their places in the memory of a search."""

MIXED = np.int64(2)
"""Value of `playout`: the own side plays as `expert`, the others as both, world by world in turn.

The place from which on a search's memory has a table for each side: it plays as `expert`, the others as `standard`.
"""

WORLD, COPY = np.int64(0), np.int64(1)
"""Places of its states: a world, and the copy of it that is played out."""

FIRST = np.int64(0)
"""A seat; the policies of the rollouts are the same at all."""

TALLY_LAYOUT = np.dtype(
    [
        ("options", np.int64),
        ("left", np.int64),
        # 1: no option is dropped, every one is played out in each of so many worlds as `rollouts` says.
        ("weighs_all", np.int64),
        ("rollouts", np.int64),
        # The option that is not dropped for being behind, and by how many hundredths of the standard error of its mean
        # difference another must be ahead of it to be preferred.
        ("usual", np.int64),
        ("caution", np.int64),
        # By how many hundredths of it another is dropped early that is behind the usual one, 0 for never, and after how
        # many worlds this is looked at next.
        ("hopeless", np.int64),
        ("next_look", np.int64),
        # Worlds until options are dropped again, and how many have been kept after the rounds so far.
        ("round_left", np.int64),
        ("kept", np.int64),
        ("worlds", np.int64, (MOST_OPTIONS,)),
        # Of the world that is being played out.
        ("margin", np.int64, (MOST_OPTIONS,)),
        ("score", np.int64, (MOST_OPTIONS,)),
        ("wins", np.int8, (MOST_OPTIONS,)),
        # Sums of what the margins were above those of the usual option, and of the squares.
        ("ahead", np.int64, (MOST_OPTIONS,)),
        ("ahead_squares", np.int64, (MOST_OPTIONS,)),
        ("total", np.int64, (MOST_OPTIONS,)),
        ("squares", np.int64, (MOST_OPTIONS,)),
        ("score_total", np.int64, (MOST_OPTIONS,)),
        ("score_squares", np.int64, (MOST_OPTIONS,)),
        ("won", np.int64, (MOST_OPTIONS,)),
        ("best", np.int64, (MOST_OPTIONS,)),
        ("cross", np.int64, (MOST_OPTIONS, MOST_OPTIONS)),
        ("is_left", np.int8, (MOST_OPTIONS,)),
        ("stream", np.uint64, (1,)),
    ],
    align=True,
)
"""How the options of one decision have done, in the order in which they were listed.

`options` is their number, `left` how many are not dropped, `is_left` which; `worlds` how often each was played out,
`total` and `squares` the sums of its margins and of their squares, `score_total` and `score_squares` those of the own
side's scores; `won` how often that side won. Only where all are weighed: `best`, in how many worlds no option
did better, and `cross`, the sums of the products of the margins of two options in the same world. `stream` deals the
worlds.
"""


def seat_playouts(memory: npt.NDArray[np.void], policies: Sequence[Policy], sides: Sequence[int] = ()) -> None:
    """Put `PLAYOUTS`, with the parameters that they have by default, into a search's memory.

    Parameters
    ----------
    memory
        Shape (1,), with the fields ``policies`` (playouts, seats) and ``parameters`` (playouts, seats, parameters).
    policies
        Those of the game.
    sides
        Of each seat, where a search may have `MIXED` playouts; the memory has room for a table more for each of them.
    """
    known = {policy.name: policy for policy in policies}
    for playout, name in enumerate(PLAYOUTS):
        values = [parameter.default for parameter in known[name].parameters]
        memory["policies"][:, playout] = known[name].number
        memory["parameters"][:, playout, :, : len(values)] = values
    for side in set(sides):
        for seat, other in enumerate(sides):
            playout = EXPERT if other == side else STANDARD
            for name in ("policies", "parameters"):
                memory[name][:, MIXED + side, seat] = memory[name][:, playout, seat]


@kernel
def playout_of_world(tally: Any, playout: int, side: int) -> int:
    """Place of the policies that play the next world on, by the value of `playout` and the side that searches.

    What is best against one kind of player may lose to another: a search that plays against `expert` alone learns
    what `expert` lets pass.
    """
    if playout != MIXED:
        return playout
    return EXPERT if (tally.worlds[tally.usual] & 1) != 0 else MIXED + side


@kernel
def open_tally(tally: Any, options: int, rollouts: int, stream: Any) -> None:
    """Begin to weigh so many options, 1 to `MOST_OPTIONS`; the worlds follow from one draw of the policy's stream.

    The usual option is the first, caution nil and nothing hopeless, unless the fields are then set to something else.
    """
    tally.options, tally.left, tally.rollouts = options, options, rollouts
    tally.usual, tally.caution, tally.hopeless = 0, 0, 0
    tally.next_look, tally.kept = FIRST_LOOK, options
    tally.stream[0] = next_u64(stream)
    for option in range(options):
        tally.worlds[option] = 0
        tally.ahead[option] = 0
        tally.ahead_squares[option] = 0
        tally.total[option] = 0
        tally.squares[option] = 0
        tally.score_total[option] = 0
        tally.score_squares[option] = 0
        tally.won[option] = 0
        tally.best[option] = 0
        tally.is_left[option] = 1
        if tally.weighs_all != 0:
            for other in range(options):
                tally.cross[option, other] = 0
    tally.round_left = rollouts if tally.weighs_all != 0 else worlds_of_round(tally)


@kernel
def wants_world(tally: Any) -> bool:
    """Whether the options left are to be played out in another world."""
    return tally.round_left > 0 if tally.weighs_all != 0 else tally.left > 1


@kernel
def note_result(tally: Any, option: int, margin: int, score: int) -> None:
    """Note how an option ended in this world: the own side's score, and what it is above the best of the others."""
    note_outcome(tally, option, margin, score, margin > 0)


@kernel
def note_outcome(tally: Any, option: int, margin: int, score: int, wins: bool) -> None:
    """Note how an option ended in this world.

    Parameters
    ----------
    margin
        What is to be as much as possible: what the own side's score is above that of the others, of one or of all.
    wins
        Whether the own side did better than any other.
    """
    tally.margin[option] = margin
    tally.score[option] = score
    tally.wins[option] = wins


@kernel
def rounds_of(options: int) -> int:
    """Rounds until one of so many options is left when half of them is dropped after each."""
    rounds = np.int64(0)
    while (np.int64(1) << rounds) < options:
        rounds += 1
    return rounds


@kernel
def worlds_of_round(tally: Any) -> int:
    """Worlds of the next round, at least one: every round has an equal share of the rollouts."""
    if tally.left < 2:
        return np.int64(0)
    share = tally.rollouts // (rounds_of(tally.options) * tally.left)
    return share if share > 1 else np.int64(1)


@kernel
def end_world(tally: Any) -> None:
    """Count the results of the options left, all played out in one world; drop some at the end of a round."""
    for option in range(tally.options):
        if tally.is_left[option] == 0:
            continue
        margin, score = tally.margin[option], tally.score[option]
        tally.worlds[option] += 1
        ahead = margin - tally.margin[tally.usual]
        tally.ahead[option] += ahead
        tally.ahead_squares[option] += ahead * ahead
        tally.total[option] += margin
        tally.squares[option] += margin * margin
        tally.score_total[option] += score
        tally.score_squares[option] += score * score
        tally.won[option] += tally.wins[option]
    tally.round_left -= 1
    if tally.weighs_all != 0:
        note_differences(tally)
        return
    if tally.hopeless != 0 and tally.worlds[tally.usual] == tally.next_look:
        tally.next_look *= 2
        drop_hopeless(tally)
    if tally.round_left == 0 and tally.left > 1:
        drop_worse_half(tally)
        tally.round_left = worlds_of_round(tally)


@kernel
def drop_hopeless(tally: Any) -> None:
    """Drop the options that are behind the usual one by as much as `hopeless` says."""
    for option in range(tally.options):
        if tally.is_left[option] != 0 and tally.ahead[option] < 0 and is_apart(tally, option, tally.hopeless):
            tally.is_left[option] = 0
            tally.left -= 1


@kernel
def note_differences(tally: Any) -> None:
    """Note how the options did beside each other in this world."""
    most = tally.margin[0]
    for option in range(tally.options):
        most = max(most, tally.margin[option])
    for option in range(tally.options):
        if tally.margin[option] == most:
            tally.best[option] += 1
        for other in range(tally.options):
            tally.cross[option, other] += tally.margin[option] * tally.margin[other]


@kernel
def drop_worse_half(tally: Any) -> None:
    """Drop half of the options left, rounded down, those of the least total; of equals the later one.

    What was dropped before as hopeless counts among them, so that there are always as many rounds. Options left have
    been played out equally often, so totals compare as means do. The usual option is dropped only where it is one of
    the last two, and the other surely ahead of it.
    """
    tally.kept -= tally.kept // 2
    while tally.left > tally.kept:
        worst = np.int64(-1)
        for option in range(tally.options):
            if tally.is_left[option] == 0 or option == tally.usual:
                continue
            if worst < 0 or tally.total[option] <= tally.total[worst]:
                worst = np.int64(option)
        if tally.left == 2 and is_surely_ahead(tally, worst):
            worst = tally.usual
        tally.is_left[worst] = 0
        tally.left -= 1


@kernel
def is_surely_ahead(tally: Any, option: int) -> bool:
    """Whether an option is ahead of the usual one by as much as `caution` wants."""
    ahead = tally.ahead[option]
    return ahead > 0 and (tally.caution == 0 or is_apart(tally, option, tally.caution))


@kernel
def is_apart(tally: Any, option: int, hundredths: int) -> bool:
    """Whether an option is apart from the usual one by so many hundredths of the standard error of the mean difference.

    With the sum S of n differences and the sum Q of their squares, S / sqrt((n Q - S^2) / (n - 1)) standard errors.
    Rollouts up to a million of margins up to some thousand keep all these below 2^63.
    """
    worlds, ahead, squares = tally.worlds[option], tally.ahead[option], tally.ahead_squares[option]
    if worlds < 2:
        return False
    spread = (worlds * squares - ahead * ahead) // (worlds - 1)
    return ahead * ahead >= hundredths * hundredths * spread // 10_000


@kernel
def best_left(tally: Any) -> int:
    """The option left with the best total; of equals the one listed first."""
    best = np.int64(-1)
    for option in range(tally.options):
        if tally.is_left[option] != 0 and (best < 0 or tally.total[option] > tally.total[best]):
            best = np.int64(option)
    return best
