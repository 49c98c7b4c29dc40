"""How `expert` was found: its parameters sought against `standard`, game by game, with fixed seeds and budgets.

Run as ``python -m benches.expert [GAME ...]`` (all games if none is named; about an hour), or with ``--share 0.01`` for
a trial with a hundredth of the deals. It writes docs/expert.md, a part for each game; the parts of other games stay.
What it finds goes by hand into ``EXPERT`` in ``kernels/GAME/parameters.py``, and its worth into docs/policies.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis.comparison_words import probability
from benches.pages import with_part
from sim import batch
from sim.progress import progress_line
from sim.tuning import TuneRun, play
from sim.tuning_plan import prepare

SEED = 8
POLICY, OPPONENT = "expert", "standard"
PAGE = Path(__file__).parent.parent / "docs" / "expert.md"
CONFIDENCE = 0.99


@dataclass(frozen=True)
class Budget:
    """Deals of a candidate, fresh deals at the end, and generations."""

    deals: int
    fresh: int
    generations: int


BUDGETS = {
    "canastra": Budget(10_000, 200_000, 80),
    "canasta": Budget(10_000, 200_000, 100),
    "mau_mau": Budget(20_000, 200_000, 120),
    "escopa": Budget(20_000, 200_000, 60),
    "loba": Budget(2_000, 50_000, 60),
}

HEAD = """# How `expert` was found

`python -m benches.expert` seeks the parameters of `expert` in every game with `carteador tune`, against `standard`,
and writes this page; [tuning.md](tuning.md) says how. The same version of the program finds the same again. Points are
points a deal and side; intervals are {confidence:.0%} ones on deals that had no part in the search, those of a game's
parameters together.
"""


def search(game: str, share: float) -> TuneRun:
    """Seek the parameters of a game with a share of its budget."""
    budget = BUDGETS[game]
    plan = prepare(
        game,
        POLICY,
        OPPONENT,
        deals=max(10, round(budget.deals * share)),
        fresh=max(100, round(budget.fresh * share)),
        generations=budget.generations if share >= 1 else max(3, round(budget.generations * share**0.5)),
        seed=SEED,
    )
    with progress_line("deals", None, quiet=False) as watch:
        return play(plan, threads=None, confidence=CONFIDENCE, announce=batch.announce_on_stderr, watch=watch)


def part(document: Mapping[str, Any], share: float) -> Iterator[str]:
    """Lines of the part of a game."""
    yield f"## {document['title']}"
    yield ""
    if share < 1:
        yield f"A trial with {share:.2g} of the budget."
        yield ""
    yield f"    {document['command']}"
    yield ""
    yield from (f"- {sentence}" for sentence in document["sentence"])
    yield ""
    if document["parameters"]:
        yield "| parameter | was | is | worth, points | interval | p (Holm) |"
        yield "|---|---|---|---|---|---|"
        for row in document["parameters"]:
            known = row["low"] is not None
            cells = [f"{row['difference']:+.2f}", f"{row['low']:.2f} to {row['high']:.2f}"] if known else ["", ""]
            sure = probability(row["p_holm"]).removeprefix("= ") if known else ""
            yield f"| `{row['name']}` | {row['old']} | {row['new']} | {' | '.join(cells)} | {sure} |"
        yield ""
    yield "To use:"
    yield ""
    yield f"    --policy {document['tuned']}"
    yield ""
    if document["checks"]:
        yield "To check:"
        yield ""
        yield from (f"    {check}" for check in document["checks"])
        yield ""
    yield "The way there, every fifth generation:"
    yield ""
    yield "| generation | deals | mean of the candidates | best of them, as it seemed | step size |"
    yield "|---|---|---|---|---|"
    for one in document["search"]["trajectory"]:
        if one["generation"] % 5 == 1 or one["generation"] == document["search"]["generations"]:
            seemed = f"{one['mean']:+.2f} | {one['best']:+.2f}"
            yield f"| {one['generation']} | {one['deals']:,} | {seemed} | {one['sigma']:.2f} |"


def main(words: Sequence[str] | None = None) -> None:
    """Search, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benches.expert")
    parser.add_argument("--share", type=float, default=1.0, help="part of the deals, for a trial")
    parser.add_argument("--page", type=Path, default=PAGE, help="file that is written")
    parser.add_argument("games", nargs="*", metavar="GAME", help="all if none is named")
    asked = parser.parse_args(words)
    for game in asked.games or BUDGETS:
        if game not in BUDGETS:
            sys.exit(f"there is no game {game!r}: there is {', '.join(BUDGETS)}")
        document = search(game, asked.share).document()
        lines = list(part(document, asked.share))
        page = asked.page.read_text() if asked.page.exists() else ""
        asked.page.write_text(with_part(page, HEAD.format(confidence=CONFIDENCE), document["title"], lines))
        print("\n".join(lines))


if __name__ == "__main__":
    main()
