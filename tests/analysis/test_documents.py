"""Documents read back: what is right is read, and what is wrong is named."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from analysis import documents
from analysis.documents import DocumentError
from tests.analysis import documents as made

ALL: dict[str, Callable[[], dict[str, Any]]] = {
    documents.SUMMARY: made.summary,
    documents.COMPARE: made.compare,
    documents.TOURNAMENT: made.tournament,
    documents.SWEEP: made.sweep,
    documents.TUNE: made.tune,
    documents.ODDS: made.odds,
    documents.ADVICE: made.advice,
}


def test_every_schema_is_tried() -> None:
    assert set(ALL) == set(documents.SCHEMAS)


@pytest.mark.parametrize("schema", ALL)
def test_every_schema_is_read_from_json_and_from_what_wrote_it(schema: str) -> None:
    value = ALL[schema]()
    again = documents.read_json(json.dumps(value).encode())
    assert type(again) is documents.SCHEMAS[schema]
    assert documents.read(value) == again
    assert documents.read(again) is again


def test_what_a_later_version_adds_is_let_through() -> None:
    read = documents.read(made.summary() | {"weather": "fine"})
    assert isinstance(read, documents.Summary)


def test_means_over_tables_are_whole_numbers_of_their_fraction() -> None:
    found = documents.FineCounts([-1.5, 0.0, 1.0 / 3], [1, 2, 3]).whole()
    assert found == (documents.Counts([-9, 0, 2], [1, 2, 3]), 6)


def broken(**changes: Any) -> dict[str, Any]:
    return made.summary(1) | changes


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "no JSON"),
        (b"\xff\xfe", "no JSON"),
        (b"[" * 100_000, "no JSON"),
        (b"[]", "names no schema"),
        (b"{}", "names no schema"),
        (b'{"schema": 3}', "names no schema"),
        (b'{"schema": "carteador.run/1"}', "its schema is 'carteador.run/1'; a report is made of"),
        (b'{"schema": "carteador.summary/2"}', "its schema is 'carteador.summary/2'"),
        (b'{"schema": "carteador.summary/1"}', "missing required field"),
        (json.dumps(broken(deals="many")).encode(), "Expected `int`, got `str` - at `$.deals`"),
        (json.dumps(broken(statistics=[{}])).encode(), "statistic"),
        (json.dumps(broken(confidence=7)).encode(), "its confidence is 7.0"),
        (json.dumps(broken(histograms={"a": {"all": {"values": [1], "counts": []}}})).encode(), "not as many counts"),
        (json.dumps(broken(histograms={"a": {"all": {"values": [1], "counts": [-1]}}})).encode(), "negative"),
        (json.dumps(broken(histograms={"a": {"all": {"values": [2, 1], "counts": [1, 1]}}})).encode(), "do not rise"),
        (json.dumps(made.sweep() | {"points": []}).encode(), "a point at least"),
        (json.dumps(made.sweep() | {"axes": [{"name": "other"}]}).encode(), "no value for an axis"),
        (json.dumps(made.tune() | {"search": None}).encode(), "at `$.search`"),
        (json.dumps(made.tune() | {"over_start": {"score": {}}}).encode(), "field `statistic` - at `$.over_start"),
        (json.dumps(made.tune() | {"parameters": [{"name": "a", "old": 1, "new": "x"}]}).encode(), "parameters[0].new"),
        (json.dumps(made.advice(made.decision())).encode(), "an option at least - at `$.decisions"),
        (json.dumps(made.advice() | {"decisions": {}}).encode(), "at `$.decisions`"),
        (json.dumps(made.advice(made.decision({"words": "Draw"}))).encode(), "at `$.decisions[0].rows[0]`"),
    ],
)
def test_what_is_no_document_is_refused_in_one_line(content: bytes, words: str) -> None:
    with pytest.raises(DocumentError) as refused:
        documents.read_json(content)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_point_that_lacks_a_statistic_is_refused() -> None:
    value = made.sweep()
    value["points"][2]["rows"].pop()
    with pytest.raises(DocumentError, match="lacks a statistic"):
        documents.read(value)
