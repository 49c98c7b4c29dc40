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
    "undetermined": compare()
    | {"differences": [{"statistic": "score", "unit": "points", "difference": 1.0, "n": 1}], "histogram": None},
}
"""Documents that are right and unusual."""


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
