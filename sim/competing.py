"""All pairs of policies, and mixed tables, on the same deals (``carteador tournament``)."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.api import check_extent
from sim.batch import Chunk, Progress, Records
from sim.common_deals import Playing, check_played, largest_chunk, provenance_of, seating_of, sum_over_deals
from sim.errors import UsageError
from sim.games import PolicyChoice, Setup, find_game, make_setup, parse_policy
from sim.manifest import DEALS
from sim.names import Names, in_program
from sim.numbers import check_fraction
from sim.rules import option_text

if TYPE_CHECKING:
    from analysis.tournament import Tournament

MOST_POLICIES = 20


@dataclass(frozen=True)
class TournamentRun:
    """A finished (or interrupted) tournament; `common` has the game, the rules and the seed."""

    common: Setup
    result: Tournament
    playing: Playing
    progress: Progress

    def sentences(self) -> list[str]:
        """The result in words."""
        from analysis.tournament import tournament_sentences

        return tournament_sentences(self.result.ranking(), self.result.pair_rows(), 1 - self.result.confidence)

    def command(self) -> str:
        """The command that repeats it."""
        words = ["carteador", "tournament", self.common.spec.name]
        for text in self.result.policies:
            words += ["--policy", text]
        words += ["--deals", str(self.playing.count), "--seed", str(self.common.seed)]
        if self.playing.first:
            words += ["--first", str(self.playing.first)]
        for name, value in self.common.changed.items():
            words += ["--rule", f"{name}={option_text(value)}"]
        return shlex.join(words)

    def document(self) -> dict[str, Any]:
        """Everything, ready for JSON: schema ``carteador.tournament/1``."""
        from analysis.tournament import SCHEMA

        mixed = self.result.mixed_rows()
        return {
            "schema": SCHEMA,
            "game": self.common.spec.name,
            "title": self.common.spec.title,
            "seed": self.common.seed,
            "first": self.playing.first,
            "deals": self.progress.done,
            "seats": self.common.seats,
            "sides": self.common.sides,
            "confidence": self.result.confidence,
            "policies": list(self.result.policies),
            "options": dict(self.common.options),
            "changed": dict(self.common.changed),
            "pairs": self.result.pair_rows(),
            "ranking": self.result.ranking(),
            "mixed": None if mixed is None else {"rows": mixed},
            "sentence": self.sentences(),
            "command": self.command(),
            "provenance": provenance_of(self.playing, self.progress),
        }


def tournament(
    game: str,
    policies: Sequence[str] = (),
    *,
    deals: int | None = None,
    seed: int | None = None,
    first: int = 0,
    rules: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    threads: int | None = None,
    confidence: float = 0.95,
    progress: Callable[[Progress], None] | None = None,
) -> TournamentRun:
    """Play every two policies against each other on the same deals, and in games for three or more all together.

    Parameters
    ----------
    game
        Name of a game.
    policies
        Two or more; the game's built-in ones if none is named.
    deals, seed, first, rules, threads, confidence, progress
        As for `sim.simulate`; every deal is played at every table of every pair.

    Raises
    ------
    UsageError
        If an argument is wrong; the message says what is allowed.

    Examples
    --------
    >>> import sim
    >>> found = sim.tournament("canastra", ["novice", "standard"], deals=500, seed=7)
    >>> [row["policy"] for row in found.result.ranking()]
    ['standard', 'novice']
    """
    count, first = check_extent(DEALS, deals, first)
    common, choices = prepare(game, policies, seed, rules)
    playing = Playing(first, count, threads, watch=progress)
    return play(common, choices, playing, check_fraction("confidence", confidence))


def prepare(
    game: str,
    policies: Sequence[str],
    seed: int | str | None,
    rules: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    *,
    rule_texts: Sequence[str] = (),
    names: Names = in_program,
) -> tuple[Setup, tuple[PolicyChoice, ...]]:
    """Check who takes part, and under which rules.

    Raises
    ------
    UsageError
        If anything is wrong, or fewer than two different policies take part.
    """
    spec = find_game(game)
    common = make_setup(game, seed=seed, rules=rules, rule_texts=rule_texts, names=names)
    where = names("policies")
    texts = list(policies) or [policy.name for policy in spec.policies]
    choices = {choice.text: choice for choice in (parse_policy(spec, text, where) for text in texts)}
    if len(choices) < len(texts):
        raise UsageError(f"{where}: a policy is named twice; a tournament is between different policies")
    if not 2 <= len(choices) <= MOST_POLICIES:
        raise UsageError(f"{where}: {len(choices)} named; a tournament needs 2 to {MOST_POLICIES} policies")
    return common, tuple(choices.values())


def play(common: Setup, choices: Sequence[PolicyChoice], playing: Playing, confidence: float) -> TournamentRun:
    """Play a tournament that is checked."""
    from analysis.comparison import ComparisonSums, sums_of, tables_for
    from analysis.tournament import BLOCKS, MixedSums, Tournament, mixed_sums, mixed_tables, pairs_of

    pairs, tables = pairs_of(len(choices)), tables_for(common.sides)
    mixed = mixed_tables(len(choices), common.sides)
    setups = [
        _table(common, [choices[one if plays else other] for plays in table])
        for one, other in pairs
        for table in tables
    ]
    setups += [_table(common, [choices[number] for number in table]) for table in mixed]
    seatings = [seating_of(setup) for setup in setups]
    size = len(tables)

    def count_deals(records: Sequence[Records]) -> tuple[list[ComparisonSums], tuple[MixedSums, ...]]:
        of_pairs = [
            sums_of(tables, seatings[start : start + size], records[start : start + size])
            for start in range(0, len(pairs) * size, size)
        ]
        start = len(pairs) * size
        return of_pairs, mixed_sums(mixed, len(choices), seatings[start:], records[start:]) if mixed else ()

    totals: dict[tuple[int, int], ComparisonSums] = {}
    mixed_totals: list[MixedSums] = []
    wins = np.zeros((BLOCKS, len(choices), len(choices)), np.int64)

    def add(chunk: Chunk, sums: tuple[list[ComparisonSums], tuple[MixedSums, ...]]) -> None:
        block = (chunk.first - playing.first) * BLOCKS // playing.count
        for (one, other), found in zip(pairs, sums[0], strict=True):
            totals[one, other] = totals[one, other] + found if (one, other) in totals else found
            wins[block, one, other] += found.wins[0]
            wins[block, other, one] += found.wins[1]
        mixed_totals[:] = [x + y for x, y in zip(mixed_totals, sums[1], strict=True)] if mixed_totals else sums[1]

    # A chunk belongs to one block: its size depends on the number of deals alone, and so do the intervals.
    playing.chunk_size = min(largest_chunk(setups), max(1, playing.count // BLOCKS))
    progress = sum_over_deals(setups, count_deals, add, playing)
    check_played(totals)
    names = tuple(choice.text for choice in choices)
    result = Tournament(names, totals, wins, tuple(mixed_totals), common.sides, confidence)
    return TournamentRun(common, result, playing, progress)


def _table(common: Setup, by_side: Sequence[PolicyChoice]) -> Setup:
    spec, options = common.spec, common.options
    seats = range(spec.seats(options))
    return Setup(spec, options, tuple(by_side[spec.side_of(seat, options)] for seat in seats), common.seed)
