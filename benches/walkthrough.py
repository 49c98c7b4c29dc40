"""One real question per game, asked and answered: makes the results and figures of docs/walkthrough.md.

Run as ``python -m benches.walkthrough [DEALS]``. Every result on the page stands between two marks with the command
that gave it, and is made anew from that command.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

PAGE = Path(__file__).resolve().parent.parent / "docs" / "walkthrough.md"
FIGURES = PAGE.parent / "walkthrough"
MARK = re.compile(r"<!-- (?P<name>\w+): (?P<command>carteador [^\n]*) -->\n.*?<!-- end of (?P=name) -->", re.DOTALL)
MOST_LINES = 45
FOOT = re.compile(r"\n[\d,]+ deals/s over all tables[^\n]*\n")


@dataclass(frozen=True)
class Point:
    """A point of a figure with its interval."""

    label: str
    series: str
    estimate: float
    low: float
    high: float


def points_of(document: Mapping[str, Any]) -> tuple[str, list[Point]]:
    """Title of the figure and its points: of a sweep the first statistic, of a comparison all of one unit."""
    schema = document["schema"]
    if schema.startswith("carteador.sweep/"):
        return _sweep_points(document)
    if schema.startswith("carteador.compare/"):
        rows = [row for row in document["differences"] if row["unit"] == document["differences"][0]["unit"]]
        title = f"{document['a']['label']} less {document['b']['label']}, {rows[0]['unit']} a deal"
        return title, [Point(row["statistic"], "", row["difference"], row["low"], row["high"]) for row in rows]
    rows = [row for row in document["rows"] if re.fullmatch(r"\w+_by:\d+", row["statistic"])]
    title = "Share of deals in which it has happened by the own turn, with the hand and on average"
    points = []
    for row in rows:
        turn = row["statistic"].rpartition(":")[2]
        points.append(Point(turn, "hand", row["estimate"], row["low"], row["high"]))
        points.append(Point(turn, "average", row["average"], row["average"], row["average"]))
    return title, points


def _sweep_points(document: Mapping[str, Any]) -> tuple[str, list[Point]]:
    axis = document["axes"][0]["name"]
    first = document["points"][0]["rows"][0]
    groups = [row["group"] for row in document["points"][0]["rows"] if row["statistic"] == first["statistic"]]
    points = [
        Point(str(point["values"][axis]), row["group"], row["estimate"], row["low"], row["high"])
        for point in document["points"]
        for row in point["rows"]
        if row["statistic"] == first["statistic"] and row["group"] in groups and row["estimate"] is not None
    ]
    return f"{first['statistic']} ({first['unit']}) by {axis}", points


def figure(document: Mapping[str, Any], path: Path) -> None:
    """Draw the points with their intervals as SVG."""
    import altair

    title, points = points_of(document)
    rows = [asdict(point) for point in points]
    legend = altair.Legend() if len({point.series for point in points}) > 1 else None
    base = altair.Chart(altair.Data(values=rows)).encode(
        x=altair.X("label:N", title=None, sort=None, axis=altair.Axis(labelAngle=0, labelLimit=220)),
        color=altair.Color("series:N", title=None, legend=legend),
    )
    value = altair.Y("estimate:Q", title=None, scale=altair.Scale(zero=False))
    line = base.mark_rule(strokeWidth=3)
    bars = line.encode(y=value, y2="high:Q") + line.encode(y=value, y2="low:Q")
    chart = (bars + base.mark_point(filled=True, size=90).encode(y=value)).properties(
        title=title, width=560, height=240
    )
    path.parent.mkdir(exist_ok=True)
    chart.configure(font="sans-serif", background="white").save(str(path), format="svg")


def answer(name: str, command: str, deals: str | None) -> str:
    """Play a command; return what stands on the page between its marks."""
    words = shlex.split(command)[1:]
    if deals is not None:
        words[words.index("--deals") + 1] = deals
    with tempfile.TemporaryDirectory() as folder:
        stored = Path(folder) / "result.json"
        shown = _carteador([*words, "--out", str(stored), "--quiet"])
        document = json.loads(stored.read_text())
    figure(document, FIGURES / f"{name}.svg")
    lines = FOOT.sub("\n", shown).strip().splitlines()
    told = [*lines[:MOST_LINES], "..."] if len(lines) > MOST_LINES else lines
    text = "\n".join(line.rstrip() for line in told)
    return (
        f"<!-- {name}: {command} -->\n\n```sh\n{command}\n```\n\n```text\n{text}\n```\n\n"
        f"![{points_of(document)[0]}](walkthrough/{name}.svg)\n\n<!-- end of {name} -->"
    )


def _carteador(words: Sequence[str]) -> str:
    start = [sys.executable, "-c", "from sim.cli import main; main()"]
    done = subprocess.run([*start, *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{shlex.join(words)}: {done.stderr}")
    return done.stdout


def main() -> None:
    """Make every result of the page anew."""
    deals = sys.argv[1] if len(sys.argv) > 1 else None
    page = PAGE.read_text()
    PAGE.write_text(MARK.sub(lambda found: answer(found["name"], found["command"], deals), page))


if __name__ == "__main__":
    main()
