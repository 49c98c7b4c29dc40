"""Reports: everything is in the page, charts are chosen by name, and odd input makes no odd page."""

from __future__ import annotations

import doctest
import io
import json
import re
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any

import altair
import pytest
from altair.utils.schemapi import validate_jsonschema
from rich.console import Console

from analysis import report
from analysis.documents import DocumentError, Summary, read
from analysis.report import Part, Replay, terminal
from analysis.report.model import Body, Chart
from analysis.report.page import body_of
from kernels import registry
from tests.analysis import documents as made
from tests.analysis.documents import ODD

EVERY = [
    *(made.summary(), made.compare(), made.tournament(), made.tournament(mixed=True), made.sweep()),
    *(made.tune(), made.odds(), made.advice()),
]


class Elements(HTMLParser):
    """Elements of a page with their attributes, and the text of scripts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.text: list[str] = []
        self._script: dict[str, str | None] | None = None
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag == "script":
            self._script = dict(attrs)

    def handle_endtag(self, tag: str) -> None:
        self._script = None

    def handle_data(self, data: str) -> None:
        if self._script is None:
            self.text.append(data)
        else:
            self.scripts.append((self._script, data))

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.found if name == tag]


def body(document: dict[str, Any], **more: Any) -> Body:
    return body_of(Part(document, **more))


def charts(told: Body) -> dict[str, Chart]:
    return {chart.title: chart for section in told.sections for chart in section.charts}


def check_spec(spec: dict[str, Any]) -> None:
    """Fail with the complaint of Altair's own schema if a chart is no Vega-Lite."""
    validate_jsonschema(spec, altair.LayerChart._schema, rootschema=altair.Root._schema)


def data(chart: Chart) -> list[dict[str, Any]]:
    """All rows of data of a chart, of its first layer that has the most."""
    sets = re.findall(r'"values": (\[\{.*?\}\])', json.dumps(chart.spec))
    return max((json.loads(found) for found in sets), key=len)


def test_the_example_is_one() -> None:
    failed, tried = doctest.testmod(report)
    assert (failed, tried >= 4) == (0, True)


@pytest.mark.parametrize("document", EVERY, ids=lambda document: document["schema"])
def test_every_chart_is_what_vega_lite_and_its_own_table_say(document: dict[str, Any]) -> None:
    found = charts(body(document))
    assert found
    for chart in found.values():
        check_spec(chart.spec)
        assert chart.summary.endswith(".")
        assert chart.numbers.rows
        assert all(len(row) == len(chart.numbers.columns) for row in chart.numbers.rows)


def test_a_page_asks_nothing_of_any_other_place() -> None:
    elements = Elements(report.html(EVERY))
    for tag in ("link", "img", "iframe", "object", "embed", "form", "audio", "video", "source"):
        for attributes in elements.named(tag):
            assert set(attributes) <= {"rel", "href"}
            assert attributes["href"] == "data:,"
    assert all("src" not in attributes for attributes in elements.named("script"))
    assert all(str(attributes["href"]).startswith("#") for attributes in elements.named("a"))
    policy = next(a["content"] for a in elements.named("meta") if a.get("http-equiv") == "Content-Security-Policy")
    assert "default-src 'none'" in str(policy)
    assert "url(" not in report.html(EVERY[0]).partition("</style>")[0]


def test_ids_are_unique_and_what_is_referred_to_is_there() -> None:
    elements = Elements(report.html(EVERY))
    ids = [attributes["id"] for _, attributes in elements.found if "id" in attributes]
    assert len(ids) == len(set(ids))
    for _, attributes in elements.found:
        for name in ("aria-labelledby", "data-spec", "data-search", "data-filter", "data-count"):
            assert attributes.get(name) is None or attributes[name] in ids, (name, attributes)
    assert {str(attributes["href"])[1:] for attributes in elements.named("a")} <= set(ids)


def test_headings_go_down_one_by_one() -> None:
    for parts in ([EVERY[0]], EVERY):
        levels = [int(tag[1]) for tag, _ in Elements(report.html(parts)).found if re.fullmatch("h[1-6]", tag)]
        assert levels[0] == 1
        assert levels.count(1) == 1
        assert all(after <= before + 1 for before, after in pairwise(levels))


def test_names_cannot_become_part_of_the_page() -> None:
    evil = made.EVIL
    summary = made.summary() | {"policies": [evil] * 4, "command": evil, "provenance": {evil: evil}}
    for row in summary["statistics"]:
        if row["group"] == "side:0":
            row["group"] = f"policy:{evil}"
        elif row["group"] == "side:1":
            row["group"] = "policy:standard"
    summary["histograms"] = {
        name: {
            {"side:0": f"policy:{evil}", "side:1": "policy:standard"}.get(group, group): counts
            for group, counts in groups.items()
        }
        for name, groups in summary["histograms"].items()
    }
    replay = Replay(evil, evil, [("title", evil), ("text", evil)], [("good", evil)], evil)
    parts = [
        Part(summary, evil, evil, [replay], [evil]),
        Part(made.compare(evil, "b") | {"sentence": evil}),
        Part(made.tournament((evil, "b", "c"))),
        Part(made.sweep((evil, "x"))),
        Part(made.sweep((1, 2), (evil, "x"))),
        Part(made.tune(4, evil, evil)),
        Part(made.advice(made.decision(made.option_row(1, evil), made.option_row(2, evil), question=evil))),
    ]
    page = report.html(parts)
    elements = Elements(page)
    others = [made.compare(), made.tournament(), made.sweep(), made.sweep(), made.tune(), made.advice()]
    plain = Elements(report.html([made.summary(), *others]))
    assert "<script>alert" not in page
    assert len([1 for a, _ in elements.scripts if not a]) == len([1 for a, _ in plain.scripts if not a])
    assert all(json.loads(text) for a, text in elements.scripts if a.get("type") == "application/json")
    assert "".join(elements.text).count("alert('") > 20


def test_what_was_simulated_is_said() -> None:
    summary = made.summary(policies=("expert", "standard", "expert", "standard"))
    summary["options"]["lavadeira_ranks"] = []
    told = body(summary, name="runs/x", notes=["Not finished."])
    facts = {fact.term: " ".join(fact.lines) for fact in told.facts}
    assert facts["Played"] == "400 deals"
    assert facts["Seed"] == "7"
    assert facts["Policies"].startswith("Seats 0 and 2 (side 0): expert (")
    assert [rule.term for rule in told.rules] == ["lavadeira ranks: none"]
    assert "4 5 K A" in told.rules[0].lines[1]
    page = report.html(Part(summary, name="runs/x", notes=["Not finished."]))
    for words in ("runs/x", "Not finished.", "carteador run canastra --deals 400 --seed 7", "lavadeira ranks: none"):
        assert words in page


def test_every_row_is_in_the_table_of_all_numbers() -> None:
    summary = made.summary()
    table = body(summary).tables[0]
    assert [(row[0].text, row[1].text) for row in table.rows] == [
        (row["statistic"], row["group"]) for row in summary["statistics"]
    ]
    assert [row[2].key for row in table.rows] == [row["estimate"] for row in summary["statistics"]]


@pytest.mark.parametrize("game", registry.GAMES)
def test_every_statistic_of_a_catalogue_is_drawn_or_told(game: str) -> None:
    """Whatever a catalogue has, under the names that it gives: nothing here knows a game."""
    document, names = of_catalogue(game)
    told = body(document)
    drawn = json.dumps([[chart.title, chart.question] for chart in charts(told).values()])
    shown = drawn + json.dumps([tile.label for section in told.sections for tile in section.tiles])
    tables = [chart.numbers for chart in charts(told).values()]
    cells = {cell.text for table in tables for row in table.rows for cell in row}
    for name in names:
        head, _, last = name.rpartition(":")
        words = " ".join((last or name).replace("_", " ").split())
        event = words.removesuffix(" turn")
        assert {words, event} & cells or words in shown.lower() or head.partition(":")[0].endswith("_by"), name
        if head.partition(":")[0].endswith("_by"):
            assert " ".join(head.partition(":")[0].removesuffix("_by").replace("_", " ").split()) in drawn.lower()


def of_catalogue(game: str) -> tuple[dict[str, Any], list[str]]:
    """A document with an estimate for every statistic of a game, and the statistics' names."""
    from analysis.catalogue import load

    spec = registry.spec(game)
    options = {option.name: option.default for option in spec.options}
    statistics: list[dict[str, Any]] = []
    histograms: dict[str, dict[str, Any]] = {}
    groups = ["side:0", "side:1", "plays_first:yes", "plays_first:no"]
    for statistic in load(game):
        unit = statistic.unit
        for group in ["all", *([] if statistic.level == "deals" else groups)]:
            statistics.append(made.row(statistic.name, group, 0.4 if unit == "share" else 5.0, unit=unit))
            if statistic.kind == "number":
                counts = {"values": [1, 2, 5], "counts": [30, 40, 30]}
                histograms.setdefault(statistic.name, {})[group] = counts
                statistics += [made.row(f"{statistic.name}:{q}", group, 2.0, unit=unit) for q in ("sd", "p5", "p95")]
    document = made.common("carteador.summary/1", 100) | {
        "options": options,
        "policies": [spec.default_policy] * spec.seats(options),
        "statistics": statistics,
        "histograms": histograms,
    }
    return document, [statistic.name for statistic in load(game)]


def test_families_make_the_charts_that_their_names_ask_for() -> None:
    found = charts(body(made.summary()))
    assert [row["label"] for row in data(found["End reason"])] == ["batida", "stock out"]
    curve = data(found["First meld by turn"])
    assert {row["series"] for row in curve} == {"plays first", "plays later"}
    assert [row["x"] for row in curve if row["series"] == "plays first"] == list(range(1, 11))
    assert "turn k" in found["First meld by turn"].question
    assert [row["label"] for row in data(found["Points"])][:2] == ["batida", "clean"]
    assert "How far a side has come" in found


def test_points_that_add_up_to_the_score_have_their_sum_beside_them() -> None:
    summary = made.summary()
    rows = {row["statistic"]: row for row in summary["statistics"] if row["group"] == "all"}
    total = sum(row["estimate"] for name, row in rows.items() if re.fullmatch("points:[a-z_]+", name))
    assert "together" not in [row["label"] for row in data(charts(body(summary))["Points"])]
    rows["score"]["estimate"] = total
    assert data(charts(body(summary))["Points"])[-1]["label"] == "together"


def test_curves_over_turns_are_shares_of_all_sides() -> None:
    summary = made.summary()
    chart = charts(body(summary))["How far a side has come"]
    counts = summary["histograms"]["batida_turn"]["all"]
    by_ten = sum(count for value, count in zip(counts["values"], counts["counts"], strict=True) if value <= 10)
    share = next(row["value"] for row in data(chart) if (row["series"], row["x"]) == ("batida", 10))
    assert share == pytest.approx(by_ten / 800)


def test_policies_are_told_apart_where_they_differ() -> None:
    found = charts(body(made.summary(policies=("expert", "standard", "expert", "standard"))))
    for title in ("Score", "First meld by turn", "Morto: by turn"):
        assert {row["series"] for row in data(found[title])} == {"expert", "standard"}, title
    assert [row["label"] for row in data(found["Win rate by side and order"])][:2] == ["expert", "standard"]


def test_charts_without_statistics_are_left_out() -> None:
    summary = made.summary()
    summary["statistics"] = [row for row in summary["statistics"] if row["statistic"] == "tie_rate"]
    summary["histograms"] = {}
    told = body(summary)
    assert charts(told) == {}
    assert [tile.label for section in told.sections for tile in section.tiles] == ["Tie rate"]


def test_what_the_catalogue_does_not_know_is_told_all_the_same() -> None:
    summary = made.summary()
    summary["statistics"] += [made.row(f"luck_by:{k}", "all", k / 10, unit="share") for k in (1, 2, 3)]
    summary["statistics"] += [made.row(f"effect:{name}", "all", 2.0, unit="plays") for name in ("seven", "queen")]
    found = charts(body(summary))
    assert [row["x"] for row in data(found["Luck by turn"])] == [1, 2, 3]
    assert [row["label"] for row in data(found["Effect"])] == ["seven", "queen"]


def test_a_number_that_is_nearly_always_the_same_is_a_figure_and_no_chart() -> None:
    summary = made.summary()
    summary["histograms"]["locks"]["all"] = {"values": [0, 1], "counts": [999, 1]}
    told = body(summary)
    assert "Locks" not in charts(told)
    assert "Locks" in [tile.label for section in told.sections for tile in section.tiles]


def test_a_policy_file_with_a_space_in_its_name_can_be_copied() -> None:
    document = made.tune(policy="my file.py")
    words = "--policy 'my file.py:take_lixo=1,keep_gap=40'"
    assert body(document).copied[0] == ("The policy to use:", words)
    page = Console(file=io.StringIO(), width=100)
    terminal.print_tune(document, page)
    assert f"Use:   {words}" in page.file.getvalue()  # type: ignore[attr-defined]


def test_a_search_is_told_with_what_to_use_and_what_was_put_back() -> None:
    told = body(made.tune())
    assert told.copied == [
        ("The policy to use:", "--policy novice:take_lixo=1,keep_gap=40"),
        ("The fresh deals against the old policy, again:", "carteador compare canastra --a this"),
        ("The fresh deals against the opponent, again:", "carteador compare canastra --a that"),
    ]
    facts = {fact.term: " ".join(fact.lines) for fact in told.facts}
    assert facts["Sought"] == "take lixo: 0 to 100, from 3 keep gap: 0 to 100, from 10"
    assert facts["Left out"].startswith("count cards: ")
    assert "no better one was found" in facts["Search"]
    tiles = {tile.label: tile for tile in told.tiles}
    assert tiles["Score over the old policy"].value == "+25.0 ± 2.5"
    assert tiles["Score over the opponent"].value == "−70.0 ± 7.0"
    assert tiles["As it seemed in the search"].value == "+31.2"
    assert tiles["Parameters changed"].detail.startswith("1 more put back")
    tables = {table.caption: [[cell.text for cell in row] for row in table.rows] for table in told.tables}
    assert list(tables) == ["Parameters", "Put back", "On fresh deals", "Generations"]
    assert tables["Parameters"][0][:6] == ["take_lixo", "3", "1", "25", "22.5", "27.5"]
    assert tables["Put back"] == [["lock_lixo", "0", "1"]]
    assert [row[0] for row in tables["Generations"]] == ["1", "2", "3", "4"]


def test_a_search_is_drawn_over_the_deals_that_it_played() -> None:
    found = charts(body(made.tune()))
    assert [row["label"] for row in data(found["What each parameter is worth"])] == [
        "take lixo: 3 to 1",
        "keep gap: 10 to 40",
    ]
    curve = data(found["What the candidates made"])
    assert [(row["x"], row["value"]) for row in curve if row["series"] == "mean of all candidates"] == [
        (3_600 * n, 8.0 * n - 20) for n in (1, 2, 3, 4)
    ]
    assert [row["value"] for row in curve if row["series"] != "mean of all candidates"] == [10.0, 20.0, 30.0, 40.0]
    assert [row["value"] for row in data(found["Step size"])] == [1, 1 / 2, 1 / 3, 1 / 4]
    assert [row["value"] for row in data(found["Score on fresh deals"])] == [25.0, -70.0]


def test_a_search_that_was_interrupted_says_so() -> None:
    assert any("interrupted" in note for note in body(made.tune() | {"interrupted": True}).notes)
    assert not body(made.tune()).notes


def test_advice_is_told_with_the_position_and_the_best_first() -> None:
    told = body(made.advice())
    assert told.title == "Escopa de 15: what to play, deal 2 of seed 7, turn 3"
    assert [(tile.label, tile.value) for tile in told.tiles] == [
        ("Seat 1: play", "Play 7♥, take Q♣"),
        ("Ahead of the next by", "2.0 ± 3.0"),
    ]
    section = told.sections[0]
    assert [(fact.term, fact.lines[0]) for fact in section.facts] == [("Hand", "6♣ 7♥"), ("Table", "Q♣ K♦ = 18")]
    shown = [[cell.text for cell in row] for row in section.tables[0].rows]
    assert [row[0] for row in shown] == ["Play 7♥, take Q♣", "Play 6♣", "Play 7♥"]
    assert shown[0][1:] == ["+3.0 ± 3.0", "–", "+7.0 ± 3.0", "90.0 %", "80.0 %", "standard, expert"]
    assert shown[1][1:3] == ["+1.0 ± 3.0", "2.0 ± 3.0"]
    assert shown[1][6] == "played here"
    found = charts(told)
    assert [row["value"] for row in data(found["Expected margin"])] == [3.0, 1.0, -1.0]
    assert [(row["low"], row["high"]) for row in data(found["Behind the best"])] == [(0, 0), (-1, 5), (1, 7)]
    page = report.html(made.advice())
    assert 'Q♣ <i class="red">K♦</i> = 18' in page
    assert "rule book, without house rules" in page


def test_options_that_are_called_the_same_stay_apart() -> None:
    found = charts(body(ODD["alike"]))
    assert [row["label"] for row in data(found["Expected margin"])] == ["1. Play 6♣", "2. Play 6♣", "3. Play 6♣"]
    assert [section.title for section in body(ODD["many decisions"]).sections] == [
        f"Seat 1: meld, {n}" for n in (1, 2, 3)
    ]


def test_advice_that_was_stopped_early_says_so() -> None:
    stopped = body(made.advice() | {"rollouts": 1_000})
    assert stopped.notes == ["It was stopped early: 50 worlds of 1,000 are told here."]
    assert body(made.advice()).notes == []


@pytest.mark.parametrize("name", ODD)
def test_odd_documents_make_a_page(name: str) -> None:
    page = report.html(ODD[name])
    assert "NaN" not in page.partition("<script>")[0]
    for chart in charts(body(ODD[name])).values():
        check_spec(chart.spec)


def test_replays_mark_red_suits_and_are_told_twice_for_two_widths() -> None:
    replay = Replay("The record", "of all", [("title", "Deal"), ("text", "Draws 10♥ 3♠.")], [("text", "3♠")], "show it")
    page = report.html(Part(made.summary(), replays=[replay]))
    assert 'Draws <i class="red">10♥</i> 3♠.' in page
    assert '<span class="title">Deal</span>' in page
    assert 'class="story on-narrow"' in page
    assert "Deals worth looking at" in page


def test_a_library_of_scripts_cannot_end_its_element() -> None:
    page = report.html(made.summary())
    assert page.count("</script") == len(Elements(page).named("script"))


def test_wrong_documents_are_refused() -> None:
    with pytest.raises(DocumentError):
        report.html({"schema": "carteador.run/1"})
    with pytest.raises(ValueError, match="a document at least"):
        report.html([])


def test_a_document_may_come_checked() -> None:
    read_before = read(made.summary())
    assert isinstance(read_before, Summary)
    assert "400 deals" in report.html(read_before)
