"""Documents of every schema for the tests of reports: from a run, and made up."""

from __future__ import annotations

import copy
from functools import cache
from typing import Any

from analysis.summary import Summarizer, summary_document
from kernels.registry import spec
from tests.analysis.support import canastra_records

POLICIES = ["expert", "standard", "expert", "standard"]
EVIL = "<script>alert('♥')</script>&\"x\""
PROVENANCE = {"version": "0.1.0", "git_commit": None, "python": "3.11", "threads": 2, "wall_seconds": 1.25}


@cache
def _summary(deals: int, policies: tuple[str, ...]) -> dict[str, Any]:
    game = spec("canastra")
    summarizer = Summarizer(game, {}, policies)
    summarizer.merge(summarizer.chunk(canastra_records(deals)))
    command = f"carteador run canastra --deals {deals} --seed 7"
    return summary_document(summarizer, 7, PROVENANCE, command=command)


def summary(deals: int = 400, *, policies: tuple[str, ...] = ("standard",) * 4) -> dict[str, Any]:
    """Summary of canastra deals of random numbers."""
    return copy.deepcopy(_summary(deals, policies))


def row(statistic: str, group: str, estimate: float | None, *, unit: str = "points", n: int = 100) -> dict[str, Any]:
    """Row of a summary, with an interval of one tenth to either side."""
    ends = (None, None) if estimate is None else (estimate - abs(estimate) / 10, estimate + abs(estimate) / 10)
    return {
        "statistic": statistic,
        "group": group,
        "unit": unit,
        "n": n,
        "estimate": estimate,
        "low": ends[0],
        "high": ends[1],
        "std_error": None,
        "confidence": 0.95,
    }


def common(schema: str, deals: int = 1_000) -> dict[str, Any]:
    """What the documents of analyses share."""
    return {
        "schema": schema,
        "game": "canastra",
        "title": "Canastra",
        "seed": 7,
        "first": 0,
        "deals": deals,
        "confidence": 0.95,
        "sentence": ["One is ahead of the other."],
        "command": "carteador something",
        "provenance": PROVENANCE,
    }


def compare(a: str = "expert", b: str = "standard") -> dict[str, Any]:
    """Comparison of two policies, with means over two tables in halves of a point."""
    return common("carteador.compare/1") | {
        "of": "policies",
        "seats": 4,
        "sides": 2,
        "a": {"label": a, "policy": a, "options": {"players": 4}, "changed": {}},
        "b": {"label": b, "policy": b, "options": {"players": 4}, "changed": {}},
        "tables": [{"policies": [a, b, a, b]}, {"policies": [b, a, b, a]}],
        "differences": [
            {
                "statistic": "score",
                "unit": "points",
                "n": 1_000,
                "a": 600.5,
                "b": 500.0,
                "difference": 100.5,
                "low": 90.0,
                "high": 111.0,
                "std_error": 5.3,
                "variance_reduction": 1.7,
            },
            {
                "statistic": "win_rate",
                "unit": "share",
                "n": 1_000,
                "a": 0.5,
                "b": 0.49,
                "difference": 0.01,
                "low": -0.01,
                "high": 0.03,
                "std_error": 0.01,
                "variance_reduction": None,
            },
        ],
        "sign_test": {"better": 600, "worse": 390, "equal": 10, "p_value": 1e-11},
        "histogram": {"values": [-300.0, 0.0, 12.5, 25.0, 900.0], "counts": [200, 100, 300, 300, 100]},
    }


def tournament(names: tuple[str, ...] = ("novice", "standard", "expert"), *, mixed: bool = False) -> dict[str, Any]:
    """Tournament in which whoever is named later is stronger."""
    pairs = [
        {
            "a": one,
            "b": other,
            "n": 1_000,
            "difference": -100.0 * (right - left),
            "low": -110.0 * (right - left),
            "high": -90.0 * (right - left),
            "std_error": 5.0,
            "win_rate_a": 0.4,
            "win_rate_b": 0.6,
            "variance_reduction": 1.5,
            "better": 300,
            "worse": 690,
            "equal": 10,
            "sign_test_p_value": 1e-20,
            "p_value": 1e-20,
            "p_holm": 3e-20,
        }
        for left, one in enumerate(names)
        for right, other in enumerate(names)
        if left < right
    ]
    ranking = [
        {
            "rank": place + 1,
            "policy": name,
            "strength": 1.0 - place,
            "strength_low": 0.9 - place,
            "strength_high": 1.1 - place,
            "wins": 1_200 - place,
            "losses": 700 + place,
        }
        for place, name in enumerate(reversed(names))
    ]
    rows = [row("score", "all", 100.0) | {"policy": name, "score": 100.0, "win_rate": 0.3} for name in names]
    return common("carteador.tournament/1") | {
        "policies": list(names),
        "options": {"players": 4},
        "changed": {},
        "pairs": pairs,
        "ranking": ranking,
        "mixed": {"rows": rows} if mixed else None,
    }


def sweep(values: tuple[Any, ...] = (1, 2, 3, 4), others: tuple[Any, ...] = ()) -> dict[str, Any]:
    """Sweep of a parameter, and of a house rule beside it where `others` has values."""
    name, rule = "standard:take_lixo", "lixo_justify"
    grid = [{name: value, **({rule: other} if others else {})} for value in values for other in others or (None,)]
    points = [
        {
            "values": place,
            "deals": 1_000,
            "rows": [
                row("score", "all", 600.0 + 10 * number, n=2_000),
                row("score:sd", "all", 300.0, n=2_000),
                row("end_reason:batida", "all", 0.5 + number / 100, unit="share"),
            ],
            "against_first": [{"statistic": "score", "difference": 10.0 * number, "low": -5.0, "high": 25.0}]
            * (number > 0),
        }
        for number, place in enumerate(grid)
    ]
    axes: list[dict[str, Any]] = [{"name": name, "kind": "param", "policy": "standard", "values": list(values)}]
    axes += [{"name": rule, "kind": "rule", "policy": None, "values": list(others)}] if others else []
    return common("carteador.sweep/1") | {
        "axes": axes,
        "points": points,
        "policy": "standard",
        "against": None,
        "options": {"players": 4},
        "best": {
            "values": grid[-1],
            "statistic": "score",
            "direction": "highest",
            "target": None,
            "estimate_in_sweep": 640.0,
            "fresh": {
                "unit": "points",
                "estimate": 630.0,
                "low": 620.0,
                "high": 640.0,
                "std_error": 5.0,
                "deals": 2_000,
                "first_deal": 1_000,
            },
        },
    }


def odds_row(statistic: str, unit: str, estimate: float, difference: float) -> dict[str, Any]:
    """Row of the odds of a hand."""
    return {
        "statistic": statistic,
        "section": "Score and winner",
        "question": "What is it?",
        "unit": unit,
        "n": 1_000,
        "estimate": estimate,
        "low": estimate - abs(estimate) / 10,
        "high": estimate + abs(estimate) / 10,
        "std_error": abs(estimate) / 20,
        "average": estimate - difference,
        "difference": difference,
        "difference_low": difference - 0.01,
        "difference_high": difference + 0.01,
    }


def odds() -> dict[str, Any]:
    """Odds of a hand of canastra."""
    return common("carteador.odds/1") | {
        "seat": 2,
        "hand": ["AS", "KS", "JK"],
        "top_card": ["4H"],
        "options": {},
        "policies": ["standard"] * 4,
        "rows": [
            odds_row("win_rate", "share", 0.61, 0.11),
            odds_row("score", "points", 812.0, 205.0),
            odds_row("canastra_rate", "share", 0.93, 0.06),
            odds_row("turns", "turns", 35.0, -2.0) | {"estimate": None, "low": None, "difference": None},
        ],
    }


def worth(difference: float | None, unit: str = "points") -> dict[str, Any]:
    """Difference on fresh deals, with an interval of a tenth to either side."""
    found = row("score", "all", difference, unit=unit, n=2_000)
    return {**{name: found[name] for name in ("unit", "n", "low", "high", "std_error")}, "difference": difference}


def fresh(score: float) -> dict[str, Any]:
    """What a policy is ahead by, by statistic."""
    rows = {"score": worth(score), "win_rate": worth(score / 1_000, "share")}
    return {name: {"statistic": name, **told} for name, told in rows.items()}


def tune(generations: int = 4, policy: str = "novice", against: str = "standard") -> dict[str, Any]:
    """Search that changed two parameters and put one back, against another policy than the one it began with."""
    costs = {"level": 0.975, "p_holm": 0.0004}
    changed = [("take_lixo", 3, 1, 25.0), ("keep_gap", 10, 40, -2.0)]
    step = {"best_values": {"take_lixo": 1, "keep_gap": 40}, "incumbent": {"take_lixo": 3}, "replaced": False}
    return common("carteador.tune/1", 2_000) | {
        "policy": policy,
        "against": [against],
        "found": f"{policy}:take_lixo=1,keep_gap=40,lock_lixo=1",
        "judged": f"{policy}:take_lixo=1,keep_gap=40",
        "tuned": f"{policy}:take_lixo=1,keep_gap=40",
        "improved": True,
        "gain": {"statistic": "score", **worth(25.0)},
        "over_start": fresh(25.0),
        "over_opponents": {against: fresh(-70.0)},
        "parameters": [
            {"name": name, "old": old, "new": new, **worth(value), **costs} for name, old, new, value in changed
        ],
        "pruned": [{"name": "lock_lixo", "old": 0, "found": 1}],
        "options": {"players": 4},
        "changed": {},
        "interrupted": False,
        "checks": ["carteador compare canastra --a this", "carteador compare canastra --a that"],
        "search": {
            "deals": 200,
            "fresh": 2_000,
            "population": 8,
            "most_generations": generations,
            "patience": 12,
            "budget": None,
            "rungs": [{"candidates": 8, "deals": 100}, {"candidates": 4, "deals": 200}],
            "parameters": [
                {"name": name, "low": 0, "high": 100, "start": old, "step": 2.5} for name, old, _, _ in changed
            ],
            "inert": ["count_cards"],
            "generations": generations,
            "deals_played": 3_600 * generations + 800,
            "stopped_by": "stalled",
            "estimate": 31.25,
            "trajectory": [
                {"generation": n, "best": 10.0 * n, "mean": 8.0 * n - 20, "sigma": 1 / n, "deals": 3_600 * n, **step}
                for n in range(1, generations + 1)
            ],
        },
    }


def option_row(rank: int, words: str, **marks: bool) -> dict[str, Any]:
    """Option of a decision, the further behind the further down."""
    told: dict[str, Any] = {"words": words, "event": {"event": "play"}, "rank": rank}
    values = {"margin": 5.0 - 2 * rank, "score": 8.0 - rank, "behind": 2.0 * (rank - 1)}
    for name, value in (values | {"win_rate": 0.9 / rank, "best_rate": 0.8 / rank}).items():
        half = 0.05 if name.endswith("_rate") else 3.0
        told |= {name: value, f"{name}_low": value - half, f"{name}_high": value + half}
    if rank == 1:
        told |= {"behind_low": None, "behind_high": None}
    return told | {"played": False, "standard": False, "expert": False} | marks


def decision(*rows: dict[str, Any], question: str = "play") -> dict[str, Any]:
    """Decision between options."""
    seen = [{"what": "hand", "text": "6♣ 7♥"}, {"what": "table", "text": "Q♣ K♦ = 18"}]
    return {"question": question, "seat": 1, "side": 1, "seen": seen, "position": None, "worlds": 50, "rows": [*rows]}


def advice(*decisions: dict[str, Any]) -> dict[str, Any]:
    """Advice of what to play in a turn of escopa."""
    rows = [
        option_row(1, "Play 7♥, take Q♣", standard=True, expert=True),
        option_row(2, "Play 6♣", played=True),
        option_row(3, "Play 7♥"),
    ]
    document = common("carteador.advice/1") | {
        "game": "escopa",
        "deal": 2,
        "match": None,
        "turn": 3,
        "options": {"players": 2},
        "changed": {},
        "policies": ["standard", "standard"],
        "search": "search",
        "rollouts": 50,
        "decisions": [*(decisions or (decision(*rows),))],
    }
    # It counts worlds.
    return {name: value for name, value in document.items() if name not in ("first", "deals")}


ODD: dict[str, dict[str, Any]] = {
    "one deal": summary(1),
    "no estimate": summary() | {"statistics": [row("score", "all", None, n=0)], "histograms": {}},
    "nothing": summary() | {"statistics": [], "histograms": {}},
    "huge": summary()
    | {
        "statistics": [
            row("score", "all", 1e15),
            row("score", "side:0", -1e15),
            row("turns", "all", 3e9),
        ],
        "histograms": {"score": {"all": {"values": [-(10**15), 0, 10**15], "counts": [1, 10**12, 1]}}},
    },
    "ten seats": summary()
    | {
        "policies": [f"novice:x={seat}" for seat in range(10)],
        "statistics": [
            row(name, group, 5.0 + seat, unit=unit)
            for name, unit in (("score", "points"), ("win_rate", "share"))
            for seat in range(10)
            for group in (f"seat:{seat}", f"policy:novice:x={seat}")
        ],
    },
    "unknown options": summary() | {"options": {"weather": None, "players": 4}},
    "no provenance": summary() | {"provenance": {}, "command": None, "first": None},
    "two policies": tournament(("a", "b")),
    "many policies": tournament(tuple(f"standard:take_lixo={n},keep_wilds=1" for n in range(1, 9))),
    "an empty tournament": tournament() | {"pairs": [], "ranking": []},
    "one point": sweep((1,)),
    "texts": sweep(("new_meld", "any"), (True, False)),
    "nothing sought": sweep() | {"best": None},
    "a grid": sweep((1, 2, 3), (2, 4)),
    "nothing compared": compare() | {"differences": [], "sign_test": None, "histogram": None},
    "nothing found": tune(0)
    | dict.fromkeys(("gain", "over_start"))
    | {"over_opponents": {}, "parameters": [], "pruned": [], "checks": [], "improved": False, "deals": 0},
    "one generation": tune(1),
    "an interrupted search": tune()
    | {"interrupted": True, "over_opponents": {}, "gain": None}
    | {"parameters": [{"name": "take_lixo", "old": 3, "new": 1, "difference": None, "low": None, "p_holm": None}]},
    "several opponents": tune()
    | {
        "against": ["standard", "expert", "novice"],
        "over_opponents": {"standard": fresh(-7.0), "expert": fresh(-70.0)},
    },
    "a long search": tune(70, "standard:" + ",".join(f"keep_{n}={n}" for n in range(20))),
    "one option": advice(decision(option_row(1, "Play 6♣", played=True))),
    "one world": advice(
        decision(*({**option_row(n, f"Play {n}♣"), "margin_low": None, "behind_low": None} for n in (1, 2)))
    ),
    "many decisions": advice(
        *(decision(option_row(1, "Draw"), option_row(2, "Take it"), question="meld") for _ in range(3))
    ),
    "many options": advice(decision(*(option_row(n, f"Meld {'4♥ 5♥ 6♥ 7♥ ' * 4}{n}") for n in range(1, 41)))),
    "alike": advice(decision(*(option_row(n, "Play 6♣") for n in (1, 2, 3)))),
    "a position typed in": advice() | {"deal": None, "turn": None, "sentence": []},
    "undetermined": compare()
    | {"differences": [{"statistic": "score", "unit": "points", "difference": 1.0, "n": 1}], "histogram": None},
}
"""Documents that are right and unusual."""
