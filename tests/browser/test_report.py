"""A report in a real browser: its charts draw, its tables sort, and it asks nothing of anybody."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import sim
from analysis import report
from analysis.report import Part
from sim import notable
from tests.analysis import documents as made
from tests.analysis.documents import ODD
from tests.browser.conftest import Browser

TABLE = "p1-table-1"
CHARTS = """
return [...document.querySelectorAll('.plot')].map((plot) => {
    const svg = plot.querySelector('svg');
    const marks = svg ? [...svg.querySelectorAll('.role-mark path, .role-mark line, .role-mark text')] : [];
    const box = svg ? svg.getBoundingClientRect() : {width: 0, height: 0};
    return [plot.dataset.spec, box.width, box.height, marks.filter((mark) => {
        const own = mark.getBoundingClientRect();
        return own.width + own.height > 0;
    }).length];
})
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run in which policies differ, with its deals, and one part of every other kind."""
    run = sim.simulate("canastra", deals=600, seed=7, policies={0: "expert", 2: "expert"})
    search = notable.Search("Side")
    search.add(run.deals, run.sides)
    replays = notable.replays(run.setup, search.found())
    assert replays
    parts: list[Any] = [
        Part(run.document(), "run", replays=replays),
        made.compare(),
        made.tournament(),
        made.sweep((1, 2, 3), (2, 4)),
        *(made.tune(), made.odds(), made.advice()),
    ]
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(report.html(parts), encoding="utf-8")
    return path


def cells(browser: Browser, column: int) -> list[str]:
    """Texts of a column of the table of all numbers, of the rows that are shown."""
    script = (
        "return [...document.querySelectorAll(arguments[0])].filter((row) => !row.hidden).map("
        "(row) => row.cells[arguments[1]].textContent)"
    )
    found: list[str] = browser.run(script, f"#{TABLE} tbody tr", column)
    return found


def numbers(texts: list[str]) -> list[float]:
    """Numbers of a column, shares in percent, without the dashes."""
    return [float(text.replace(",", "").replace("−", "-").removesuffix(" %")) for text in texts if text != "–"]


def sort(browser: Browser, column: int) -> Any:
    """Click the heading of a column; returns its `aria-sort`."""
    script = (
        "const head = document.querySelector(arguments[0]).tHead.rows[0].cells[arguments[1]];"
        "head.querySelector('button').click(); return head.getAttribute('aria-sort')"
    )
    return browser.run(script, f"#{TABLE}", column)


def fill(browser: Browser, selector: str, value: str) -> None:
    """Put a value into a field, as a reader would."""
    browser.run(
        "const field = document.querySelector(arguments[0]); field.value = arguments[1];"
        "field.dispatchEvent(new Event('input', {bubbles: true}))",
        selector,
        value,
    )


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_every_chart_draws_without_a_complaint_or_a_request(
    browser: Browser, page: Path, width: int, dark: bool
) -> None:
    browser.open(page, width=width, dark=dark)
    drawn = browser.run(CHARTS)
    assert len(drawn) > 25
    for name, chart_width, height, marks in drawn:
        assert chart_width > 200, name
        assert height > 40, name
        assert marks > 0, name
    assert browser.complaints() == []
    assert {url.partition(":")[0] for url in browser.requests()} <= {"file", "data"}


def test_charts_of_unusual_documents_draw_too(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "odd.html"
    path.write_text(report.html(list(ODD.values())), encoding="utf-8")
    browser.open(path, width=390)
    drawn = browser.run(CHARTS)
    assert len(drawn) > 60
    assert [name for name, _, height, marks in drawn if not height or not marks] == []
    assert browser.complaints() == []


@pytest.mark.parametrize("width", [1280, 768, 390, 320])
def test_nothing_is_wider_than_the_screen(browser: Browser, page: Path, width: int) -> None:
    browser.open(page, width=width)
    assert browser.run("return document.documentElement.scrollWidth") <= width
    beyond = browser.run(
        "return [...document.querySelectorAll('.plot svg')].filter((svg) => !svg.closest('[style]') &&"
        " svg.getBoundingClientRect().right > innerWidth).length"
    )
    assert beyond == 0


def test_a_table_sorts_by_numbers_and_by_names_both_ways(browser: Browser, page: Path) -> None:
    browser.open(page)
    estimate, name = 2, 0
    assert sort(browser, estimate) == "descending"
    shown = numbers(cells(browser, estimate))
    assert shown == sorted(shown, reverse=True)
    assert len(set(shown)) > 20
    assert sort(browser, estimate) == "ascending"
    assert numbers(cells(browser, estimate)) == sorted(shown)
    assert sort(browser, name) == "ascending"
    names = cells(browser, name)
    assert names.index("end_reason:batida") < names.index("first_meld_by:2") < names.index("first_meld_by:10")
    assert sort(browser, name) == "descending"
    assert cells(browser, name) == names[::-1] or sorted(cells(browser, name)) == sorted(names)


def test_what_has_no_value_stands_last_both_ways(browser: Browser, page: Path) -> None:
    browser.open(page)
    error = 5
    for _ in range(2):
        sort(browser, error)
        shown = cells(browser, error)
        assert "–" in shown
        assert set(shown[shown.index("–") :]) == {"–"}


def test_a_table_is_searched_and_narrowed_to_a_group(browser: Browser, page: Path) -> None:
    browser.open(page)
    assert set(cells(browser, 1)) == {"all"}
    fill(browser, f"[data-filter='{TABLE}']", "policy:expert")
    assert set(cells(browser, 1)) == {"policy:expert"}
    fill(browser, f"[data-search='{TABLE}']", "no such statistic")
    assert cells(browser, 0) == []
    fill(browser, f"[data-search='{TABLE}']", " rate MORTO ")
    assert cells(browser, 0) == ["morto_rate"]
    count = browser.run("return document.querySelector(arguments[0]).textContent", f"[data-count='{TABLE}']")
    assert count.startswith("1 of ")
    fill(browser, f"[data-filter='{TABLE}']", "")
    assert len(cells(browser, 0)) > 1


def test_the_switch_turns_the_page_and_its_charts_dark_and_back(browser: Browser, page: Path) -> None:
    colours = (
        "const style = (selector, name) => getComputedStyle(document.querySelector(selector))[name];"
        "return [style('body', 'backgroundColor'), style('body', 'color'),"
        " style('.plot .mark-rect path, .plot .mark-line path', 'fill'), style('.plot .role-axis text', 'fill'),"
        " document.getElementById('theme').textContent]"
    )
    switch = "document.getElementById('theme').click()"
    browser.open(page)
    light = browser.run(colours)
    browser.run(switch)
    dark = browser.run(colours)
    assert all(one != other for one, other in zip(light, dark, strict=True))
    browser.run(switch)
    assert browser.run(colours) == light
    browser.open(page, dark=True)
    assert browser.run(colours) == dark
    browser.run(switch)
    assert browser.run(colours) == light


def test_headings_and_texts_stand_out_from_the_page(browser: Browser, page: Path) -> None:
    """Contrast of 4.5 to 1 at least, the second level of the accessibility guidelines."""
    script = """
    const luminance = (colour) => {
        const parts = colour.match(/[\\d.]+/g).slice(0, 3).map((part) => {
            const share = part / 255;
            return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
    };
    const behind = (element) => {
        for (let at = element; at; at = at.parentElement) {
            const colour = getComputedStyle(at).backgroundColor;
            if (!/, 0\\)$|transparent/.test(colour)) return colour;
        }
        return 'rgb(255, 255, 255)';
    };
    const texts = 'h1, h2, h3, h4, p, li, dt, dd, summary, th, td, figcaption, pre, .red, a, button';
    return [...document.querySelectorAll(texts)]
        .filter((element) => element.offsetParent && element.textContent.trim())
        .map((element) => {
            const colours = [getComputedStyle(element).color, behind(element)];
            const [one, other] = colours.map(luminance).sort((a, b) => b - a);
            return [(one + 0.05) / (other + 0.05), element.tagName + ' ' + element.className];
        })
        .filter(([contrast]) => contrast < 4.5).map(([contrast, name]) => name + ' ' + contrast.toFixed(2));
    """
    for dark in (False, True):
        browser.open(page, dark=dark)
        browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        assert sorted(set(browser.run(script))) == []


def test_replays_open_and_fit_the_screen(browser: Browser, page: Path) -> None:
    for width, shown in ((1280, "on-wide"), (390, "on-narrow")):
        browser.open(page, width=width)
        told = browser.run(
            "const replay = document.querySelector('.replay'); replay.open = true;"
            "return [...replay.querySelectorAll('.story')].filter((story) => story.offsetParent)"
            ".map((story) => [story.className, story.textContent])"
        )
        assert len(told) == 1
        assert shown in told[0][0]
        assert "Score" in told[0][1]


def test_everything_is_reached_with_the_keyboard(browser: Browser, page: Path) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    browser.open(page)
    head = browser.driver.find_element("css selector", f"#{TABLE} thead button")
    browser.run("arguments[0].focus()", head)
    ActionChains(browser.driver).send_keys(Keys.ENTER).perform()
    assert browser.run("return arguments[0].closest('th').getAttribute('aria-sort')", head) == "ascending"
    ActionChains(browser.driver).send_keys(Keys.TAB).perform()
    assert browser.run("return document.activeElement.closest('th').cellIndex") == 1
    scrolled = browser.run("return [...document.querySelectorAll('.scroll, pre')].every((one) => one.tabIndex === 0)")
    assert scrolled


def test_a_chart_is_saved_with_its_colours(browser: Browser, page: Path) -> None:
    browser.open(page)
    source = browser.run(
        "let saved; const before = URL.createObjectURL;"
        "URL.createObjectURL = (blob) => { saved = blob; return before(blob); };"
        "HTMLAnchorElement.prototype.click = () => {};"
        "document.querySelector('[data-save]').click(); return saved.text()"
    )
    assert source.startswith("<svg")
    assert 'xmlns="http://www.w3.org/2000/svg"' in source
    assert "var(--" not in source


def test_it_can_be_read_without_scripts_and_prints_in_black_on_white(browser: Browser, page: Path) -> None:
    browser.open(page, dark=True)
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        shown = browser.run(
            "const style = (selector, name) => getComputedStyle(document.querySelector(selector))[name];"
            "return [style('body', 'backgroundColor'), style('body', 'color'), style('.contents', 'display'),"
            " style('.scroll', 'overflowX'), style('#theme', 'display')]"
        )
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert shown == ["rgb(255, 255, 255)", "rgb(0, 0, 0)", "none", "visible", "none"]
    without = page.with_name("without.html")
    without.write_text(
        page.read_text(encoding="utf-8").replace("<script>", "<script type='text/plain'>"), encoding="utf-8"
    )
    browser.driver.get(without.as_uri())
    tables = browser.run("return [...document.querySelectorAll('table')].every((table) => table.rows.length > 1)")
    assert tables
