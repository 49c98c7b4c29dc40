"""The catalogue as Markdown: ``python -m analysis.catalogue.page`` renews the tables of docs/statistics.md."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from analysis.catalogue import load
from analysis.catalogue.common import match_statistics
from analysis.statistic import Statistic
from kernels.registry import GAMES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "statistics.md"
MATCHES = "matches"


def markdown(statistics: Sequence[Statistic], of: str = "deal") -> str:
    """Tables of statistics, a section each; `of` is what the rows are of, ``deal`` or ``match``."""
    lines: list[str] = []
    for section in dict.fromkeys(statistic.section for statistic in statistics):
        lines += ["", f"#### {section}", "", "| name | kind | unit | question | n counts |", "|---|---|---|---|---|"]
        lines += [_line(statistic, of) for statistic in statistics if statistic.section == section]
    return "\n".join(lines)


def renewed(page: str) -> str:
    """The page with its tables as the catalogues say.

    Raises
    ------
    ValueError
        If a registered game has no place on the page.
    """
    tables = {game: load(game) for game in GAMES} | {MATCHES: match_statistics()}
    for name, statistics in tables.items():
        start, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
        place = re.compile(re.escape(start) + ".*?" + re.escape(end), re.DOTALL)
        if not place.search(page):
            raise ValueError(f"the page has no place for {name}: it needs the lines {start} and {end}")
        table = f"{start}\n{markdown(statistics, 'match' if name == MATCHES else 'deal')}\n\n{end}"
        page = place.sub(table.replace("\\", r"\\"), page)
    return page


def _line(statistic: Statistic, of: str) -> str:
    every = {"deal": "deals", "match": "matches"}[of] if statistic.level == "deals" else f"sides of each {of}"
    rows = statistic.among or every
    return f"| `{statistic.name}` | {statistic.kind} | {statistic.unit} | {statistic.question} | {rows} |"


if __name__ == "__main__":
    PAGE.write_text(renewed(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
