from __future__ import annotations

import csv
import io
import json
import math
import re
from itertools import product
from typing import Any

import pytest
from rich.console import Console

from analysis.catalogue import load
from analysis.summary import SCHEMA, Summarizer, SummaryRow, summary_document
from analysis.tables import COLUMNS, estimate_text, print_table, to_csv, to_json
from kernels.canastra.layout import SPEC
from tests.analysis.support import canastra_records

MIXED = ["expert", "novice:take_lixo=4", "expert", "novice:take_lixo=4"]


def summarized(deals: int, policies: list[str] | None = None) -> Summarizer:
    summarizer = Summarizer(SPEC, {}, policies or ["standard"] * 4)
    summarizer.merge(summarizer.chunk(canastra_records(deals)))
    return summarizer


def document_of(deals: int, policies: list[str] | None = None) -> dict[str, Any]:
    return summary_document(summarized(deals, policies), 2**64 - 1, {"version": "0", "cpu": None})


def test_the_document_has_the_keys_of_its_schema() -> None:
    document = document_of(50)
    assert list(document) == [
        "schema",
        "game",
        "deals",
        "seed",
        "first",
        "command",
        "options",
        "policies",
        "confidence",
        "statistics",
        "histograms",
        "provenance",
    ]
    assert document["schema"] == SCHEMA == "carteador.summary/1"
    assert (document["game"], document["deals"], document["seed"]) == ("canastra", 50, 2**64 - 1)
    assert document["options"] == {option.name: json.loads(json.dumps(option.default)) for option in SPEC.options}
    assert all(tuple(row) == COLUMNS for row in document["statistics"])


@pytest.mark.parametrize("policies", [["standard"] * 4, MIXED])
def test_every_statistic_has_every_group_it_is_told_for(policies: list[str]) -> None:
    rows = {(row.statistic, row.group) for row in summarized(80, policies).rows()}
    sides = ["side:0", "side:1", "plays_first:yes", "plays_first:no"]
    if policies == MIXED:
        sides += ["policy:expert", "policy:novice:take_lixo=4"]
    expected = set()
    for statistic in load("canastra"):
        groups = ["all"] if statistic.level == "deals" else [*sides, *(["all"] if "all" in statistic.groups else [])]
        expected |= set(product(statistic.rows, groups))
    assert rows == expected


def test_groups_part_the_rows() -> None:
    summarizer = summarized(200, MIXED)
    for parts in (
        ("side:0", "side:1"),
        ("plays_first:yes", "plays_first:no"),
        ("policy:expert", "policy:novice:take_lixo=4"),
    ):
        rows = [summarizer.row("score", part) for part in parts]
        whole = summarizer.row("score")
        assert sum(row.n for row in rows) == whole.n == 400
        assert sum((row.estimate or 0) * row.n for row in rows) == pytest.approx((whole.estimate or 0) * 400)


@pytest.mark.parametrize("deals", [0, 1, 2, 300])
def test_json_round_trip_without_anything_that_is_no_number(deals: int) -> None:
    document = document_of(deals, MIXED)
    text = to_json(document)
    read = json.loads(text, parse_constant=lambda word: pytest.fail(f"{word} in JSON"))
    assert read == document
    for row in read["statistics"]:
        for key in ("estimate", "low", "high", "std_error"):
            assert row[key] is None or math.isfinite(row[key])
        # A standard deviation needs rows of two deals, and few deals may leave one.
        may_lack = row["n"] == 0 or (row["statistic"].endswith(":sd") and deals <= 2)
        assert row["estimate"] is not None or may_lack
        assert row["estimate"] is None or row["n"] > 0


def test_json_refuses_what_is_no_number() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        to_json({"x": math.nan})


def test_csv_has_a_header_and_every_row() -> None:
    document = document_of(30)
    rows = list(csv.DictReader(io.StringIO(to_csv(document))))
    assert len(rows) == len(document["statistics"])
    assert tuple(rows[0]) == COLUMNS
    for text, row in zip(rows, document["statistics"], strict=True):
        assert text["statistic"] == row["statistic"]
        assert text["estimate"] == ("" if row["estimate"] is None else repr(row["estimate"]))
    assert to_csv(summarized(30).rows()) == to_csv(document)


def test_histograms_count_every_row() -> None:
    document = document_of(60)
    n = {(row["statistic"], row["group"]): row["n"] for row in document["statistics"]}
    for name, groups in document["histograms"].items():
        for group, histogram in groups.items():
            assert sum(histogram["counts"]) == n[name, group]
            assert histogram["values"] == sorted(set(histogram["values"]))
            assert min(histogram["counts"], default=1) > 0


def test_a_single_row_is_that_of_all_rows() -> None:
    summarizer = summarized(100)
    for row in summarizer.rows(0.99)[::37]:
        assert summarizer.row(row.statistic, row.group, 0.99) == row
    with pytest.raises(KeyError, match="no statistic nonsense"):
        summarizer.row("nonsense")
    with pytest.raises(KeyError, match="turns has no group side:0"):
        summarizer.row("turns", "side:0")
    with pytest.raises(ValueError, match="confidence"):
        summarizer.rows(95)


def test_more_confidence_makes_wider_intervals() -> None:
    summarizer = summarized(500)
    narrow, wide = (summarizer.row("score", confidence=confidence) for confidence in (0.9, 0.999))
    assert narrow.estimate == wide.estimate
    assert (wide.low or 0) < (narrow.low or 0) < (narrow.high or 0) < (wide.high or 0)


def printed(document: dict[str, Any], width: int = 100) -> str:
    console = Console(width=width, file=io.StringIO(), color_system=None)
    print_table(document, console)
    file = console.file
    assert isinstance(file, io.StringIO)
    return file.getvalue()


@pytest.mark.parametrize("policies", [["standard"] * 4, MIXED, ["standard", "novice", "expert", "novice"]])
@pytest.mark.parametrize("deals", [0, 1, 20_000])
def test_tables_fit_100_columns_and_cut_nothing(policies: list[str], deals: int) -> None:
    text = printed(document_of(deals, policies))
    assert max(map(len, text.splitlines())) <= 100
    assert "…" not in text
    words = text.split()
    for statistic in load("canastra"):
        assert statistic.name in words
        assert statistic.section in text


NUMBER = re.compile(r"-?[\d,]*\.?\d+%?")
WIDTHS = [20, 40, 60, 80, 100, 120, 200]


@pytest.mark.parametrize("policies", [["standard"] * 4, MIXED, ["standard", "novice", "expert", "novice"]])
@pytest.mark.parametrize("deals", [0, 1, 1000])
@pytest.mark.parametrize("width", WIDTHS)
def test_no_terminal_is_too_narrow_for_whole_numbers(width: int, deals: int, policies: list[str]) -> None:
    document = document_of(deals, policies)
    text = printed(document, width)
    assert "…" not in text
    table = text[: text.index("\n±")].splitlines()
    if width >= 40:
        assert max(map(len, text.splitlines())) <= width
    # A number that the widest table does not have is part of one.
    whole = {cell for line in printed(document, 1000).splitlines() for cell in line.split()}
    for line in table:
        found = [cell for cell in line.split() if NUMBER.fullmatch(cell)]
        assert set(found) <= whole, line
    rows = {row["statistic"]: row for row in document["statistics"] if row["group"] == "all"}
    unbroken = re.sub(r"\s+", " ", "\n".join(table))
    assert estimate_text(rows["turns"]) in unbroken
    assert estimate_text(rows["score"]) in unbroken


def columns_at(width: int, document: dict[str, Any]) -> tuple[list[str], str]:
    """Headings of the main table in one line each, and what is said to be left out."""
    text = printed(document, width)
    lines = text.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("statistic"))
    above = " ".join(lines[: start + 1]).split()
    said = re.sub(r"\s+", " ", text[text.index("\n±") :])
    return above, said.partition("CSV and JSON: ")[2].strip().rstrip(".")


def test_columns_are_left_out_from_the_right_and_named() -> None:
    document = document_of(1000)
    full, nothing = columns_at(100, document)
    assert " ".join(full) == "not statistic estimate sd p5 / p50 / p95 side 0 side 1 first first"
    assert nothing == ""
    every = ["sd", "p5 / p50 / p95", "side 0", "side 1", "first", "not first"]
    seen = []
    for width in range(99, 37, -1):
        headings, said = columns_at(width, document)
        left_out = said.split(", ") if said else []
        assert left_out == every[len(every) - len(left_out) :]
        assert headings.count("p50") == ("p5 / p50 / p95" not in left_out)
        assert headings.count("sd") == ("sd" not in left_out)
        assert headings.count("side") == 2 - ("side 0" in left_out) - ("side 1" in left_out)
        seen.append(len(left_out))
    assert seen == sorted(seen)
    assert seen[-1] == len(every)


def test_groups_of_further_tables_are_left_out_with_those_of_the_first() -> None:
    document = document_of(1000, ["standard", "novice", "expert", "novice"])
    _, nothing = columns_at(100, document)
    assert nothing == ""
    _, said = columns_at(70, document)
    assert said.endswith("first, not first")


def test_headings_of_policies_are_broken_between_their_parts() -> None:
    assert "".join(printed(document_of(50, MIXED)).split("score ")[0].split()).count("lixo=4") == 1
    lines = printed(document_of(50, MIXED)).splitlines()[:4]
    assert [word for line in lines for word in line.split() if "=" in word] == ["lixo=4"]


def test_tables_show_estimates_and_half_widths() -> None:
    document = document_of(3000)
    row = next(row for row in document["statistics"] if (row["statistic"], row["group"]) == ("turns", "all"))
    line = next(line for line in printed(document).splitlines() if line.startswith("turns "))
    shown, half_width = line.split()[1], line.split()[3]
    assert float(shown) == pytest.approx(row["estimate"], abs=0.006)
    assert float(half_width) == pytest.approx((row["high"] - row["low"]) / 2, abs=0.006)


@pytest.mark.parametrize(
    ("unit", "estimate", "low", "high", "text"),
    [
        ("share", 0.63415, 0.63321, 0.63509, "63.415% ± 0.094"),
        ("share", 0.5, 0.35, 0.65, "50% ± 15"),
        ("share", 0.0, 0.0, 0.0123, "0.00% (1.23%)"),
        ("share", 1.0, 0.999, 1.0, "100.000% (99.900%)"),
        ("points", 1234.56, 1230.1, 1239.0, "1,234.6 ± 4.5"),
        ("points", -0.0001, -3.0, 3.0, "0.0 ± 3.0"),
        ("turns", 12.0, 12.0, 12.0, "12.00 ± 0.00"),
        ("turns", 12.0, None, None, "12.00"),
        ("turns", None, None, None, "–"),
    ],
)
def test_digits_follow_the_interval(
    unit: str, estimate: float | None, low: float | None, high: float | None, text: str
) -> None:
    row = SummaryRow("x", "all", unit, 9, estimate, low, high, None, 0.95)
    assert estimate_text({name: getattr(row, name) for name in COLUMNS}) == text
