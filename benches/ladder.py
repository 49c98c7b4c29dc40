"""How much each built-in policy is worth: every one against those before, over paired deals.

Run as ``python -m benches.ladder [GAME ...]`` (all games if none is named); it writes docs/ladder.md, a part for each
game; the parts of other games stay. With ``--rule OPTION=VALUE`` it prints the tables of one game under these options.
The same deals are played twice, the two policies, which sit by turns, changing places: the cards favour neither.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from analysis.estimate import PairedDifference, paired_difference
from benches.pages import with_part
from kernels import registry
from kernels.spec import GameSpec
from sim import simulate
from sim.batch import play_deals
from sim.games import make_setup
from sim.rules import option_text

DEALS = 100_000
SEARCH_DEALS: Mapping[str, Mapping[str, int]] = {
    "canastra": {"expert": 400, "standard": 200},
    "canasta": {"expert": 400, "standard": 400},
    "mau_mau": {"expert": 1_500, "standard": 300},
    "escopa": {"expert": 400, "standard": 200},
    "loba": {"expert": 1_500, "standard": 500},
}
"""Whom a search meets, and in how many deals: it is slower by orders of magnitude."""

SEED = 28
CONFIDENCE = 0.999
PAGE = Path(__file__).parent.parent / "docs" / "ladder.md"
TABLES: dict[str, tuple[Mapping[str, Any], ...]] = {
    "canastra": ({"players": 2},),
    "canasta": (),
    "mau_mau": (
        {"players": 2},
        {"players": 6},
        {"players": 10},
        {"unable": "fine_only"},
        {"unable": "fine_once"},
        {"unable": "draw_one"},
        {"unable": "draw_until"},
    ),
    "escopa": ({"players": 3}, {"players": 4}),
    "loba": ({"players": 2}, {"players": 7}),
}
"""House rules under which the policies play too."""

HEAD = f"""# What the policies are worth

`python -m benches.ladder` plays every policy against those before, and writes this page; [policies.md](policies.md)
says how they think. What beats one policy need not beat all that this one beats, so the rule book's game, in the first
rows, has every pair (a `search`, which is slow, meets `standard` and `expert`); under house rules each meets the one
before. Every deal is played twice, the two policies, which sit by turns, changing places. Points are the mean
difference a deal and side, with {CONFIDENCE:.1%} intervals; "better in" is the share of deals in which the first made
more points over both playings.
"""

TOLD = (
    "end_reason:batida",
    "end_reason:went_out",
    "first_meld_turn",
    "morto_rate_any",
    "morto_rate",
    "canastra_rate",
    "canasta_rate",
    "natural_canasta_rate",
    "canastras",
    "canastas",
    "lixo_takes",
    "pile_takes",
    "unable",
    "jack_finish_rate",
    "cards_left",
    "escopas_in_pack",
    "captures_in_pack",
    "most_cards_rate",
    "most_diamonds_rate",
    "most_sevens_rate",
    "primeira_rate",
    "leftover_cards",
    "last_capture_points",
    "went_out_turn",
    "all_at_once_rate_any",
    "discard_takes",
    "jokers_used",
    "deadwood",
    "turns",
    "score",
)


def mirrored_scores(
    game: str, one: str, other: str, deals: int, seed: int, rules: Mapping[str, Any] | None = None
) -> npt.NDArray[np.int64]:
    """Score of two policies over the same deals, every other side playing one of them, then exchanged.

    Returns
    -------
    numpy.ndarray
        Shape (2, deals): in each deal the sum of the scores of `one`, and of `other`, over all sides and both playings.
    """
    declared = registry.spec(game)
    options = make_setup(game, rules=rules).options
    sides = declared.sides(options)
    totals = np.zeros((2, deals), np.int64)
    for swapped in (0, 1):
        names = [
            (one, other)[(declared.side_of(seat, options) + swapped) % 2] for seat in range(declared.seats(options))
        ]
        setup = make_setup(game, seed=seed, policies=names, rules=rules)
        score = play_deals(setup, 0, deals)["score"][:, :sides]
        totals[0] += score[:, swapped::2].sum(axis=1)
        totals[1] += score[:, 1 - swapped :: 2].sum(axis=1)
    return totals


def difference(
    game: str, one: str, other: str, deals: int, seed: int = SEED, rules: Mapping[str, Any] | None = None
) -> PairedDifference:
    """Paired difference of two policies in score, summed over all sides and the two playings, at 99.9 %."""
    scores = mirrored_scores(game, one, other, deals, seed, rules)
    return paired_difference(scores[0], scores[1], CONFIDENCE)


def meetings(declared: GameSpec, searches: bool) -> list[tuple[str, str]]:
    """Who meets whom, the weaker one second: every pair, or without searches each and the one before."""
    names = [policy.name for policy in declared.policies]
    if not searches:
        return [(one, other) for other, one in pairwise(names)]
    pairs = [(one, other) for place, one in enumerate(names) for other in names[:place][::-1]]
    return pairs + [(search.name, other) for search in declared.searches for other in SEARCH_DEALS[declared.name]]


def rows(
    game: str, deals: int, search_deals: int | None, rules: Mapping[str, Any], searches: bool
) -> Iterator[list[str]]:
    """Cells of every meeting under some house rules."""
    declared = registry.spec(game)
    sides = declared.sides(make_setup(game, rules=rules).options)
    searching = {policy.name for policy in declared.searches}
    for one, other in meetings(declared, searches):
        played = (search_deals or SEARCH_DEALS[game][other]) if one in searching else deals
        paired = difference(game, one, other, played, rules=rules)
        assert paired.mean is not None
        assert paired.low is not None
        assert paired.high is not None
        # Over both playings every side has played each policy once.
        mean, low, high = paired.mean / sides, paired.low / sides, paired.high / sides
        # Of games with small scores the hundredths matter.
        form = "+.1f" if abs(mean) >= 10 else "+.2f"
        yield [
            f"`{one}`",
            f"`{other}`",
            f"{mean:{form}}",
            f"{low:{form}} to {high:{form}}",
            f"{paired.better / played:.1%}",
            f"{paired.worse / played:.1%}",
            f"{played:,}",
        ]


def ladder(game: str, deals: int, search_deals: int | None, tables: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Lines of a Markdown table: the meetings; every pair, and searches, at the first table alone."""
    yield "| house rules | policy | against | points a deal | 99.9 % interval | better in | worse in | deals |"
    yield "|---|---|---|---|---|---|---|---|"
    for number, rules in enumerate(tables):
        told = ", ".join(f"`{name}={option_text(value)}`" for name, value in rules.items())
        for cells in rows(game, deals, search_deals, rules, searches=number == 0):
            yield "| " + " | ".join([told, *cells]) + " |"


def play(game: str, deals: int, rules: Mapping[str, Any] | None = None) -> Iterator[str]:
    """Lines of a Markdown table: how deals go when all seats play the same policy."""
    policies = [policy.name for policy in registry.spec(game).policies]
    runs = [
        simulate(game, deals=deals, seed=SEED, policies=policy, rules=rules, keep_rows=False) for policy in policies
    ]
    rows = [{row.statistic: row for row in run.summary() if row.group == "all"} for run in runs]
    yield "| statistic | " + " | ".join(f"`{policy}`" for policy in policies) + " |"
    yield "|---" * (len(policies) + 1) + "|"
    for name in TOLD:
        if name in rows[0]:
            cells = [_cell(by_name[name].estimate, by_name[name].unit) for by_name in rows]
            yield f"| `{name}` | " + " | ".join(cells) + " |"


def _cell(estimate: float | None, unit: str) -> str:
    if estimate is None:
        return ""
    return f"{estimate:.1%}" if unit == "share" else f"{estimate:.2f}"


def part(game: str, deals: int, search_deals: int | None) -> Iterator[str]:
    """Lines of the part of a game."""
    declared = registry.spec(game)
    yield f"## {declared.title}"
    yield ""
    yield from ladder(game, deals, search_deals, ({}, *TABLES[game]))
    yield ""
    yield f"Among their like{_what_a_row_is(declared)}:"
    yield ""
    yield from play(game, deals)


def _what_a_row_is(declared: GameSpec) -> str:
    return "" if declared.sides(make_setup(declared.name).options) == 2 else " (a seat's figures)"


def main(words: Sequence[str] | None = None) -> None:
    """Play, and write the page, or print the tables of other house rules."""
    parser = argparse.ArgumentParser(prog="python -m benches.ladder")
    parser.add_argument("--deals", type=int, default=DEALS, help="deals of two built-in policies")
    parser.add_argument("--search-deals", type=int, help="deals in which a search plays")
    parser.add_argument("--rule", action="append", default=[], metavar="OPTION=VALUE", help="print, under this option")
    parser.add_argument("--page", type=Path, default=PAGE, help="file that is written")
    parser.add_argument("games", nargs="*", metavar="GAME", help="all if none is named")
    asked = parser.parse_args(words)
    for game in asked.games or TABLES:
        if game not in TABLES:
            sys.exit(f"there is no game {game!r}: there is {', '.join(TABLES)}")
        if asked.rule:
            rules = make_setup(game, rule_texts=asked.rule).changed
            lines = [*ladder(game, asked.deals, asked.search_deals, [rules]), "", *play(game, asked.deals, rules)]
        else:
            lines = list(part(game, asked.deals, asked.search_deals))
            page = asked.page.read_text() if asked.page.exists() else ""
            asked.page.write_text(with_part(page, HEAD, registry.spec(game).title, lines))
        print("\n".join(lines))


if __name__ == "__main__":
    main()
