"""Results of comparisons, tournaments, sweeps, searches, odds and advice as files and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from sim.errors import UsageError
from sim.paths import read_path
from sim.store import whole_file

ENDINGS = (".json", ".csv", ".parquet")
ALLOWED_FILE = "a file that ends in .json, .csv or .parquet"

Row = Mapping[str, Any]


def check_result_file(name: str, given: str) -> Path:
    """File that a result is to be written to.

    Raises
    ------
    UsageError
        If it has another ending, is a folder, or has no folder to lie in.
    """
    path = read_path(name, given, ALLOWED_FILE)
    if path.suffix.lower() not in ENDINGS:
        raise UsageError(f"{name}: {given!r} is not allowed; allowed is {ALLOWED_FILE}")
    if path.is_dir():
        raise UsageError(f"{name}: {given!r} is a folder; allowed is {ALLOWED_FILE}")
    if not path.parent.is_dir():
        raise UsageError(f"{name}: there is no folder {str(path.parent)!r} for {path.name!r}")
    return path


def write_result_file(path: Path, document: Mapping[str, Any]) -> None:
    """Write a document in the form that the file's ending says; beside it first, so that no half of one is left.

    Raises
    ------
    OSError
        If the system refuses.
    """
    ending = path.suffix.lower()
    if ending == ".json":
        content = msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"
    elif ending == ".csv":
        content = csv_text(document).encode()
    else:
        content = _parquet(document)
    with whole_file(path) as file:
        file.write(content)


def tidy_rows(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Estimates of a document, one a row, with what they are of.

    Comparisons and odds: a row a statistic. Tournaments: a row a pair. Sweeps: a row a point, statistic and group,
    with the values of the point in columns of their own. Searches: a row for each comparison on fresh deals, and one
    for each parameter that was changed. Advice: a row an option.
    """
    schema = document["schema"]
    if schema.startswith("carteador.advice/"):
        return _advice_rows(document)
    head = {"schema": schema, "game": document["game"], "seed": document["seed"], "deals": document["deals"]}
    confidence = document["confidence"]
    if schema.startswith("carteador.compare/"):
        names = {"a_label": document["a"]["label"], "b_label": document["b"]["label"]}
        return [{**head, **names, **row, "confidence": confidence} for row in document["differences"]]
    if schema.startswith("carteador.tournament/"):
        return [{**head, **row, "confidence": confidence} for row in document["pairs"]]
    if schema.startswith("carteador.odds/"):
        told = {"seat": document["seat"], "hand": " ".join(document["hand"])}
        rows = [{**told, **row, "confidence": confidence} for row in document["rows"]]
        return [{**head, **{name: row[name] for name in row if name not in ("section", "question")}} for row in rows]
    if schema.startswith("carteador.tune/"):
        return [{**head, **row, "confidence": confidence} for row in _tune_rows(document)]
    return [
        {**head, **point["values"], **row, **_against(point, row)}
        for point in document["points"]
        for row in point["rows"]
    ]


def _advice_rows(document: Row) -> list[dict[str, Any]]:
    head = {name: document[name] for name in ("schema", "game", "seed", "deal", "match", "turn")}
    asked = ("seat", "side", "question", "worlds")
    return [
        {
            **head,
            **{name: decision[name] for name in asked},
            **{name: row[name] for name in row if name != "event"},
            "confidence": document["confidence"],
        }
        for decision in document["decisions"]
        for row in decision["rows"]
    ]


def _tune_rows(document: Row) -> list[dict[str, Any]]:
    told = {"policy": document["judged"]}
    against = " ".join(document["against"])
    pairs = [
        ("over_start", document["policy"], document["over_start"] or {}),
        *(("over_opponent", *one) for one in document["over_opponents"].items()),
    ]
    rows: list[dict[str, Any]] = [
        {"row": kind, **told, "against": other, "parameter": None, "old": None, "new": None, **row, "p_holm": None}
        for kind, other, told_of in pairs
        for row in told_of.values()
    ]
    for row in document["parameters"]:
        cost = {name: row[name] for name in row if name not in ("name", "level")}
        rows.append({"row": "put_back", **told, "against": against, "parameter": row["name"], **cost})
    return rows or [{"row": "none", **told, "against": against}]


def _against(point: Row, row: Row) -> dict[str, Any]:
    text = row["statistic"] if row["group"] == "all" else f"{row['statistic']}@{row['group']}"
    found = next((one for one in point["against_first"] if one["statistic"] == text), None)
    names = ("difference", "low", "high")
    return {f"against_first_{name}": None if found is None else found[name] for name in names}


def csv_text(document: Mapping[str, Any]) -> str:
    """Rows of `tidy_rows` as CSV with a header."""
    rows = tidy_rows(document)
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in rows)
    return text.getvalue()


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return str(value).lower()
    return "".join(map(str, value)) if isinstance(value, list) else value


def _parquet(document: Mapping[str, Any]) -> bytes:
    import polars as pl

    rows = tidy_rows(document)
    columns: dict[str, Sequence[Any]] = {name: [_cell(row[name]) for row in rows] for name in rows[0]}
    buffer = io.BytesIO()
    pl.DataFrame(columns, strict=False).write_parquet(buffer)
    return buffer.getvalue()
