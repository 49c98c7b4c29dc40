"""What travels between a run and workers: whole after the journey, and refused where it is not what was agreed on."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels import registry
from sim import cluster_messages, cluster_results, sources
from sim.cluster_messages import (
    Answer,
    ChunkOrder,
    Introduction,
    MessageError,
    RunOrder,
    partial_message,
    partial_of,
    read_answer,
    read_order,
    write_answer,
)
from sim.cluster_results import Expected, failure_of
from sim.errors import ClusterError, KernelError
from sim.games import make_setup
from sim.manifest import DEALS, MATCHES, StoredFile
from sim.playing import count_rows, play, summarizers

CHUNK = ChunkOrder(0, 0, 40, 20, False, False)


def order_of(game: str, unit: str = DEALS, **others: Any) -> RunOrder:
    """Order of a run."""
    setup = make_setup(game, seed=3)
    words: dict[str, Any] = {
        "game": game,
        "seed": 3,
        "options": dict(setup.options),
        "policies": setup.policy_texts,
        "unit": unit,
        "kernels": [sources.fingerprint(game)],
        "counting": sources.counting_fingerprint(game),
    }
    return RunOrder(**{**words, **others})


def answer_of(game: str, unit: str = DEALS, count: int = 40, **others: Any) -> Answer:
    """Answer to an order of so many units."""
    setup = make_setup(game, seed=3)
    deals, matches = summarizers(setup, unit)
    played = play(setup, unit, 0, count)
    count_rows(setup, played, deals, matches)
    words: dict[str, Any] = {
        "worker": "tcp://here:1",
        "deals": played.partial.deals,
        "partial": partial_message(played.partial),
        "match_partial": None if played.match_partial is None else partial_message(played.match_partial),
    }
    return Answer(**{**words, **others})


def expected(game: str, unit: str = DEALS, folder: Path | None = None) -> Expected:
    """What the answers to it must be."""
    return Expected(make_setup(game, seed=3), unit, folder, makes_tables=False)


@pytest.mark.parametrize("unit", [DEALS, MATCHES])
@pytest.mark.parametrize("game", registry.GAMES)
def test_sums_are_whole_after_the_journey(game: str, unit: str) -> None:
    setup = make_setup(game, seed=3)
    deals, matches = summarizers(setup, unit)
    count = 40 if unit == DEALS else 2
    played = play(setup, unit, 0, count)
    count_rows(setup, played, deals, matches)
    answer = read_answer(write_answer(answer_of(game, unit, count)), Answer)
    found = expected(game, unit).played(ChunkOrder(0, 0, count, 20, False, False), answer)
    assert found.partial.to_dict() == played.partial.to_dict()
    if unit == MATCHES:
        assert found.match_partial.to_dict() == played.match_partial.to_dict()


def test_sums_of_any_size_travel() -> None:
    from analysis.estimate import Sums
    from analysis.tally import Tally

    huge = Sums(*(3**90 + number for number in range(10)))
    like = summarizers(make_setup("canastra"), DEALS)[0].total
    name = next(name for name, tally in like.tallies.items() if tally.sums)
    tally = like.tallies[name]
    grown = Tally(tally.values, tally.counts, (huge,) * len(tally.sums), tally.deals)
    partial = type(like)(like.signature, 7, {**like.tallies, name: grown})
    packed = msgspec.msgpack.decode(msgspec.msgpack.encode(partial_message(partial)), type=type(partial_message(like)))
    assert partial_of(packed, like).to_dict() == partial.to_dict()


def test_an_order_makes_the_setup_again_and_nothing_else() -> None:
    order = order_of("mau_mau")
    again = read_order(msgspec.json.encode(order), RunOrder)
    assert again == order
    assert again.setup() == make_setup("mau_mau", seed=3)
    changes: tuple[dict[str, Any], ...] = (
        {"game": "truco"},
        {"unit": "rounds"},
        {"policies": ["standard"]},
        {"policies": ["elsewhere/policy.py"] * 4},
        {"options": {}},
        {"options": {**order.options, "players": 99}},
        {"seed": -1},
    )
    for change in changes:
        with pytest.raises(MessageError, match="the order is of another version"):
            msgspec.structs.replace(order, **change).setup()


def test_orders_that_are_none() -> None:
    good = msgspec.json.encode(order_of("canastra"))
    for content in (
        b"",
        b"[]",
        good[:-1],
        b"{" + b'"a":' * 5000,
        good.replace(b"carteador.chunk/1", b"carteador.chunk/2"),
        good.replace(b'"schema"', b'"scheme"'),
        b" " * (cluster_messages.LARGEST_ORDER + 1),
    ):
        with pytest.raises(MessageError):
            read_order(content, RunOrder)
    for first, count, piece in ((-1, 1, 1), (0, 0, 1), (2**64 - 1, 2, 1), (0, 1, 0), (0, 1, 10**9)):
        with pytest.raises(MessageError):
            read_order(msgspec.json.encode(ChunkOrder(0, first, count, piece, False, False)), ChunkOrder)


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_altered_answers_are_refused_or_hold_together(data: st.DataObject) -> None:
    content = bytearray(zlib.decompress(write_answer(CANASTRA)))
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    try:
        found = EXPECTED.played(CHUNK, read_answer(zlib.compress(bytes(content), 1), Answer))
    except MessageError:
        return
    # What was altered is a number, so it can be added.
    assert (found.partial + EXPECTED._deals).deals == 40


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200), st.sampled_from([Answer, Introduction]))
def test_any_bytes_are_refused(content: bytes, kind: type[Any]) -> None:
    for written in (content, zlib.compress(content), zlib.compress(content)[:-1]):
        with pytest.raises(MessageError):
            read_answer(written, kind)


CANASTRA, EXPECTED = answer_of("canastra"), expected("canastra")


def test_an_answer_too_large_to_be_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_messages, "LARGEST_ANSWER", 1000)
    with pytest.raises(MessageError, match="cut off, or larger than can be meant"):
        read_answer(zlib.compress(b"\0" * 10**6), Answer)


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (answer_of("canasta"), "sums of another run"),
        (answer_of("canastra", count=39), "39 deals for a chunk of 40 deals"),
        (msgspec.structs.replace(CANASTRA, partial=None), "no sums"),
        (msgspec.structs.replace(answer_of("canastra", count=39), deals=40), "sums of other deals"),
    ],
)
def test_answers_that_do_not_fit(answer: Answer, complaint: str) -> None:
    with pytest.raises(MessageError, match=complaint):
        EXPECTED.played(CHUNK, answer)


def test_files_that_do_not_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_results, "SIGHT_SECONDS", 0.0)
    monkeypatch.setattr(cluster_results, "GLANCE_SECONDS", 0.01)
    order = msgspec.structs.replace(CHUNK, writes=True)
    for name in ("deals", "sides"):
        (tmp_path / f"{name}-00000.parquet").write_bytes(b"rows")

    def take(*names: str, size: int = 4, sha256: str = "0" * 64) -> Any:
        files = [StoredFile(name, size, sha256) for name in names]
        found = expected("canastra", folder=tmp_path)
        return found.played(order, msgspec.structs.replace(CANASTRA, files=files))

    good = ("deals-00000.parquet", "sides-00000.parquet")
    assert take(*good).stored.files[0].bytes == 4
    for names in ((), good[:1], ("../deals-00000.parquet", good[1]), ("deals-00001.parquet", "sides-00001.parquet")):
        with pytest.raises(MessageError, match="files that are not called deals-00000"):
            take(*names)
    with pytest.raises(MessageError, match=r"^deals-00000\.parquet without a checksum$"):
        take(*good, sha256="x")
    with pytest.raises(ClusterError, match="is not seen here: the folder must be shared"):
        take(*good, size=5)


def test_rows_that_do_not_fit() -> None:
    setup = make_setup("canastra", seed=3)
    records = play(setup, DEALS, 0, 40).records
    assert records is not None
    order = msgspec.structs.replace(CHUNK, rows=True)
    found = EXPECTED.played(order, msgspec.structs.replace(CANASTRA, records=records.tobytes()))
    assert found.records is not None
    assert all(np.array_equal(found.records[name], records[name]) for name in records.dtype.names or ())
    for content in (None, b"", records.tobytes()[:-1], records[:-1].tobytes()):
        with pytest.raises(MessageError):
            EXPECTED.played(order, msgspec.structs.replace(CANASTRA, records=content))


@pytest.mark.parametrize(
    ("kind", "error"), [("kernel", KernelError), ("system", OSError), ("memory", ClusterError), ("odd", ClusterError)]
)
def test_failures_become_errors(kind: str, error: type[Exception]) -> None:
    failure = cluster_messages.Failure(kind, "No space left on device", 28, "/shared/x")
    found = failure_of(failure, "deals 0 to 9", "tcp://here:1")
    assert isinstance(found, error)
    assert "No space left on device" in str(found)
    if isinstance(found, OSError):
        assert (found.errno, found.filename) == (28, "/shared/x")
