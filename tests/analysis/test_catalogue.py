from __future__ import annotations

import polars as pl
import pytest

from analysis import catalogue
from analysis.catalogue.common import match_statistics, statistics
from analysis.catalogue.page import PAGE, markdown, renewed
from analysis.statistic import Statistic, number, proportion
from kernels import registry
from tests.analysis.support import table_game

EVERY_GAME = {"turns", "score", "win_rate", "tie_rate", "margin", "first_player_win_rate"}
CANASTRA = {
    "canastra_rate",
    "clean_canastra_rate",
    "dirty_canastra_rate",
    "canastras",
    "first_meld_turn",
    "first_meld_rate",
    *(f"first_meld_by:{turn}" for turn in range(1, 11)),
    "morto_rate",
    "morto_rate_any",
    "morto_turn",
    "batida_rate",
    "batida_turn",
    "lixo_takes",
    "lixo_size",
    "locks",
    "red_threes",
    "red_three_debt_rate",
    "cards_left",
    "stock_out_rate",
    "points:batida",
    "points:clean",
    "points:dirty",
    "points:cards",
    "points:red_threes",
    "points:cards_in_hand",
    "points:no_morto",
}
MATCHES = {"deals_per_match", "match_win_rate", "match_margin"}


@pytest.mark.parametrize("game", registry.GAMES)
def test_every_game_has_the_common_statistics_first(game: str) -> None:
    names = [statistic.name for statistic in catalogue.load(game)]
    common = [statistic.name for statistic in statistics(registry.spec(game))]
    assert names[: len(common)] == common
    endings = {f"end_reason:{reason}" for reason in registry.spec(game).end_reasons}
    assert EVERY_GAME | endings <= set(common)


@pytest.mark.parametrize("game", registry.GAMES)
def test_every_statistic_can_be_asked_of_a_record(game: str) -> None:
    """Its columns are fields of the record or derived ones, and every one of its fields has a question."""
    from analysis.seating import Seating
    from analysis.summary import Totals

    spec = registry.spec(game)
    defaults = {option.name: option.default for option in spec.options}
    seating = Seating.of(spec, {}, [spec.default_policy] * spec.seats(defaults))
    measure = Totals(seating, catalogue.load(game), "plays_first").measure
    fields = set(spec.record_layout.names or ())
    assert measure.deal_columns <= fields | {"tie", "void", "first_player_won", "winning_margin"}
    assert measure.side_columns <= fields | {"won", "tie", "void", "margin", "plays_first", "reason"}
    for statistic in catalogue.load(game):
        assert statistic.question.endswith("?")
        assert statistic.unit
        assert statistic.section


def test_canastra_has_every_statistic_of_the_design() -> None:
    names = {statistic.name for statistic in catalogue.load("canastra")}
    assert names >= CANASTRA


def test_matches_have_theirs() -> None:
    assert {statistic.name for statistic in match_statistics()} >= MATCHES


def test_void_deals_are_told_only_by_games_that_have_them() -> None:
    with_voids = {statistic.name for statistic in statistics(table_game(3))}
    assert {"void_rate", "end_reason:void"} <= with_voids
    assert "void_rate" not in {statistic.name for statistic in catalogue.load("canastra")}


def test_two_statistics_of_one_name_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from analysis.catalogue import canastra

    twice = number("turns", "turns", "Again?", pl.col("turns"), "Twice", level="deals")
    monkeypatch.setattr(canastra, "STATISTICS", (*canastra.STATISTICS, twice))
    with pytest.raises(ValueError, match=r"share a name: turns, turns:p25, .*turns:sd"):
        catalogue.load("canastra")


def test_what_cannot_be_measured_is_refused() -> None:
    with pytest.raises(ValueError, match="has a denominator"):
        Statistic("x", "cards", "?", "ratio", pl.col("x"), "Section")
    with pytest.raises(ValueError, match="across sides"):
        proportion("x", "?", pl.col("x"), "Section", across="any")


def test_the_page_of_statistics_says_what_the_catalogues_say() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert renewed(page) == page
    for statistic in (*catalogue.load("canastra"), *match_statistics()):
        assert f"| `{statistic.name}` | {statistic.kind} | {statistic.unit} | {statistic.question} |" in page


def test_a_game_without_a_place_on_the_page_is_missed() -> None:
    with pytest.raises(ValueError, match="no place for canastra"):
        renewed("# Statistics\n")
    assert markdown(match_statistics()).count("\n| `") == len(match_statistics())
