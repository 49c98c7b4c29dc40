"""Arguments and options that several commands have."""

from __future__ import annotations

from typing import Annotated

import typer

Game = Annotated[str, typer.Argument(metavar="GAME", help="Name of a game; `carteador games` lists them.")]
OptionalGame = Annotated[str | None, typer.Argument(metavar="[GAME]", help="One game, not all.")]
Seed = Annotated[
    str | None, typer.Option(metavar="S", help="Seed of all cards and choices, 0 to 2^64 - 1.", show_default="0")
]
Policies = Annotated[
    list[str],
    typer.Option(
        "--policy",
        metavar="P",
        help="Policy of all seats, as NAME or NAME:parameter=value,...; or SEAT=P once for each seat meant.",
        show_default="standard",
    ),
]
Rule = Annotated[
    list[str], typer.Option("--rule", metavar="NAME=VALUE", help="A house rule; once for each. Wins over --rules.")
]
Rules = Annotated[
    str | None, typer.Option(metavar="FILE|PRESET", help="House rules from a TOML file or a preset of the game.")
]
Threads = Annotated[
    str | None, typer.Option(metavar="T", help="Worker threads; they change no number.", show_default="processors")
]
Quiet = Annotated[bool, typer.Option("--quiet", help="Neither progress nor notes on stderr.")]
Deals = Annotated[str | None, typer.Option("--deals", metavar="N", help="Deals to play.", show_default="100000")]
First = Annotated[str | None, typer.Option("--first", metavar="K", help="Number of the first deal.", show_default="0")]
Confidence = Annotated[str, typer.Option(metavar="C", help="Level of the intervals.")]
ResultFormat = Annotated[str, typer.Option("--format", metavar="F", help="table, json or csv.")]
ResultFile = Annotated[
    str | None, typer.Option(metavar="FILE", help="Also write the result: .json, .csv or .parquet by the ending.")
]
Statistic = Annotated[
    list[str], typer.Option("--stat", metavar="NAME[@GROUP]", help="A statistic, as turns or score@plays_first:yes.")
]
Deck = Annotated[
    str | None,
    typer.Option(metavar="CARDS|FILE", help="All cards in the order dealt, or a file with them or a log of a deal."),
]
Scores = Annotated[
    str | None, typer.Option(metavar="A:B", help="Scores before the deal, which is then a hand of a match.")
]
StoredRun = Annotated[str, typer.Argument(metavar="DIR", help="Folder that `carteador run --out` wrote.")]
StoredRuns = Annotated[
    list[str], typer.Argument(metavar="DIR", help="Folders of runs that are parts of one, in any order.")
]
Level = Annotated[str | None, typer.Option(metavar="C", help="Level of the intervals.", show_default="0.95")]
