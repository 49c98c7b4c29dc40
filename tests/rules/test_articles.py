"""Every article of a rule page names tests that exist, and the page says what the game's options are."""

from __future__ import annotations

import pytest

from kernels import registry
from kernels.spec import Option
from tests.rules.articles import TEST_NAME, Article, all_tests, articles, page_of, tests_named_after

LAST_ARTICLE = {"canastra": 28, "canasta": 20, "mau_mau": 19, "escopa": 12, "loba": 17}
"""Number of the last article of each game that ships."""

GAMES = sorted(registry.GAMES)
EVERY_ARTICLE = [
    pytest.param(article, id=article.name) for game in GAMES if page_of(game).exists() for article in articles(game)
]


def values_text(option: Option) -> list[str]:
    """Words that the page must say of an option's values."""
    if option.kind == "flag":
        return ["`false`", "`true`"]
    if option.kind == "choice":
        return [f"`{choice}`" for choice in option.choices]
    if option.kind == "ranks":
        return [f"`{','.join(option.default)}`", f"`{option.choices[0]}`", f"`{option.choices[-1]}`", "`none`"]
    if option.kind == "scores":
        return [f"`{':'.join(map(str, option.default))}`", f"{option.low:,}", f"{option.high:,}"]
    return [f"`{option.default}`", f"{option.low:,}", f"{option.high:,}"]


def test_every_game_has_a_rule_page() -> None:
    assert sorted(LAST_ARTICLE) == GAMES
    assert all(page_of(game).exists() for game in GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_the_articles_are_numbered_without_a_gap(game: str) -> None:
    names = [article.name for article in articles(game)]
    prefix = names[0].partition("-")[0]
    assert names == [f"{prefix}-{number:02}" for number in range(1, LAST_ARTICLE[game] + 1)]


@pytest.mark.parametrize("article", EVERY_ARTICLE)
def test_every_article_names_tests_and_they_exist(article: Article) -> None:
    assert article.tests, f"{article.name} names no test"
    assert set(article.tests) <= all_tests()


@pytest.mark.parametrize("article", EVERY_ARTICLE)
def test_every_test_named_after_an_article_is_in_its_list(article: Article) -> None:
    assert set(tests_named_after(article.name)) <= set(article.tests), "python -m tests.rules.articles adds them"


@pytest.mark.parametrize("article", EVERY_ARTICLE)
def test_the_list_holds_names_of_tests_alone(article: Article) -> None:
    rest = TEST_NAME.sub("", article.tests_lines.removeprefix("Tests:"))
    assert rest.replace(",", "").split() == []


@pytest.mark.parametrize("game", GAMES)
def test_every_option_stands_in_its_article_with_its_values_and_default(game: str) -> None:
    by_name = {article.name: article for article in articles(game)}
    homes = {name: article for article in by_name.values() for name in article.options}
    options = {option.name: option for option in registry.spec(game).options}
    assert homes.keys() == options.keys()
    for name, option in options.items():
        assert homes[name].name == option.article, name
        for value in values_text(option):
            assert value in homes[name].text, f"{name}: {value} is not on the page"
        if option.kind in ("choice", "flag"):
            default = str(option.default).lower() if option.kind == "flag" else str(option.default)
            assert homes[name].options[name].startswith(f"`{default}`"), f"{name}: the default stands first"
