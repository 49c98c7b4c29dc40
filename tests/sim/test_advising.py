"""Advice: about the deal that is shown, the same however it is computed, and for positions typed in."""

from __future__ import annotations

import doctest
import json
import threading
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kernels import registry
from sim import advising, batch
from sim.common_deals import Playing
from sim.errors import KernelError, UsageError
from sim.games import Setup, make_setup, parse_policy
from sim.positions import Position, Searcher, decisions_of_turn
from sim.replay import Replayer
from sim.typed import fields, typed_position
from tests.properties.setups import covering_setups

GAMES = [game for game in registry.GAMES if registry.spec(game).searches]
TYPED = [game for game in GAMES if fields(game)]
UNTOLD = {
    "canasta": {"first", "laid", "pile", "thrown"},
    "canastra": {"first", "lixo", "meld_wild_cards", "meld_wild_ranks", "turn"},
    "escopa": {"turn"},
    # Of the discards those that lie there are compared in tests/rules/test_loba_position.py.
    "loba": {"discards", "first"},
    # What of the last five matters is compared in tests/rules/test_mau_mau_position.py.
    "mau_mau": {"first", "dealer", "pile", "may_hold", "restocked", "fresh", "came"},
}
"""Fields of the table that nothing depends on, so that a player need not say them, or of which a part lies unused."""

JOKERS = np.uint64(0x0001_0001_0001_0001)

TABLES = [(game, number) for game in TYPED for number in range(0, len(covering_setups(game)), 4)]
TURNS = range(1, 13)


def advice(game: str, **asked: Any) -> dict[str, Any]:
    document = advising.advise(game, **{"rollouts": 12, "seed": 4, **asked}).document()
    return {**document, "provenance": 0}


def agrees(log: dict[str, Any], event: dict[str, Any]) -> bool:
    """Whether an option is told as this event of the log, every curinga alike, and suits where only ranks are told."""
    if log["event"] != event["event"] and {log["event"], event["event"]} != {"meld", "extend"}:
        return False
    if "ranks" in event:
        # What is laid at once may be several melds.
        return {text if text == "JK" else text[0] for text in log["cards"]} <= set(event["ranks"])
    plain = {**event, "cards": wild_alike(event["cards"])} if "cards" in event else event
    shown = {**log, "cards": wild_alike(log["cards"])}
    if log["game"] != "canastra":
        plain, shown = event, log
    return all(shown.get(key) == value for key, value in plain.items())


def wild_alike(cards: list[str]) -> list[str]:
    """Cards in one order, every curinga of canastra the same."""
    return sorted("wild" if text == "JK" or text[0] == "2" else text for text in cards)


def asking_of(game: str, turn: int, rollouts: int) -> advising.Asking:
    asked: dict[str, Any] = {"deal": 1, "match": None, "hand": None, "turn": turn}
    return advising.prepare(make_setup(game, seed=4), **asked, rollouts=rollouts, search=None)


@pytest.mark.parametrize("game", GAMES)
def test_a_deal_of_which_questions_are_noted_is_the_same_deal(game: str) -> None:
    setup = make_setup(game, seed=4)
    jobs = batch.deal_jobs(setup, 0, 20)
    np.testing.assert_array_equal(batch.play(setup, jobs, notes=True), batch.play(setup, jobs))


@pytest.mark.parametrize("game", GAMES)
def test_what_was_played_is_what_the_log_shows(game: str) -> None:
    """Of the decisions of a turn, what was played is told as the events of the log, in their order."""
    setup = make_setup(game, seed=4)
    shown = Replayer(setup).deal(2)
    events = [{**event, "game": game} for event in shown if event["event"] not in ("deal", "end")]
    told = 0
    for turn in TURNS:
        if not decisions_of_turn(setup, batch.deal_jobs(setup, 2, 1), turn):
            with pytest.raises(UsageError, match="nothing is decided in that turn"):
                advice(game, deal=2, turn=turn)
            continue
        found = advice(game, deal=2, turn=turn)
        mine = [event for event in events if event["turn"] == turn]
        for decision in found["decisions"]:
            rows = decision["rows"]
            assert [row["rank"] for row in rows] == list(range(1, len(rows) + 1))
            assert len({row["words"] for row in rows}) == len(rows)
            for name in ("played", "standard", "expert"):
                assert sum(row[name] for row in rows) == 1
            assert decision["seen"][0]["what"] == "hand"
            event = next(row for row in rows if row["played"])["event"]
            if event is not None:
                match = [log for log in mine if agrees(log, event)]
                assert match, (turn, event, mine)
                assert match[0]["seat"] == decision["seat"]
                told += 1
    assert told > 5


@pytest.mark.parametrize("game", GAMES)
def test_advice_is_the_same_for_any_threads(game: str) -> None:
    asking = advising.prepare(
        make_setup(game, seed=4),
        deal=1,
        match=None,
        hand=None,
        turn=3,
        rollouts=2 * advising.WORLDS_AT_ONCE + 5,
        search=None,
    )
    documents = [asking.play(Playing(0, asking.worlds, threads), 0.95).document() for threads in (1, 3)]
    one, other = ({**document, "provenance": 0} for document in documents)
    assert one == other
    assert {decision["worlds"] for decision in one["decisions"]} == {asking.worlds}


def test_a_hand_of_a_match_is_advised() -> None:
    found = advice("escopa", match=1, hand=1, turn=2)
    assert (found["match"], found["deal"], found["turn"]) == (1, 1, 2)
    assert "--match 1 --hand 1 --turn 2" in found["command"]


def test_other_policies_play_until_then() -> None:
    found = advice("escopa", turn=4, policies="search:rollouts=10")
    assert found["policies"] == ["search:rollouts=10"] * 2
    assert sum(row["played"] for row in found["decisions"][0]["rows"]) == 1


@pytest.mark.parametrize("game", GAMES)
def test_an_interrupt_keeps_what_is_done(game: str) -> None:
    stop = threading.Event()
    asking = asking_of(game, 2, 100_000)
    playing = Playing(0, asking.worlds, 1, watch=lambda _progress: stop.set(), stopping=lambda: nullcontext(stop))
    found = asking.play(playing, 0.95)
    assert found.progress.stopped
    decisions = found.document()["decisions"]
    assert len(decisions) == 1
    assert advising.WORLDS_AT_ONCE <= decisions[0]["worlds"] < 100_000


@pytest.mark.parametrize("game", GAMES)
def test_the_sums_of_a_search_fit_together(game: str) -> None:
    setup = make_setup(game, seed=4)
    searcher = Searcher(setup, parse_policy(setup.spec, registry.spec(game).searches[-1].name))
    for decision in decisions_of_turn(setup, batch.deal_jobs(setup, 5, 1), 4):
        searcher.ask(decision.position, 8, worlds=40)
        sums = advising.sums_of(searcher)
        assert sums.worlds == 40
        np.testing.assert_array_equal(np.diagonal(sums.cross), sums.margin_squares)
        np.testing.assert_array_equal(sums.cross, sums.cross.T)
        assert (sums.won <= 40).all()
        assert sums.best.sum() >= 40


# ------------------------------------------------------------ positions typed in


def positions(setup: Setup, deal: int, turns: range) -> list[Position]:
    return [
        decision.position
        for turn in turns
        for decision in decisions_of_turn(setup, batch.deal_jobs(setup, deal, 1), turn)
    ]


@pytest.mark.parametrize(
    ("game", "number"), [(game, n) for game in TYPED for n in range(0, len(covering_setups(game)), 4)]
)
def test_a_position_of_a_deal_can_be_typed_in(game: str, number: int) -> None:
    """What a player knows of it makes the same table, so that the advice is the same."""
    setup = covering_setups(game)[number]
    told = registry.module(game, "position").fields_of
    asked = 0
    for position in positions(setup, 1, range(1, 40, 3)):
        known = told(position.question.name, position.seat, position.table[0], position.given, setup.options)
        known = json.loads(json.dumps(known))
        typed = typed_position(setup, None, known, (), str)
        texts = typed_position(setup, None, None, typed.texts, str)
        for found in (typed.position, texts.position):
            assert (found.question, found.seat) == (position.question, position.seat)
            np.testing.assert_array_equal(faces(game, found.given), faces(game, position.given))
            for name in set(position.table.dtype.names or ()) - UNTOLD[game]:
                one, other = faces(game, found.table[name]), faces(game, position.table[name])
                np.testing.assert_array_equal(one, other, err_msg=name)
            again = told(found.question.name, found.seat, found.table[0], found.given, setup.options)
            assert json.loads(json.dumps(again)) == known
        asked += 1
    assert asked > 3


def faces(game: str, values: Any) -> Any:
    """Words of cards with their jokers told by number alone, as nobody sees which is which."""
    words = np.array(values, np.uint64) if isinstance(values, tuple) else values
    if game == "loba" and words.dtype == np.uint64:
        # Of eight jokers two have one number, in two words: tests/rules/test_loba_position.py counts them in both.
        return words & ~JOKERS
    if game != "canastra" or words.dtype != np.uint64:
        return words
    return np.stack([words & ~JOKERS, np.bitwise_count(words & JOKERS).astype(np.uint64)])


@pytest.mark.parametrize("game", TYPED)
def test_advice_for_a_position_typed_in_ranks_as_in_the_deal(game: str) -> None:
    found = advice(game, deal=3, turn=3, rollouts=200)
    known = found["decisions"][0]["position"]
    again = advice(game, position=known, rollouts=200)
    assert (again["deal"], again["turn"]) == (None, None)
    assert again["decisions"][0]["position"] == known
    assert not any(row["played"] for row in again["decisions"][0]["rows"])
    one, other = ({row["words"]: row for row in document["decisions"][0]["rows"]} for document in (found, again))
    assert one.keys() == other.keys()
    for words, row in one.items():
        apart = row["margin"] - other[words]["margin"]
        assert abs(apart) < 5 * (row["margin_std_error"] + other[words]["margin_std_error"]) + 1e-9


ESCOPA = {"hand": "7D KS", "table": "5C 4H QS 2C", "taken": ["3C 3D QH AS", "6C 6D 3S KH 5D"], "last": 1, "dealer": 0}


@pytest.mark.parametrize("ending", ["toml", "json"])
def test_a_position_is_read_from_a_file(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"position.{ending}"
    toml = "\n".join(f"{name} = {json.dumps(value)}" for name, value in ESCOPA.items())
    path.write_text(json.dumps(ESCOPA) if ending == "json" else toml)
    expected = advice("escopa", position=ESCOPA)
    assert advice("escopa", position=path) == expected
    assert advice("escopa", position=path, hand="7D KS") == expected


WRONG = [
    ({"hand": ""}, "hand: a player to move has a card"),
    ({"hand": "7D 7D"}, "hand: 7D is given too often; the pack of escopa has it once"),
    ({"hand": "8D"}, "hand: 8D is not in the pack of escopa"),
    ({"hand": "1D"}, "hand: '1D' is no card"),
    ({"hand": "7D KS QC 2D"}, "hand: 4 cards; a hand has at most 3"),
    ({"hand": 7}, "hand: 7 is not allowed"),
    ({"table": "7D"}, "table: 7D is given too often"),
    ({"taken": "3C"}, "taken: '3C' is not allowed; allowed is a list with an entry for each side"),
    ({"taken": ["3C"]}, "taken: there is 1 entry for 2 sides"),
    ({"last": None}, "last: None is no whole number"),
    ({"last": 5}, "last: 5 is out of range"),
    ({"seat": "x"}, "seat: 'x' is no number"),
    ({"stock": 3}, "stock: 3 cards, but 24 are neither"),
    ({"taken": [[], ["6C", "6D", "3S", "KH", "5D"]]}, "taken: 28 cards would be left to deal, which cannot be"),
    ({"hands": [2, 3]}, "hands: 2, 3 fits seat 0 as the dealer"),
    ({"dealer": 1, "hands": [2, 1]}, "hands: 2, 1 fits seat 1 as the dealer"),
    ({"left": "QS"}, None),
    ({"left": "KD"}, "left: that card is not among those face up"),
    ({"left": "4H 5C"}, "left: '4H 5C' is not allowed; allowed is one card"),
    ({"lacks": ["", "A234567QJK"]}, "lacks: there are too few other cards for seat 1"),
    ({"taken": ["", "3C 3D QH AS 6C 6D 3S KH 5D"], "escopas": [1, 0]}, "escopas: side 0 has taken nothing"),
    ({"lacks": ["", "8"]}, "lacks: '8' is no rank of the pack"),
    ({"lacks": ["", "x"]}, "lacks: 'x' is not allowed; allowed are ranks"),
    ({"overlooked": "perhaps"}, "overlooked: 'perhaps' is not allowed; allowed is true or false"),
    ({"tabel": "5C"}, "tabel"),
]


@pytest.mark.parametrize(("changed", "complaint"), WRONG)
def test_what_cannot_be_is_refused(changed: dict[str, Any], complaint: str | None) -> None:
    known = {**ESCOPA, **changed}
    if complaint is None:
        assert advice("escopa", position=known)["decisions"][0]["question"] == "claim"
        return
    with pytest.raises(UsageError) as refused:
        advice("escopa", position=known)
    assert complaint in str(refused.value)
    assert "\n" not in str(refused.value)


def test_the_last_capturer_must_be_told_once_something_is_taken() -> None:
    known = {name: value for name, value in ESCOPA.items() if name != "last"}
    with pytest.raises(UsageError, match="last: cards are taken, so say who captured last"):
        advice("escopa", position=known)
    with pytest.raises(UsageError, match="hand: this is needed"):
        advice("escopa", position={"table": "5C"})


@pytest.mark.parametrize(
    ("asked", "complaint"),
    [
        ({"turn": 99}, "turn: the deal has 36 turns, so there is no advice for turn 99"),
        ({"turn": 0}, "turn: 0 is out of range"),
        ({"deal": 1, "match": 1}, "deal and match cannot stand together"),
        ({"match": 0, "hand": 500}, "hand: match 0 of seed 4 ends before hand 500"),
        ({"search": "expert"}, "search: expert is no search; escopa has search"),
        ({"search": "search:rollouts=7"}, "search: the rollouts of advice are those of rollouts"),
        ({"rollouts": 0}, "rollouts: 0 is out of range"),
        ({"hand": "7D", "turn": 3}, "turn: it names a deal that is played again, which cannot stand beside hand"),
        ({"position": "nowhere.toml"}, "position: 'nowhere.toml' cannot be read: No such file"),
        ({"confidence": 1}, "confidence"),
    ],
)
def test_wrong_questions_are_refused_by_name(asked: dict[str, Any], complaint: str) -> None:
    with pytest.raises(UsageError) as refused:
        advice("escopa", **asked)
    assert complaint in str(refused.value)


def test_a_game_without_a_search_says_so() -> None:
    setup = make_setup("escopa")
    without = replace(setup, spec=replace(setup.spec, searches=()))
    with pytest.raises(UsageError, match="game: escopa has no search yet"):
        advising.prepare(without, deal=0, match=None, hand=None, turn=1, rollouts=10, search=None)


def test_the_example_holds() -> None:
    assert doctest.testmod(advising).failed == 0


def test_a_turn_that_is_not_played_has_no_decisions() -> None:
    setup = make_setup("escopa", seed=4)
    assert decisions_of_turn(setup, batch.deal_jobs(setup, 0, 1), 500) == []


def test_a_search_that_fails_says_what_was_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise RuntimeError("a policy played against the rules")

    monkeypatch.setattr("kernels.escopa.search.choose_play", fail)
    with pytest.raises(KernelError) as failed:
        advising.advise("escopa", position=ESCOPA, rollouts=5)
    said = "the search of escopa failed: a policy played against the rules. Reproduce: carteador advise escopa --hand"
    assert str(failed.value).startswith(said)
