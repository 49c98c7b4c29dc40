"""How `expert` was found: its parameters sought game by game, with fixed opponents, seeds and budgets.

Run as ``python -m benches.expert [GAME ...]`` (all games if none is named; about an hour), or with ``--share 0.01`` for
a trial with a hundredth of the deals. It writes docs/expert.md, a part for each game; the parts of other games stay.
What it finds goes by hand into ``EXPERT`` in ``kernels/GAME/parameters.py``, and its worth into docs/policies.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.comparison_words import probability
from benches.pages import with_part
from sim import batch
from sim.progress import progress_line
from sim.tuning import FRESH_FIRST, TuneRun, play
from sim.tuning_plan import prepare

SEED = 8
OPPONENT = "standard"

PATIENT = (
    "standard:"
    "open_cost=2,open_behind=13,open_turn=0,open_stock=2,open_two=54,open_joker=37,open_pile=6,open_pile_card=28,"
    "take_pile=6,take_wild=5,keep_hand=18,first_mix=7,mix=4,natural_hope=8,danger_hand=4,danger_stock=3,"
    "out_lead=1125,keep_pair=28,keep_triple=0,keep_own=85,keep_points=30,keep_wild=203,keep_black_three=3,"
    "stop_pile=0,feed_join=67,feed_pair=200,feed_single=52,feed_pile=40,safe_thrown=0,weigh_hands=1,"
    "count_cards=1,freeze_pile=0,freeze_worth=41"
)
READY = (
    "standard:"
    "open_cost=2,open_behind=13,open_turn=0,open_two=96,open_joker=69,open_pile=6,open_pile_card=16,take_pile=3,"
    "take_wild=5,keep_hand=15,hold_pairs=0,first_mix=7,mix=4,natural_hope=8,danger_hand=5,danger_stock=1,"
    "out_lead=1472,keep_pair=28,keep_triple=2,keep_own=85,keep_points=30,keep_wild=175,keep_black_three=3,"
    "stop_pile=0,feed_join=67,feed_pair=103,feed_single=52,feed_pile=40,safe_thrown=0,count_cards=1,"
    "freeze_pile=0,freeze_worth=31"
)
QUICK = (
    "standard:"
    "open_two=24,take_pile=3,take_wild=3,keep_hand=1,first_mix=7,mix=4,danger_stock=14,keep_pair=55,keep_own=96,"
    "keep_points=46,stop_pile=0,feed_join=10,feed_pair=1,feed_single=33,feed_known=1"
)
"""Policies of canasta from earlier searches: two that wait for a large pile, and one that is ahead of both by haste."""

AGAINST = {"canasta": (OPPONENT, "novice", PATIENT, QUICK)}
"""Whom the candidates of a game play if not `OPPONENT` alone, where what beats that one loses to others."""

NAMES = {PATIENT: "the patient one", READY: "the ready one", QUICK: "the quick one"}
"""What the page calls policies that have no name."""

START = {
    "canastra": "standard",
    "canasta": READY,
    "mau_mau": "standard:"
    "points=0,suit_one=78,suit_two=87,suit_three=99,mates=12,last_jack=205,spare_jack=173,eight=-65,seven=-11,ace=-20,"
    "queen=3,cover=104,block=92,points_alone=0,suit_one_alone=227,suit_two_alone=247,suit_three_alone=50,"
    "mates_alone=-19,last_jack_alone=535,spare_jack_alone=596,eight_alone=3,seven_alone=49,ace_alone=2,"
    "queen_alone=-115,cover_alone=201,block_alone=229,points_barred=1,suit_one_barred=91,suit_two_barred=192,"
    "suit_three_barred=237,mates_barred=20,last_jack_barred=303,spare_jack_barred=449,eight_barred=-73,"
    "seven_barred=-61,ace_barred=121,queen_barred=-11,cover_barred=58,block_barred=150,near_hand=3,eight_near=194,"
    "seven_near=111,ace_near=153,unfined_points=6,queen_near=106",
    "escopa": "expert:"
    "card=80,diamond=100,seven=80,guindis=1000,quartet=100,escopa=1000,next=135,own_next=55,reckon_end=1",
    "loba": "standard:hold_left=6,hold_hand=3,feed_meld=5,feed_took=10,keep_spare=30,near=0,ahead=15",
}
"""Where a search begins: at `standard`, or at values found by hand or by an earlier, shorter search."""

PAGE = Path(__file__).parent.parent / "docs" / "expert.md"
CONFIDENCE = 0.99


@dataclass(frozen=True)
class Budget:
    """Deals of a candidate, fresh deals at the end, and generations."""

    deals: int
    fresh: int
    generations: int


BUDGETS = {
    "canastra": Budget(10_000, 200_000, 120),
    "canasta": Budget(4_000, 40_000, 100),
    "mau_mau": Budget(20_000, 200_000, 120),
    "escopa": Budget(20_000, 200_000, 60),
    "loba": Budget(2_000, 20_000, 30),
}

HEAD = """# How `expert` was found

`python -m benches.expert` seeks the parameters of `expert` in every game as `carteador tune` does, against `standard`
(in canasta against several), and writes this page; [tuning.md](tuning.md) says how. The same version of the program
finds the same again. Points are points a deal and side; intervals are {confidence:.0%} ones on deals that had no part
in the search, those of a game's parameters together.
"""


def search(game: str, share: float) -> TuneRun:
    """Seek the parameters of a game with a share of its budget."""
    budget = BUDGETS[game]
    plan = prepare(
        game,
        START[game],
        AGAINST.get(game, OPPONENT),
        deals=max(10, round(budget.deals * share)),
        fresh=max(100, round(budget.fresh * share)),
        generations=budget.generations if share >= 1 else max(3, round(budget.generations * share**0.5)),
        seed=SEED,
    )
    with progress_line("deals", None, quiet=False) as watch:
        return play(plan, threads=None, confidence=CONFIDENCE, announce=batch.announcer(), watch=watch)


def part(run: TuneRun, share: float) -> Iterator[str]:
    """Lines of the part of a game."""
    document = run.document()
    game, plan, start = document["game"], run.plan, document["policy"]
    yield f"## {document['title']}"
    yield ""
    if share < 1:
        yield f"A trial with {share:.2g} of the budget."
        yield ""
    yield f"    carteador tune {game} --policy {START[game]} \\"
    for one in plan.against:
        yield f"        --against {one.text} \\"
    yield f"        --deals {plan.deals} --fresh {plan.fresh} --generations {plan.generations} --seed {SEED}"
    yield ""
    yield from (f"- {_with_names(sentence, start)}" for sentence in document["sentence"])
    yield ""
    if document["parameters"]:
        yield "| parameter | was | is | worth, points | interval | p (Holm) |"
        yield "|---|---|---|---|---|---|"
        for row in document["parameters"]:
            known = row["low"] is not None
            # Of games with small scores the thousandths matter.
            form = ".3f" if known and row["high"] - row["low"] < 0.1 else ".2f"
            cells = ["", ""]
            if known:
                cells = [f"{row['difference']:+{form}}", f"{row['low']:{form}} to {row['high']:{form}}"]
            sure = probability(row["p_holm"]).removeprefix("= ") if known else ""
            yield f"| `{row['name']}` | {row['old']} | {row['new']} | {' | '.join(cells)} | {sure} |"
        yield ""
    yield "All values of `expert`:"
    yield ""
    choice = run.judged if document["improved"] else plan.policy
    pairs = zip(choice.policy.parameters, choice.values, strict=True)
    yield "    " + ", ".join(f"{parameter.name}={value}" for parameter, value in pairs)
    yield ""
    yield "To check:"
    yield ""
    yield f"    carteador compare {game} --a expert --b {OPPONENT} \\"
    yield f"        --deals {plan.fresh} --seed {SEED} --first {FRESH_FIRST}"
    yield ""
    yield "The way there, every fifth generation:"
    yield ""
    yield "| generation | deals | mean of the candidates | best of them, as it seemed | step size |"
    yield "|---|---|---|---|---|"
    for one in document["search"]["trajectory"]:
        if one["generation"] % 5 == 1 or one["generation"] == document["search"]["generations"]:
            seemed = f"{one['mean']:+.2f} | {one['best']:+.2f}"
            yield f"| {one['generation']} | {one['deals']:,} | {seemed} | {one['sigma']:.2f} |"


def _with_names(sentence: str, start: str) -> str:
    """A sentence without the many parameters of what has no name."""
    for text, name in NAMES.items():
        sentence = sentence.replace(text, name)
    # Where the start is an opponent too, that name says more.
    return sentence if start in (OPPONENT, *NAMES) else sentence.replace(start, "the start")


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
        run = search(game, asked.share)
        lines = list(part(run, asked.share))
        page = asked.page.read_text() if asked.page.exists() else ""
        asked.page.write_text(with_part(page, HEAD.format(confidence=CONFIDENCE), run.plan.common.spec.title, lines))
        print("\n".join(lines))


if __name__ == "__main__":
    main()
